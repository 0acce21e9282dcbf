"""How many samples two processes take in turn, and what they say together.

The two samples of a turn met the same core within milliseconds, so that what they share cancels in their ratio. Turns are
taken until the median of those ratios is known, and no longer: what is quiet has a few and leaves its time to what is not.
Whether to go on depends on how far apart the ratios lie, never on which side is ahead.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

PARTS = 3
"""Turns that have the calls of one of the suite's own samples: 10 ms each, or one call where that takes longer."""
LAST = statistics.NormalDist().inv_cdf(11 / 12)  # within it on both sides lie five sixths
KEPT = 6 / 5 * math.sqrt(2 / math.pi) * (1 - math.exp(-(LAST**2) / 2))


@dataclass(frozen=True)
class Care:
    """``least``: turns, at least. ``known``: to what fraction the pair's ratio is to be known, as a standard error.
    ``seconds``: of both sides together and of the calls that warm them up, after which there is no further turn."""

    least: int
    known: float
    seconds: float

    def is_enough(self, base: Sequence[float], head: Sequence[float], seconds: float) -> bool:
        """Whether two processes that took these samples, in so many seconds, need no further turn."""
        return seconds >= self.seconds or (len(base) >= self.least and uncertainty(base, head) <= self.known)


FIRST = Care(6, 0.01, 0.75)
AGAIN = Care(12, 0.007, 1.5)
"""Of those that are suspected: each of their pairs is one of few."""


def ratio(base: Sequence[float], head: Sequence[float]) -> float:
    """Head over base of two processes: the median over their turns, because the two samples of one turn met the same; of
    medians, where one has had more turns than the other, or a value is 0."""
    if len(base) != len(head) or not all(base):
        return statistics.median(head) / statistics.median(base)
    return statistics.median(after / before for before, after in zip(base, head, strict=True))


def uncertainty(base: Sequence[float], head: Sequence[float]) -> float:
    """The standard error of that median, as a fraction; infinite of fewer than three turns, or of a value of 0.

    Worked out from the ratios' mean absolute deviation from it, without the largest sixth: so a turn in which the machine
    was elsewhere calls for no more of them, and ratios of two kinds do. Of a normal distribution the five sixths' mean is
    KEPT standard deviations, and a median's standard error is sqrt(pi / 2) times a mean's.
    """
    turns = min(len(base), len(head))
    if turns < 3 or not all((*base, *head)):
        return math.inf
    logs = [math.log(after / before) for before, after in zip(base, head, strict=False)]
    middle = statistics.median(logs)
    kept = sorted(abs(log - middle) for log in logs)[: turns - turns // 6]
    return math.sqrt(math.pi / 2 / turns) * statistics.mean(kept) / KEPT
