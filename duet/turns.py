"""Have two processes take samples in turn, until the ratio of the pair is known.

The two samples of a turn run on the same core within milliseconds, so a disturbance of both cancels in their ratio. A pair
with low noise takes few turns and leaves time to others. The spread of the ratios decides when to stop, never which side is
faster.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from duet.child import Answer
from duet.process import Child

PARTS = 3
"""A sample of the suite is split into this many turns: each has calls for 10 ms, or one call if that takes longer."""
FIVE_SIXTHS = statistics.NormalDist().inv_cdf(11 / 12)  # standard deviations around the mean that hold five sixths
DEVIATION = 6 / 5 * math.sqrt(2 / math.pi) * (1 - math.exp(-(FIVE_SIXTHS**2) / 2))
"""The mean absolute deviation of the inner five sixths of a normal distribution, in standard deviations."""


@dataclass(frozen=True)
class StopRule:
    """When a pair of processes ends. ``least``: the fewest turns. ``known``: a standard error of the pair's ratio, as a
    fraction, that is small enough to stop. ``seconds``: no further turn after both sides' samples and warm-up took so
    long. A verdict's line has these names."""

    least: int
    known: float
    seconds: float

    def is_over(self, first: Sequence[float], second: Sequence[float], seconds: float) -> bool:
        """True if the pair takes no further turn after these samples, which took ``seconds``."""
        is_known = len(first) >= self.least and standard_error(first, second) <= self.known
        return is_known or seconds >= self.seconds


QUICK = StopRule(6, 0.01, 0.75)
CAREFUL = StopRule(12, 0.007, 1.5)
"""For a few cases in which every pair matters."""


def take_turns(answers: dict[Child, Answer | None], core: int | None, rule: StopRule) -> None:
    """Have the children whose case is set up take samples on one core. Each turn reverses their order.

    Two cores of a machine, or two moments of one core, differ by more than two commits do. answers: each child's last
    answer; afterwards its result.
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
    """Have the children whose case is set up take one sample at the same moment, each on its own core.

    answers: as for ``take_turns``.
    """
    for is_another_turn in (True, False):
        waiting = _waiting(answers)
        for child in waiting:
            child.request({"turn": is_another_turn, "core": None})
        answers.update({child: child.answer() for child in waiting})


def _waiting(answers: dict[Child, Answer | None]) -> list[Child]:
    return [child for child, answer in answers.items() if answer and "outcome" not in answer]


def ratio(first: Sequence[float], second: Sequence[float]) -> float:
    """Return a pair's ratio, second over first: the median of the turns' ratios.

    If one side took more turns, or a value is 0, it is the ratio of the medians.
    """
    if len(first) != len(second) or not all(first):
        return statistics.median(second) / statistics.median(first)
    return statistics.median(b / a for a, b in zip(first, second, strict=True))


def standard_error(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the standard error of the median ratio, as a fraction; infinite for fewer than three turns, or a value of 0.

    It comes from the mean absolute deviation without the largest sixth. So a single disturbed turn calls for no further
    turns, but ratios in two groups do. The standard error of a median is sqrt(pi / 2) times that of a mean.
    """
    turns = min(len(first), len(second))
    if turns < 3 or not all((*first, *second)):
        return math.inf
    logs = [math.log(b / a) for a, b in zip(first, second, strict=False)]
    middle = statistics.median(logs)
    inner = sorted(abs(log - middle) for log in logs)[: turns - turns // 6]
    return math.sqrt(math.pi / 2 / turns) * statistics.mean(inner) / DEVIATION
