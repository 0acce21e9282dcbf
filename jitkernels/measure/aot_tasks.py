"""Tasks of a child process about a file that was compiled ahead of time, for ``aot``.

Seconds are wall time. A process that loads a file did not build it, and imports only what loading needs.
"""

import importlib
import sys
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jitkernels import kernels, settings, source
from jitkernels.availability import unavailable
from jitkernels.backends import ahead_of_time
from jitkernels.backends.compiler import Compiler, class_of
from jitkernels.backends.forms import find_form
from jitkernels.backends.table import find_backend
from jitkernels.case import Case, nothing_checked, prepare
from jitkernels.clock import samples, series, timed
from jitkernels.errors import Unavailable
from jitkernels.kernel import one_line
from jitkernels.measure.retrace import neighbour
from jitkernels.measure.rows import Row, version

CALLS = 10  # first calls, timed one by one: by then every just-in-time compiler here has finished
LONGEST_REASON = 160  # characters of an exception: TensorFlow's quote the arrays that it refuses


def build(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Build the form. Inside the clock: the ahead-of-time compiler and writing the files (see ``Form.built``).

    Outside: the framework's import, its one-off costs, and the inputs.
    """
    row, kind, place = find_backend(backend), find_form(backend, form), Path(directory)
    if reason := unavailable(kernels.load(kernel), row, settings.device()):
        raise Unavailable(reason)
    builder = ahead_of_time.files_of(kind)
    case: Any = _source_alone(kernel, backend) if kind.unrun else prepare(kernel, backend, size, seed)
    builder.ready(case)
    with nothing_checked():
        seconds, _ = timed(lambda: builder.build(case, place))
    return {
        "build_seconds": seconds,
        "bytes": sum(path.stat().st_size for path in place.rglob("*") if path.is_file()),
        "facts": builder.facts(place),
        "version": version(class_of(row.framework)(row, settings.device()).versions()),
    }


def check(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Check the loaded program's answer, and return how many programs were compiled for it."""
    case = _load(kernel, backend, size, seed, form, directory)
    metrics = case.metrics()
    return {"value": metrics.get("value"), "error": metrics["error"], "programs": case.compiled()}


def other_shape(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Return whether the program takes another size: "yes"; "no", with the exception; or "wrong" for a wrong answer.

    ``aot.Comparison`` reports a process that dies.
    """
    case = _load(kernel, backend, neighbour(kernels.load(kernel), size), seed, form, directory)
    try:
        case.check()
    except AssertionError as error:
        return {"other_shape": "wrong", "other_shape_reason": str(error)}
    except Exception as error:  # raised by a program that was built for one shape
        return {"other_shape": "no", "other_shape_reason": textwrap.shorten(one_line(error), LONGEST_REASON)}
    return {"other_shape": "yes", "other_shape_reason": None}


def clock(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Row:
    """Return seconds of a checked program: its load, its first calls, and warm calls.

    Inside ``import_seconds``: the framework. Inside ``load_seconds``: from the files to a callable. Inside the calls: the
    call and the wait. Nothing is started earlier, so these include what the runtime sets up at its first use. Outside:
    making the inputs and moving them to the device.
    """
    kind = find_form(backend, form)
    driver = find_backend(kind.host).module  # before the clock: the table reads the entry points of every package
    begin = time.perf_counter()
    loader = ahead_of_time.files_of(kind, kind.loader)
    importlib.import_module(driver)
    imported = time.perf_counter() - begin
    case = prepare(kernel, kind.host, size, seed)
    loaded, case.program = timed(lambda: loader.load(case, Path(directory)))
    calls = series(case, CALLS, CALLS)
    return {
        "import_seconds": imported,
        "load_seconds": loaded,
        "first_calls": calls,
        "samples": samples(case),
        "imports": _packages(),
        "front_end": [module for module in kind.front_end if module in sys.modules],
        "threads": case.compiler.threads(),
    }


def just_in_time(kernel: str, backend: str, size: int, seed: int) -> Row:
    """Return the same of the just-in-time compiler: its imports, its first calls, and warm calls after a check."""
    row = find_backend(backend)
    modules = (row.module, *row.preload)  # before the clock, as in ``clock``
    imported, _ = timed(lambda: [importlib.import_module(module) for module in modules])
    case = prepare(kernel, backend, size, seed)
    calls = series(case, CALLS, CALLS)
    case.check()
    return {"import_seconds": imported, "first_calls": calls, "samples": samples(case)}


def _load(kernel: str, backend: str, size: int, seed: int, form: str, directory: str) -> Case:
    """Return the host's case with the loaded program in place of its own."""
    kind = find_form(backend, form)
    case = prepare(kernel, kind.host, size, seed)
    case.program = ahead_of_time.files_of(kind, kind.loader).load(case, Path(directory))
    return case


def _source_alone(kernel: str, backend: str) -> SimpleNamespace:
    """Return the source of a form that is not run. It has no case, because Triton would interpret one."""
    spec, row = kernels.load(kernel), find_backend(backend)
    return SimpleNamespace(source=source.load(spec, row.dialect), compiler=Compiler(row, settings.device()))


def _packages() -> list[str]:
    """Return the top-level packages that this process has imported, without the standard library and this one."""
    names = {name.partition(".")[0] for name, module in sys.modules.items() if getattr(module, "__file__", None)}
    return sorted(name for name in names - sys.stdlib_module_names if not name.startswith(("_", "jitkernels")))
