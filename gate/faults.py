"""The faults that calibration puts into a benchmark of HEAD, inside the process that measures.

``duet/child/fork.py`` loads this file by its path: there only Python's own modules can be imported.
"""

import sys
import time
from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

SLOWER, CHANGED, LOST, WRONG = "slower", "changed", "lost", "wrong"


class Fault(TypedDict):
    """``kind``: one of the words above. ``project``: the package whose cases answer wrongly. ``program``: this file."""

    kind: str
    factor: NotRequired[float]  # of SLOWER
    by: NotRequired[int]  # of CHANGED
    project: NotRequired[str]  # of WRONG
    program: NotRequired[str]


def put(benchmark: Any, fault: Fault) -> Callable[[float], float]:
    """Put a fault into asv_runner's benchmark, before its setup. Returns how a tracked value is changed."""
    kind = fault["kind"]
    if kind == SLOWER:
        benchmark.func = slowed(benchmark.func, fault["factor"])
    if kind == LOST:
        benchmark._setups = [skip]
    if kind == WRONG:
        mislead(sys.modules[f"{fault['project']}.case"])
    return (lambda value: value + fault["by"]) if kind == CHANGED else (lambda value: value)


def slowed(function: Callable[..., Any], factor: float) -> Callable[..., Any]:
    """Return ``function`` with calls that take ``factor`` times as long: after each call it waits in a busy loop."""

    def slow(*arguments: Any) -> Any:
        begin = time.perf_counter()
        answer = function(*arguments)
        until = begin + (time.perf_counter() - begin) * factor
        while time.perf_counter() < until:
            pass
        return answer

    return slow


def skip(*arguments: Any) -> None:
    raise NotImplementedError("calibration takes it away")


def mislead(module: Any) -> None:
    """Make every check in ``jitkernels.case`` see a wrong answer. The answer of the reference stays right."""

    def check_answer(self: Any, answer: Any) -> None:
        value = wrong(self.compiler.fetch(answer))
        self.kernel.check(value, self.size, self.seed, module.Reference(self))

    module.Case.check_answer = check_answer


def wrong(value: Any) -> Any:
    """Return another value than ``value``, which is a number, an array, or several of them."""
    if isinstance(value, dict):
        return {name: wrong(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(map(wrong, value))
    return 2 * value + 1
