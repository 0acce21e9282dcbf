"""Have two processes take samples in turn, until the ratio of the pair is known.

The two samples of a turn meet the same core within milliseconds, so what they share cancels in their ratio. A quiet pair
takes few turns, and leaves its time to others. Whether to go on depends on the spread of the ratios, never on which side is
faster.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from duet.child import Answer
from duet.process import Child

PARTS = 3
"""Turns that have the calls of one of the suite's own samples: 10 ms each, or one call if that takes longer."""
FIVE_SIXTHS = statistics.NormalDist().inv_cdf(11 / 12)  # within it on both sides lie five sixths
DEVIATION = 6 / 5 * math.sqrt(2 / math.pi) * (1 - math.exp(-(FIVE_SIXTHS**2) / 2))
"""The mean absolute deviation of the inner five sixths of a normal distribution, in standard deviations."""


@dataclass(frozen=True)
class StopRule:
    """When a pair of processes ends. ``least``: turns, at least. ``known``: the standard error of the pair's ratio, as a
    fraction, that is small enough. ``seconds``: of both sides' samples with their warm-up, after which there is no turn."""

    least: int
    known: float
    seconds: float

    def is_over(self, first: Sequence[float], second: Sequence[float], seconds: float) -> bool:
        """True if processes that took these samples, in so many seconds, take no further turn."""
        is_known = len(first) >= self.least and standard_error(first, second) <= self.known
        return is_known or seconds >= self.seconds


QUICK = StopRule(6, 0.01, 0.75)
CAREFUL = StopRule(12, 0.007, 1.5)
"""For few cases, when each of their pairs decides."""


def take_turns(answers: dict[Child, Answer | None], core: int | None, rule: StopRule) -> None:
    """Have the children whose case is set up take samples on one core, in an order that each turn reverses.

    Two cores of a machine differ by more than two commits do, and so does one core from one second to the next.
    ``answers`` has each child's last answer, and at the end its result.
    """
    samples: dict[Child, list[float]] = {child: [] for child in answers}
    seconds, order = 0.0, 1
    first, second = samples.values()
    while (ready := _waiting(answers)) and not rule.is_over(first, second, seconds):
        for child in ready[::order]:
            child.request({"turn": True, "core": core})
            answers[child] = answer = child.answer()
            if answer and "sample" in answer:
                samples[child].append(answer["sample"])
                seconds += answer["seconds"]
        order = -order
    for child in _waiting(answers):
        child.request({"turn": False, "core": None})
        answers[child] = child.answer()


def take_one_turn_at_once(answers: dict[Child, Answer | None]) -> None:
    """Have the children whose case is set up take one sample, all at the same moment, each on the core where it is.

    ``answers``: as for ``take_turns``.
    """
    for is_another_turn in (True, False):
        waiting = _waiting(answers)
        for child in waiting:
            child.request({"turn": is_another_turn, "core": None})
        answers.update({child: child.answer() for child in waiting})


def _waiting(answers: dict[Child, Answer | None]) -> list[Child]:
    return [child for child, answer in answers.items() if answer and "outcome" not in answer]


def ratio(first: Sequence[float], second: Sequence[float]) -> float:
    """Return second over first of a pair: the median over turns, because the two samples of a turn met the same machine.

    The ratio of the medians if a side has taken more turns, or a value is 0.
    """
    if len(first) != len(second) or not all(first):
        return statistics.median(second) / statistics.median(first)
    return statistics.median(b / a for a, b in zip(first, second, strict=True))


def standard_error(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the standard error of that median, as a fraction; infinite for fewer than three turns, or a value of 0.

    It is computed from the ratios' mean absolute deviation from it, without the largest sixth, so that a turn in which the
    machine was elsewhere calls for no further turns, and ratios that fall into two groups do. The standard error of a median
    is sqrt(pi / 2) times that of a mean.
    """
    turns = min(len(first), len(second))
    if turns < 3 or not all((*first, *second)):
        return math.inf
    logs = [math.log(b / a) for a, b in zip(first, second, strict=False)]
    middle = statistics.median(logs)
    inner = sorted(abs(log - middle) for log in logs)[: turns - turns // 6]
    return math.sqrt(math.pi / 2 / turns) * statistics.mean(inner) / DEVIATION
