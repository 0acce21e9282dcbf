"""Checks of array kernels against the float64 reference. NumPy is imported when an answer is checked."""

import importlib
from collections.abc import Callable
from typing import Any

from jitkernels.kernel import Reference


def within(tolerance: float) -> Callable[[Any, int, int, Reference], None]:
    """Return a check that every array of the answer is off by at most ``tolerance`` of its largest entry."""

    def check(value: Any, size: int, seed: int, reference: Reference) -> None:
        _arrays().assert_close(value, reference(), tolerance)

    return check


def metrics(value: Any, size: int, seed: int, reference: Reference) -> dict[str, float]:
    """error: the largest difference of an entry from the reference's, divided by the largest entry of its array."""
    return {"error": _arrays().error(value, reference())}


def _arrays() -> Any:
    return importlib.import_module("jitkernels.kernels._arrays")
