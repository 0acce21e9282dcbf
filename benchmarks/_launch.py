"""How the process of a benchmark case begins: what it has imported, and which caches it has."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from . import _library
from ._library import BACKENDS, caches

OWN_CACHES, SHARED_CACHES = "own caches", "shared caches"
_LOADING = r"(\w+\.(Warm|Interpreted|Apart|Loop|Dispatch|Threads|Accuracy|Error|Cached)|monte_carlo_pi\.Spellings)\."
"""The classes to which compiling is preparation."""
_CLOCKED = r"\.(time_\w+|track_(\w*seconds|\w+_peak|\w+_over_jit|\w+_spread))(\(|$)"
"""The benchmarks whose figures are seconds, or a process's memory: they depend on what is imported before."""
PRELOAD = "JITKERNELS_PRELOAD"  # names the modules that benchmarks/__init__.py imports
CASES = "JITKERNELS_CASES"  # names a file with the cases of a run, one a line
NO_CLOCK = "JITKERNELS_NO_CLOCK"  # set where no clock takes a figure of the process: nothing is repeated for a median


def launched(case: str) -> str:
    """Return which caches the case's process begins with. Its framework is imported.

    own caches: compilation is measured, so the benchmark makes caches of its own, or the framework has its default ones.
    shared caches: all processes of a run have the same. Variables name the caches before the framework is imported: some
    frameworks read them only then.
    """
    return SHARED_CACHES if re.match(_LOADING, case) else OWN_CACHES


def environments(backends: Iterable[str], directory: Path) -> dict[str, dict[str, str]]:
    """Return variables for each way to launch cases of the backends.

    What a framework asks of a machine once a process is asked with its import: before any clock, as its one-off start is.
    All caches are below ``directory``: a framework that is imported before a benchmark empties its caches would otherwise
    use the user's own. So are temporary files, which a process leaves behind if asv ends it. backends: whose cases one
    process launches.
    """
    rows = [BACKENDS[each] for each in backends if each in BACKENDS]
    names = dict.fromkeys(name for row in rows for name in (row.module, *row.preload, *row.questions))
    always = {PRELOAD: " ".join(names), "TMPDIR": str(directory)}
    own = caches.variables(directory / "own")
    shared = caches.variables(directory / "shared", persistent=True)
    return {OWN_CACHES: own | always, SHARED_CACHES: shared | always}


def group(case: str) -> str:
    """Return the name of the cases that one process of a duet may measure with it. Backends of a dialect share a process
    for figures that no clock takes."""
    if launched(case) == OWN_CACHES and not is_clocked(case):
        return f"{dialect_of(case) or 'no backend'} (figures)"
    what = "first calls, " if is_first_call(case) else ""
    return f"{family(case) or 'no backend'} ({what}{launched(case)})"


def variables(cases: Sequence[str], directory: Path, share: bool = True) -> dict[str, str]:
    """Return variables of the process that measures the cases of a group.

    directory: for caches, as in ``environments``. share: False if no program that another process has compiled is loaded.
    Where no case is clocked, the process knows.
    """
    ways = environments(map(backend_of, cases), directory)
    own = ways[launched(cases[0]) if share else OWN_CACHES]
    return own if any(map(is_clocked, cases)) else own | {NO_CLOCK: "1"}


def family(case: str) -> str:
    """Return the name of the cases that one process can launch together, so that a framework is imported once: the dialect
    where compiling is preparation, the backend where a first call is measured."""
    return backend_of(case) if launched(case) == OWN_CACHES else dialect_of(case)


def dialect_of(case: str) -> str:
    """Return the dialect of the case's backend; its first parameter where that is no backend."""
    backend = backend_of(case)
    return BACKENDS[backend].dialect if backend in BACKENDS else backend


def needs_threads(case: str) -> bool:
    """True if it would not be the same program on one core."""
    backend = backend_of(case)
    return ".Threads." in case or (backend in BACKENDS and BACKENDS[backend].needs_threads)


def is_clocked(case: str) -> bool:
    """True if the case's figure is of a clock, or of a process's memory."""
    return bool(re.search(_CLOCKED, case))


def is_first_call(case: str) -> bool:
    """True if a process has but one sample of the case to give."""
    return case.partition("(")[0].endswith(".time_first_call")


def backend_of(case: str) -> str:
    """Return the case's first parameter."""
    return case.partition("('")[2].partition("'")[0]


def distributions(backends: Iterable[str]) -> set[str]:
    """Return what must be installed to measure these backends, by pip's names; NumPy checks every answer."""
    return {"numpy"}.union(*(_library.distributions(BACKENDS[backend]) for backend in backends))
