"""Checks of array kernels against the float64 reference. NumPy is imported when an answer is checked."""

import math
from collections.abc import Callable
from typing import Any

from jitkernels.kernel import Reference

# Of a step's length, added to what storing the parameter rounds (``require_steps``). In all, on an H200 (2026-11-27), steps
# of the three training kernels were off by up to 1.8e-4 in float32, and by 2.4e-4 to 0.043 in TF32.
STEP_TOLERANCE = 1e-4
ROUNDING = 2.0**-24  # of a float32, relative to it


def within(tolerance: float) -> Callable[[Any, int, int, Reference], None]:
    """Return a check that every array of the answer is off by at most ``tolerance`` of its largest entry; whole numbers
    must be equal."""

    def check(value: Any, size: int, seed: int, reference: Reference) -> None:
        require_close(value, reference(), tolerance)

    return check


def require_close(value: Any, truth: Any, tolerance: float) -> None:
    """Raise AssertionError, which says where, unless every array is off by at most ``tolerance`` of its largest entry, and
    whole numbers are equal."""
    from jitkernels import differences  # here: it imports NumPy

    differences.require_close(value, truth, tolerance, 0.0)


def trained(tolerance: float) -> Callable[[Any, int, int, Reference], None]:
    """Return ``within`` for a training step, which also checks each parameter's step: a step is a small part of its
    parameter, so an entry shows little of its error."""

    def check(value: Any, size: int, seed: int, reference: Reference) -> None:
        truth = reference()
        require_close(value, truth, tolerance)
        require_steps(value[1], truth[1], reference.inputs()[0], STEP_TOLERANCE)

    return check


def require_steps(after: Any, truth: Any, before: Any, tolerance: float, stores: int = 1) -> None:
    """Raise AssertionError if a parameter's step is off by more than ``tolerance`` of its length, and by more than storing
    the parameter in float32 ``stores`` times rounds. Lengths are Euclidean. after, truth, before: parameters by name."""
    for name, off in step_errors(after, truth, before).items():
        rounding = stores * ROUNDING * _length(before[name]) / (_length(truth[name] - before[name]) or 1.0)
        allowed = tolerance + rounding
        assert off <= allowed, f"the step of {name} is off by {off:.3g} of its length; {allowed:.3g} is allowed"


def step_errors(after: Any, truth: Any, before: Any) -> dict[str, float]:
    """Return, by parameter, the length of ``after - truth`` over that of ``truth - before``, without NaN entries."""
    return {name: _length(after[name] - truth[name]) / (_length(truth[name] - before[name]) or 1.0) for name in truth}


def _length(array: Any) -> float:
    return math.sqrt(float((array[array == array] ** 2).sum()))


def metrics(value: Any, size: int, seed: int, reference: Reference) -> dict[str, float]:
    """error: the largest difference of an entry from the reference's, divided by the largest entry of its array."""
    from jitkernels import differences

    return {"error": differences.largest(value, reference())}


def training_metrics(value: Any, size: int, seed: int, reference: Reference) -> dict[str, float]:
    """value: the loss. error: the largest of the errors of the loss and of each parameter."""
    return {"value": value[0], **metrics(value, size, seed, reference)}
