"""Charts of an estimate of pi: its error, the cost of accuracy, and the figures of the article that began this project.

A kernel that does not estimate pi has no rows in them.
"""

import math

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import figures
from jitkernels.charts.description import FRAMEWORKS, NAME, SETTLED, SIZE, WARM, Data, Row, chart, number, text
from jitkernels.charts.tradeoff import OFF, expected_error, frontier

FRONTIERS = {"frontier": "expected", "measured_frontier": "error"}  # the kind of error that each is judged by

ERRORS = (number("error"), number("expected", "expected error"))
ACCURACIES = (number("value_acc"), number("expected_acc", "expected value_acc"))
FRONTIER_FIELDS = (text("frontier", "on the frontier"), text("measured_frontier", "by the measured error"))


@chart(
    "Error of the estimate",
    "The error of the estimate of pi against {size}. The line is the standard error, 1.642 / sqrt({size}). Nine in "
    "ten errors lie in the band. Where a point lies in the band is luck, not the compiler's merit.",
    (NAME, SIZE, *ERRORS, number("z", "in standard errors"), text("shared", "the same error on")),
    "an estimate's accuracy",
)
def error(data: Data) -> list[Row]:
    """Return one row for each case of an estimate with an error.

    ``shared`` names the backends that have the same error at that size, to the last digit: they drew the same points.
    """
    rows = []
    same: dict[tuple[int, float], list[str]] = {}
    for row in figures.measured(data, "error") if _is_estimate(data) else ():
        number, expected = figures.value(row, "error"), expected_error(row["size"])
        same.setdefault((row["size"], number), []).append(row["backend"])
        known = {"figure": "error", "error": number, "expected": expected, "z": number / expected}
        rows.append({**figures.case(row), **known})
    for row in rows:
        sharing = same[row["size"], row["error"]]
        row |= {"same": len(sharing), "shared": ", ".join(sharing)}
    return rows


@chart(
    "What accuracy costs",
    "The expected error, 1.642 / sqrt({size}), against the seconds of the warm call that gives it. The grey steps are "
    "the frontier: no other call has a smaller error in less time. The band is the range claimed best, 10^6 to 10^7 {size}.",
    (NAME, SIZE, *WARM, *ERRORS[::-1], *FRONTIER_FIELDS, SETTLED),
    "warm calls and accuracy of an estimate",
)
def tradeoff(data: Data) -> list[Row]:
    """Return one row for each warm case of an estimate: its seconds, the expected error and the measured error.

    ``frontier``: "yes", "not told apart" or "no" by the expected error; ``measured_frontier``: by the measured error.
    """
    if not _is_estimate(data):
        return []
    rows = [
        {
            **figures.case(row),
            **figures.spread(row, "warm_seconds"),
            "expected": expected_error(row["size"]),
            "error": figures.value(row, "error"),
            **dict.fromkeys(FRONTIERS, OFF),
        }
        for row in figures.measured(data, "warm_seconds")
    ]
    for key, kind in FRONTIERS.items():
        compiled = [row for row in rows if not row["interpreted"] and row[kind] is not None]
        for row, verdict in zip(compiled, frontier(compiled, kind), strict=True):
            row[key] = verdict
    return rows


@chart(
    "Seconds, accuracy and error by framework",
    "For each framework: seconds, value_acc (1 - |error| / pi) and the error, against {size}. Grey is the same for every "
    "right program: the error falls as 1.642 / sqrt({size}). Where a point lies in the band is luck.",
    (text("framework"), NAME, SIZE, *WARM, *ACCURACIES, *ERRORS, SETTLED),
    "warm calls and accuracy of an estimate",
    across=3,
)
def pi(data: Data) -> list[Row]:
    """Return one row for each warm case of an estimate on a framework that compiles, with value_acc = 1 - error / pi."""
    return [
        {
            "framework": BACKENDS[row["backend"]].dialect,
            **row,
            "value_acc": None if row["error"] is None else 1 - row["error"] / math.pi,
            "expected_acc": 1 - row["expected"] / math.pi,
        }
        for row in tradeoff(data)
        if row["backend"] in BACKENDS and BACKENDS[row["backend"]].dialect in FRAMEWORKS
    ]


def _is_estimate(data: Data) -> bool:
    """True if the kernel estimates pi: only such a kernel has the figure "z", the error in standard errors."""
    return any(figures.value(row, "z") is not None for row in data["rows"])
