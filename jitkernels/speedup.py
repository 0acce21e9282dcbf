"""What a framework's compiler buys: each mode's speed over the framework's own eager mode, on the same source.

The geometric mean is the one whose verdict does not depend on which mode is called the unit (Fleming and Wallace, "How not
to lie with statistics: the correct way to summarize benchmark results", CACM 29, 1986).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from jitkernels.backends import BACKENDS

Row = dict[str, Any]


def eager_mode(backend: str) -> str | None:
    """The backend that runs the same dialect operation by operation; None where there is none other."""
    line = BACKENDS[backend]
    eager = (other.name for other in BACKENDS.values() if other.dialect == line.dialect and other.mode == "eager")
    return next((name for name in eager if name != backend), None)


def add(rows: Sequence[Row]) -> None:
    """Give each row ``speedup``: eager seconds over its own, at the same kernel and size; None where one is missing.

    ``speedup_range``: the least and the most that the quartiles of both allow. A range that holds 1 is no difference.
    """
    measured = {(row["kernel"], row["size"], row["backend"]): row for row in rows if row["warm_seconds"]}
    for row in rows:
        eager = measured.get((row["kernel"], row["size"], eager_mode(row["backend"])))
        row["speedup"] = row["speedup_range"] = None
        if eager and row["warm_seconds"]:
            (fastest, slowest), (eager_fastest, eager_slowest) = row["warm_quartiles"], eager["warm_quartiles"]
            row["speedup"] = eager["warm_seconds"] / row["warm_seconds"]
            row["speedup_range"] = [eager_fastest / slowest, eager_slowest / fastest]


def summary(rows: Iterable[Row]) -> list[Row]:
    """For each backend with speed-ups: how many cells, their geometric mean and geometric standard deviation, extremes."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row.get("speedup"):
            found.setdefault(row["backend"], []).append(row["speedup"])
    return [_summary(backend, speedups) for backend, speedups in found.items()]


def _summary(backend: str, speedups: list[float]) -> Row:
    logarithms = [math.log(speedup) for speedup in speedups]
    mean = math.fsum(logarithms) / len(logarithms)
    variance = math.fsum((value - mean) ** 2 for value in logarithms) / max(1, len(logarithms) - 1)
    return {
        "backend": backend,
        "over": eager_mode(backend),
        "cells": len(speedups),
        "geomean": math.exp(mean),
        "geometric_deviation": math.exp(math.sqrt(variance)),
        "least": min(speedups),
        "most": max(speedups),
    }
