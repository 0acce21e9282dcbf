"""Compute exact figures of a run of asv in several processes at once, before their benchmarks ask for them.

No clock runs in the meantime, and a busy machine changes none of them. ``history/slices.py`` leaves a list of the run's
benchmark cases. The first exact one has the figures of its class computed, and those of others on the list, until a third of
its time is up. The next benchmark computes what is missing.
"""

import importlib
import math
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from jitkernels import machine

from ._launch import CASES
from ._library import load

MOST = 4  # processes at a time, however many cores there are: a compiler and its framework take a gigabyte


def classes(module: str, backend: str) -> Iterator[type]:
    """Yield each class of the run's list that has cases of the backend. module: of one class, as asv has imported it."""
    file, package = os.environ.get(CASES), module.rpartition(".")[0]
    lines = Path(file).read_text().splitlines() if file and Path(file).exists() else []
    cases = [re.match(r"(\w+)\.(\w+)\.\w+\('(\w+)'", line) for line in lines]
    for kernel, name in dict.fromkeys((case[1], case[2]) for case in cases if case and case[3] == backend):
        yield getattr(importlib.import_module(f"{package}.{kernel}" if package else kernel), name)


def side_by_side(
    tasks: Iterable[Callable[[], object]], enough: float = math.inf, clock: Callable[[], float] = time.monotonic
) -> None:
    """Do each task in a fork of this process, MOST at a time, and wait for all that have started.

    A task that dies leaves the others alone. enough: seconds, by ``clock``; no task starts later.
    """
    try:
        fork = load("process", "fork").fork
    except NotImplementedError:  # an older library: each benchmark computes its own figures
        return
    running: set[int] = set()
    begin = clock()
    for task in tasks:
        if len(running) >= min(machine.cores(), MOST):
            running.discard(os.wait()[0])
        if clock() - begin > enough:
            break
        running.add(fork(task))
    while running:
        running.discard(os.wait()[0])
