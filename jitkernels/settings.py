"""The environment variables that users set (those of caches are in ``backends/caches.py``), and a context for others.

``JITKERNELS_DEVICE``: the device that kernels run on, ``cpu`` (the default) or ``gpu``.

``JITKERNELS_THREADS``: how many threads compiled programs use. If unset, each framework decides; most take a thread for each
core. If set, every backend gets the number when a case is made, before its framework's runtime starts. A runtime starts
once, so a process keeps the number of its first case.

``JITKERNELS_REQUIRE``: dialects, backends or other things that a test run must have ("numba,jax,browser"). A test that would
skip for lack of one fails instead. Continuous integration sets it, so a green run has tested them.
"""

import functools
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEVICE = "JITKERNELS_DEVICE"
DEVICES = ("cpu", "gpu")
THREADS = "JITKERNELS_THREADS"
REQUIRE = "JITKERNELS_REQUIRE"
XLA_FLAGS = "XLA_FLAGS"  # of JAX and TensorFlow


def device() -> str:
    """Return the device to run on, one of DEVICES. Raises ValueError for any other word."""
    name = os.environ.get(DEVICE) or "cpu"
    if name not in DEVICES:
        raise ValueError(f"unknown device {name!r} in {DEVICE}; known: {', '.join(DEVICES)}")
    return name


def cores() -> int:
    """Return how many logical processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads() -> int | None:
    """Return the number of threads to use, None if the variable is unset or empty.

    Raises ValueError, in one line, unless it is a whole number from 1 to the logical processors that this process may use.
    """
    text = os.environ.get(THREADS, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= cores()):
        raise ValueError(f"{THREADS} must be a whole number from 1 to {cores()}, the cores at hand, got {text!r}")
    return int(text)


def process_threads() -> int | None:
    """Return ``threads()``. Raises RuntimeError if an earlier case of this process had another number."""
    count, first = threads(), _first_threads()
    if count != first:
        raise RuntimeError(
            f"{THREADS} asks for {_in_words(count)}, but an earlier case of this process had {_in_words(first)}:"
            " start another process"
        )
    return count


def require_threads(framework: str, running: int, count: int) -> None:
    """Raise RuntimeError if the framework's runtime already runs with another number of threads than ``count``."""
    if running != count:
        raise RuntimeError(
            f"{THREADS} asks for {_in_words(count)}, but {framework} has already started with {running} in this process:"
            " make the first case earlier, or start another process"
        )


def xla_flags() -> str:
    """Return the user's XLA_FLAGS, or what the file has that they name. XLA goes on without a file that is missing."""
    own = os.environ.get(XLA_FLAGS, "").strip()
    if own and not own.startswith("-"):
        own = Path(own).read_text(encoding="utf-8").strip() if Path(own).is_file() else ""
    return own


def flags_of(text: str) -> list[str]:
    """Return XLA's flags one by one. A value in quotes may have spaces."""
    return re.findall(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\S)+""", text)


def is_required(*names: str) -> bool:
    """True if JITKERNELS_REQUIRE lists one of ``names``."""
    listed = {name.strip() for name in os.environ.get(REQUIRE, "").split(",")}
    return not listed.isdisjoint(names)


@functools.cache
def _first_threads() -> int | None:
    return threads()


def _in_words(count: int | None) -> str:
    return f"{count} thread{'s' * (count > 1)}" if count else "each framework's own number of threads"


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """Set an environment variable within the context; restore it afterwards."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name)
        if before is not None:
            os.environ[name] = before
