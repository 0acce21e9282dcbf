"""Flat rows of charts that only an estimate of pi has: its error, what accuracy costs, and the article's figures."""

import math

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import cells
from jitkernels.charts import tradeoff as choice
from jitkernels.charts.cells import Data, Row
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE

FRAMEWORKS = ("numba", "jax", "tensorflow", "triton", "torch")
"""With a compiler: the article's four, and torch."""


def expected_error(points: int) -> float:
    """The standard error of an estimate of pi from so many points: 1.642 / sqrt(points)."""
    return STANDARD_ERROR_OF_ONE / math.sqrt(points)


def is_estimate(data: Data) -> bool:
    """Whether the kernel estimates pi: its answers are told off in standard errors."""
    return any(cells.value(row, "z") is not None for row in data["rows"])


def error(data: Data) -> list[Row]:
    """One row for each cell of an estimate with an error; none for a kernel that has one right answer.

    ``shared`` names the backends that have the same error at that size, to the last digit: they drew the same points.
    """
    if not is_estimate(data):
        return []
    measured = cells.measured(data, "error")
    same: dict[tuple[int, float], list[str]] = {}
    for row in measured:
        same.setdefault((row["size"], cells.value(row, "error")), []).append(row["backend"])
    return [
        {
            **cells.cell(row),
            "error": cells.value(row, "error"),
            "expected": expected_error(row["size"]),
            "z": cells.value(row, "error") / expected_error(row["size"]),
            "same": len(same[row["size"], cells.value(row, "error")]),
            "shared": ", ".join(same[row["size"], cells.value(row, "error")]),
        }
        for row in measured
    ]


def tradeoff(data: Data) -> list[Row]:
    """One row for each warm cell of an estimate: its seconds, the error to expect, the error there was, and whether it is on
    the frontier ("yes", "not told apart", "no"), and on that of the errors there were."""
    if not is_estimate(data):
        return []
    errors = [cells.value(row, "error") for row in cells.measured(data, "warm_seconds")]
    rows = [
        {**row, "expected": expected_error(row["size"]), "error": error}
        for row, error in zip(cells.warm(data), errors, strict=True)
    ]
    for key, figure in {"frontier": "expected", "measured_frontier": "error"}.items():
        compiled = [row for row in rows if not row["interpreted"] and row[figure] is not None]
        for row in rows:
            row[key] = "no"
        for row, verdict in zip(compiled, choice.frontier(compiled, figure), strict=True):
            row[key] = verdict
    return rows


def pi(data: Data) -> list[Row]:
    """One row for each warm cell of an estimate on a framework that compiles, with the article's two figures and the error
    that they are of."""
    found = []
    for row in tradeoff(data):
        framework = BACKENDS[row["backend"]].dialect if row["backend"] in BACKENDS else None
        if framework in FRAMEWORKS:
            accuracy = None if row["error"] is None else 1 - row["error"] / math.pi
            expected = 1 - row["expected"] / math.pi
            found.append({"framework": framework, **row, "value_acc": accuracy, "expected_acc": expected})
    return found
