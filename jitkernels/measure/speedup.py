"""Speeds beside each other: each mode's over its framework's own eager mode, on the same source, and over the c backend's.

The first is what a compiler buys. The second is how far it comes: C, written for the processor, is the hardware's mark, and
a fraction of it means the same on another machine, which seconds do not.

The geometric mean is the one whose verdict does not depend on which mode is called the unit (Fleming and Wallace, "How not
to lie with statistics: the correct way to summarize benchmark results", CACM 29, 1986).
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from jitkernels.backends.table import BACKENDS

Row = dict[str, Any]


def eager_mode(backend: str) -> str | None:
    """The backend that runs the same dialect operation by operation; None where there is none other."""
    return BACKENDS[backend].eager


def add(rows: Sequence[Row]) -> None:
    """Give each row ``speedup``: eager seconds over its own, at the same kernel and size; ``fraction_of_c``: the c
    backend's seconds over its own. None where one is missing.

    ``speedup_range``, ``fraction_of_c_range``: the least and the most that the quartiles of both allow. A range that holds 1
    is no difference.
    """
    measured = {(row["kernel"], row["size"], row["backend"]): row for row in rows if row["warm_seconds"]}
    for row in rows:
        rivals = {"speedup": eager_mode(row["backend"]), "fraction_of_c": "c"}
        for key, rival in rivals.items():
            row[key], row[f"{key}_range"] = _ratio(measured.get((row["kernel"], row["size"], rival)), row)


def _ratio(rival: Row | None, row: Row) -> tuple[float, list[float]] | tuple[None, None]:
    """The rival's seconds over the row's, and what their quartiles allow."""
    if not rival or not row["warm_seconds"]:
        return None, None
    (fastest, slowest), (rival_fastest, rival_slowest) = row["warm_quartiles"], rival["warm_quartiles"]
    return rival["warm_seconds"] / row["warm_seconds"], [rival_fastest / slowest, rival_slowest / fastest]


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
