"""Time against accuracy: the frontier, and from how many points on accuracy costs its full price.

The article that this project grew from ends with "a best trade-off point near 10^6 to 10^7". An estimate's error falls as
1.642 / sqrt(points) for every compiler, so no number of points is best for accuracy: twice as good costs four times the
points, always. What differs is what points cost. A call has a part that does not depend on its points (dispatch, launch,
waking threads) and one that grows with them. While the first is most of the call, more points are nearly free; once it is
less than a tenth, the error falls only as 1 / sqrt(seconds), and the choice is the user's, not the compiler's. That knee
is something that measurements can say, and the article's claim is checked against it.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]

OVERHEAD_SHARE = 0.10  # of the call, below which points have their full price
CLAIM = (10**6, 10**7)  # points
ON, NOT_TOLD_APART, OFF = "yes", "not told apart", "no"


def frontier(rows: Sequence[Row], error: str) -> list[str]:
    """For each row whether another one has no larger error in less time: "yes" where none has, "no" where one surely has,
    "not told apart" where the quartiles of the two overlap.

    rows: {"seconds", "low", "high" (or None), and what ``error`` names}.
    """
    return [_verdict(row, [other for other in rows if other is not row], error) for row in rows]


def _verdict(row: Row, others: Iterable[Row], error: str) -> str:
    better = [other for other in others if other[error] <= row[error] and _ahead(other, row, error)]
    if not better:
        return ON
    return OFF if any(_high(other) < _low(row) for other in better) else NOT_TOLD_APART


def _ahead(other: Row, row: Row, error: str) -> bool:
    """In less time; or in the same with a smaller error."""
    return bool(other["seconds"] < row["seconds"] or (other["seconds"] == row["seconds"] and other[error] < row[error]))


def _seconds(row: Row) -> float:
    return float(row["seconds"])


def _low(row: Row) -> float:
    return float(row["seconds"] if row.get("low") is None else row["low"])


def _high(row: Row) -> float:
    return float(row["seconds"] if row.get("high") is None else row["high"])


SERIES = ((_seconds,), (_low,), (_high,), (_low, _high), (_high, _low))
"""Which end of its quartiles each next size stands for: the medians, then what the quartiles allow."""


@dataclass(frozen=True)
class Knee:
    """From how many points on a backend's overhead is less than a tenth of the call.

    points: by the medians; None where that is past the largest size that was measured. least, most: what the quartiles
    allow; ``most`` is None where they allow that it is past the largest. measured: the sizes, smallest and largest; a knee
    at the smallest may lie anywhere below.
    """

    backend: str
    points: int | None
    least: int | None
    most: int | None
    measured: tuple[int, int]

    @property
    def verdict(self) -> str:
        """ "before" the claim's range, "within" it, "after" it, or "open": the quartiles allow more than one."""
        first, last = CLAIM
        if self.most is not None and self.most < first:
            return "before"
        if self.least is None or self.least > last:
            return "after" if self.least is not None or self.measured[1] >= last else "open"
        if self.least >= first and self.most is not None and self.most <= last:
            return "within"
        return "open"


def knees(rows: Iterable[Row]) -> list[Knee]:
    """One for each compiled backend that was measured at three sizes or more.

    rows: {"backend", "interpreted", "size", "seconds", "low", "high"}. Between two neighbouring sizes a call is taken for
    a + b points: how much of it is ``a`` is known there, without a model for all sizes, whose cost of a point changes with
    caches and threads.
    """
    found = []
    of_backend: dict[str, list[Row]] = {}
    for row in rows:
        if not row.get("interpreted"):
            of_backend.setdefault(row["backend"], []).append(row)
    for backend, own in of_backend.items():
        own.sort(key=lambda row: row["size"])
        if len(own) >= 3:
            points, *allowed = (
                _knee([(row["size"], end(row)) for row, end in zip(own, itertools.cycle(ends), strict=False)])
                for ends in SERIES
            )
            reached = [knee for knee in allowed if knee is not None]
            least, most = min(reached, default=None), max(reached) if len(reached) == len(allowed) else None
            found.append(Knee(backend, points, least, most, (own[0]["size"], own[-1]["size"])))
    return found


def _knee(series: Sequence[tuple[int, float]]) -> int | None:
    """The size from which on the overhead's share stays below OVERHEAD_SHARE; None where it does not at the largest."""
    knee = None
    for (size, seconds), (larger, longer) in reversed(list(itertools.pairwise(series))):
        per_point = (longer - seconds) / (larger - size)
        overhead = max(0.0, seconds - per_point * size)
        if per_point <= 0 or overhead >= OVERHEAD_SHARE * longer:
            break
        reached = overhead * (1 - OVERHEAD_SHARE) / OVERHEAD_SHARE / per_point
        knee = max(size, math.ceil(reached))
        if knee > size:
            break
    return knee


def claim(rows: Iterable[Row]) -> str:
    """The verdict on "best between 10^6 and 10^7 points", in a few sentences, from rows as ``knees`` takes them."""
    found = knees(rows)
    if not found:
        return "Too few sizes were measured to say from where on points have their full price."
    groups = {
        verdict: [knee for knee in found if knee.verdict == verdict] for verdict in ("before", "within", "after", "open")
    }
    words = {
        "before": "before 10^6 points",
        "within": "between 10^6 and 10^7 points",
        "after": "after 10^7 points",
        "open": "at a number of points that these measurements leave open",
    }
    listed = [
        f"{words[verdict]} for {len(group)} ({', '.join(map(_named, group))})" for verdict, group in groups.items() if group
    ]
    holds = len(groups["within"])
    verdict = "holds for none" if not holds else f"holds for {holds}"
    return (
        f'"Best between 10^6 and 10^7" {verdict} of the {len(found)} backends measured. The error falls as '
        f"1.642 / sqrt(points) for every compiler, so no number of points is best for accuracy. What a compiler decides is "
        f"from where on points have their full price, because its overhead is less than a tenth of the call: that is "
        f"{'; '.join(listed)}."
    )


def _named(knee: Knee) -> str:
    if knee.points is None:
        return f"{knee.backend} past {knee.measured[1]:,}"
    if knee.points <= knee.measured[0]:
        return f"{knee.backend} below {knee.measured[0]:,}"
    return f"{knee.backend} {float(f'{knee.points:.2g}'):,.0f}"
