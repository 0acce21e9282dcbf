"""The test for a steady series: how often it cries wolf, and what it finds."""

import itertools
import math
import random
import statistics

import pytest

from jitkernels.measure import steady

SERIES = 1000


def noise(length: int, seed: int, spread: float = 0.2) -> list[float]:
    """Independent calls around 1 ms, with the long tail that interruptions make."""
    drawn = random.Random(seed)
    return [1e-3 * drawn.lognormvariate(0, spread) for _ in range(length)]


@pytest.mark.parametrize("length", [32, 50, 200])
def test_a_flat_series_is_seldom_called_unsettled(length: int) -> None:
    alarms = sum(steady.settled(noise(length, seed)) is False for seed in range(SERIES))
    assert alarms <= 2 * steady.SIGNIFICANCE * SERIES, "10 are expected at most, 20 are three standard deviations more"


@pytest.mark.parametrize("length", [16, 100])
def test_the_probability_of_a_change_is_never_too_small(length: int) -> None:
    unlikely = sum(steady.change_point(noise(length, seed))[1] <= 0.05 for seed in range(SERIES))
    assert unlikely <= 0.05 * SERIES + 3 * (0.05 * 0.95 * SERIES) ** 0.5


@pytest.mark.parametrize("length", [50, 200])
def test_a_drift_is_not_settled(length: int) -> None:
    found = [
        steady.settled([value * (1 + i / length) for i, value in enumerate(noise(length, seed, 0.05))])
        for seed in range(100)
    ]
    assert found.count(False) >= 99


@pytest.mark.parametrize("factor", [0.8, 1.3])
def test_a_late_step_is_not_settled_and_its_place_is_found(factor: float) -> None:
    places = []
    for seed in range(100):
        series = noise(200, seed, 0.05)
        series[170:] = [value * factor for value in series[170:]]
        assert steady.settled(series) is False
        places.append(steady.change_point(series[100:])[0])
    assert abs(statistics.median(places) - 70) <= 1


def test_a_warm_up_that_is_over_before_the_later_half_is_forgiven() -> None:
    series = noise(200, 1)
    series[:60] = [value * 10 for value in series[:60]]
    assert steady.settled(series) is True


def test_a_few_interrupted_calls_are_no_change() -> None:
    series = noise(200, 2)
    for place in (110, 150, 151, 190):
        series[place] *= 100
    assert steady.settled(series) is True


def test_a_change_smaller_than_the_machine_s_own_is_none() -> None:
    series = [1.0] * 150 + [1.03] * 50
    assert steady.change_point(series[100:])[1] < 1e-6
    assert steady.settled(series) is True


def test_equal_calls_are_settled_and_a_short_series_says_nothing() -> None:
    assert steady.settled([1e-6] * 200) is True
    assert steady.settled([1.0, 2.0] * 15) is None
    assert steady.settled([1.0, 2.0] * 15 + [1.0]) is True, "the later half of 31 calls has 16"
    assert steady.settled([]) is None


def test_equal_calls_count_as_neither_quicker_nor_slower() -> None:
    tied = [round(value, 4) for value in noise(60, seed=0)]
    signs = [sum((value > other) - (value < other) for other in tied) for value in tied[:-1]]
    sums = [abs(total) for total in itertools.accumulate(signs)]
    place, probability = steady.change_point(tied)
    assert place == sums.index(max(sums)) + 1
    assert probability == min(1.0, 2 * math.exp(-6 * max(sums) ** 2 / (60**3 + 60**2)))


def test_thousands_of_quick_calls_are_judged_in_a_moment() -> None:
    """They tie by thousands, because the clock tells few of them apart."""
    comparisons = 0

    class Seconds(float):
        def __lt__(self, other: float) -> bool:
            nonlocal comparisons
            comparisons += 1
            return float(self) < float(other)

    steady.change_point([Seconds(round(value, 4)) for value in noise(5_000, seed=0)])
    assert 5_000 < comparisons < 5_000 * 50, "each value is sorted in, and looked up twice"
