"""How many samples two processes take in turn, and what is known of their ratio."""

import math
import random
import statistics
from typing import Any

import pytest

from duet.turns import StopRule, ratio, standard_error, take_one_turn_at_once, take_turns

LOT = random.Random(0)
QUIET, NOISY, OF_TWO_KINDS = [1.0] * 99, [LOT.gauss(1.0, 0.1) for _ in range(99)], [1.0, 1.2] * 50


class Recorded:
    """A child that writes down its requests, and answers with given samples that took so many seconds each."""

    def __init__(self, name: str, requests: list[Any], samples: list[float], seconds: float = 2**-7) -> None:
        self.name, self.requests, self.samples, self.seconds = name, requests, samples[:], seconds

    def request(self, request: Any) -> None:
        self.requests.append((self.name, request["turn"], request["core"]))

    def answer(self) -> Any:
        if not self.requests[-1][1]:
            return {"outcome": "ok", "values": [1.0]}
        return {"sample": self.samples.pop(0), "seconds": self.seconds} if self.samples else None


def in_turn(base: list[float], head: list[float], seconds: float = 2**-7, known: float = 0.01) -> tuple[Any, Any]:
    """The requests, and the last answers, of two children with these samples."""
    requests: list[Any] = []
    children = (Recorded("base", requests, base, seconds), Recorded("head", requests, head, seconds))
    answers: Any = {child: {"set_up": True} for child in children}
    take_turns(answers, 1, StopRule(6, known, seconds=1.0))
    return requests, list(answers.values())


def turns(requests: Any, name: str) -> int:
    return sum(who == name for who, turn, _ in requests if turn)


def test_both_sides_take_turns_on_one_core_in_an_order_that_is_reversed() -> None:
    requests, answers = in_turn(QUIET, QUIET)
    assert [answer["outcome"] for answer in answers] == ["ok", "ok"]
    measured = [(name, core) for name, turn, core in requests if turn]
    assert measured == [("base", 1), ("head", 1), ("head", 1), ("base", 1)] * 3
    assert requests[-2:] == [("base", False, None), ("head", False, None)]


def test_a_first_call_of_both_sides_begins_at_the_same_moment() -> None:
    class Noted(Recorded):
        def answer(self) -> Any:
            self.requests.append((self.name, "answers", None))
            return {"sample": 1.0, "seconds": 1.0} if len(self.requests) < 5 else {"outcome": "ok", "values": [1.0]}

    requests: list[Any] = []
    answers: Any = {Noted(name, requests, []): {"set_up": True} for name in ("base", "head")}
    take_one_turn_at_once(answers)
    words = [(name, what) for name, what, _ in requests]
    both = [("base", True), ("head", True), ("base", "answers"), ("head", "answers")]
    assert words == [*both, ("base", False), ("head", False), *both[2:]]
    assert [answer["outcome"] for answer in answers.values()] == ["ok", "ok"]


def test_turns_end_when_the_ratio_is_known_or_the_time_is_up() -> None:
    requests, _ = in_turn(QUIET, NOISY)
    assert turns(requests, "base") == turns(requests, "head") == 64  # of 2**-7 s, on both sides, in a second
    assert 6 < turns(in_turn(QUIET, NOISY, known=0.025)[0], "base") < 64
    assert turns(in_turn(QUIET, OF_TWO_KINDS, known=0.025)[0], "base") > 30, "a few of either kind say nothing"


def test_a_long_call_has_one_turn_and_a_side_whose_other_died_goes_on_until_the_time_is_up() -> None:
    requests, _ = in_turn(QUIET, QUIET, seconds=0.5)
    assert [name for name, turn, _ in requests if turn] == ["base", "head"]
    requests, answers = in_turn(QUIET, [1.0], seconds=2**-3)
    assert [answer and answer["outcome"] for answer in answers] == ["ok", None]
    assert (turns(requests, "base"), turns(requests, "head")) == (7, 2)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ([1.0, 2.0, 4.0], [1.1, 2.2, 4.4], 1.1),  # what slowed both down is no difference
        ([1.0, 1.0, 1.0], [1.1, 1.1, 9.0], 1.1),
        ([1.0, 3.0], [2.0, 2.0, 5.0], 1.0),  # turns that do not belong together
        ([0.0, 2.0, 2.0], [1.0, 3.0, 3.0], 1.5),
    ],
)
def test_a_pair_is_the_median_of_its_turns_ratios(base: list[float], head: list[float], expected: float) -> None:
    assert ratio(base, head) == pytest.approx(expected)


def test_the_standard_error_is_how_far_the_medians_of_many_processes_differ() -> None:
    lot = random.Random(3)
    medians = []
    for _ in range(400):
        head = [lot.gauss(1.0, 0.02) for _ in range(15)]
        medians.append((ratio([1.0] * 15, head), standard_error([1.0] * 15, head)))
    spread = statistics.stdev(ratio for ratio, _ in medians)
    assert statistics.mean(error for _, error in medians) == pytest.approx(spread, rel=0.1)


def test_one_turn_apart_calls_for_no_other_and_too_few_or_none_are_not_known() -> None:
    assert standard_error([1.0] * 7, [1.0, 1.005, 0.995, 1.01, 0.99, 1.0, 9.0]) < 0.01
    assert standard_error([1.0, 1.0], [1.0, 1.0]) == standard_error([1.0] * 3, [0.0] * 3) == math.inf
