"""How many threads compiled programs use: the one place that reads ``JITKERNELS_THREADS``.

Unset, each framework decides, and nothing of a user's process is changed; most take a thread for each core. Set, every
backend's module is told the number when a case is made (``limit`` in the contract), before its framework's runtime
starts. A runtime starts once, so a process keeps the number that its first case had.
"""

import contextlib
import functools
import os
from pathlib import Path

from jitkernels.machine import cores

VARIABLE = "JITKERNELS_THREADS"


def chosen() -> int | None:
    """The number asked for, None where the variable is unset or empty.

    ValueError, in one line, where it is no whole number from 1 to the logical processors that this process may run on.
    """
    text = os.environ.get(VARIABLE, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= cores()):
        raise ValueError(f"{VARIABLE} must be a whole number from 1 to {cores()}, the cores at hand, got {text!r}")
    return int(text)


def settled() -> int | None:
    """``chosen()``, for good: RuntimeError where an earlier case of this process had another number."""
    count, first = chosen(), _first()
    if count != first:
        raise RuntimeError(
            f"{VARIABLE} asks for {_worded(count)}, but an earlier case of this process had {_worded(first)}:"
            " start another process"
        )
    return count


def require(framework: str, started: int, count: int) -> None:
    """RuntimeError where the framework's runtime has started with another number of threads than it is to have."""
    if started != count:
        raise RuntimeError(
            f"{VARIABLE} asks for {_worded(count)}, but {framework} has already started with {started} in this process:"
            " make the first case before, or start another process"
        )


def named(name: str) -> int:
    """How many threads of this process have the name; 0 where the system does not show names (it is no Linux)."""
    found = 0
    for path in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            found += path.read_text().strip() == name
    return found


@functools.cache
def _first() -> int | None:
    return chosen()


def _worded(count: int | None) -> str:
    return f"{count} thread{'s' * (count > 1)}" if count else "each framework's own number of threads"
