"""The test for a steady series: how often it cries wolf, and what it finds."""

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


def test_each_level_s_mean_rank_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick calls tie by thousands, because the clock tells few of them apart."""
    tied = [round(value, 4) for value in noise(5_000, seed=0)]
    means: list[int] = []
    monkeypatch.setattr(steady.statistics, "fmean", lambda ranks: means.append(1) or statistics.mean(ranks))
    steady.change_point(tied)
    assert len(means) == len(set(tied)) < 50
