"""What a child can be asked about a file that was compiled ahead of time: the tasks of ``aot``.

Seconds are wall time. A process that loads a file has not built it, and imports no more than loading needs.
"""

import importlib
import sys
import textwrap
import time
from pathlib import Path

from jitkernels import kernels, settings, source
from jitkernels.availability import unavailable
from jitkernels.backends import ahead_of_time, forms
from jitkernels.backends.ahead_of_time import Subject
from jitkernels.backends.compiler import Compiler, class_of
from jitkernels.backends.table import find_backend
from jitkernels.case import Case, prepare
from jitkernels.clock import samples, series
from jitkernels.errors import Unavailable
from jitkernels.measure.retrace import neighbour
from jitkernels.measure.rows import Row

CALLS = 10  # the first ones, each with its own seconds: by then every just-in-time compiler here has finished
LONGEST_REASON = 160  # characters of an exception: TensorFlow's quote the arrays that they refuse


def build(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Inside the clock: the ahead-of-time compiler, and writing the files; ``Form.built`` says what exactly.

    Outside: the framework's import, its one-off costs, and the inputs.
    """
    row, line, place = find_backend(backend), forms.form(backend, form), Path(directory)
    if reason := unavailable(kernels.load(kernel), row, settings.device()):
        raise Unavailable(reason)
    builder = ahead_of_time.builder(line)
    subject = _source_alone(kernel, backend) if line.unrun else _subject(prepare(kernel, backend, size, seed))
    builder.ready(subject)
    begin = time.perf_counter()
    builder.build(subject, place)
    seconds = time.perf_counter() - begin
    return {
        "build_seconds": seconds,
        "bytes": sum(path.stat().st_size for path in place.rglob("*") if path.is_file()),
        "facts": builder.facts(place),
        "versions": class_of(row.framework)(row, settings.device()).versions(),
    }


def check(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """The loaded program's answer, checked, and how many programs were compiled to get it."""
    case = _loaded(kernel, backend, size, seed, form, directory)
    metrics = case.metrics()
    return {"value": metrics.get("value"), "error": metrics["error"], "programs": case.compiled()}


def other_shape(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Whether the program takes arguments of another size: "yes"; "no", with the exception; "wrong" where the answer is.

    ``aot.Comparison`` reports a process that dies of it.
    """
    case = _loaded(kernel, backend, neighbour(kernels.load(kernel), size), seed, form, directory)
    try:
        case.check()
    except AssertionError as error:
        return {"other_shape": "wrong", "other_shape_reason": str(error)}
    except Exception as error:  # of a program that was built for one shape
        line = textwrap.shorten(str(error).strip().partition("\n")[0], LONGEST_REASON)
        return {"other_shape": "no", "other_shape_reason": f"{type(error).__name__}: {line}"}
    return {"other_shape": "yes", "other_shape_reason": None}


def clock(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Of a program that was checked: seconds of its load, of the first calls, and of warm ones.

    Inside ``import_seconds``: the framework. Inside ``load_seconds``: from the files to a callable. Inside the calls: the
    call and the wait. Nothing is started before, so what the runtime sets up at its first use is in these. Outside: making
    the inputs and moving them to the device.
    """
    line = forms.form(backend, form)
    begin = time.perf_counter()
    loader = ahead_of_time.loader(line)
    importlib.import_module(find_backend(line.host).module)
    imported = time.perf_counter() - begin
    case = prepare(kernel, line.host, size, seed)
    begin = time.perf_counter()
    case.program = loader.load(_subject(case), Path(directory))
    loaded = time.perf_counter() - begin
    calls = series(case, CALLS, CALLS)
    return {
        "import_seconds": imported,
        "load_seconds": loaded,
        "first_calls": calls,
        "samples": samples(case),
        "imports": _packages(),
        "front_end": [module for module in line.front_end if module in sys.modules],
        "threads": case.compiler.threads(),
    }


def just_in_time(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The same of the just-in-time compiler: its first calls, a check after them, and warm ones.

    ``start_seconds`` are the one-off costs of the framework and its compiler. The inputs are outside any clock.
    """
    begin = time.perf_counter()
    importlib.import_module(find_backend(backend).module)
    imported = time.perf_counter() - begin
    case = prepare(kernel, backend, size, seed)
    begin = time.perf_counter()
    case.start()
    started = time.perf_counter() - begin
    calls = series(case, CALLS, CALLS)
    case.check()
    return {"import_seconds": imported, "start_seconds": started, "first_calls": calls, "samples": samples(case)}


def _loaded(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Case:
    """Return the host's case with the loaded program in place of its own."""
    line = forms.form(backend, form)
    case = prepare(kernel, line.host, size, seed)
    case.program = ahead_of_time.loader(line).load(_subject(case), Path(directory))
    return case


def _subject(case: Case) -> Subject:
    return Subject(case.source, case.compiler, case.arguments, case.program)


def _source_alone(kernel: str, backend: str) -> Subject:
    """Return the subject of a form that is not run: its source, without a case, which Triton would interpret."""
    spec, row = kernels.load(kernel), find_backend(backend)
    return Subject(source.load(spec, row.dialect), Compiler(row, settings.device()))


def _packages() -> list[str]:
    """Return what this process has imported from outside the standard library and this one, by top-level name."""
    names = {name.partition(".")[0] for name, module in sys.modules.items() if getattr(module, "__file__", None)}
    return sorted(name for name in names - sys.stdlib_module_names if not name.startswith(("_", "jitkernels")))
