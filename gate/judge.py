"""The thresholds of a verdict: when a case is suspected, when the suspicion is confirmed, and how noisy a case is."""

import math
from collections.abc import Mapping, Sequence
from typing import TypedDict

import numpy

from duet.statistics import FEWEST, STUDENT, Comparison, compare

LEAST = 7  # processes a side: with fewer, no p-value of the test is below 1 %
BUDGET = 25.0  # minutes of measuring times, by default; the selection of all kernels takes 7 on two cores (docs/gate.md)
SUSPICIOUS = 0.05  # significance level of the first look: a suspicion costs a second look, not a verdict
BELIEVED = 0.005  # significance level of the second look, over all suspects together
EARLY = 0.0025  # level of an early end as guilty, over all times of a suite; with BELIEVED, at most 0.75 % false alarms
LEAST_AGAIN = max(STUDENT) + 1  # pairs of the second look before an early end as guilty: their interval is not Student's
SPARE = 4  # pairs of the second look beyond the fewest: they take seconds, and only suspects get them
SMALLEST = 0.02  # change of a time, as a fraction: the same code differs by less between two build directories
LONG_ENOUGH = 1e-3  # seconds: calibration slows no shorter call, because the clock's steps distort it

WAY = 6  # changes with the way of measuring, which changes the noise and how often a verdict is wrong
STORED = 100  # numbers a case: the machine has changed too much since older ones
FEW = 10  # with fewer numbers, the largest is the noise


class Method(TypedDict):
    """How a verdict measures, and its thresholds above. ``budget``: seconds. Lines of before 2026-11-25 lack ``early``,
    those of before 2026-11-28 ``way``."""

    bench: list[str]  # regular expressions
    processes: int  # the most for each side and case in the first look
    way: int  # WAY
    turns: dict[str, float]
    memory: str  # the allocator
    budget: float
    suspicious: float
    believed: float
    early: float
    smallest: float


class Conditions(TypedDict):
    """What makes two verdicts comparable. ``machine``: its identity."""

    machine: str
    processor: str
    cores: int
    method: Method


def is_suspect(comparison: Comparison, noise: float) -> bool:
    """True if the first look calls for a second: the case is slower by more than its noise, and hardly by chance.

    noise: how far apart the same code was measured, as a fraction.
    """
    return comparison.worse <= SUSPICIOUS and comparison.ratio > 1 + max(noise, SMALLEST)


def is_within_noise(comparison: Comparison, noise: float) -> bool:
    """True if the case is slower, hardly by chance, and only its noise keeps it from being suspect."""
    return is_suspect(comparison, 0.0) and not is_suspect(comparison, noise)


def is_better(comparison: Comparison, noise: float) -> bool:
    return comparison.better <= SUSPICIOUS and 1 / comparison.ratio > 1 + max(noise, SMALLEST)


def is_innocent(ratios: Sequence[float], pairs: int) -> bool:
    """True if the first look can stop: no outcome of the remaining pairs could make the case suspect, and it is not faster
    by SMALLEST. ratios: of its first pairs. pairs: the most that it can have."""
    return is_cleared(ratios, pairs, SUSPICIOUS, 1 + SMALLEST) and compare(ratios).ratio > 1 - SMALLEST


def is_cleared(ratios: Sequence[float], pairs: int, level: float = BELIEVED, least: float = 0.0) -> bool:
    """True if no outcome of the remaining pairs could make this case significant, or its ratio more than ``least``, so
    stopping cannot change the verdict.

    The remaining pairs are assumed to be worse than any so far, which gives the lowest possible p-value and the highest
    ratio. level: by default that of the last suspect in the second look, the highest. ratios: of the look's first pairs.
    pairs: of the whole look.
    """
    remaining = pairs - len(ratios)
    if len(ratios) < FEWEST or remaining <= 0 or not all(ratios):  # a figure of 0 has no ratio
        return False
    widest = max(max(ratio, 1 / ratio) for ratio in ratios)
    worst = compare([*ratios, *[2 * widest] * remaining])
    return worst.worse > level or worst.ratio <= least


def is_guilty(first: Sequence[float], second: Sequence[float], times: int, noise: float) -> bool:
    """True if all pairs of both looks are worse, too many for chance, and LEAST_AGAIN or more are of the second.

    The interval of so many pairs that are all worse lies above 1.

    Between equal sides each pair is a coin toss. After n worse pairs, the likelihood ratio of "always worse" to a fair coin
    is 2 to the power of n; after a better pair it is 0. The probability that it ever reaches times / EARLY is at most
    EARLY / times (Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945). So EARLY
    is the level over all timed cases, not over the suspects alone. The pairs of the first look count too. times: the
    number of timed cases.
    """
    ratios = [*first, *second]
    if len(second) < LEAST_AGAIN or len(ratios) < math.log2(times / EARLY) or min(ratios) <= 1:
        return False
    return compare(second).ratio > 1 + max(noise, SMALLEST)


def confirmed(second_look: Mapping[str, Comparison], noise: Mapping[str, float]) -> dict[str, bool]:
    """Return which suspects are worse by the second look, from new processes alone.

    The samples that raised a suspicion are not used again, so the choice of suspects among many cases adds no false
    verdicts. Over all suspects, Holm's procedure (Scandinavian Journal of Statistics 6, 1979) keeps the probability of a
    false verdict at BELIEVED.
    """
    verdict = dict.fromkeys(second_look, False)
    for position, name in enumerate(sorted(second_look, key=lambda name: second_look[name].worse)):
        if second_look[name].worse > BELIEVED / (len(second_look) - position):
            break
        verdict[name] = second_look[name].ratio > 1 + max(noise.get(name, 0.0), SMALLEST)
    return verdict


def pairs_needed(suspects: int) -> int:
    """Return how many pairs the second look needs to confirm the first of so many suspects even if one or two disagree.

    The smallest p-value of n pairs is 2 to the power of -n. Without SPARE all pairs would have to agree: where processes
    differ by 2 %, 7 of 10 slowdowns of 5 % would be confirmed instead of 19 of 20.
    """
    return max(LEAST, math.ceil(math.log2(suspects / BELIEVED))) + SPARE if suspects else 0


def noise_of(ratios: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the noise of each case, as a fraction: the 95 % quantile of how far ratios of equal sides, oldest first, are
    from 1. A smaller change is not reported."""
    logs = {case: [abs(math.log(ratio)) for ratio in numbers[-STORED:]] for case, numbers in ratios.items()}
    return {
        case: math.expm1(max(numbers) if len(numbers) < FEW else float(numpy.quantile(numbers, 0.95)))
        for case, numbers in logs.items()
    }
