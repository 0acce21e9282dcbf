"""Compare two sides by the ratios of their pairs of processes.

Samples of one process share its memory layout, core and moment, so they are not independent: a pair of processes counts as
one number. The test is Wilcoxon's exact signed-rank test ("Individual comparisons by ranking methods", Biometrics 1, 1945).
The estimate is that of Hodges and Lehmann (Annals of Mathematical Statistics 34, 1963). The interval holds the ratios that
the test does not reject. With fewer than six pairs the test rejects nothing at that level, so the interval is Student's, of
the mean logarithm ("The probable error of a mean", Biometrika 6, 1908).

SciPy is imported only for p-values, because ``make bench``, whose site needs only ``estimate``, does not install it.
"""

import functools
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95  # of the interval
FEWEST = 3  # pairs: for two, the median of averages would only be their mean
STUDENT = {3: 4.3027, 4: 3.1824, 5: 2.7764}  # by pairs: the quantile of t that leaves (1 - CONFIDENCE) / 2 above it


@dataclass(frozen=True)
class Comparison:
    """The second side over the first: ``ratio`` with its interval ``low`` to ``high``; one-sided p-values ``worse`` (the
    ratio is above 1) and ``better``; ``pairs``: how many there are."""

    ratio: float
    low: float
    high: float
    worse: float
    better: float
    pairs: int


def compare(ratios: Sequence[float]) -> Comparison:
    """Compare two sides. ratios: one for each pair of processes. ValueError: fewer than three, or one is not positive."""
    ratio, low, high = estimate(ratios)
    logs = [math.log(each) for each in ratios]
    return Comparison(ratio, low, high, _p(logs, "greater"), _p(logs, "less"), len(ratios))


def estimate(ratios: Sequence[float]) -> tuple[float, float, float]:
    """Return the ratio and both ends of its interval, of one ratio for each pair. ValueError: as ``compare``."""
    if len(ratios) < FEWEST or min(ratios) <= 0:
        raise ValueError(f"{FEWEST} or more positive ratios are needed, not {list(ratios)}")
    logs = [math.log(each) for each in ratios]
    averages = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(logs, 2))  # Walsh's
    ratio = math.exp(statistics.median(averages))
    if len(ratios) in STUDENT:
        return ratio, *interval_of_few(ratios)
    outside = _outside(len(ratios))
    return ratio, math.exp(averages[outside]), math.exp(averages[-1 - outside])


def interval_of_few(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the interval of three to five ratios."""
    logs = [math.log(ratio) for ratio in ratios]
    mean, reach = statistics.mean(logs), STUDENT[len(logs)] * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean - reach), math.exp(mean + reach)


@functools.cache
def _outside(pairs: int) -> int:
    """Return how many of Walsh's averages lie outside the interval on each side: the largest improbable sum of ranks."""
    ways = [1]  # to reach each sum of ranks
    for rank in range(1, pairs + 1):
        ways = [a + b for a, b in zip([*ways, *[0] * rank], [*[0] * rank, *ways], strict=True)]
    most = (1 - CONFIDENCE) / 2 * 2.0**pairs  # of all signs that the ranks could have
    return max(0, sum(at_most <= most for at_most in itertools.accumulate(ways)) - 1)


def _p(logs: Sequence[float], alternative: str) -> float:
    from scipy import stats  # type: ignore[import-untyped]

    differing = [each for each in logs if each]
    return float(stats.wilcoxon(differing, alternative=alternative, method="exact").pvalue) if differing else 1.0
