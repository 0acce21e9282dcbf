"""perf_time and value_acc: decorators that measure any callable, of any framework."""

import functools
import inspect
import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, overload

from jitkernels.backends import compiler

P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Measurement:
    """One figure of one call, as ``report`` receives it."""

    function: str  # the decorated function's ``__qualname__``
    metric: str  # "perf_time" or "value_acc"
    value: float  # wall seconds, or the accuracy, at most 1
    unit: str  # "s" for seconds, "" for the accuracy

    def __str__(self) -> str:
        """Return the line that is logged, and that ``report=print`` prints."""
        return f"{self.function}: {self.metric} = {self.value:.6g}{f' {self.unit}' if self.unit else ''}"


Measure = Callable[[str, float, Any], Measurement]  # of a function's name, the seconds of a call, and its result
Report = Callable[[Measurement], object]


@overload
def perf_time(function: Callable[P, R], *, report: Report | None = None) -> Callable[P, R]: ...
@overload
def perf_time(*, report: Report | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def perf_time(function: Any = None, *, report: Report | None = None) -> Any:
    """Measure the wall seconds of every call. A call still returns the function's result.

    Inside the clock: the call and the wait for its result on the device. Outside: logging, ``report``, and other decorators
    of this module, in any order.
    report: called with each Measurement, which is also logged as a line at level INFO; ``print`` prints the same line.
    """

    def measure(name: str, seconds: float, result: Any) -> Measurement:
        return Measurement(name, "perf_time", seconds, "s")

    return _decorate(function, measure, report)


@overload
def value_acc(function: Callable[P, R], *, truth: float = ..., report: Report | None = None) -> Callable[P, R]: ...
@overload
def value_acc(*, truth: float = ..., report: Report | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def value_acc(function: Any = None, *, truth: float = math.pi, report: Report | None = None) -> Any:
    """Measure how near every call's result is to ``truth``: 1 - |result - truth| / |truth|.

    The result must be one number. truth: the right number, not 0; the default is pi.

    An estimate of pi from random points has a standard error of 4 sqrt(p (1 - p) / points) = 1.642 / sqrt(points), where
    p = pi / 4 is the chance of a hit. Smaller differences are noise: with a million points, one call is accurate to about
    0.0005 on every backend.

    report: called with each Measurement, which is also logged as a line at level INFO; ``print`` prints the same line.
    """
    if not truth:
        raise ValueError("truth must not be 0: the difference is divided by it")

    def measure(name: str, seconds: float, result: Any) -> Measurement:
        return Measurement(name, "value_acc", 1 - abs(float(compiler.fetch(result)) - truth) / abs(truth), "")

    return _decorate(function, measure, report)


def _decorate(function: Any, measure: Measure, report: Report | None) -> Any:
    """Return a decorator if ``function`` is None, else the measured function. Stacked ones share one call and clock."""
    if function is None:
        return lambda function: _decorate(function, measure, report)
    _require_result(function)
    owner, inner, others = getattr(function, "_measured", (function, function, ()))
    if owner is not function:  # functools.wraps copied the mark, or a bound method shows its function's
        inner, others = function, ()
    return _measured(inner, (*others, (measure, report)))


def _require_result(function: Any) -> None:
    """Raise TypeError for what is no function, or one whose call computes nothing yet."""
    if not callable(function):
        raise TypeError(f"give a function, not {function!r}; other arguments have names, such as truth=")
    is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
    if is_async or inspect.isgeneratorfunction(function):
        kind = "an async def" if is_async else "a generator"
        raise TypeError(
            f"{_name(function)} is {kind} function: its call computes nothing; decorate one that returns a result"
        )


def _measured(function: Callable[..., Any], metrics: tuple[tuple[Measure, Report | None], ...]) -> Any:
    name = _name(function)

    @functools.wraps(function)
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        compiler.load_drivers()
        begin = time.perf_counter()
        result = function(*arguments, **keywords)
        seconds = time.perf_counter() - begin
        if parts := list(compiler.unfinished(result)):  # outside the clock: a long list has many parts to look at
            begin = time.perf_counter()
            for part, framework in parts:
                framework.wait(part)
            seconds += time.perf_counter() - begin
        for measure, report in metrics:
            measurement = measure(name, seconds, result)
            _log.info("%s", measurement)
            if report:
                report(measurement)
        return result

    wrapper._measured = (wrapper, function, metrics)  # type: ignore[attr-defined]  # read back when another one is stacked
    return wrapper


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", None) or type(function).__name__
