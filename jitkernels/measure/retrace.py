"""Kinds of change before a call of a warm process, and when they mean nothing; ``tasks.retrace`` measures them.

Each kind changes one thing and has its own process, because one change influences the next (Dynamo makes a length dynamic
after a second value).
"""

from jitkernels.backends.table import find_backend
from jitkernels.kernel import RUN, Kernel

KINDS = ("shape", "value", "dtype", "static")
"""shape: another size, if the size sets lengths. value: another size, if it sets a number of the same type. dtype: the same
numbers in float64 if the kernel promises float32. static: another value of a constant of the program, in the kernel's
spelling that has one."""
WIDTH = "float32"  # every framework has double this width, and the check holds for that too


def meaningless(kernel: Kernel, backend: str, kind: str) -> str | None:
    """Return why this kind of change says nothing about the case, or None. Imports no framework."""
    row = find_backend(backend)
    lengths = any(isinstance(axis, str) for array in kernel.arguments.values() for axis in array.shape)
    name = "the function" if kernel.function else kernel.name
    if kind == "shape" and not lengths:
        return f"what {name} takes has no lengths that its size could change"
    if kind == "value" and lengths:
        return f"another size of {name} is another shape"
    if kind == "dtype" and WIDTH not in {array.dtype for array in kernel.arguments.values()}:
        return f"{name} takes no {WIDTH} that could be wider"
    if kind == "dtype" and row.framework.fixed_types:
        return row.framework.fixed_types
    if kind == "static":
        spelling = static_spelling(kernel)
        if spelling and row.mode == "eager":
            return "run operation by operation, there is no program for a constant to be part of"
        if spelling is None:
            return f"no argument of {name} is a constant of its program"
        return kernel.spelling(spelling).absent.get(row.dialect)
    return None


def static_spelling(kernel: Kernel) -> str | None:
    """Return the spelling in which an argument is a constant to compilers, or None."""
    return next((name for name in (RUN, *kernel.spellings) if kernel.spelling(name).static), None)


def neighbour(kernel: Kernel, size: int, spelling: str = RUN) -> int:
    """Return another size that the spelling allows, as near as possible."""
    return size + 1 if size + 1 in kernel.sizes_of(spelling) else size - 1
