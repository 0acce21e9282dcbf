"""What this library adds to a call: at most a microsecond."""

import time
from collections.abc import Callable

import pytest

from benchmarks import _suite
from jitkernels import prepare

CALLS = 100
BLOCKS = 300  # of each kind, in turn, a millisecond or two each; the least disturbed of each is what it costs
BACKENDS = ["numpy", "c", "numba", "jax", "torch_eager", "torch_script"]  # where a microsecond is not lost in a call's own


def seconds(calls: Callable[[], None]) -> float:
    begin = time.perf_counter()
    calls()
    return (time.perf_counter() - begin) / CALLS


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_call_of_a_case_costs_at_most_a_microsecond_more_than_the_compiled_function(backend: str) -> None:
    prepare("relu", backend, 1)  # Unavailable is a skip
    hows = {how: _suite._thousand("relu", backend, how, CALLS) for how in ("case", "program")}
    least = dict.fromkeys(hows, float("inf"))
    for _ in range(BLOCKS):
        for how, calls in hows.items():
            least[how] = min(least[how], seconds(calls))
    assert least["case"] - least["program"] <= 1e-6


def test_an_overhead_of_five_microseconds_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("relu", "numpy", 1)
    program = case.program

    def slowed(*arguments: object) -> object:
        end = time.perf_counter() + 5e-6
        while time.perf_counter() < end:
            pass
        return program(*arguments)

    fast = min(seconds(lambda: [case.call() for _ in range(CALLS)]) for _ in range(BLOCKS))
    monkeypatch.setattr(case, "program", slowed)
    slow = min(seconds(lambda: [case.call() for _ in range(CALLS)]) for _ in range(BLOCKS))
    assert slow - fast > 3e-6
