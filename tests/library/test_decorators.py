"""perf_time and value_acc: any callable, either order, one clock."""

import dataclasses
import functools
import logging
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest

from jitkernels import decorators, perf_time, prepare, value_acc
from jitkernels.backends import compiler
from jitkernels.backends.table import FRAMEWORKS, NUMPY, Framework
from jitkernels.decorators import Measurement


def test_a_decorator_between_them_stays() -> None:
    def doubled(function: Any) -> Any:
        @functools.wraps(function)  # copies the inner one's mark
        def double() -> float:
            return 2 * float(function())

        return double

    measured: list[Measurement] = []
    assert perf_time(doubled(value_acc(lambda: 1.5, truth=1.5, report=measured.append)), report=measured.append)() == 3.0
    assert [measurement.metric for measurement in measured] == ["value_acc", "perf_time"]


def test_the_result_is_the_function_s_own() -> None:
    result = object()
    assert perf_time(lambda: result)() is result


def test_what_is_measured_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    @perf_time
    @value_acc
    def three() -> float:
        return 3.0

    with caplog.at_level(logging.INFO, "jitkernels"):
        three()
    accuracy, seconds = caplog.messages
    assert accuracy.endswith("three: value_acc = 0.95493")
    assert "three: perf_time = " in seconds
    assert seconds.endswith(" s")


def test_print_reports_the_line_that_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    perf_time(value_acc(len, truth=4, report=print))("abc")
    assert capsys.readouterr().out == "len: value_acc = 0.75\n"


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the decorators' clock, in seconds: tests let it go on."""
    now = [0.0]
    monkeypatch.setattr(decorators.time, "perf_counter", lambda: now[0])
    return now


def test_nothing_but_the_call_is_inside_the_clock(now: list[float]) -> None:
    measured: list[Measurement] = []

    def pass_time(seconds: float) -> None:
        now[0] += seconds

    @perf_time(report=measured.append)
    @value_acc(report=lambda measurement: pass_time(20.0))
    def three() -> float:
        pass_time(1.0)
        return 3.0

    three()
    assert [measurement.value for measurement in measured] == [1.0], "the other decorator's report took 20 s"


@pytest.mark.parametrize("backend", ["jax"])
def test_the_clock_waits_for_the_device(backend: str, now: list[float]) -> None:
    prepare("philox_pi", backend, 1)

    class Pending:
        """A result that is finished a while after the call has returned; its class claims to be JAX's."""

        def block_until_ready(self) -> "Pending":
            now[0] += 5.0
            return self

    Pending.__module__ = "jaxlib"
    measured: list[Measurement] = []
    perf_time(Pending, report=measured.append)()
    assert measured[0].value == 5.0


def test_the_search_for_what_is_unfinished_is_outside_the_clock_and_the_wait_inside(
    monkeypatch: pytest.MonkeyPatch, now: list[float]
) -> None:
    def pass_time(seconds: float) -> None:
        now[0] += seconds

    class Framework:
        wait = staticmethod(pass_time)

    def unfinished(result: Any) -> Iterator[tuple[float, Framework]]:
        pass_time(20.0)  # the framework's driver is imported
        yield 5.0, Framework()

    monkeypatch.setattr(compiler, "unfinished", unfinished)
    measured: list[Measurement] = []
    perf_time(lambda: pass_time(1.0), report=measured.append)()
    assert measured[0].value == 6.0


def test_drivers_of_imported_frameworks_are_imported_once_before_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Later, the device would go on computing meanwhile, with the clock stopped."""
    class_of, tried = compiler.class_of, list[str]()

    def import_driver(framework: Framework) -> Any:
        if not framework.packages:
            return class_of(framework)
        tried.append(framework.dialect)
        raise ImportError("this driver is broken")

    def three() -> float:
        assert "numpy" in tried
        return 3.0

    monkeypatch.setattr(compiler, "class_of", import_driver)
    compiler._load_driver.cache_clear()
    for _ in range(2):
        assert perf_time(three)() == 3.0
    assert sorted(set(tried)) == sorted(tried)
    compiler._load_driver.cache_clear()  # the drivers are not broken


def test_a_search_for_parts_to_wait_for_is_outside_the_clock(monkeypatch: pytest.MonkeyPatch, now: list[float]) -> None:
    """A list of 300,000 numbers was reported with the seconds of the look at each."""
    looked: list[str] = []

    def framework_of(package: str) -> Framework:
        looked.append(package)
        now[0] += 1.0
        return NUMPY

    monkeypatch.setattr(compiler, "framework_of", framework_of)
    measured: list[Measurement] = []
    perf_time(lambda: [1, 2.0, "three", None], report=measured.append)()
    assert looked == [], "Python's own values have no framework"
    perf_time(lambda: [1, {"x": np.zeros(3)}], report=measured.append)()
    assert "numpy" in looked
    assert [measurement.value for measurement in measured] == [0.0, 0.0]


def test_a_framework_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler.framework_of.cache_clear()
    searches: list[int] = []
    monkeypatch.setattr(compiler, "frameworks", lambda: searches.append(1) or FRAMEWORKS)
    for _ in range(3):
        list(compiler.unfinished([np.float64(1.0)] * 10))
    assert len(searches) == 1


async def waits() -> float:
    return 3.0


async def waits_and_yields() -> AsyncIterator[float]:
    yield 3.0


def generates() -> Iterator[float]:
    yield 3.0


@pytest.mark.parametrize("function", [waits, waits_and_yields, generates])
@pytest.mark.parametrize("decorator", [perf_time, value_acc, perf_time(report=print)])
def test_a_function_whose_call_computes_nothing_is_refused(decorator: Any, function: Any) -> None:
    with pytest.raises(TypeError, match=f"^{function.__name__} is an? (async def|generator) function: its call computes no"):
        decorator(function)


def test_the_truth_cannot_be_0() -> None:
    with pytest.raises(ValueError, match="truth must not be 0"):
        value_acc(truth=0)


def test_another_truth_can_be_given() -> None:
    measured: list[Measurement] = []
    value_acc(lambda: 2.0, truth=4.0, report=measured.append)()
    assert measured[0].value == 0.5


def test_they_keep_the_name_and_the_documentation() -> None:
    @value_acc
    @perf_time
    def documented() -> float:
        """What it does."""
        return 3.0

    assert documented.__name__ == "documented"
    assert documented.__doc__ == "What it does."


def test_they_work_on_methods() -> None:
    measured: list[Measurement] = []

    class Estimator:
        guess = 3.0

        @perf_time(report=measured.append)
        @value_acc(report=measured.append)
        def estimate(self) -> float:
            return self.guess

    assert Estimator().estimate() == 3.0
    assert [measurement.metric for measurement in measured] == ["value_acc", "perf_time"]


def test_a_failing_function_fails_and_measures_nothing() -> None:
    measured: list[Measurement] = []

    @perf_time(report=measured.append)
    def broken() -> float:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert measured == []


def test_what_is_no_function_is_named() -> None:
    for decorator in (value_acc, perf_time):
        with pytest.raises(TypeError, match=r"give a function, not 2\.718; other arguments have names, such as truth="):
            decorator(2.718)


def test_the_fields_of_a_dataclass_are_waited_for() -> None:
    @dataclasses.dataclass
    class State:
        step: int
        weights: Any

    weights = prepare("relu", "jax", 10).call()
    assert [part is weights for part, _ in compiler.unfinished([State(3, {"w": weights})])] == [True]
