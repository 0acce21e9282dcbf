"""Each backend's first call, and the number of warm calls after which compiling has paid off.

asv measures first calls. Warm calls are those of the ranking: the processes of its run, or asv's if it has no run.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from history.store.rankings import Line
from jitkernels.backends.table import BACKENDS
from jitkernels.charts import figures
from jitkernels.measure import comparisons
from website.read.benchmarks import WARM
from website.schema.kernels import BreakEven, Entry, Row

NOT_MEASURED = "its first call and its warm call were not both measured"
NOT_IN_ONE_RUN = "the run that ranks these backends did not measure five processes of both"
Life = dict[str, Any]  # a backend's first and later calls at one size, as a row of ``comparisons``


def add(entries: Sequence[Entry], rows: Sequence[Row], line: Line | None) -> None:
    """Put first calls and break-even points into the entries of one size. line: of the run that ranks the entries."""
    lives: dict[str, Life] = {}
    for entry in entries:
        size = rows[entry["figures"]]["size"]
        if cold := figures.nearest({"rows": rows}, entry["backend"], "cold_seconds", size):
            entry["cold_seconds"], entry["cold_size"] = figures.value(cold, "cold_seconds"), cold["size"]
            entry["cached_seconds"] = figures.value(cold, "cached_seconds")
        lives[entry["backend"]] = _life(entry, _first(entry["backend"], entry["seconds"], size, cold), line)
    for entry in entries:
        entry["break_even"] = _break_even(lives[entry["backend"]], lives)


def _first(backend: str, warm: float | None, size: int | None, cold: Mapping[str, Any] | None) -> float | str:
    """Return the seconds of a first call at this size, or why they are not known. warm: seconds of the warm call here.

    If the first call was measured at another size, its cost beyond a warm call there is added to the warm call here. A mode
    that compiles nothing has no such cost.
    """
    if not warm:
        return NOT_MEASURED
    if cold is None:
        return warm if backend in BACKENDS and not BACKENDS[backend].compiles else NOT_MEASURED
    seconds: float = figures.value(cold, "cold_seconds")
    if cold["size"] == size:
        return seconds
    other: float | None = figures.value(cold, WARM)
    if other is None:
        return f"its first call was measured at {cold['size']:,}, but its warm call was not"
    return max(0.0, seconds - other) + warm


def _life(entry: Entry, first: float | str, line: Line | None) -> Life:
    """first: seconds of the first call, or the reason why they are not known."""
    cell, is_known = line["cells"].get(entry["backend"]) if line else None, not isinstance(first, str)
    return {
        "backend": entry["backend"],
        "interpreted": entry["interpreted"],
        "cold_seconds": first if is_known else None,
        "reason": None if is_known else first,
        "warm_seconds": entry["seconds"],
        "warm_quartiles": (entry["low"] or entry["seconds"], entry["high"] or entry["seconds"]),
        "warm_processes": cell["seconds"] if cell else (),
    }


def _break_even(own: Life, lives: Mapping[str, Life]) -> BreakEven:
    eager = BACKENDS[own["backend"]].eager if own["backend"] in BACKENDS else None
    known = {name: life for name, life in lives.items() if not life["reason"]}
    (numpy, numpy_reason), (calls, reason) = (_calls(own, rival, known.get(rival or "")) for rival in ("numpy", eager))
    return {"numpy": numpy, "numpy_reason": numpy_reason, "eager": calls, "eager_reason": reason}


def _calls(own: Life, rival: str | None, other: Life | None) -> tuple[int | None, str | None]:
    """Return the number of warm calls after which a backend's total time is at most its rival's, or why there is none."""
    if own["reason"] and rival not in (None, own["backend"]):
        return None, own["reason"]
    is_of_run = other and (own["warm_processes"] or other["warm_processes"])
    if other and is_of_run and not own["interpreted"] and not comparisons.has_enough_processes(own, other):
        return None, NOT_IN_ONE_RUN
    return comparisons.break_even(own, rival, other)
