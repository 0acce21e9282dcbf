"""A kernel: a computation with its inputs, reference and check."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jitkernels import shapes
from jitkernels.shapes import Array

LARGEST_SEED = 2**64 - 1
RUN = "run"  # the spelling that every dialect's file has


class Reference:
    """The truth that a check compares an answer with. case: the ``jitkernels.case.Case`` that gave the answer."""

    def __init__(self, case: Any) -> None:
        self._truth = case.truth
        self.inputs: Callable[[], tuple[Any, ...]] = case.inputs  # the inputs, as NumPy arrays of the promised dtypes
        self.again: Callable[[], Any] = case.value  # the answer of another call of the case
        self.anew: Callable[[], Any] = case.new_truth  # the truth, by another call of the reference backend

    def __call__(self) -> Any:
        """Return the truth: the reference backend's answer to the same inputs in float64. It is computed once in a process;
        for a case with inputs of its own, at each call."""
        return self._truth()


@dataclass(frozen=True)
class Spelling:
    """Another way to write a kernel: a function of the spelling's name in the dialects' files."""

    summary: str  # one line for people
    static: tuple[str, ...] = ()  # names of its arguments that compilers see as constants
    absent: Mapping[str, str] = field(default_factory=dict)  # why a dialect's file has no such function, by dialect
    sizes: range | None = None  # the allowed ones, if fewer than the kernel's
    tuned: bool = True  # compiled with the files' ``compiler_options``; False for naive code
    # As in ``Kernel``, if it takes other arguments than ``run``; then the truth is the reference backend's answer in it.
    inputs: Callable[[int, int], tuple[Any, ...]] | None = None
    check: Callable[[Any, int, int, Reference], None] | None = None


@dataclass(frozen=True)
class Raises:
    """An exception that backends are known to raise instead of returning an answer."""

    spelling: str
    backends: tuple[str, ...]
    exception: str  # its type's name
    message: str  # a part of its text
    patterns: tuple[str, ...] = ()  # the call patterns under which it is raised; () for all


@dataclass(frozen=True)
class Kernel:
    """A computation, without its implementations."""

    name: str  # its folder in ``jitkernels/kernels``
    summary: str  # one line for people
    unit: str  # what ``size`` counts ("points")
    sizes: range  # those that are allowed
    default_size: int  # that of ``jitkernels check``; quick on every backend, interpreted ones too
    # (size, seed) -> the positional arguments of every ``run``, as Python numbers or NumPy arrays
    inputs: Callable[[int, int], tuple[Any, ...]]
    # (value, size, seed, reference): raises AssertionError when ``value`` differs from the ``Reference``
    check: Callable[[Any, int, int, Reference], None]
    # (value, size, seed, reference) -> finite numbers about a right answer: ``error``; ``value`` if the answer is one number
    metrics: Callable[[Any, int, int, Reference], dict[str, float]]
    work: Callable[[int], int]  # size -> how many ``work_unit`` one call does
    work_unit: str = ""  # what ``work`` counts ("flop"); without it, what ``size`` counts
    # size -> the float32 operations of one call (a function such as exp is one), and the bytes read and written, by the
    # definition; None if most of the work is of another kind
    cost: Callable[[int], tuple[float, float]] | None = None
    no_cost: str = ""  # why ``cost`` is None, for people
    remark: str = ""  # a sentence that readers of its times need
    static: tuple[str, ...] = ()  # names of the arguments of ``run`` that compilers see as constants
    absent: Mapping[str, str] = field(default_factory=dict)  # why a dialect has no file in the folder, by dialect
    reference: str = "numpy"  # the backend whose answer is the truth
    # size -> the lengths, by the names in ``arguments`` and ``results``
    dimensions: Callable[[int], Mapping[str, int]] = lambda size: {}
    arguments: Mapping[str, Array] = field(default_factory=dict)  # what ``run`` takes, in order; empty if it takes numbers
    results: Mapping[str, Array] = field(default_factory=dict)  # the arrays that it returns
    spellings: Mapping[str, Spelling] = field(default_factory=dict)  # other ways to write it than ``run``, by name
    # the call patterns (``jitkernels.measure.patterns``) that tell something about this kernel, by spelling
    patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    raises: tuple[Raises, ...] = ()  # exceptions that compilers are known to raise
    # spelling -> a user's own function, for a kernel that has no folder; compiled as its author would compile it, with no
    # options and no conversion of numbers
    function: Callable[[str], Callable[..., Any]] | None = None
    # (error, spelling) -> an exception of that function in one line
    describe: Callable[[Exception, str], str] = lambda error, spelling: one_line(error)

    def array_bytes(self, size: int) -> int:
        """Return the bytes of a case's inputs and results."""
        dimensions = self.dimensions(size)
        return sum(shapes.size_in_bytes(arrays, dimensions) for arrays in (self.arguments, self.results))

    def bytes_needed(self, size: int) -> int:
        """Return the fewest bytes that a case of this size needs: its inputs twice, NumPy's and the framework's, and its
        results."""
        return self.array_bytes(size) + shapes.size_in_bytes(self.arguments, self.dimensions(size))

    def spelling(self, name: str) -> Spelling:
        """Return the spelling of this name. Raises ValueError, which lists the known ones, if there is no such one."""
        spellings = {RUN: Spelling(self.summary, self.static), **self.spellings}
        if name not in spellings:
            raise ValueError(f"{self.name} has no spelling {name!r}; known: {', '.join(spellings)}")
        return spellings[name]

    def in_spelling(self, name: str) -> "Kernel":
        """Return the kernel with the inputs and the check of this spelling."""
        spelling = self.spelling(name)
        return replace(self, inputs=spelling.inputs or self.inputs, check=spelling.check or self.check)

    def reference_spelling(self, name: str) -> str:
        """Return the spelling in which the reference backend computes the truth for this spelling."""
        return name if self.spelling(name).inputs else RUN

    def sizes_of(self, spelling: str) -> range:
        """Return the sizes that a spelling allows. Raises ValueError if this kernel has no such spelling."""
        return self.spelling(spelling).sizes or self.sizes

    def valid_size(self, size: object, spelling: str = RUN) -> int:
        """Return ``size`` as an int. Raises ValueError, in one line, unless it is a whole number among the spelling's
        sizes."""
        sizes = self.sizes_of(spelling)
        return whole_number(size, self.unit, sizes.start, sizes.stop - 1)


def one_line(error: Exception) -> str:
    """Return the exception's type and the first line of its text."""
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"


def valid_seed(seed: object) -> int:
    """Return ``seed`` as an int. Raises ValueError, in one line, unless it is a whole number from 0 to 2^64-1."""
    return whole_number(seed, "seed", 0, LARGEST_SEED)


def whole_number(value: object, name: str, low: int, high: int) -> int:
    """Return ``value`` as an int. Raises ValueError, in one line, unless it is a whole number from ``low`` to ``high``."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]  # it may be anything
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, got {value!r}")
    return number
