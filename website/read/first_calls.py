"""What asv measured of each backend's first call, and after how many warm calls compiling has paid off.

Warm calls are those of the ranking: where it has a run, of that run's processes. Only the first call is asv's.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from history.store.rankings import Line
from jitkernels.backends.table import BACKENDS
from jitkernels.measure import comparisons
from jitkernels.measure.ranking import differ
from website.read.rows import WARM
from website.schema.kernels import BreakEven, Entry, Row

NOT_MEASURED = f"its first call {comparisons.NOT_MEASURED}"
NOT_TOLD_APART = "not told apart: processes of the two warm calls overlap"
NOT_IN_ONE_RUN = "the run that ranks these backends did not measure both"
COMPILES_NOTHING = ("eager", "interpreter")  # kinds of backends whose first call is as their later ones


class Life(NamedTuple):
    """A backend at one size. ``processes``: seconds of its warm call in the run; empty where asv measured it.

    ``first``: seconds of its first call at this size, or the reason why they are not known.
    """

    entry: Entry
    warm: float
    processes: Sequence[float]
    first: float | str


def add(entries: Sequence[Entry], rows: Sequence[Row], line: Line | None) -> None:
    """Give the entries of one size their first calls, and when these have paid off. line: of the run that ranks them."""
    lives = {}
    for entry in entries:
        cold = _cold_row(rows[entry["figures"]], rows)
        entry["cold_seconds"], entry["cold_size"] = value(cold, "cold_seconds"), cold and cold["size"]
        entry["cached_seconds"] = value(cold, "cached_seconds")
        if warm := entry["seconds"]:
            cell = line["cells"].get(entry["backend"]) if line else None
            first = _first(entry["backend"], warm, rows[entry["figures"]]["size"], cold)
            lives[entry["backend"]] = Life(entry, warm, cell["seconds"] if cell else (), first)
    for entry in entries:
        entry["break_even"] = _break_even(entry["backend"], lives)


def none(reason: str) -> BreakEven:
    """Return the break-even of an entry that has none."""
    return {"numpy": None, "numpy_reason": reason, "eager": None, "eager_reason": reason}


def value(row: Row | None, name: str) -> float | None:
    """Return the value of a row's figure; None where it has none."""
    return row["figures"][name]["value"] if row and name in row["figures"] else None


def _cold_row(row: Row, rows: Sequence[Row]) -> Row | None:
    """Return the row of the same backend at the nearest size at which a first call was measured."""
    cold = [other for other in rows if other["backend"] == row["backend"] and "cold_seconds" in other["figures"]]
    size = row["size"] or 1
    return min(cold, key=lambda other: abs(math.log((other["size"] or 1) / size)), default=None)


def _first(backend: str, warm: float, size: int | None, cold: Row | None) -> float | str:
    """Return the seconds of a first call at this size, or why they are not known. warm: seconds of the warm call here.

    Where the first call was measured at another size, its cost beyond a warm call is taken from there. A mode that compiles
    nothing has no such cost.
    """
    seconds = value(cold, "cold_seconds")
    if cold is None or seconds is None:
        return warm if backend in BACKENDS and BACKENDS[backend].kind in COMPILES_NOTHING else NOT_MEASURED
    if cold["size"] == size:
        return seconds
    other = value(cold, WARM)
    if other is None:
        return f"its first call was measured at {cold['size']:,}, its warm call there was not"
    return max(0.0, seconds - other) + warm


def _break_even(backend: str, lives: Mapping[str, Life]) -> BreakEven:
    if backend not in lives:
        return none(NOT_MEASURED)
    eager = BACKENDS[backend].eager if backend in BACKENDS else None
    numpy, numpy_reason = _calls(lives[backend], "numpy", lives)
    no_eager = None, f"{backend} has no eager mode to be compared with"
    calls, reason = _calls(lives[backend], eager, lives) if eager else no_eager
    return {"numpy": numpy, "numpy_reason": numpy_reason, "eager": calls, "eager_reason": reason}


def _calls(own: Life, rival: str, lives: Mapping[str, Life]) -> tuple[int | None, str | None]:
    """Return the warm calls after which a backend has taken no longer in all than its rival; or why there is no number."""
    if own.entry["backend"] == rival:
        return None, "it is the one compared with"
    if isinstance(own.first, str):
        return None, own.first
    other = lives.get(rival)
    if other is None or isinstance(other.first, str):
        return None, f"{rival} {comparisons.NOT_MEASURED}"
    reason = _no_comparison(own, other)
    return (None, reason) if reason else (comparisons.calls_to_pay(own.first, own.warm, other.first, other.warm), None)


def _no_comparison(own: Life, other: Life) -> str | None:
    """Return why a backend's warm call is not known to be faster than another's; None where it is."""
    if own.entry["interpreted"]:
        return comparisons.INTERPRETED
    if bool(own.processes) != bool(other.processes):
        return NOT_IN_ONE_RUN
    if own.processes and not differ(own.processes, other.processes):
        return NOT_TOLD_APART
    if not own.processes and comparisons.overlap(_quartiles(own), _quartiles(other)):
        return comparisons.NOT_TOLD_APART
    return comparisons.NOT_FASTER if own.warm >= other.warm else None


def _quartiles(life: Life) -> dict[str, tuple[float, float]]:
    """Return asv's quartiles as ``comparisons.overlap`` expects them."""
    return {"warm_quartiles": (life.entry["low"] or life.warm, life.entry["high"] or life.warm)}
