"""Test if a series of calls has settled, or still changes its speed.

A runtime need not become steady (Barrett, Bolz-Tereick, Killick, Mount, Tratt, "Virtual machine warmup blows hot and cold",
OOPSLA 2017). As there, a change point is searched for in the later part of the series. A change that a shared machine can
cause counts as none. The test is Pettitt's ("A non-parametric approach to the change-point problem", Applied Statistics 28,
1979). It uses ranks, so single calls that the scheduler interrupted do not matter.
"""

import bisect
import itertools
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
    count, ordered = len(values), sorted(values)
    # U grows by each value's lesser values minus its greater ones.
    steps = (bisect.bisect_left(ordered, value) + bisect.bisect_right(ordered, value) - count for value in values[:-1])
    changes = [abs(total) for total in itertools.accumulate(steps)]
    largest = max(changes)
    return changes.index(largest) + 1, min(1.0, 2 * math.exp(-6 * largest**2 / (count**3 + count**2)))
