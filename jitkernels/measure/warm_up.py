"""What a warm-up leaves to be compiled: a training kernel is warmed up with a part of its step, then takes whole steps.

A warm-up without the backward pass is shorter, and the first step after it longer. The torch.compile article does this
experiment: its warm-ups are run with and without ``backward()``.
"""

import dataclasses
import importlib
import itertools
from collections.abc import Callable
from typing import Any

from jitkernels.case import Case, prepare
from jitkernels.clock import timed
from jitkernels.measure.rows import Row

NO_GRAD, FORWARD, STEP = "no_grad", "forward", "step"
WARM_UPS = (NO_GRAD, FORWARD, STEP)
"""no_grad: the loss as an evaluation computes it. forward: the loss, recorded so that a backward pass could follow. step:
the whole step. Where nothing is recorded (in JAX and TensorFlow a gradient is a program of its own), the first two are
one."""


def warm_up(case: Case, kind: str) -> None:
    """Call that part of the case's step once, compiled as the step's own parts are."""
    case.compiler.wait(part(case, kind)(*case.arguments))


def first_step(kernel: str, backend: str, size: int, seed: int, kind: str) -> Row:
    """The seconds of the first step after a warm-up, in a process that has compiled nothing before it.

    Inside the clock: what the warm-up left to compile, the step, the wait. Its answer and a second one are checked.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    warm_up(case, kind)
    seconds, answer = timed(case)
    case.check_answer(answer)
    case.check()
    return {"seconds": seconds}


def programs(case: Case, kind: str, steps: int) -> list[int]:
    """Return how many programs are compiled in each of the first steps after a warm-up, with nothing compiled before it."""
    warm_up(case, kind)
    counts = [case.compiler.programs()]
    for _ in range(steps):
        case.call()
        counts.append(case.compiler.programs())
    return [after - before for before, after in itertools.pairwise(counts)]


def part(case: Case, kind: str) -> Callable[..., Any]:
    """Return the function to warm up with: the case's whole program, or a part of its step, as the same compiler makes it.

    Raises ValueError for an unknown kind, or a kernel whose step has no parts.
    """
    if kind not in WARM_UPS:
        raise ValueError(f"unknown warm-up {kind!r}; known: {', '.join(WARM_UPS)}")
    if kind == STEP:
        return case.program
    module = importlib.import_module(f"jitkernels.kernels.{case.kernel.name}.{case.backend.dialect}")
    if not hasattr(module, "forward_loss"):
        raise ValueError(f"{case.kernel.name} has no forward_loss in {case.backend.dialect}")
    function = module.forward_loss if kind == NO_GRAD else getattr(module, "forward", module.forward_loss)
    return case.compiler.compile(dataclasses.replace(case.source, run=function))
