"""``Case.time``: samples of a warm call, of the user's own inputs too, and never of a wrong answer."""

import numpy as np
import pytest

from jitkernels import clock, prepare
from jitkernels.case import Case


class Counted:
    """A case whose call takes a second, or so many, by a clock that only calls move; ``log`` has what was done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float = 1.0) -> None:
        self.now, self.seconds, self.log = 0.0, seconds, [""]
        monkeypatch.setattr(clock.time, "perf_counter", lambda: self.now)

    def call(self) -> float:
        self.log.append("call")
        self.now += self.seconds
        return self.now

    def settle(self) -> None:
        self.log.append("settle")

    def check_answer(self, answer: float) -> None:
        assert answer == self.now, "the last answer"
        self.log.append("check")


def test_samples_come_after_a_warm_up_and_before_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Counted(monkeypatch)
    assert clock.samples(case) == [1.0] * clock.SAMPLES
    assert case.log == ["", "settle", "call", "check", *["call"] * clock.SAMPLES, "check"]


@pytest.mark.parametrize(("seconds", "count"), [(0.5, 10), (1.0, 10), (1.1, 3)])
def test_a_call_beyond_a_second_has_fewer_samples(monkeypatch: pytest.MonkeyPatch, seconds: float, count: int) -> None:
    case = Counted(monkeypatch, seconds)
    assert clock.samples(case) == pytest.approx([seconds] * count)
    assert case.log.count("call") == count + 1


def test_one_interrupted_call_does_not_set_the_number_of_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The warm-up ends with the call that crosses its limit: the long one."""
    case = Counted(monkeypatch, 0.001)
    monkeypatch.setattr(clock, "series", lambda case, fewest, limit: [0.001] * 20 + [0.09])
    clock.samples(case)
    assert case.log.count("call") == clock.SAMPLES * round(clock.SAMPLE_SECONDS / 0.001)


def test_the_summary_has_the_median_and_the_quartiles() -> None:
    times = clock.summary([3.0, 1.0, 2.0])
    assert times == clock.Times(2.0, (1.0, 3.0), (3.0, 1.0, 2.0))


def test_a_case_on_inputs_of_one_s_own_can_be_timed() -> None:
    x = np.ones((3, 5), "float32")
    times = prepare("softmax", "numpy", 10).with_inputs(x).time()
    assert 0 < times.quartiles[0] <= times.median <= times.quartiles[1]
    assert len(times.samples) == clock.SAMPLES


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "python", 10)
    case.program = lambda points, seed: 0
    monkeypatch.setattr(Case, "settle", lambda case: pytest.fail("the clock was reached"))
    with pytest.raises(AssertionError, match="0 hits"):
        case.time()
