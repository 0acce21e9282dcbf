"""Tasks of a child process about a file that was compiled ahead of time, for ``aot``.

Seconds are wall time. A process that loads a file did not build it, and imports only what loading needs.
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

CALLS = 10  # first calls, timed one by one: by then every just-in-time compiler here has finished
LONGEST_REASON = 160  # characters of an exception: TensorFlow's quote the arrays that it refuses


def build(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Build the form. Inside the clock: the ahead-of-time compiler and writing the files (see ``Form.built``).

    Outside: the framework's import, its one-off costs, and the inputs.
    """
    row, line, place = find_backend(backend), forms.form(backend, form), Path(directory)
    if reason := unavailable(kernels.load(kernel), row, settings.device()):
        raise Unavailable(reason)
    builder = ahead_of_time.files_of(line)
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
    """Check the loaded program's answer, and return how many programs were compiled for it."""
    case = _loaded(kernel, backend, size, seed, form, directory)
    metrics = case.metrics()
    return {"value": metrics.get("value"), "error": metrics["error"], "programs": case.compiled()}


def other_shape(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Return whether the program takes another size: "yes"; "no", with the exception; or "wrong" for a wrong answer.

    ``aot.Comparison`` reports a process that dies.
    """
    case = _loaded(kernel, backend, neighbour(kernels.load(kernel), size), seed, form, directory)
    try:
        case.check()
    except AssertionError as error:
        return {"other_shape": "wrong", "other_shape_reason": str(error)}
    except Exception as error:  # raised by a program that was built for one shape
        line = textwrap.shorten(str(error).strip().partition("\n")[0], LONGEST_REASON)
        return {"other_shape": "no", "other_shape_reason": f"{type(error).__name__}: {line}"}
    return {"other_shape": "yes", "other_shape_reason": None}


def clock(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Return seconds of a checked program: its load, its first calls, and warm calls.

    Inside ``import_seconds``: the framework. Inside ``load_seconds``: from the files to a callable. Inside the calls: the
    call and the wait. Nothing is started earlier, so these include what the runtime sets up at its first use. Outside:
    making the inputs and moving them to the device.
    """
    line = forms.form(backend, form)
    begin = time.perf_counter()
    loader = ahead_of_time.files_of(line, line.loader)
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
    """Return the same of the just-in-time compiler: its first calls, and warm calls after a check.

    ``start_seconds``: the one-off costs of the framework and its compiler. The inputs are outside every clock.
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
    case.program = ahead_of_time.files_of(line, line.loader).load(_subject(case), Path(directory))
    return case


def _subject(case: Case) -> Subject:
    return Subject(case.source, case.compiler, case.arguments, case.program)


def _source_alone(kernel: str, backend: str) -> Subject:
    """Return the source of a form that is not run. It has no case, because Triton would interpret one."""
    spec, row = kernels.load(kernel), find_backend(backend)
    return Subject(source.load(spec, row.dialect), Compiler(row, settings.device()))


def _packages() -> list[str]:
    """Return the top-level packages that this process has imported, without the standard library and this one."""
    names = {name.partition(".")[0] for name, module in sys.modules.items() if getattr(module, "__file__", None)}
    return sorted(name for name in names - sys.stdlib_module_names if not name.startswith(("_", "jitkernels")))
