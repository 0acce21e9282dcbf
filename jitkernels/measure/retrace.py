"""The first call of a warm process with something new: what that costs, and whether it compiled anything.

Each kind changes one thing, in a process of its own: what one change leaves behind (Dynamo makes a length dynamic once it
has seen a second one) would answer for the next.
"""

import time

from jitkernels import kernels
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case, prepare, widened
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, Kernel

KINDS = ("shape", "value", "dtype", "static")
"""shape: another size, where the size decides lengths. value: another size, where it decides a number of the same type.
dtype: the same numbers in float64 where the kernel promises float32. static: another number that is part of the program,
in the kernel's spelling that has one."""
WIDTH = "float32"  # every framework has its double, and the answer's check holds for that


def meaningless(kernel: Kernel, backend: str, kind: str) -> str | None:
    """Why this kind says nothing about the cell, as far as can be told without a framework; None where it does."""
    line, lengths = BACKENDS[backend], _has_lengths(kernel)
    if kind == "shape" and not lengths:
        return f"what {kernel.name} takes has no lengths that its size could change"
    if kind == "value" and lengths:
        return f"another size of {kernel.name} is another shape"
    if kind == "dtype" and WIDTH not in {array.dtype for array in kernel.arguments.values()}:
        return f"{kernel.name} takes no {WIDTH} that could be wider"
    if kind == "dtype" and line.dialect == "c":
        return "the types stand in the prototype: C compiles no other"
    if kind == "static":
        spelling = static_spelling(kernel)
        if spelling and line.mode == "eager":
            return "run operation by operation, there is no program for a constant to be part of"
        if spelling is None:
            return f"no argument of {kernel.name} is a constant of its program"
        return kernel.spellings[spelling].absent.get(line.dialect) if spelling in kernel.spellings else None
    return None


def static_spelling(kernel: Kernel) -> str | None:
    """The spelling some of whose arguments compilers see as constants; None where there is none."""
    if kernel.static:
        return RUN
    return next((name for name, spelling in kernel.spellings.items() if spelling.static), None)


def retrace(kernel: str, backend: str, size: int, seed: int, kind: str) -> tuple[float, int, str]:
    """Seconds of the first call after the change, how many programs it compiled, and the change in words.

    Inside the clock: the call and the wait. The case has been checked before, and the other is afterwards.
    None compiled means that the backend runs the new thing with a program it has, or compiles nothing at all.
    """
    spelling = static_spelling(kernels.load(kernel)) if kind == "static" else RUN
    case = prepare(kernel, backend, size, seed, spelling or RUN)
    if kind == "dtype" and case.interpreted:
        raise Unavailable("an interpreter stands in for the compiler on this device: there is nothing to compile anew")
    case.check()
    other = _widened(case) if kind == "dtype" else prepare(kernel, backend, _neighbour(case), seed, case.spelling)
    before = case.compiled()
    begin = time.perf_counter()
    other.call()
    seconds = time.perf_counter() - begin
    compiled = case.compiled() - before
    other.check()
    return seconds, compiled, _change(case, other, kind)


def _widened(case: Case) -> Case:
    """The same cell on the same numbers in float64: no user of the kernel is promised that, so ``with_inputs`` refuses."""
    return Case(case.kernel, case.backend, case.size, case.seed, case.device, case.spelling, widened(case.inputs()))


def _neighbour(case: Case) -> int:
    """Another allowed size, as near as can be."""
    return case.size + 1 if case.size + 1 in case.kernel.sizes else case.size - 1


def _change(case: Case, other: Case, kind: str) -> str:
    if kind == "dtype":
        return "float64 for float32"
    change = f"{other.size} {case.kernel.unit} for {case.size}"
    return change if case.spelling == RUN else f"{change}, spelled {case.spelling!r}"


def _has_lengths(kernel: Kernel) -> bool:
    return any(isinstance(axis, str) for array in kernel.arguments.values() for axis in array.shape)
