"""Which cells a commit is judged by, and how the process of each begins.

A **cell** is one benchmark with one combination of its parameters, by asv's own spelling: ``name('numba', 1000)``.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from jitkernels.backends import caches
from jitkernels.backends.table import BACKENDS

SLOW_TO_BEGIN = "python|torch_dynamo|torch_aot"
"""A call of philox_pi at a million points, or tracing it, which is done anew in each process, takes these seconds; tracing
takes one or three for a thousand points too."""
LONG_CALLS = "jax_eager|tensorflow_eager|triton"
"""A call of philox_pi at a million points takes these 60 to 140 ms: too few fit into a pair to know its ratio."""
PER_COMMIT = (  # what a call costs and what its work does on all backends, one accuracy each, and the compilers on four more
    r"^monte_carlo_pi\.(Warm|Interpreted)\.time_call\('(?!numba_parallel).*, 1000\)$"
    r"|^monte_carlo_pi\.Warm\.time_call\('(?!python).*, 1000000\)$"
    r"|^monte_carlo_pi\.(Warm|Interpreted)\.time_call\('(python|triton)', 100000\)$"
    rf"|^philox_pi\.Warm\.time_call\('(?!{SLOW_TO_BEGIN}|{LONG_CALLS}).*, 1000000\)$"
    rf"|^philox_pi\.(Warm|Interpreted)\.time_call\('({LONG_CALLS})', 100000\)$"
    r"|^philox_pi\.Warm\.time_call\('python', 1000\)$"
    r"|^monte_carlo_pi\.Accuracy\.track_error\(.*, 1000000\)$"
    rf"|^philox_pi\.Accuracy\.track_hits\(('(?!{SLOW_TO_BEGIN}).*, 1000000|'({SLOW_TO_BEGIN})', 1000)\)$"
    r"|^(dense_relu|black_scholes|mandelbrot|mlp_train)\.Warm\.time_call\("
    r"'(c|numba|jax|tensorflow_xla|torch_eager|torch_inductor)', (20|32|200|1000000)\)$"
)
"""What a commit is judged by; the rest is for the night."""
FIRST_VIEW = (  # the ends of both curves; cold starts, but for Inductor's, which takes minutes; how near each comes to pi
    r"|^(monte_carlo_pi|philox_pi)\.(Warm|Interpreted)\.time_call\(.*, (1000|1000000)\)$"
    r"|^philox_pi\.Accuracy\.track_hits\(.*, 1000000\)$"
    r"|^philox_pi\.Cold\.time_first_call\('(c|numba|jax|tensorflow_xla)', 1000\)$"
    r"|^philox_pi\.Accuracy\.track_(error|z)\(.*, 1000000\)$"
)
QUICK = PER_COMMIT + FIRST_VIEW
"""What ``make bench`` measures of a commit: the verdict's cells, and what the site's first view shows beside their times."""

OWN_CACHES, SHARED_CACHES, ASKED = "own caches", "shared caches", "asked"
LOADED = (  # to these, compiling is preparation; one class of a name that others have too is named with its kernel
    "Warm", "Interpreted", "Apart", "Loop", "Dispatch", "Threads", "Accuracy", "Error", "Cached", "monte_carlo_pi.Spellings",
)  # fmt: skip
PRELOAD, CELLS = "JITKERNELS_PRELOAD", "JITKERNELS_CELLS"  # read by benchmarks/


def launched(cell: str) -> str:
    """How the cell's process begins: with its framework imported, and which caches.

    own caches: those that the benchmark gives itself, or what the framework keeps by default, because compilation is what is
    measured. shared caches: for all processes of a run, so that what one compiled the next ones load; what loading it takes
    is measured. asked: the same, because the program is; and what a framework asks of a machine once a process is asked
    before the process begins. Caches are named before the framework is imported: some ask only then.
    """
    kernel, group = cell.split(".")[:2]
    if group in LOADED or f"{kernel}.{group}" in LOADED:
        return SHARED_CACHES if is_first_call(cell) else ASKED
    return OWN_CACHES


def environments(backend: str, directory: Path, *others: str) -> dict[str, dict[str, str]]:
    """Variables for each way to launch a cell. All caches are below ``directory``, because a framework that is imported
    before a benchmark empties its caches would go on with those of the user's own shell; so is what processes leave behind
    that asv ends before they have tidied up. others: backends whose cells are launched by the same process."""
    names = dict.fromkeys(name for each in (backend, *others) for name in modules(each))
    asked = dict.fromkeys(name for each in (backend, *others) for name in questions(each))
    always = {PRELOAD: " ".join(names), "TMPDIR": str(directory)}
    own = caches.variables(directory / "own")
    shared = caches.variables(directory / "shared", persistent=True)
    loads = shared | always
    return {OWN_CACHES: own | always, SHARED_CACHES: loads, ASKED: loads | {PRELOAD: " ".join(names | asked)}}


def family(cell: str) -> str:
    """Whose cells one process can launch with it, so that a framework is imported once: its modes', where compiling is
    preparation; where a first call is what is measured, only its own backend's."""
    backend = backend_of(cell)
    if backend not in BACKENDS or launched(cell) == OWN_CACHES:
        return backend
    return BACKENDS[backend].dialect


def modules(backend: str) -> list[str]:
    """What a process of this backend imports before it compiles anything; nothing for a backend that is not known."""
    if backend not in BACKENDS:
        return []
    return [BACKENDS[backend].module, *BACKENDS[backend].preload]


def questions(backend: str) -> list[str]:
    """Modules that ask, when they are imported, what its compiler asks of a machine once a process."""
    return list(BACKENDS[backend].questions) if backend in BACKENDS else []


def needs_threads(cell: str) -> bool:
    """Whether it would not be the same program on one core."""
    backend = backend_of(cell)
    return ".Threads." in cell or (backend in BACKENDS and BACKENDS[backend].needs_threads)


def is_first_call(cell: str) -> bool:
    """Whether a process has but one sample of the cell to give."""
    return cell.partition("(")[0].endswith(".time_first_call")


def cell_names(benchmark: str, params: list[list[str]]) -> list[str]:
    """By asv's own spelling, in its order: name('numba', 1000); the name alone where there are no parameters."""
    if not params:
        return [benchmark]
    return [f"{benchmark}({', '.join(values)})" for values in itertools.product(*params)]


def backend_of(cell: str) -> str:
    """A cell's first parameter."""
    return cell.partition("('")[2].partition("'")[0]


def selected(cells: Iterator[str] | list[str], expressions: list[str]) -> list[str]:
    """Those that one of the regular expressions finds, as asv's ``--bench`` does."""
    return [cell for cell in cells if any(re.search(expression, cell) for expression in expressions)]
