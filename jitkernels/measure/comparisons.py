"""Rows of ``jitkernels time`` beside each other, at the same kernel and size: speed-ups, break-even, and torch's modes.

docs/measures.md defines the keys.
"""

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from jitkernels.backends.table import BACKENDS, find_backend
from jitkernels.measure import ranking
from jitkernels.measure.rows import Row

NOT_FASTER = "never: its warm call is not the faster one"
NOT_TOLD_APART = "not told apart: the times of the two warm calls overlap"
PROCESSES_OVERLAP = "not told apart: processes of the two warm calls overlap"
INTERPRETED = "an interpreter stands in for the compiler on this device"
NOT_MEASURED = "was not measured here, cold and warm, at this size"
STEPS = {row.name: row.adds for row in BACKENDS.values() if row.adds}
"""The step that each mode of ``torch.compile`` adds to those of the modes before it."""


def add_all(rows: Sequence[Row]) -> None:
    """Give each row the keys of all comparisons, each None if a time is missing.

    ``speedup``: its gain over its framework's eager mode. ``fraction_of_c`` can be compared between machines. A range of one
    that holds 1 is no difference. ``break_even``: against NumPy and against its eager mode. ``ladder``: in Inductor's row.
    """
    cases = {(row["kernel"], row["size"], row["backend"]): row for row in rows}
    for row in rows:
        eager = find_backend(row["backend"]).eager
        rivals = {backend: cases.get((row["kernel"], row["size"], backend)) for backend in (eager, "c", "numpy", *STEPS)}
        for name, rival in (("speedup", eager), ("fraction_of_c", "c")):
            row[name], row[f"{name}_range"] = _ratio(rivals[rival], row)
        row["break_even"] = None
        if _has_lives(row):
            (numpy, numpy_reason), (calls, reason) = (break_even(row, rival, rivals[rival]) for rival in ("numpy", eager))
            row["break_even"] = {"numpy": numpy, "numpy_reason": numpy_reason, "eager": calls, "eager_reason": reason}
        row["ladder"] = _ladder([rivals[mode] for mode in STEPS]) if row["backend"] == list(STEPS)[-1] else None


def break_even(row: Row, backend: str | None, other: Row | None) -> tuple[int | None, str | None]:
    """Return the calls until a row has paid for itself against a backend, or why there is no number. other: that backend's
    row, if any."""
    if backend is None:
        return None, f"{row['backend']} has no eager mode to be compared with"
    if backend == row["backend"]:
        return None, "it is the one compared with"
    if not (other and _has_lives(other)):
        return None, f"{backend} {NOT_MEASURED}"
    if row.get("interpreted"):
        return None, INTERPRETED
    return calls_until_paid(row, other)


def calls_until_paid(row: Row, other: Row) -> tuple[int | None, str | None]:
    """Return the warm calls after which a row has taken no longer in all than another, or why it never does."""
    if overlap(row, other):
        return None, PROCESSES_OVERLAP if has_enough_processes(row, other) else NOT_TOLD_APART
    if row["warm_seconds"] >= other["warm_seconds"]:
        return None, NOT_FASTER
    return calls_to_pay(row["cold_seconds"], row["warm_seconds"], other["cold_seconds"], other["warm_seconds"]), None


def calls_to_pay(cold: float, warm: float, other_cold: float, other_warm: float) -> int:
    """Return after how many warm calls the first program has taken no more time in all than the other. Arguments: seconds.

    ``warm`` must be less than ``other_warm``. 0 if the first call is already no slower.
    """
    return max(0, math.ceil((cold - other_cold) / (other_warm - warm)))


def overlap(row: Row, other: Row) -> bool:
    """True if the times of two warm calls overlap: those of processes, or quartiles of samples if processes are few.

    Quartiles are an estimate: if they do not overlap, the calls may still not differ.
    """
    if has_enough_processes(row, other):
        return not ranking.differ(row["warm_processes"], other["warm_processes"])
    (fastest, slowest), (other_fastest, other_slowest) = row["warm_quartiles"], other["warm_quartiles"]
    return bool(fastest <= other_slowest and other_fastest <= slowest)


def has_enough_processes(*rows: Row) -> bool:
    """True if each row has samples of enough processes to be told apart from another row."""
    return all(len(row.get("warm_processes") or ()) >= ranking.FEWEST for row in rows)


def calls_or_reason(by_rival: Mapping[str, Any], rival: str) -> int | str | None:
    """Return the calls of a row's ``break_even`` against a rival, or the reason why there is no number."""
    calls: int | None = by_rival.get(rival)
    reason: str | None = by_rival.get(f"{rival}_reason")
    return reason if calls is None else calls


def mean_speedups(rows: Sequence[Row]) -> list[Row]:
    """Return for each backend the number of its speed-ups, geometric mean and standard deviation, and extremes.

    The result of a geometric mean does not depend on which mode is the unit (Fleming and Wallace, "How not to lie with
    statistics: the correct way to summarize benchmark results", CACM 29, 1986).
    """
    speedups: dict[str, list[float]] = {}
    for row in rows:
        if row["speedup"]:
            speedups.setdefault(row["backend"], []).append(row["speedup"])
    return [
        {
            **{"backend": backend, "over": find_backend(backend).eager, "cases": len(values)},
            "geomean": statistics.geometric_mean(values),
            "geometric_deviation": math.exp(statistics.stdev(map(math.log, values))) if len(values) > 1 else 1.0,
            **{"least": min(values), "most": max(values)},
        }
        for backend, values in speedups.items()
    ]


def _ladder(modes: Sequence[Row | None]) -> dict[str, float] | None:
    """Return the seconds that each step adds; None unless all modes were called cold.

    Noise can make a difference negative; it stays so. torch's own clocks (``stages``) measure the same from inside. If the
    two differ, something is outside torch's clocks.
    """
    cold = [mode["cold_seconds"] for mode in modes if mode and mode["cold_seconds"] is not None]
    differences = (after - before for before, after in itertools.pairwise([0.0, *cold]))
    return dict(zip(STEPS.values(), differences, strict=True)) if len(cold) == len(STEPS) else None


def _ratio(rival: Row | None, row: Row) -> tuple[float, list[float]] | tuple[None, None]:
    """Return the rival's seconds over the row's, and the range that their quartiles allow."""
    if not (rival and rival["warm_seconds"] and row["warm_seconds"]):
        return None, None
    (fastest, slowest), (rival_fastest, rival_slowest) = row["warm_quartiles"], rival["warm_quartiles"]
    return rival["warm_seconds"] / row["warm_seconds"], [rival_fastest / slowest, rival_slowest / fastest]


def _has_lives(row: Row | None) -> bool:
    return row is not None and row["cold_seconds"] is not None and row["warm_seconds"] is not None
