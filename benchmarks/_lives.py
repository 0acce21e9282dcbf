"""The lives of a compiled call beside the warm one: cold, cached, retrace; and what compiling takes."""

import functools
import statistics
import tempfile
import time
from pathlib import Path

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import caches, kernels, lives, retrace, worker
from jitkernels.case import DEFAULT_SEED

from . import _forked
from ._costs import Stopwatch
from ._exact import _Exact, exact
from ._suite import _Cells, _compiled, _Shared

COMPILERS = [  # append-only
    "c",
    "numba",
    "numba_parallel",
    "jax",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
]
CACHED = ["c", "numba", "numba_parallel", "jax", "tensorflow_xla", "torch_inductor"]  # append-only; those with a disk cache
AHEAD = ("build_seconds", "bytes", "load_seconds", "first_call_seconds", "ratio", "first_calls_spread")  # keys of rows
ENOUGH_SECONDS = 20  # for the processes of one median: Inductor alone takes longer for one, and is as steady as three


class _First(_Cells):
    """One sample a process, because there is one first call in it."""

    params = [COMPILERS, [1_000]]  # small: what remains is the compiler
    rounds = 8  # processes
    repeat = number = min_run_count = 1
    warmup_time = 0
    timeout = 300
    begun = False

    def once(self):
        """RuntimeError for a second sample, which an option of asv's can ask for: it would be a warm call."""
        if self.begun:
            raise RuntimeError("a process has one first call, so one sample: repeat and number must be 1")
        self.begun = True


class _Fresh(_First):
    """Caches are empty, memory and disk, when the process starts."""

    def setup(self, backend, size, *others):
        self.once()
        self.scratch = tempfile.TemporaryDirectory(prefix="jitkernels-cold-")
        caches.redirect(Path(self.scratch.name))
        self.case = _compiled(self.kernel, backend, size)
        watch = Stopwatch()
        self.case.start()
        watch.lap("framework")
        watch.save("fresh")

    def teardown(self, backend, size, *others):
        if hasattr(self, "scratch"):
            self.scratch.cleanup()


class _Cold(_Fresh):
    """Seconds of the first call of a process whose caches are empty, memory and disk.

    Inside the clock: compiling, the call, the wait. Outside: the framework's import and its one-off start.
    """

    def time_first_call(self, backend, size):
        self.case.call()


class _Retrace(_Fresh):
    """Seconds of the first call with another shape, in a process that is warm. Inside the clock: what that compiles, the
    call, the wait."""

    params = [COMPILERS, [20]]

    def setup(self, backend, size):
        super().setup(backend, size)
        self.case.check()
        self.other = _compiled(self.kernel, backend, size + 1)

    def time_first_call(self, backend, size):
        self.other.call()


class _Cached(_First, _Shared):
    """Seconds of the first call of a process whose disk caches another has filled.

    Inside the clock: what is left to compile, reading the cache, the call, the wait. Outside: the framework's import, which
    must come after the caches' variables are set, and its one-off start. A run that shares caches among its processes has
    set them; otherwise they are this benchmark's own.
    """

    params = [CACHED, [1_000]]

    def setup(self, backend, size):
        self.once()
        directory = Path(f"{self.kernel}.{backend}.{size}").resolve()
        own = {} if caches.persistent() else caches.variables(directory, persistent=True)
        if not directory.exists():
            _forked.measured(_forked.asked(worker.TASKS, "first_call", self.kernel, backend, size, own))
            directory.mkdir(exist_ok=True)  # where all processes share their caches, it only says that they are filled
        if own:
            caches.redirect(directory, persistent=True)
        self.case = _compiled(self.kernel, backend, size)
        self.case.start()

    def time_first_call(self, backend, size):
        self.case.call()


class _Memory(_Exact):
    """Bytes by which the peak of a process grows over what it holds once the framework is imported and started."""

    params = [COMPILERS, [1_000]]

    def figures(self, backend, size):
        answers = _answers(lambda: self._started_cold(backend, size))
        return {key: statistics.median(answer[key] for answer in answers) for key in lives.PEAKS}

    def _started_cold(self, backend, size):
        """Started, not forked: a forked process holds no library's page until it touches it, where one that has imported the
        library does, and the peak of Numba's would lie a seventh higher over what it held."""
        with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
            return _started("memory", self.kernel, backend, size, caches.variables(Path(directory)))

    def track_compile_peak(self, backend, size):
        """While the first call compiles and runs."""
        return self.row["compile_peak_bytes"]

    track_compile_peak.unit = "bytes"
    track_compile_peak.direction = "lower"

    def track_run_peak(self, backend, size):
        """While a warm call runs."""
        return self.row["run_peak_bytes"]

    track_run_peak.unit = "bytes"
    track_run_peak.direction = "lower"


