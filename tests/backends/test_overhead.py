"""What this library adds to a call: the cost of a few calls of Python's."""

import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import prepare

BACKENDS = ["numpy", "c", "numba", "jax", "torch_eager", "torch_script"]  # where a microsecond is not lost in a call's own
MOST = 10  # empty calls of Python's, of 30 to 50 ns each: half a microsecond. 1.6 (NumPy) to 4.4 (JAX) were measured
ADDED = """
import sys, time
from benchmarks._suite import warm

CALLS, BLOCKS = 100, 300  # blocks of each kind, in turn, of a few milliseconds; the least disturbed is what it costs
ways = {how: warm.repeated("relu", sys.argv[1], how, CALLS) for how in ("case", "program")}


def nothing():
    pass


def call_nothing():
    for _ in range(CALLS):
        nothing()


ways["nothing"] = call_nothing
if slower := float(sys.argv[2]):
    case = ways["case"]

    def burdened():
        case()
        for _ in range(int(CALLS * slower)):
            nothing()

    ways["case"] = burdened
least = dict.fromkeys(ways, float("inf"))
for _ in range(BLOCKS):
    for how, calls in ways.items():
        begin = time.perf_counter()
        calls()
        least[how] = min(least[how], (time.perf_counter() - begin) / CALLS)
print((least["case"] - least["program"]) / least["nothing"])
"""
"""Run in a process of its own, as a user's is: in one with all frameworks calls take twice as long."""


def added(backend: str, slower: float = 0) -> float:
    """What a call by way of a case takes beyond the compiled function's, in empty calls of Python's; ``slower`` more.

    The middle one of three processes: where a process lies in memory, and who its neighbours are, adds to one of the two.
    """
    prepare("relu", backend, 1)  # Unavailable is a skip
    command = [sys.executable, "-c", ADDED, backend, str(slower)]

    def of_one_process() -> float:
        answer = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
        return float(answer.stdout)

    return statistics.median(of_one_process() for _ in range(3))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_call_of_a_case_costs_little_more_than_the_compiled_function(backend: str) -> None:
    assert added(backend) <= MOST


def test_twice_as_much_would_be_noticed() -> None:
    assert added("numpy", slower=2 * MOST) > MOST
