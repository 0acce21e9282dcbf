"""Time against accuracy: the frontier, and the number of points from which accuracy costs its full price.

The article that began this project ends with "a best trade-off point near 10^6 to 10^7". An estimate's error falls as
1.642 / sqrt(points) for every compiler: half the error always costs four times the points, so no number of points is best
for accuracy. Compilers differ in the cost of a point. A call has an overhead that does not depend on its points (dispatch,
launch, waking threads) and a part that grows with them. While the overhead is most of the call, more points are nearly free.
Once it is less than a tenth of the call, the error falls only as 1 / sqrt(seconds). The number of points at which this
begins is the *knee*. The article's claim is checked against the measured knees.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE

Row = Mapping[str, Any]

OVERHEAD_SHARE = 0.10  # of the call; below this share points have their full price
LEAST_SIZES = 3  # measured sizes of a backend: two sizes fit any line
CLAIM = (10**6, 10**7)  # points
ON, NOT_TOLD_APART, OFF = "yes", "not told apart", "no"
# The values that are read at the sizes, in turn: first the medians, then the extremes that the quartiles allow.
READINGS = (("seconds",), ("low",), ("high",), ("low", "high"), ("high", "low"))
WORDS = {
    "before": "before 10^6 points",
    "within": "between 10^6 and 10^7 points",
    "after": "after 10^7 points",
    "open": "at a number of points that these measurements leave open",
}


def expected_error(points: int) -> float:
    """Return the standard error of an estimate of pi from so many points: 1.642 / sqrt(points)."""
    return STANDARD_ERROR_OF_ONE / math.sqrt(points)


def frontier(rows: Sequence[Row], error: str) -> list[str]:
    """Return for each row "yes" if no other row has an error at most as large in less time, "no" if the quartiles prove that
    one has, and "not told apart" if the quartiles of the two overlap.

    rows: {"seconds", "low", "high" (or None), and the field that ``error`` names}.
    """
    return [_place(row, rows, error) for row in rows]


def _place(row: Row, rows: Sequence[Row], error: str) -> str:
    own = (row["seconds"], row[error])
    better = [other for other in rows if other[error] <= row[error] and (other["seconds"], other[error]) < own]
    if not better:
        return ON
    return OFF if any(_read(other, "high") < _read(row, "low") for other in better) else NOT_TOLD_APART


def _read(row: Row, end: str) -> float:
    """Return "seconds", "low" or "high" of a row; the median if the quartile is not known."""
    return float(row["seconds"] if row.get(end) is None else row[end])


@dataclass(frozen=True)
class Knee:
    """The number of points from which a backend's overhead is less than a tenth of the call."""

    backend: str
    points: int | None  # by the medians; None if the knee is past the largest measured size
    least: int | None  # what the quartiles allow
    most: int | None  # None if they allow a knee past the largest size
    measured: tuple[int, int]  # the smallest and the largest size; a knee at the smallest may lie anywhere below

    @property
    def verdict(self) -> str:
        """ "before" the claim's range, "within" it, "after" it, or "open": the quartiles allow more than one."""
        first, last = CLAIM
        if self.most is not None and self.most < first:
            return "before"
        if self.least is None:
            return "after" if self.measured[1] >= last else "open"
        if self.least > last:
            return "after"
        return "within" if self.least >= first and self.most is not None and self.most <= last else "open"

    @property
    def text(self) -> str:
        smallest, largest = self.measured
        if self.points is None:
            return f"{self.backend} past {largest:,}"
        if self.points <= smallest:
            return f"{self.backend} below {smallest:,}"
        return f"{self.backend} {float(f'{self.points:.2g}'):,.0f}"


def knees(rows: Iterable[Row]) -> list[Knee]:
    """Return the knee of each compiled backend that was measured at three sizes or more.

    rows: {"backend", "interpreted", "size", "seconds", "low", "high"}. Between two neighbouring sizes a call takes
    a + b * points seconds, by assumption; ``a`` is the overhead. No model spans all sizes, because the cost of a point
    changes with caches and threads.
    """
    by_backend: dict[str, list[Row]] = {}
    for row in rows:
        if not row.get("interpreted"):
            by_backend.setdefault(row["backend"], []).append(row)
    return [_knee(backend, of_backend) for backend, of_backend in by_backend.items() if len(of_backend) >= LEAST_SIZES]


def _knee(backend: str, rows: Sequence[Row]) -> Knee:
    rows = sorted(rows, key=lambda row: row["size"])
    points, *allowed = (
        _points([(row["size"], _read(row, end)) for row, end in zip(rows, itertools.cycle(ends), strict=False)])
        for ends in READINGS
    )
    known = [number for number in allowed if number is not None]
    most = max(known) if len(known) == len(allowed) else None
    return Knee(backend, points, min(known, default=None), most, (rows[0]["size"], rows[-1]["size"]))


def _points(series: Sequence[tuple[int, float]]) -> int | None:
    """Return the size from which the overhead's share stays below OVERHEAD_SHARE; None if it does not at the largest."""
    knee = None
    for (size, seconds), (larger, longer) in reversed(list(itertools.pairwise(series))):
        per_point = (longer - seconds) / (larger - size)
        overhead = max(0.0, seconds - per_point * size)
        if per_point <= 0 or overhead >= OVERHEAD_SHARE * longer:
            break
        knee = max(size, math.ceil(overhead * (1 - OVERHEAD_SHARE) / OVERHEAD_SHARE / per_point))
        if knee > size:
            break
    return knee


def claim(rows: Iterable[Row]) -> str:
    """Return the verdict on "best between 10^6 and 10^7 points" in a few sentences; rows as ``knees`` takes them."""
    all_knees = knees(rows)
    if not all_knees:
        return f"No backend was measured at {LEAST_SIZES} sizes, so the best number of points is not known."
    groups = {verdict: [knee.text for knee in all_knees if knee.verdict == verdict] for verdict in WORDS}
    places = [f"{WORDS[verdict]} for {len(texts)} ({', '.join(texts)})" for verdict, texts in groups.items() if texts]
    holding = len(groups["within"]) or "none"
    return (
        f'The claim "best between 10^6 and 10^7 points" holds for {holding} of the {len(all_knees)} backends measured. The '
        f"error falls as 1.642 / sqrt(points) for every compiler, so no number of points is best for accuracy. Compilers "
        f"differ only in where their overhead falls below a tenth of the call: {'; '.join(places)}."
    )
