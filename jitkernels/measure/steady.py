"""Test if a series of calls has settled, or still changes its speed.

A runtime need not become steady (Barrett, Bolz-Tereick, Killick, Mount, Tratt, "Virtual machine warmup blows hot and cold",
OOPSLA 2017). As there, a change point is searched for in the later part of the series. A change that a shared machine can
cause counts as none. The test is Pettitt's ("A non-parametric approach to the change-point problem", Applied Statistics 28,
1979). It uses ranks, so single calls that the scheduler interrupted do not matter.
"""

import math
import statistics
from collections.abc import Sequence

FEWEST = 16  # calls in the later half: with fewer, even the largest change is not significant
SIGNIFICANCE = 0.01  # at most this share of series without a change is called unsettled
TOLERANCE = 0.05  # of the faster level: quartiles of warm calls differ so much on a shared machine


def settled(calls: Sequence[float]) -> bool | None:
    """True if the later half of the calls (seconds) has no change of level; None if it is too short to tell."""
    later = calls[len(calls) // 2 :]
    if len(later) < FEWEST:
        return None
    place, probability = change_point(later)
    if probability > SIGNIFICANCE:
        return True
    before, after = statistics.median(later[:place]), statistics.median(later[place:])
    return abs(after - before) <= TOLERANCE * min(before, after)


def change_point(values: Sequence[float]) -> tuple[int, float]:
    """Return how many values come before the likeliest change of level, and its p-value.

    Pettitt's K, the largest |U|, and his approximation of its p-value, which is never too small. At least two values.
    """
    count = len(values)
    ranks, total = _ranks(values), 0.0
    statistic = []
    for taken, rank in enumerate(ranks[:-1], 1):
        total += rank
        statistic.append(abs(2 * total - taken * (count + 1)))
    largest = max(statistic)
    return statistic.index(largest) + 1, min(1.0, 2 * math.exp(-6 * largest**2 / (count**3 + count**2)))


def _ranks(values: Sequence[float]) -> list[float]:
    """Return ranks from 1; equal values share the mean of their ranks."""
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(rank)
    means = {value: statistics.fmean(ranks) for value, ranks in places.items()}  # thousands of quick calls are equal
    return [means[value] for value in values]