class _Lives(_Exact):
    """Programs compiled in each life of a call, each in a process of its own: what tells a compile from a cache's answer."""

    params = [COMPILERS, [20], ["cold", "cached", "retrace_shape", "retrace_dtype"]]
    param_names = ["backend", "size", "life"]

    def figures(self, backend, size, life):
        if life == "cached":
            if backend not in CACHED:
                raise NotImplementedError(f"{backend} keeps nothing on disk")
            with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
                environment = caches.variables(Path(directory), persistent=True)
                _started("first_call", self.kernel, backend, size, environment)
                return _started("first_call", self.kernel, backend, size, environment)
        kind = life.partition("_")[2]
        if kind:
            _require_meaning(self.kernel, backend, kind)
            return _in_empty_caches("retrace", self.kernel, backend, size, kind=kind)
        return _in_empty_caches("first_call", self.kernel, backend, size)

    @exact("programs")
    def track_programs(self, backend, size, life):
        return self.row["programs"]


class _Retraces(_Exact):
    """The first call of a warm process with something new: its seconds, the median of three processes, and the programs that
    it compiled. By kind of change, each in processes of its own; ``_Retrace`` has samples of another shape."""

    param_names = ["backend", "size", "kind"]

    def figures(self, backend, size, kind):
        _require_meaning(self.kernel, backend, kind)
        answers = _answers(lambda: _in_empty_caches("retrace", self.kernel, backend, size, kind=kind))
        seconds = statistics.median(answer["seconds"] for answer in answers)
        return {"seconds": seconds, "programs": max(answer["programs"] for answer in answers)}

    def track_seconds(self, backend, size, kind):
        return self.row["seconds"]

    track_seconds.unit = "seconds"
    track_seconds.direction = "lower"

    @exact("programs")
    def track_programs(self, backend, size, kind):
        return self.row["programs"]


class _Stages(_Exact):
    """Seconds of one compilation by stage, by the compiler's own names: the median of three processes with empty caches.

    "other" is what the stages do not explain of the whole; "total" the whole.
    """

    params = [
        [*COMPILERS, "triton"],
        [1_000],
        [  # append-only; whichever the compiler has
            "trace",
            "lower",
            "compile",
            "instantiate",
            "load",
            "numba_ir",
            "type_inference",
            "parfors",
            "lowering",
            "llvm",
            "script",
            "dynamo",
            "aot_autograd",
            "inductor",
            "ir_initialization",
            "ttir",
            "ttgir",
            "llir",
            "ptx",
            "cubin",
            "store_results",
            "other",
            "total",
        ],
    ]
    param_names = ["backend", "points", "stage"]

    def figures(self, backend, size, stage):
        seconds = _stages(self.kernel, backend, size)
        if stage not in seconds:
            raise NotImplementedError(f"{backend} has no stage {stage}; it has {', '.join(seconds)}")
        return {"seconds": seconds[stage]}

    def track_seconds(self, backend, size, stage):
        return self.row["seconds"]

    track_seconds.unit = "seconds"
    track_seconds.direction = "lower"


@functools.cache
def _stages(kernel, backend, size):
    answers = _answers(lambda: _in_empty_caches("stages", kernel, backend, size))
    rows = [{**row["stages"], "other": row["stages_other"], "total": row["stages_total"]} for row in answers]
    return {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}


