"""The costs of a call's lives, each measured in its own processes: programs, memory, stages, retraces."""

import contextlib
import functools
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from jitkernels import kernels
from jitkernels.case import DEFAULT_SEED

from .._launch import NO_CLOCK
from .._library import caches, load
from .benchmark import CACHED, COMPILERS, STAGED, STAGES
from .exact import _Exact, figure, part, require

ENOUGH_SECONDS = 10  # for the processes of one median: only Inductor takes longer, and one of its processes is enough


class _Memory(_Exact):
    """Bytes by which a process's peak grows after the framework is imported and started."""

    is_measured = True
    params = [COMPILERS, [1_000]]

    def figures(self, backend, size):
        """Measure started processes, not forks: a fork has no page of a library before it touches it, so Numba's peak would
        grow by a seventh more."""
        answers = repeat(lambda: in_empty_caches("tasks.memory", self.kernel, backend, size, start="Started"))
        return {key: statistics.median(answer[key] for answer in answers) for key in load("lives", "PEAKS").PEAKS}

    track_compile_peak = figure("compile_peak_bytes", "bytes")  # while the first call compiles and runs
    track_run_peak = figure("run_peak_bytes", "bytes")  # while a warm call runs


class _Roof(_Exact):
    """Seconds of a warm call over the shortest that this machine's roof allows. The reciprocal is ``fraction_of_roof``
    (docs/measures.md)."""

    is_measured = True

    def figures(self, backend, size):
        row = {**ask("tasks.warm", self.kernel, backend, size, {}), "device": load("settings").device()}
        roof = load("roof", "of").of(kernels.load(self.kernel), size, row)
        if roof is None:
            raise NotImplementedError("the roof is measured for processors, by a C compiler")
        return {"ratio": statistics.median(row["samples"]) / roof["seconds"]}

    track_ratio = figure("ratio", "times the shortest possible time")


class _Lives(_Exact):
    """Programs compiled by a first call, in its own process: they show if it compiled, or used a cache. ``_Retraces`` has
    those of a retrace."""

    params = [COMPILERS, [20], ["cold", "cached"]]
    param_names = ["backend", "size", "life"]

    def figures(self, backend, size, life):
        if life == "cold":
            return in_empty_caches("tasks.first_call", self.kernel, backend, size)
        if backend not in CACHED:
            raise NotImplementedError(f"{backend} keeps nothing on disk")
        with temporary_directory() as directory:
            environment = caches.variables(directory, persistent=True)
            ask("tasks.first_call", self.kernel, backend, size, environment, "Started")
            return ask("tasks.first_call", self.kernel, backend, size, environment, "Started")

    track_programs = figure("programs", "programs", exact=True, checks=True)


class _Retraces(_Exact):
    """The second call of a process, with something changed: median seconds of three processes, and programs compiled.
    Each kind of change has its own processes. Inside the clock: compilation, the call, the wait."""

    is_measured = True

    def figures(self, backend, size, kind):
        if reason := load("retrace", "meaningless").meaningless(kernels.load(self.kernel), backend, kind):
            raise NotImplementedError(reason)
        answers = repeat(lambda: in_empty_caches("tasks.retrace", self.kernel, backend, size, kind=kind))
        seconds = statistics.median(answer["seconds"] for answer in answers)
        return {"seconds": seconds, "programs": max(answer["programs"] for answer in answers)}

    track_seconds = figure("seconds", "seconds")
    track_programs = figure("programs", "programs", exact=True, checks=True)


class _Instructions(_Exact):
    """Instructions of one warm call on its own thread, counted one by one. A busy machine does not change them.

    The median of five processes with one thread and one hash seed, each the fewest of three counts. They load programs
    that the first one compiled. Left out: backends whose work is on a runtime's threads, which are not counted (XLA's,
    TensorFlow's, numba_parallel), and backends with half a million instructions or more (Python, NumPy, PyTorch's), whose
    processes take minutes.
    """

    processes = 5
    params = [["c", "numba"], [10_000]]

    def figures(self, backend, size):
        load("instructions", "count")
        with temporary_directory() as directory:
            environment = caches.variables(directory, persistent=True)
            environment |= {"PYTHONHASHSEED": "0", "JITKERNELS_THREADS": "1"}
            answers = [
                ask("tasks.instructions", self.kernel, backend, size, environment, "Started") for _ in range(self.processes)
            ]
        return {"instructions": statistics.median(answer["instructions"] for answer in answers)}

    track_count = figure("instructions", "instructions", tolerance=0.005, never_zero=True)


class _Stages(_Exact):
    """Seconds of one compilation by stage, by the compiler's own names: the median of three processes with empty caches.

    "total" is the whole, "other" the part of it that is in no stage.
    """

    is_measured = True
    params = [STAGED, [1_000], STAGES]
    param_names = ["backend", "points", "stage"]

    def figures(self, backend, size, stage):
        return {"seconds": part(_stages(self.kernel, backend, size), backend, "stage", stage)}

    track_seconds = figure("seconds", "seconds")


@functools.cache
def _stages(kernel, backend, size):
    answers = repeat(lambda: in_empty_caches("tasks.stages", kernel, backend, size))
    rows = [{**row["stages"], "other": row["stages_other"], "total": row["stages_total"]} for row in answers]
    return {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}


def repeat(measure, clock=time.monotonic):
    """Return what ``measure`` returns for three processes: for fewer, but at least one, if they take longer than
    ENOUGH_SECONDS, and for one if no figure needs a clock."""
    answers: list[Any] = []
    begin, most = clock(), 1 if os.environ.get(NO_CLOCK) else 3
    while len(answers) < most and (not answers or clock() - begin < ENOUGH_SECONDS):
        answers.append(measure())
    return answers


def in_empty_caches(task, kernel, backend, size, **options):
    """Return the figures of a fresh process. options: of ``ask``."""
    with temporary_directory() as directory:
        return ask(task, kernel, backend, size, caches.variables(directory), **options)


def ask(task, kernel, backend, size, environment, start="Forked", **options):
    """Return the figures of a task of ``jitkernels.measure``, done on one case by another process; errors as of ``require``.

    environment: variables to add. start: "Started" for a new Python. A fork of this process is as fresh, unless this process
    has prepared a case: asv's fork server has imported the framework, but no thread runs and nothing is compiled.
    """
    process = load("process", "ask_once")
    case = {"kernel": kernel, "backend": backend, "size": size, "seed": DEFAULT_SEED, **options}
    answer = process.ask_once(task, case, environment, getattr(process, start))
    require(answer["status"], answer["reason"])
    return answer["figures"]


@contextlib.contextmanager
def temporary_directory():
    """Yield a directory for caches. At its end, a compiler's processes may still write there."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-", ignore_cleanup_errors=True) as directory:
        yield Path(directory)
