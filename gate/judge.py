"""What samples of two commits say: statistics whose unit is the process.

Samples within one process share its memory layout, its cores and its moment, so their number proves nothing. A process is
one number, the median of its samples; two processes that ran side by side are a pair; and what is judged are the pairs'
ratios, head over base. The test is Wilcoxon's signed-rank test, exact ("Individual comparisons by ranking methods",
Biometrics 1, 1945), the estimate that of Hodges and Lehmann (Annals of Mathematical Statistics 34, 1963), the interval the
one that belongs to both: ratios that the test would not reject.
"""

import functools
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from scipy import stats

LEAST = 7  # processes a side: with fewer no result of the test is below 1 %
SUSPICIOUS = 0.05  # the first look's level: it costs another look, not a verdict
BELIEVED = 0.005  # the second look's, over all that is suspected together
SPARE = 4  # pairs of the second look beyond the fewest: what they cost is seconds, and only where something is suspected
CONFIDENCE = 0.95  # of the interval that is reported
SMALLEST = 0.02  # of a time: less is what the same code differs by from one build's directory to the next


@dataclass(frozen=True)
class Comparison:
    """Head over base: ``ratio`` with its interval ``low`` to ``high``; ``worse`` and ``better``: one-sided p-values."""

    ratio: float
    low: float
    high: float
    worse: float
    better: float
    pairs: int


def compare(base: Sequence[float], head: Sequence[float]) -> Comparison:
    """Of one positive number a process and side, pair by pair.

    Raises ValueError where there are fewer than three pairs, or a number is not positive.
    """
    if len(base) != len(head) or len(base) < 3:
        raise ValueError(f"three pairs at least, and as many on each side, not {len(base)} and {len(head)}")
    if min(*base, *head) <= 0:
        raise ValueError("ratios need positive numbers")
    logs = numpy.log(numpy.asarray(head) / numpy.asarray(base))
    averages = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(logs.tolist(), 2))  # Walsh's
    left_out = _rejected(len(base))
    estimate, low, high = statistics.median(averages), averages[left_out], averages[-1 - left_out]
    exp = math.exp
    return Comparison(exp(estimate), exp(low), exp(high), _p(logs, "greater"), _p(logs, "less"), len(base))


def is_suspect(seen: Comparison, noise: float) -> bool:
    """Whether the first look calls for a second: slower by more than the benchmark's own noise, and hardly by chance.

    noise: as a fraction; how far apart the same code was seen to be.
    """
    return seen.worse <= SUSPICIOUS and seen.ratio > 1 + max(noise, SMALLEST)


def is_cleared(base: Sequence[float], head: Sequence[float], pairs: int) -> bool:
    """Whether the second look can't find a suspect guilty any more, of whose ``pairs`` these are the first: not if all that
    are to come were worse than any so far. So to stop here changes no verdict: with each such pair the p-value falls, and
    it would still be above the level that the last one of several suspects needs."""
    left = pairs - len(base)
    if len(base) < 3 or left <= 0:
        return False
    widest = max(max(after / before, before / after) for before, after in zip(base, head, strict=True))
    return compare([*base, *[1.0] * left], [*head, *[2 * widest] * left]).worse > BELIEVED


def confirmed(again: dict[str, Comparison], noise: dict[str, float]) -> dict[str, bool]:
    """Which of the suspects the second look finds guilty, by new processes alone.

    The samples that raised the suspicion are not used again, so that being picked among many costs nothing; over the
    suspects Holm's procedure (Scandinavian Journal of Statistics 6, 1979) keeps the chance of even one false verdict at
    BELIEVED.
    """
    verdict = dict.fromkeys(again, False)
    for position, name in enumerate(sorted(again, key=lambda name: again[name].worse)):
        if again[name].worse > BELIEVED / (len(again) - position):
            break
        verdict[name] = again[name].ratio > 1 + max(noise.get(name, 0.0), SMALLEST)
    return verdict


def pairs_needed(suspects: int) -> int:
    """Pairs with which the second look can find the first of so many suspects guilty though a pair or two say the opposite.

    The smallest p-value of n pairs is 2 to the power of -n: with no more pairs than that takes all must agree, and where
    processes differ by 2 %, 7 of 10 slowdowns of 5 % would be found instead of 19 of 20.
    """
    return max(LEAST, math.ceil(math.log2(suspects / BELIEVED))) + SPARE if suspects else 0


@functools.cache
def _rejected(pairs: int) -> int:
    """How many of Walsh's averages lie outside of the interval on each side: the largest sum of ranks that is improbable."""
    ways = functools.reduce(lambda ways, rank: numpy.convolve(ways, [1, *[0] * (rank - 1), 1]), range(1, pairs + 1), [1])
    at_most = numpy.cumsum(ways) / 2.0**pairs  # of all signs that the ranks could have
    return max(0, int(numpy.searchsorted(at_most, (1 - CONFIDENCE) / 2, side="right")) - 1)


def _p(logs: numpy.ndarray, alternative: str) -> float:
    if not logs.any():
        return 1.0
    return float(stats.wilcoxon(logs[logs != 0], alternative=alternative, method="exact").pvalue)
