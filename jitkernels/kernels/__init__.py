"""The kernels: one folder each, found by scanning. The folder's ``__init__`` holds the spec and imports no framework."""

import functools
import importlib
from pathlib import Path

from jitkernels.kernel import Kernel

GIVEN = ".functions.json"  # ends the name of a kernel of a user's own functions: the file that describes it


@functools.cache
def names() -> tuple[str, ...]:
    """Return every kernel's name, in alphabetical order."""
    return tuple(sorted(spec.parent.name for spec in Path(__file__).parent.glob("*/__init__.py")))


def load(name: str) -> Kernel:
    """Return the kernel of this name; ValueError, listing the known ones, for any other word."""
    if name.endswith(GIVEN):
        given: Kernel = importlib.import_module("jitkernels.functions.definition").load(name)
        return given
    if name not in names():
        raise ValueError(f"unknown kernel {name!r}; known: {', '.join(names())}")
    kernel: Kernel = importlib.import_module(f"{__name__}.{name}").kernel
    return kernel
