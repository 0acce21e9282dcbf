"""Speeds beside each other: each mode's over its framework's own eager mode, on the same source, and over the c backend's.

The first is what a compiler buys. The second is how far it comes: C, written for the processor, is the hardware's mark, and
a fraction of it means the same on another machine, which seconds do not.
"""

import math
from collections.abc import Iterable, Sequence

from jitkernels.backends.table import BACKENDS
from jitkernels.measure.rows import SpeedUp, TimeRow


def eager_mode(backend: str) -> str | None:
    """Return the backend that runs the same dialect operation by operation; None where there is no other."""
    return BACKENDS[backend].eager


def add(rows: Sequence[TimeRow]) -> None:
    """Give each row ``speedup``: eager seconds over its own, at the same kernel and size; and ``fraction_of_c``: the c
    backend's seconds over its own. None where one is missing.

    ``speedup_range``, ``fraction_of_c_range``: the least and the most that the quartiles of both allow. A range that holds 1
    is no difference.
    """
    timed = {(row["kernel"], row["size"], row["backend"]): row for row in rows if row["warm_seconds"]}
    for row in rows:
        eager = timed.get((row["kernel"], row["size"], eager_mode(row["backend"]) or ""))
        row["speedup"], row["speedup_range"] = _ratio(eager, row)
        row["fraction_of_c"], row["fraction_of_c_range"] = _ratio(timed.get((row["kernel"], row["size"], "c")), row)


def _ratio(rival: TimeRow | None, row: TimeRow) -> tuple[float, list[float]] | tuple[None, None]:
    """Return the rival's seconds over the row's, and what their quartiles allow."""
    if not (rival and rival["warm_seconds"] and rival["warm_quartiles"] and row["warm_seconds"] and row["warm_quartiles"]):
        return None, None
    (fastest, slowest), (rival_fastest, rival_slowest) = row["warm_quartiles"], rival["warm_quartiles"]
    return rival["warm_seconds"] / row["warm_seconds"], [rival_fastest / slowest, rival_slowest / fastest]


def summary(rows: Iterable[TimeRow]) -> list[SpeedUp]:
    """Return for each backend with speed-ups: how many, their geometric mean and geometric standard deviation, extremes.

    The verdict of a geometric mean does not depend on which mode is the unit (Fleming and Wallace, "How not to lie with
    statistics: the correct way to summarize benchmark results", CACM 29, 1986).
    """
    speedups: dict[str, list[float]] = {}
    for row in rows:
        if value := row.get("speedup"):
            speedups.setdefault(row["backend"], []).append(value)
    return [_summary(backend, values) for backend, values in speedups.items()]


def _summary(backend: str, speedups: list[float]) -> SpeedUp:
    logarithms = [math.log(speedup) for speedup in speedups]
    mean = math.fsum(logarithms) / len(logarithms)
    variance = math.fsum((value - mean) ** 2 for value in logarithms) / max(1, len(logarithms) - 1)
    return {
        "backend": backend,
        "over": eager_mode(backend),
        "cases": len(speedups),
        "geomean": math.exp(mean),
        "geometric_deviation": math.exp(math.sqrt(variance)),
        "least": min(speedups),
        "most": max(speedups),
    }
