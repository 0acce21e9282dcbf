"""Processes that outlive what started them, in whatever group or session: known by a variable that they inherit."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

NAME = "DUET_FAMILY"  # its value is one child's own
PATIENCE = 10.0  # seconds for processes that fork while they are killed
PR_SET_PDEATHSIG = 1  # of prctl(2)


def die_with_parent(number: int) -> None:
    """Have Linux send this process a signal of that number when its parent ends, however it ends. 0: none."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def end_all(token: str) -> None:
    """Kill all other processes that have the token as NAME in their environment, until there are none.

    Does nothing where there is no /proc.
    """
    until = time.monotonic() + PATIENCE
    while (processes := alive(token)) and time.monotonic() < until:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def alive(token: str) -> list[int]:
    """Return the ids of the other processes that began with the token and still run."""
    processes, mark = [], f"{NAME}={token}\0".encode()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if mark in file.read_bytes():
                processes.append(int(file.parent.name))
    return [process for process in processes if process != os.getpid()]
