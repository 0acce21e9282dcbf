"""Where a series by release takes a step: asv's own fit, and what a step must be beyond.

asv fits piecewise constant functions (``asv.step_detect.solve_potts``), here to logarithms, so that halving and doubling
weigh the same, and in units of the noise: what neighbouring releases differ by in general, or a point's own samples where
these scatter more. asv's choice of the penalty suits long histories: it takes a tenth in twenty releases for correlated
noise. So the penalty is fixed, at a PENALTY at which noise alone takes next to no step (a test holds it to that).

A step between two pieces counts when it is more than 5 %, more than twice the noise, more than the mean deviation of both,
and when the quartiles of the two sides do not meet. A figure whose processes differ, each of them sure of itself, jumps
up and down. So a step needs one more piece of evidence: it is five times the noise even where that is taken from all
differences between neighbours but the largest fifth, or neighbours are nearer each other than in next to any other order of
the values. Of a figure that is exact any change of value is a step.
"""

import itertools
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asv.step_detect import solve_potts

from website.read.changes import THRESHOLD

PENALTY = 3.0  # of a step, in points that are off by the noise
NOISES = 2  # by how many times the noise a step must be larger
NOISES_ALONE = 5  # the same of the noise of MOST, where the order of the values is no evidence
HALF, MOST = 0.5, 0.8  # of the differences between neighbours: what noise is taken from
ORDERS, CHANCE = 199, 0.01  # how many other orders are tried, and the share of them that may be as near
LEAST_NOISE = 0.005  # with less, a lucky point would outweigh all others
ENOUGH = 4  # points whose differences say something of the noise

Point = Mapping[str, Any]  # with value, low and high
Step = tuple[Point, Point, float, float, float | None, float | None]
"""The last point before and the first after, the levels before and after, and the least and the largest factor."""


def exact_steps(points: Sequence[Point]) -> Iterator[Step]:
    """Wherever the value is another one than before."""
    for before, after in itertools.pairwise(points):
        if before["value"] != after["value"]:
            yield before, after, before["value"], after["value"], None, None


def timed_steps(points: Sequence[Point]) -> Iterator[Step]:
    """Of positive values with a spread, or without one."""
    if len(points) < 2 or any(point["value"] <= 0 for point in points):
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
    """Whether neighbours are so near each other as next to no other order of the values has them."""
    own, rng, as_near = _way(values), random.Random(1), 0
    shuffled = list(values)
    for _ in range(ORDERS):
        rng.shuffle(shuffled)
        as_near += _way(shuffled) <= own
    return as_near + 1 <= CHANCE * (ORDERS + 1)


def _way(values: Sequence[float]) -> float:
    return math.fsum(abs(a - b) for a, b in itertools.pairwise(values))


def _noise(logs: Sequence[float], share: float) -> float:
    """One point's standard deviation, from how far apart neighbours are, of which that share is no step."""
    if len(logs) < ENOUGH:
        return LEAST_NOISE
    differences = sorted(abs(a - b) for a, b in itertools.pairwise(logs))
    kept = statistics.median(differences) if share == HALF else differences[int(share * (len(differences) - 1))]
    return max(kept / (math.sqrt(2) * statistics.NormalDist().inv_cdf((1 + share) / 2)), LEAST_NOISE)


def _deviation(values: Sequence[float], level: float) -> float:
    return statistics.fmean(abs(value - level) for value in values)


def _factor(
    before: tuple[Sequence[Point], float], after: tuple[Sequence[Point], float]
) -> tuple[float | None, float | None]:
    """What the quartiles of both sides, each a piece's points and its level, allow."""
    (before_low, before_high), (after_low, after_high) = _quartiles(*before), _quartiles(*after)
    if None in (before_low, before_high, after_low, after_high):
        return None, None
    return after_low / before_high, after_high / before_low  # type: ignore[operator]


def _quartiles(points: Sequence[Point], level: float) -> tuple[float | None, float | None]:
    """Medians over the points of a piece, moved out to its level where that lies beyond."""
    ends = []
    for name, outer in (("low", min), ("high", max)):
        known = [point[name] for point in points if point[name] is not None and point[name] > 0]
        ends.append(outer(statistics.median(known), level) if known else None)
    return ends[0], ends[1]


def _scatter(point: Point) -> float:
    low, high = point["low"], point["high"]
    return math.log(high / low) / 2 if low and high and 0 < low < high else 0.0
