"""The lives of a compiled call beside the warm one: cold, cached, retrace; and what compiling takes."""

import functools
import statistics
import tempfile
from pathlib import Path

from jitkernels import caches, lives, worker
from jitkernels.case import DEFAULT_SEED

from ._costs import Stopwatch
from ._exact import _Exact, exact
from ._suite import _Cells, _compiled, _prepared, _Shared

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


class _First(_Cells):
    """One sample a process, because there is one first call in it."""

    params = [COMPILERS, [1_000]]  # small: what remains is the compiler
    rounds = 8  # processes
    repeat = number = min_run_count = 1
    warmup_time = 0
    timeout = 300


class _Fresh(_First):
    """Caches are empty, memory and disk, when the process starts."""

    def setup(self, backend, size, *others):
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
    must come after the caches' variables are set, and its one-off start.
    """

    params = [CACHED, [1_000]]

    def setup(self, backend, size):
        directory = Path(f"{self.kernel}.{backend}.{size}").resolve()
        if not directory.exists():
            environment = caches.variables(directory, persistent=True)
            answer = _asked("first_call", self.kernel, backend, size, environment)
            assert answer["programs"], f"{backend} compiled nothing that a cache could have kept"
        caches.redirect(directory, persistent=True)
        self.case = _compiled(self.kernel, backend, size)
        self.case.start()

    def time_first_call(self, backend, size):
        self.case.call()


class _Memory(_Exact):
    """Bytes by which the peak of a process grows over what it holds once the framework is imported and started."""

    params = [COMPILERS, [1_000]]

    def figures(self, backend, size):
        _compiled(self.kernel, backend, size)  # or the reason why there is nothing to measure
        answers = [_in_empty_caches("memory", self.kernel, backend, size) for _ in range(3)]
        return {key: statistics.median(answer[key] for answer in answers) for key in lives.PEAKS}

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
        _prepared(self.kernel, backend, size)
        if life == "cached":
            if backend not in CACHED:
                raise NotImplementedError(f"{backend} keeps nothing on disk")
            with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
                environment = caches.variables(Path(directory), persistent=True)
                _asked("first_call", self.kernel, backend, size, environment)
                return _asked("first_call", self.kernel, backend, size, environment)
        kind = life.partition("_")[2]
        if kind:
            return _in_empty_caches("retrace", self.kernel, backend, size, kind=kind)
        return _in_empty_caches("first_call", self.kernel, backend, size)

    @exact("programs")
    def track_programs(self, backend, size, life):
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
    _prepared(kernel, backend, size)
    answers = [_in_empty_caches("stages", kernel, backend, size) for _ in range(3)]
    rows = [{**row["stages"], "other": row["stages_other"], "total": row["stages_total"]} for row in answers]
    return {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}


class _AheadOfTime(_Exact):
    """The files that compilers write ahead of time: what they cost to build and to ship. One build, in a process of its own,
    whose program has then given the right answer in another one."""

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
        from jitkernels import aot  # here, so that discovery does without it
        from jitkernels.aot.rows import Cell

        _prepared(self.kernel, backend, size)
        forms = {known.name: known for known in aot.forms(backend)}
        if form not in forms:
            raise NotImplementedError(f"{backend} has no form {form}; it has {', '.join(forms)}")
        with tempfile.TemporaryDirectory(prefix="jitkernels-aot-") as room:
            cell = Cell(self.kernel, size, backend, DEFAULT_SEED, Path(room))
            row = cell.built(forms[form], Path(room))
        if row["status"] == "unavailable":
            raise NotImplementedError(row["reason"])
        assert row["status"] == "ok", row["reason"]
        return {key: row[key] for key in ("build_seconds", "bytes")}

    def track_build_seconds(self, backend, size, form):
        return self.row["build_seconds"]

    track_build_seconds.unit = "seconds"
    track_build_seconds.direction = "lower"

    def track_bytes(self, backend, size, form):
        return self.row["bytes"]

    track_bytes.unit = "bytes"
    track_bytes.direction = "lower"


def _in_empty_caches(task, kernel, backend, size, **options):
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-") as directory:
        return _asked(task, kernel, backend, size, caches.variables(Path(directory)), **options)


def _asked(task, kernel, backend, size, environment, **options):
    """The answer of a new process; NotImplementedError, asv's word for a skip, where it has none for a reason."""
    request = {"task": task, "backend": backend, "cells": [(kernel, size)], "seed": DEFAULT_SEED, "options": options}
    answer = next(worker.ask(request, environment))
    if answer["status"] == "unavailable":
        raise NotImplementedError(answer["reason"])
    assert answer["status"] == "ok", answer["reason"]
    return answer
