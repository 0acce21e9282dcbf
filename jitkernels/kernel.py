"""A kernel: a computation with a promise."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Kernel:
    """What is computed, apart from how.

    name: its folder in ``jitkernels/kernels``.
    summary: one line for people.
    unit: what ``size`` and ``work`` count ("points").
    sizes: the sizes that are allowed.
    default_size: the size that ``jitkernels check`` uses; quick on every backend, interpreted ones too.
    inputs: ``inputs(size, seed)`` -> the positional arguments of every ``run``, as Python numbers or NumPy arrays.
    check: ``check(value, size, seed, reference)`` raises AssertionError when ``value`` is wrong; ``reference()`` gives the
        answer of the reference backend, computed at most once a process.
    metrics: ``metrics(value, size)`` -> finite numbers about a right answer; ``value`` and ``error`` are always there.
    work: ``work(size)`` -> how many units one call does.
    static: names of the arguments of ``run`` that compilers see as constants.
    absent: for a dialect that has no file in the folder, the reason.
    reference: the backend whose answer is the truth.
    """

    name: str
    summary: str
    unit: str
    sizes: range
    default_size: int
    inputs: Callable[[int, int], tuple[Any, ...]]
    check: Callable[[Any, int, int, Callable[[], Any]], None]
    metrics: Callable[[Any, int], dict[str, float]]
    work: Callable[[int], int]
    static: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)
    reference: str = "numpy"

    def valid_size(self, size: object) -> int:
        """``size`` as an int; ValueError, in one line, when it is not a whole number in ``sizes``."""
        return _whole(size, self.unit, self.sizes.start, self.sizes.stop - 1)


def valid_seed(seed: object) -> int:
    """``seed`` as an int; ValueError, in one line, when it is not a whole number from 0 to 2^64-1."""
    return _whole(seed, "seed", 0, LARGEST_SEED)


def _whole(value: object, name: str, low: int, high: int) -> int:
    expected = f"{name} must be a whole number from {low} to {high}, got {value!r}"
    if isinstance(value, bool):
        raise ValueError(expected)
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # anything that is no integer raises TypeError
    except TypeError:
        raise ValueError(expected) from None
    if not low <= number <= high:
        raise ValueError(expected)
    return number
