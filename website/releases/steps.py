"""Steps in a series by release: asv's own fit, and the evidence that a step needs.

asv fits piecewise constant functions (``asv.step_detect.solve_potts``). Here it fits logarithms, so that halving and
doubling have the same weight. Their unit is the noise: from the median difference of neighbouring releases, or from a
point's own samples if these scatter more. asv's penalty suits long histories: in twenty releases with correlated noise it
gives steps of a tenth. So the penalty is a constant with which noise alone hardly ever gives a step; a test checks this.

A step between two pieces counts if it is more than 5 %, more than twice the noise, and more than the larger mean deviation
of the pieces, and if the quartiles of its two sides do not overlap. If the processes of a figure differ, its series jumps up
and down. So every step also needs one of these: it is more than five times the noise that the 80th percentile of the
differences between neighbours gives, or neighbours are closer to each other than in 99 % of other orders of the values.
"""

import itertools
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from asv.step_detect import solve_potts

THRESHOLD = 0.05  # asv's own: machines make smaller steps by themselves
PENALTY = 3.0  # of a step, in points that are off by the noise
NOISES = 2  # a step is larger than so many times the noise
NOISES_ALONE = 5  # the same with the noise of MOST, if the order of the values is no evidence
HALF, MOST = 0.5, 0.8  # shares of the differences between neighbours from which noise is estimated
ORDERS, CHANCE = 199, 0.01  # random orders of the values, and the share whose neighbours may be as close
LEAST_NOISE = 0.005  # with less, one lucky point would outweigh all others
ENOUGH = 4  # points whose differences can estimate the noise

Point = Mapping[str, Any]  # with value, low and high


class Step(NamedTuple):
    """A step between two levels. ``before``: the last point before it. ``after``: the first point after it. ``low``,
    ``high``: the smallest and the largest factor."""

    before: Point
    after: Point
    level_before: float
    level_after: float
    low: float | None = None
    high: float | None = None


def timed_steps(points: Sequence[Point]) -> Iterator[Step]:
    """Yield the steps; none if there are fewer than ENOUGH points, or if a value is not positive."""
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
            yield Step(points[middle - 1], points[middle], math.exp(before), math.exp(after), low, high)


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
    """Return a point's standard deviation, estimated from the differences of neighbours: this share of them is no step."""
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
    """Return the medians of the points' quartiles, widened to the piece's level if it lies outside."""
    ends = []
    for name, outer in (("low", min), ("high", max)):
        known = [point[name] for point in points if point[name] is not None and point[name] > 0]
        ends.append(outer(statistics.median(known), level) if known else None)
    return ends[0], ends[1]


def _scatter(point: Point) -> float:
    low, high = point["low"], point["high"]
    return math.log(high / low) / 2 if low and high and 0 < low < high else 0.0
