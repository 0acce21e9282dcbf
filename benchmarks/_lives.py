"""The lives of a compiled call beside the warm one: cold, cached, retrace; and what compiling takes."""

import functools
import statistics
import tempfile
import time
from pathlib import Path

from jitkernels import kernels
from jitkernels.backends import caches
from jitkernels.measure import lives, process, retrace

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
ENOUGH_SECONDS = 10  # for the processes of one median: Inductor alone takes longer for one, and is as steady as three


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


class _Cold(_First):
    """Seconds of the first call of a process whose caches are empty, memory and disk.

    Inside the clock: compiling, the call, the wait. Outside: the framework's import and its one-off start.
    """

    def setup(self, backend, size):
        self.once()
        self.scratch = tempfile.TemporaryDirectory(prefix="jitkernels-cold-")
        caches.redirect(Path(self.scratch.name))
        self.case = _compiled(self.kernel, backend, size)
        watch = Stopwatch()
        self.case.start()
        watch.lap("framework")
        watch.save("fresh")

    def teardown(self, backend, size):
        if hasattr(self, "scratch"):
            self.scratch.cleanup()

    def time_first_call(self, backend, size):
        self.case.call()


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
            _forked.ask("tasks.first_call", self.kernel, backend, size, own)
            directory.mkdir(exist_ok=True)  # where all processes share their caches, it only says that they are filled
        if own:
            caches.redirect(directory, persistent=True)
        self.case = _compiled(self.kernel, backend, size)
        self.case.start()

    def time_first_call(self, backend, size):
        self.case.call()


class _Memory(_Exact):
    """Bytes by which the peak of a process grows over what it holds once the framework is imported and started."""

    measured = True
    params = [COMPILERS, [1_000]]

    def figures(self, backend, size):
        answers = _answers(lambda: self._started_cold(backend, size))
        return {key: statistics.median(answer[key] for answer in answers) for key in lives.PEAKS}

    def _started_cold(self, backend, size):
        """Started, not forked: a forked process holds no library's page until it touches it, where one that has imported the
        library does, and the peak of Numba's would lie a seventh higher over what it held."""
        with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
            return _started("tasks.memory", self.kernel, backend, size, caches.variables(Path(directory)))

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
    """Programs compiled by a first call, each in a process of its own: what tells a compile from a cache's answer. Those of
    other lives are ``_Retraces``'s."""

    params = [COMPILERS, [20], ["cold", "cached"]]
    param_names = ["backend", "size", "life"]

    def figures(self, backend, size, life):
        if life == "cached":
            if backend not in CACHED:
                raise NotImplementedError(f"{backend} keeps nothing on disk")
            with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
                environment = caches.variables(Path(directory), persistent=True)
                _started("tasks.first_call", self.kernel, backend, size, environment)
                return _started("tasks.first_call", self.kernel, backend, size, environment)
        return _in_empty_caches("tasks.first_call", self.kernel, backend, size)

    @exact("programs")
    def track_programs(self, backend, size, life):
        return self.row["programs"]


class _Retraces(_Exact):
    """The first call of a warm process with something new: its seconds, the median of three processes, and the programs that
    it compiled. By kind of change, each in processes of its own. Inside the clock: what it compiles, the call, the wait."""

    measured = True
    param_names = ["backend", "size", "kind"]

    def figures(self, backend, size, kind):
        _require_meaning(self.kernel, backend, kind)
        answers = _answers(lambda: _in_empty_caches("tasks.retrace", self.kernel, backend, size, kind=kind))
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

    measured = True
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
    answers = _answers(lambda: _in_empty_caches("tasks.stages", kernel, backend, size))
    rows = [{**row["stages"], "other": row["stages_other"], "total": row["stages_total"]} for row in answers]
    return {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}


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


def _in_empty_caches(task, kernel, backend, size, **options):
    """The figures of a fresh process."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
        return _forked.ask(task, kernel, backend, size, caches.variables(Path(directory)), **options)


def _started(task, kernel, backend, size, environment):
    """The figures of a process that imports its framework after these variables are set."""
    return _forked.ask(task, kernel, backend, size, environment, process.Started)
