"""Steps in a series by release: asv's own fit, and the evidence that a step needs.

asv fits piecewise constant functions (``asv.step_detect.solve_potts``). Here it fits logarithms, so that halving and
doubling have the same weight, in units of the noise: the usual difference of neighbouring releases, or a point's own
samples where these scatter more. asv's penalty suits long histories; in twenty releases with correlated noise it takes
steps of a tenth. So the penalty is fixed, at a PENALTY at which noise alone hardly ever takes a step, which a test checks.

A step between two pieces counts when it is more than 5 %, more than twice the noise, more than the mean deviation of both,
and when the quartiles of the two sides do not meet. Where the processes of a figure differ, each with little scatter, the
series jumps up and down. So a step needs more evidence: it is five times the noise even where that is the 80th percentile of
all differences between neighbours, or the order of the values has neighbours closer than 99 % of other orders have.
"""

import itertools
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asv.step_detect import solve_potts

THRESHOLD = 0.05  # asv's own: machines make smaller steps by themselves
PENALTY = 3.0  # of a step, in points that are off by the noise
NOISES = 2  # a step is larger than so many times the noise
NOISES_ALONE = 5  # the same for the noise of MOST, where the order of the values is no evidence
HALF, MOST = 0.5, 0.8  # shares of the differences between neighbours from which noise is estimated
ORDERS, CHANCE = 199, 0.01  # random orders of the values, and the share of them that may be as close
LEAST_NOISE = 0.005  # with less, one lucky point would outweigh all others
ENOUGH = 4  # points whose differences can estimate the noise

Point = Mapping[str, Any]  # with value, low and high
Step = tuple[Point, Point, float, float, float | None, float | None]
"""The last point before, the first after, the levels before and after, the smallest and the largest factor."""


def timed_steps(points: Sequence[Point]) -> Iterator[Step]:
    """Yield the steps of positive values, with a spread or without; none of fewer than ENOUGH points."""
    if len(points) < ENOUGH or any(point["value"] <= 0 for point in points):
        return
    logs = [math.log(point["value"]) for point in points]
    noise, wide = _noise(logs, HALF), _noise(logs, MOST)
    ends, levels, _ = solve_potts(logs, [1 / max(noise, _scatter(point)) for point in points], PENALTY)
    pieces = zip([0, *ends[:-1]], ends, levels, strict=True)
    is_orderly = _is_orderly(logs)
    for (left, middle, before), (_, right, after) in itertools.pairwise(pieces):
        scatter = max(_deviation(logs[left:middle], before), _deviation(logs[middle:right], after))
        if abs(after - before) <= max(math.log1p(THRESHOLD), NOISES * noise, scatter):
            continue
        if abs(after - before) <= NOISES_ALONE * wide and not is_orderly:
            continue
        low, high = _factor((points[left:middle], math.exp(before)), (points[middle:right], math.exp(after)))
        if low is None or high is None or low > 1 or high < 1:
            yield points[middle - 1], points[middle], math.exp(before), math.exp(after), low, high


def _is_orderly(values: Sequence[float]) -> bool:
    """True if neighbours are closer to each other than in 99 % of other orders of the values."""
    own, rng, as_close = _path(values), random.Random(1), 0
    shuffled = list(values)
    for _ in range(ORDERS):
        rng.shuffle(shuffled)
        as_close += _path(shuffled) <= own
    return as_close + 1 <= CHANCE * (ORDERS + 1)


def _path(values: Sequence[float]) -> float:
    return math.fsum(abs(a - b) for a, b in itertools.pairwise(values))


def _noise(logs: Sequence[float], share: float) -> float:
    """Return a point's standard deviation from the differences of neighbours, of which that share is no step."""
    differences = sorted(abs(a - b) for a, b in itertools.pairwise(logs))
    difference = statistics.median(differences) if share == HALF else differences[int(share * (len(differences) - 1))]
    return max(difference / (math.sqrt(2) * statistics.NormalDist().inv_cdf((1 + share) / 2)), LEAST_NOISE)


def _deviation(values: Sequence[float], level: float) -> float:
    return statistics.fmean(abs(value - level) for value in values)


def _factor(
    before: tuple[Sequence[Point], float], after: tuple[Sequence[Point], float]
) -> tuple[float | None, float | None]:
    """Return the smallest and largest factor that the quartiles of both sides allow; a side is points and a level."""
    (before_low, before_high), (after_low, after_high) = _quartiles(*before), _quartiles(*after)
    if None in (before_low, before_high, after_low, after_high):
        return None, None
    return after_low / before_high, after_high / before_low  # type: ignore[operator]


def _quartiles(points: Sequence[Point], level: float) -> tuple[float | None, float | None]:
    """Return the medians of the points' quartiles, widened to the piece's level where it lies beyond."""
    ends = []
    for name, outer in (("low", min), ("high", max)):
        known = [point[name] for point in points if point[name] is not None and point[name] > 0]
        ends.append(outer(statistics.median(known), level) if known else None)
    return ends[0], ends[1]


def _scatter(point: Point) -> float:
    low, high = point["low"], point["high"]
    return math.log(high / low) / 2 if low and high and 0 < low < high else 0.0