class _AheadOfTime(_Exact):
    """The files that compilers write ahead of time: what they cost to build, to ship, to load and to call, each step in a
    process of its own, beside the just-in-time compiler's. A program that did not give the right answer has no figures."""

    params = [
        [  # append-only
            "c",
            "numba",
            "numba_parallel",
            "jax",
            "tensorflow_graph",
            "tensorflow_xla",
            "torch_script",
            "torch_inductor",
            "triton",
        ],
        [20],
        [  # append-only; forms, whichever the backend has
            "shared_object",
            "extension_module",
            "disk_cache",
            "stablehlo",
            "executable",
            "saved_model",
            "script_file",
            "package",
            "cubin",
        ],
    ]
    param_names = ["backend", "size", "form"]

    def figures(self, backend, size, form):
        rows = _forms(self.kernel, backend, size)
        if form not in rows:
            raise NotImplementedError(f"{backend} has no form {form}; it has {', '.join(rows)}")
        row = _forked.measured(rows[form])
        figures = {key: row[key] for key in AHEAD if row[key] is not None}
        if row["other_shape"] is not None:
            figures["other_shape"] = row["other_shape"] == "yes"
        return {**figures, "unrun": row["reason"]}

    def figure(self, name):
        """SkipNotImplemented where the file was built and not run: after setup asv knows no other skip."""
        if name not in self.row:
            raise SkipNotImplemented(self.row["unrun"])
        return self.row[name]

    def track_build_seconds(self, backend, size, form):
        return self.figure("build_seconds")

    track_build_seconds.unit = "seconds"
    track_build_seconds.direction = "lower"

    def track_bytes(self, backend, size, form):
        return self.figure("bytes")

    track_bytes.unit = "bytes"
    track_bytes.direction = "lower"

    def track_load_seconds(self, backend, size, form):
        """From the files to something that can be called, in a process that has imported what loading needs."""
        return self.figure("load_seconds")

    track_load_seconds.unit = "seconds"
    track_load_seconds.direction = "lower"

    def track_first_call_seconds(self, backend, size, form):
        """With what is still compiled, and what the runtime sets up at its first use."""
        return self.figure("first_call_seconds")

    track_first_call_seconds.unit = "seconds"
    track_first_call_seconds.direction = "lower"

    def track_warm_over_jit(self, backend, size, form):
        """Seconds of a warm call over those of the just-in-time compiler's program."""
        return self.figure("ratio")

    track_warm_over_jit.unit = "of the just-in-time program's"
    track_warm_over_jit.direction = "lower"

    def track_first_calls_spread(self, backend, size, form):
        """The largest of the first ten calls over their median: how predictable they are."""
        return self.figure("first_calls_spread")

    track_first_calls_spread.unit = "of the median call"
    track_first_calls_spread.direction = "lower"

    @exact("1 where it is right", "equal")
    def track_other_shape(self, backend, size, form):
        """Whether the file's program takes another shape, and gives the right answer."""
        return self.figure("other_shape")


@functools.cache
def _forms(kernel, backend, size):
    """The rows of ``jitkernels aot`` by form, of one turn with the just-in-time compiler. Processes are started where an
    import is measured, or a variable must stand before it; the others are forked."""
    from jitkernels.aot import process, rows  # here, so that discovery does without them

    class Cell(rows.Cell):
        def ask(self, task, form, scratch):
            if task in ("clock", "just_in_time") or form.is_cache:
                return super().ask(task, form, scratch)
            options, environment = self.order(task, form, scratch)
            return _forked.asked(process.TASKS, task, kernel, backend, size, environment, **options)

    with tempfile.TemporaryDirectory(prefix="jitkernels-aot-", ignore_cleanup_errors=True) as room:
        return {row["form"]: row for row in Cell(kernel, size, backend, DEFAULT_SEED, Path(room), 1).rows()}


def _answers(ask):
    """What ``ask`` gives for three processes; for fewer, but at least one, where these take longer than ENOUGH_SECONDS."""
    answers = []
    begin = time.monotonic()
    while len(answers) < 3 and (not answers or time.monotonic() - begin < ENOUGH_SECONDS):
        answers.append(ask())
    return answers


def _require_meaning(kernel, backend, kind):
    """NotImplementedError, asv's word for a skip, with the reason where this kind of change says nothing of the cell."""
    if reason := retrace.meaningless(kernels.load(kernel), backend, kind):
        raise NotImplementedError(reason)


def _in_empty_caches(task, kernel, backend, size, tasks=worker.TASKS, **options):
    """The answer of a fresh process."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
        environment = caches.variables(Path(directory))
        return _forked.measured(_forked.asked(tasks, task, kernel, backend, size, environment, **options))


def _started(task, kernel, backend, size, environment):
    """The answer of a process that imports its framework after these variables are set."""
    request = {"task": task, "backend": backend, "cells": [(kernel, size)], "seed": DEFAULT_SEED}
    return _forked.measured(next(worker.ask(request, environment)))
