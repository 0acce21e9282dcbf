"""Count the instructions that a call executes on its own thread: a figure without a clock's noise.

With the trap flag set, the processor raises a signal after each instruction (AMD64 Architecture Programmer's Manual, volume
2, "Single-Stepping"; Intel's manual, volume 3, "Single-Step Exception Condition"). This needs no performance counters, which
shared machines hide. A step takes about 10 us. Other threads are not counted, so a count says nothing about a call that uses
them.
"""

import ctypes
import functools
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.backends import caches
from jitkernels.backends.c import shared_object
from jitkernels.errors import Unavailable

SOURCE = Path(__file__).with_suffix(".c")


def count(function: Callable[[], Any]) -> int:
    """Return the instructions of one call, minus those of an empty function. The function's exceptions are raised.

    Unavailable except on x86-64 with Linux, and without a C compiler.
    """
    return _steps(function) - _steps(lambda: None)


def forget_lookups() -> None:
    """Make CPython forget where it found attributes, and number its types anew.

    Numbers and the addresses of names decide the places in that table. Two lookups of one place evict each other in every
    call, which adds some 350 instructions to a call that makes a few lookups; with new numbers they seldom share a place.
    """
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(object))


def _steps(function: Callable[[], Any]) -> int:
    steps: int = _counter()(function)
    if steps < 0:
        raise OSError("SIGTRAP cannot be handled")
    return steps


@functools.cache
def _counter() -> Any:
    """Build and load the counter. Calls of it hold Python's lock."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Unavailable(f"the trap flag is x86-64's, under Linux; this is {platform.machine()}, {sys.platform}")
    counter = ctypes.PyDLL(str(shared_object.build(SOURCE, caches.root()))).count
    counter.restype, counter.argtypes = ctypes.c_int64, (ctypes.py_object,)
    return counter
