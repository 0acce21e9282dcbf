"""The steps between releases: how often noise makes one, and how large one must be."""

import math
import random
from collections.abc import Sequence

import pytest

from website.releases import steps


def points(values: Sequence[float], spread: float = 0.01) -> list[dict[str, float]]:
    return [{"value": value, "low": value * (1 - spread), "high": value * (1 + spread)} for value in values]


@pytest.mark.parametrize("noise", [0.005, 0.01, 0.02])
def test_noise_alone_takes_no_step_and_a_tenth_is_found_in_it(noise: float) -> None:
    rng = random.Random(7)
    false, found, turns = 0, 0, 100
    for _ in range(turns):
        level = [math.exp(rng.gauss(0.0, noise)) for _ in range(20)]
        false += len(list(steps.timed_steps(points(level, noise))))
        raised = [value * (1.1 if place >= 12 else 1.0) for place, value in enumerate(level)]
        found += any(abs(factor_of(step) - 1.1) < 0.05 for step in steps.timed_steps(points(raised, noise)))
    assert false <= turns * 0.02
    assert found >= turns * 0.95


def test_what_a_process_is_lucky_with_takes_next_to_no_step() -> None:
    """One process a release, whose samples agree, and half as much again in some, as was seen of a short loop."""
    rng = random.Random(7)
    lots = [[math.exp(rng.choice([0.0, 0.2, 0.45])) for _ in range(12)] for _ in range(100)]
    assert sum(bool(list(steps.timed_steps(points(values)))) for values in lots) <= 2


def test_a_factor_lies_within_its_interval() -> None:
    rng = random.Random(7)
    for _ in range(100):
        level = [math.exp(rng.gauss(0.4 * (place >= 6), 0.05)) for place in range(12)]
        for step in steps.timed_steps(points(level, 0.001)):
            assert step.low is not None and step.high is not None
            assert step.low <= factor_of(step) <= step.high


def factor_of(step: steps.Step) -> float:
    return step.level_after / step.level_before


def test_values_that_no_logarithm_has_take_no_step() -> None:
    assert list(steps.timed_steps([{"value": 0.0, "low": None, "high": None}] * 3)) == []
    assert list(steps.timed_steps(points([1.0]))) == []


@pytest.mark.parametrize(("values", "count"), [([1.0, 2.0], 0), ([1.0, 1.0, 2.0], 0), ([1.0, 1.0, 2.0, 2.0], 1)])
def test_fewer_than_four_points_say_nothing_of_noise_and_take_no_step(values: list[float], count: int) -> None:
    assert len(list(steps.timed_steps(points(values)))) == count
