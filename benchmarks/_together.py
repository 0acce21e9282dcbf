"""Exact figures of a run of asv, worked out by as many processes as there are cores before they are asked for.

No clock runs while they are, and how busy the machine is changes none of them. ``history/slices.py`` leaves a list of the
run's cells; the first exact one has its own class's figures worked out, and those of others on the list, until a third of
its time is up; the first that finds none then goes on.
"""

import importlib
import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from jitkernels import machine

from . import _forked
from ._selection import CASES

MOST = 4  # processes at a time, however many cores there are: a compiler and its framework take a gigabyte


def classes(module: str, backend: str) -> Iterator[type]:
    """Those of the run's list that have cells of the backend, each once. module: of one of them, as asv has imported it."""
    file, package = os.environ.get(CASES), module.rpartition(".")[0]
    lines = Path(file).read_text().splitlines() if file and Path(file).exists() else []
    cells = [re.match(r"(\w+)\.(\w+)\.\w+\('(\w+)'", line) for line in lines]
    for kernel, group in dict.fromkeys((cell[1], cell[2]) for cell in cells if cell and cell[3] == backend):
        yield getattr(importlib.import_module(f"{package}.{kernel}" if package else kernel), group)


def side_by_side(tasks: Iterable[Callable[[], object]], enough: float = math.inf) -> None:
    """Have each task done by a process that is forked from this one, so many at a time, and wait for all that were begun.
    What becomes of a task is its own affair: one that dies leaves the others alone. enough: seconds; none is begun later."""
    running: set[int] = set()
    begin = time.monotonic()
    for task in tasks:
        if len(running) >= min(machine.cores(), MOST):
            running.discard(os.wait()[0])
        if time.monotonic() - begin > enough:
            break
        child = _forked.fork()
        if not child:
            try:
                task()
            finally:
                os._exit(0)  # what this process would do at its end is its parent's
        running.add(child)
    while running:
        running.discard(os.wait()[0])
