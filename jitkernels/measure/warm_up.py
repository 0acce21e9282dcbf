"""What a warm-up leaves to compile: a training kernel is warmed up by a part of its step, then runs whole steps.

A warm-up without the backward pass is shorter, and the first step after it is longer. The torch.compile article does this
experiment: it runs warm-ups with and without ``backward()``.
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
"""no_grad: the loss as in an evaluation. forward: the loss, recorded so that a backward pass could follow. step: the whole
step. In JAX and TensorFlow nothing is recorded, because a gradient is a program of its own; there the first two are the
same."""


def warm_up(case: Case, kind: str) -> None:
    """Call that part of the case's step once, compiled like the parts of the step."""
    case.compiler.wait(part(case, kind)(*case.arguments))


def first_step(kernel: str, backend: str, size: int, seed: int, kind: str) -> Row:
    """Return the seconds of the first step after a warm-up, in a process that had compiled nothing before.

    Inside the clock: what the warm-up left to compile, the step, the wait. Its answer and a second one are checked.
    """
    case = prepare(kernel, backend, size, seed)
    case.start()
    warm_up(case, kind)
    seconds, answer = timed(case.call)
    case.check_answer(answer)
    case.check()
    return {"seconds": seconds}


def programs(case: Case, kind: str, steps: int) -> list[int]:
    """Return how many programs each first step after a warm-up compiles, with nothing compiled before the warm-up."""
    warm_up(case, kind)
    counts = [case.compiler.programs()]
    for _ in range(steps):
        case.call()
        counts.append(case.compiler.programs())
    return [after - before for before, after in itertools.pairwise(counts)]


def part(case: Case, kind: str) -> Callable[..., Any]:
    """Return the function to warm up with, compiled like the case: its whole program, or a part of its step.

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
