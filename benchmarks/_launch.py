"""How the process of a benchmark case begins: its imports and its caches."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from . import _library
from ._library import BACKENDS, caches

OWN_CACHES, SHARED_CACHES = "own caches", "shared caches"
_LOADING = r"\w+\.(Warm|Interpreted|Apart|Loop|Dispatch|Threads|Accuracy|Error|Cached|Spellings\.time_call)\b"
"""The benchmarks for which compilation is preparation."""
_CLOCKED = r"\.(time_\w+|track_(\w*seconds|\w+_peak|\w+_over_jit|\w+_spread))(\(|$)"
"""The benchmarks of seconds or of a process's memory, which depend on earlier imports."""
PRELOAD = "JITKERNELS_PRELOAD"  # names the modules that benchmarks/__init__.py imports
CASES = "JITKERNELS_CASES"  # names a file with the cases of a run, one on each line
NO_CLOCK = "JITKERNELS_NO_CLOCK"  # set if the process has no figure of a clock, so nothing is repeated for a median


def caches_of(case: str) -> str:
    """Return which caches the case's process begins with.

    own caches: compilation is measured, so the benchmark makes its own caches, or the framework has its default ones.
    shared caches: all processes of a run have the same caches. Variables name the caches before the framework is imported,
    because some frameworks read them only then.
    """
    return SHARED_CACHES if re.match(_LOADING, case) else OWN_CACHES


def group(case: str) -> str:
    """Return the name of the case's group, which one process of a duet may measure, so that it imports a framework once.

    Backends of a dialect share a process for figures without a clock, and where compiling is preparation.
    """
    if caches_of(case) == OWN_CACHES and not is_clocked(case):
        return f"{dialect_of(case) or 'no backend'} (figures)"
    shared = backend_of(case) if caches_of(case) == OWN_CACHES else dialect_of(case)
    what = "first calls, " if is_first_call(case) else ""
    return f"{shared or 'no backend'} ({what}{caches_of(case)})"


def variables(cases: Sequence[str], directory: Path, share: bool = True) -> dict[str, str]:
    """Return variables of the process that measures the cases of a group.

    Tests of the machine that a framework runs once in each process are run at its import: before any clock, as its start
    is. All caches are below ``directory``, because a framework that is imported before a benchmark empties its caches would
    use the user's own. Temporary files are there too, because a process leaves them behind if asv ends it. share: False if
    programs of other processes must not be loaded. If no case is clocked, a variable says so.
    """
    rows = [BACKENDS[each] for each in map(backend_of, cases) if each in BACKENDS]
    names = dict.fromkeys(name for row in rows for name in (row.module, *row.preload, *row.questions))
    is_shared = share and caches_of(cases[0]) == SHARED_CACHES
    chosen = caches.variables(directory / ("shared" if is_shared else "own"), persistent=is_shared)
    chosen |= {PRELOAD: " ".join(names), "TMPDIR": str(directory), "JITKERNELS_THREADS": ""}  # a limit that no result shows
    return chosen if any(map(is_clocked, cases)) else chosen | {NO_CLOCK: "1"}


def dialect_of(case: str) -> str:
    """Return the dialect of the case's backend; its first parameter if that is not a backend."""
    backend = backend_of(case)
    return BACKENDS[backend].dialect if backend in BACKENDS else backend


def needs_threads(case: str) -> bool:
    """True if it would be another program on one core."""
    backend = backend_of(case)
    return ".Threads." in case or (backend in BACKENDS and BACKENDS[backend].needs_threads)


def is_clocked(case: str) -> bool:
    """True if the case's figure is a time, or a process's memory."""
    return bool(re.search(_CLOCKED, case))


def is_first_call(case: str) -> bool:
    """True if a process has only one sample of the case."""
    return case.partition("(")[0].endswith(".time_first_call")


def backend_of(case: str) -> str:
    """Return the case's first parameter."""
    return case.partition("('")[2].partition("'")[0]


def distributions(backends: Iterable[str]) -> set[str]:
    """Return pip's names of the packages that these backends need, and NumPy, which checks every answer."""
    return {"numpy"}.union(*(_library.distributions(BACKENDS[backend]) for backend in backends))
