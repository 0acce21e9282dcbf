"""What this library adds to a call, counted: bytecodes of Python and calls of functions in C."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from jitkernels import prepare

BACKENDS = ["numpy", "c", "numba", "jax", "torch_eager", "torch_script"]  # where a microsecond is not lost in a call's own
MOST = 20  # bytecodes: less than three empty calls. CPython 3.11 has 9


def executed(call: Callable[[], object]) -> tuple[int, int]:
    """Return how many bytecodes and how many functions in C one call executes."""
    counts = {"opcode": 0, "c_call": 0}

    def count(frame: FrameType, event: str, _: object) -> Any:
        frame.f_trace_opcodes = True
        counts[event] = counts.get(event, 0) + 1
        return count

    sys.setprofile(count)
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return counts["opcode"], counts["c_call"]


def added(backend: str, burden: Callable[[], object] = lambda: None) -> tuple[int, int]:
    """Return the same counts of what a call by way of a case executes beyond the compiled function and the wait."""
    case = prepare("relu", backend, 1)
    program, wait, arguments = case.program, case.compiler.wait, case.arguments

    def call_program() -> None:
        wait(program(*arguments))
        (lambda: None)()

    def call_case() -> None:
        case.call()
        burden()

    gc.disable()  # what a collection would run in a counted call, finalizers of other tests' objects, would be counted
    try:
        for call in (call_program, call_case):
            call()  # the first one compiles; a collection that is due already happens here
        (bytecodes, functions), (least, own) = executed(call_case), executed(call_program)
    finally:
        gc.enable()
    return bytecodes - least, functions - own


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_call_of_a_case_costs_little_more_than_the_compiled_function(backend: str) -> None:
    bytecodes, functions = added(backend)
    assert 0 < bytecodes <= MOST
    assert functions == 0


def test_three_more_calls_would_be_noticed() -> None:
    def nothing() -> None:
        pass

    def burden() -> None:
        nothing()
        nothing()
        nothing()

    assert added("numpy", burden)[0] > MOST
    assert added("numpy", lambda: abs(1))[1] == 1
