"""A ranking with the packages of another Python, such as those for a GPU, which asv.conf.json does not require.

That Python runs the processes of HEAD's ``jitkernels time``. Each measures all kernels on one backend, and starts a GPU
once. Every backend has its first process before any has its second. A run that is stopped (SIGINT, SIGTERM) gives the lines
of the rounds so far. That Python needs NumPy and the frameworks, but neither the library, its dependencies nor asv.
"""

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import _launch, _selection
from duet import Side, SideError, git
from duet.builds import unpack
from history.errors import INTERRUPTED, StopError
from history.store import records
from history.store.lines import conditions, rounded
from history.store.rankings import Cell, Line
from jitkernels import settings
from jitkernels.backends.table import BACKENDS
from jitkernels.measure import timing
from jitkernels.measure.process import Started
from jitkernels.measure.rows import PROCESS, Row

SEED = 42  # of the inputs, as in ``jitkernels time``


def measure(python: str, directory: Path, processes: int, kernels: Iterable[str] = ()) -> Iterator[Line]:
    """Yield the lines of a ranking of HEAD. directory: is emptied, then gets HEAD's files. kernels: names; none: all that
    have a size for the device. Raises SideError, and StopError at the end of a run that was stopped."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    commit, began, device = git.commit(Path()), records.now(), settings.device()
    unpack(Path(), commit, directory, "jitkernels")
    side = Side("head", python, directory, directory)
    versions = side.versions(_launch.distributions(BACKENDS))
    version = versions.pop("python")
    about = {**conditions(version, dict(sorted(versions.items()))), "commit": commit, "began": began}
    sizes = dict(_selection.sizes_of_ranking(device))
    if unknown := {*kernels} - {*sizes}:
        raise SideError(f"not ranked on a {device}: {', '.join(sorted(unknown))}")
    cases = tuple((kernel, size) for kernel, size in sizes.items() if kernel in (kernels or sizes))
    backends = tuple(name for name in _selection.RANKED if device in BACKENDS[name].framework.devices)
    if subprocess.run([python, "-c", "import numpy, jitkernels.measure.tasks"], env=side.environment({})).returncode:
        raise SideError(f"{python} cannot import HEAD's library, for the reason above")

    def start(request: Row, environment: Mapping[str, str]) -> Started:
        return Started(request, side.environment({**environment, settings.THREADS: ""}), python=python)

    rows, is_stopped = measured_rows(timing.Request(cases, backends, SEED, processes=processes, start=start))
    yield from lines(rows, about)
    if is_stopped:
        raise StopError("stopped: what was measured is stored", INTERRUPTED)


def measured_rows(request: timing.Request) -> tuple[list[Row], bool]:
    """Return a row for each case, and True if the run was stopped: then the rows are those of the rounds so far, because a
    backend with fewer processes than others would be tied with all of them."""
    answers: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    rows: dict[tuple[str, int, str], Row] = {}
    is_stopped = False
    try:
        for count, step in enumerate(timing.steps(request), 1):
            case = step["kernel"], step["size"], step["backend"]
            print(f"{count}/{request.steps}", *case, step.get(PROCESS, ""), step["status"], flush=True)
            if PROCESS in step:
                answers[case].append(step)
            else:
                rows[case] = step
    except KeyboardInterrupt:
        is_stopped = True
        ended = min((len(each) for each in answers.values() if all(step["status"] == "ok" for step in each)), default=0)
        rows |= {case: timing.row_of(each[:ended] or each) for case, each in answers.items() if case not in rows}
    return list(rows.values()), is_stopped


def lines(rows: Iterable[Mapping[str, Any]], about: Mapping[str, Any]) -> list[Line]:
    """Return a line for each kernel and size of these rows of ``jitkernels time``."""
    groups: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["kernel"], row["size"]].append(row)
    written = []
    for (kernel, size), group in groups.items():
        cells = {row["backend"]: _cell(row) for row in group if row["warm_processes"]}
        empty = {row["backend"]: row["reason"] for row in group if row["status"] != "ok"}
        command = f"JITKERNELS_DEVICE={group[0]['device']} make ranking OVER=python3 KERNEL={kernel}"
        line = {"at": records.now(), "kernel": kernel, "size": size, "threads": None, "cells": cells, "empty": empty}
        written.append(Line(**{**about, **line, "command": command}))  # type: ignore[typeddict-item]
    return written


def _cell(row: Mapping[str, Any]) -> Cell:
    """Return a backend's cell. On a GPU it has neither the host's threads nor a roof."""
    threads = row["threads"] if row["device"] == "cpu" else None
    cell: Cell = {"seconds": list(map(rounded, row["warm_processes"])), "threads": threads, "settled": row["settled"]}
    return {**cell, "roof": row["roof"]} if row["roof"] else cell
