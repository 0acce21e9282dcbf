"""Find and end processes that outlive their starter, in any group or session, by an environment variable they inherit."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path

NAME = "DUET_FAMILY"  # every child has a value of its own
PATIENCE = 10.0  # seconds until processes that fork while they are killed are given up
PR_SET_PDEATHSIG = 1  # of prctl(2)


def die_with_parent(number: int) -> None:
    """Have Linux send this process the signal ``number`` when its parent ends, however it ends. 0: no signal."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def end_all(token: str) -> None:
    """Kill all other processes that have the token as NAME in their environment, until there are none.

    Does nothing without /proc.
    """
    until = time.monotonic() + PATIENCE
    while (processes := alive(token)) and time.monotonic() < until:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def alive(token: str) -> list[int]:
    """Return the ids of other running processes that were started with the token."""
    processes, mark = [], f"{NAME}={token}\0".encode()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if mark in file.read_bytes():
                processes.append(int(file.parent.name))
    return [process for process in processes if process != os.getpid()]
