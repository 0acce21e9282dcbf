"""Find and end processes that outlive their starter, in any group or session: those below the process that adopts them, and
where that has died, by an environment variable that they inherit."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

NAME = "DUET_FAMILY"  # every child has a value of its own
PATIENCE = 10.0  # seconds until processes that fork while they are killed are given up
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)


def die_with_parent(number: int) -> None:
    """Have Linux send this process the signal ``number`` when its parent ends, however it ends. 0: no signal."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def adopt() -> None:
    """Have Linux make this process the parent of all processes below it whose own parent ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_all(running: Callable[[], list[int]]) -> None:
    """Kill the processes that ``running`` returns, until there are none. Does nothing without /proc."""
    until = time.monotonic() + PATIENCE
    while (processes := running()) and time.monotonic() < until:
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


def below(ancestor: int) -> list[int]:
    """Return the ids of running processes below a process, parents first."""
    children, states = defaultdict(list), {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            state, parent = file.read_text().rpartition(")")[2].split()[:2]  # the name before it may hold anything
            children[int(parent)].append(int(file.parent.name))
            states[int(file.parent.name)] = state
    processes = children[ancestor]
    for process in processes:
        processes += children[process]
    return [process for process in processes if states[process] != "Z"]
