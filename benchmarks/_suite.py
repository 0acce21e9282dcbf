"""The suite that every kernel's module leaves empty-bodied classes over.

asv 0.6.6 and asv_runner 0.3.2 dictate the shape. Lists of backends and sizes are literals, because asv files results by
position; ``version`` stands on every leaf, because the default hashes the source and an edit here would drop all history;
the underscore hides the classes below, because asv takes every public one.
"""

import functools
import math
import tempfile
import time
from pathlib import Path

from asv_runner.benchmarks.mark import SkipNotImplemented

from jitkernels import Unavailable, caches, kernels, prepare

BACKENDS = [  # append-only: asv files results by position
    "python",
    "numpy",
    "c",
    "numba",
    "numba_parallel",
    "jax_eager",
    "jax",
    "tensorflow_eager",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_eager",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
    "triton",
]
ON_ARRAYS = [  # append-only; what kernels on arrays are written for: no value of plain Python is an array
    "numpy",
    "c",
    "numba",
    "numba_parallel",
    "jax_eager",
    "jax",
    "tensorflow_eager",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_eager",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
    "triton",
]
MODELS = [  # append-only; what models are written for: the frameworks that differentiate, and NumPy by hand
    "numpy",
    "jax_eager",
    "jax",
    "tensorflow_eager",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_eager",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
]
POINTS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]  # append-only too
LARGEST = {  # points that take a backend about a second on one slow core; more is skipped with this as the reason
    "python": 1_000_000,
    "numpy": 10_000_000,
    "jax_eager": 1_000_000,
    "tensorflow_eager": 10_000_000,
    "tensorflow_graph": 10_000_000,
    "torch_eager": 10_000_000,
    "torch_script": 10_000_000,
    "torch_dynamo": 10_000_000,
    "torch_aot": 10_000_000,
    "triton": 1_000_000,
}
SAMPLE_SECONDS = 0.01  # one sample: far above the clock's own noise, of the order of a scheduler's slice
WARM_UP_SECONDS = 0.1  # what asv itself takes; long enough for the clock frequency to settle


def _finite(track):
    """``track``, failing where its value is none that asv can store: one infinity makes its publisher eat all memory."""

    @functools.wraps(track)
    def tracked(*arguments):
        number = float(track(*arguments))
        if not math.isfinite(number) or number < 0:
            raise ValueError(f"a tracked value must be finite and at least 0, not {number}")
        return number

    return tracked


class _Cells:
    """What every class shares: parameters backend x size. The defaults are those of the kernels that count points."""

    params = [BACKENDS, POINTS]
    param_names = ["backend", "points"]
    largest = LARGEST
    timeout = 180  # seconds for one process: imports, compilation (Inductor's is the longest), warm-up and samples

    def __init_subclass__(cls) -> None:
        """No tracked value reaches asv that it could not store: whoever writes one cannot forget the guard."""
        for name, method in list(vars(cls).items()):
            if name.startswith("track_"):
                setattr(cls, name, _finite(method))

    @property
    def kernel(self) -> str:
        """The kernel's name is its module's."""
        return type(self).__module__.rpartition(".")[2]

    def affordable(self, backend, size):
        """``size``; NotImplementedError, asv's word for a skip, with the reason where it would take the backend too long."""
        most = self.largest.get(backend, size)
        if size > most:
            raise NotImplementedError(f"{backend} would take longer than about a second above {most} {self.param_names[1]}")
        return size


class _Warm(_Cells):
    """Seconds of one call that is compiled and warm. Inside the clock: the call and the wait for its result."""

    rounds = 2  # processes; two, because what one process fixes (memory layout, cores) is not the program's speed
    repeat = 5  # samples a process: 10 in all; asv's test can never tell 6 samples from 6
    warmup_time = 0  # setup has warmed the case; asv's own loop would run setup before each call

    interpreted = False  # a time of an interpreter that stands in for a compiler is filed apart, under a name that says so

    def setup(self, backend, size):
        find = _interpreted if self.interpreted else _compiled
        self.case, self.number = _warmed(find(self.kernel, backend, self.affordable(backend, size)))

    def time_call(self, backend, size):
        self.case.call()


class _Interpreted(_Warm):
    """Seconds of one call where an interpreter stands in for the compiler: no measure of the compiler's speed."""

    params = [["triton"], [1_000, 10_000, 100_000, 1_000_000]]
    interpreted = True


class _Fresh(_Cells):
    """One sample a process, whose caches are empty, memory and disk, when it starts."""

    params = [BACKENDS, [1_000]]  # small: what remains is the compiler
    rounds = 8  # processes
    repeat = number = min_run_count = 1
    warmup_time = 0
    timeout = 300

    def setup(self, backend, size, *others):
        self.scratch = tempfile.TemporaryDirectory(prefix="jitkernels-cold-")
        caches.redirect(Path(self.scratch.name))  # before the framework is imported
        self.case = _compiled(self.kernel, backend, size)
        self.case.start()

    def teardown(self, backend, size, *others):
        self.scratch.cleanup()


class _Cold(_Fresh):
    """Seconds of the first call of a process whose caches are empty, memory and disk.

    Inside the clock: compiling, the call, the wait. Outside: the framework's import and its one-off start.
    """

    def time_first_call(self, backend, size):
        self.case.call()


class _Accuracy(_Cells):
    """How near the answer is, tracked as errors: smaller is better, and the same on every run of the same versions."""

    params = [BACKENDS, [1_000, 10_000, 100_000, 1_000_000, 10_000_000]]

    def setup(self, backend, points):
        # here, because a skip counts in setup alone
        self.metrics = _metrics(self.kernel, backend, self.affordable(backend, points))

    def track_error(self, backend, points):
        return self.metrics["error"]

    track_error.unit = "absolute error"
    track_error.direction = "lower"

    def track_z(self, backend, points):
        return self.metrics["z"]

    track_z.unit = "standard errors"
    track_z.direction = "lower"


class _Error(_Cells):
    """How near an array is to the float64 reference: the largest difference of an entry, over the largest entry."""

    def setup(self, backend, size):
        self.metrics = _metrics(self.kernel, backend, self.affordable(backend, size))

    def track_error(self, backend, size):
        return self.metrics["error"]

    track_error.unit = "of the largest entry"
    track_error.direction = "lower"


class _Counts(_Cells):
    """Exact counts of what the compiler made: the same on every run of the same versions, however busy the machine is."""

    def setup(self, backend, size):
        self.counts = _artifacts(self.kernel, backend, size).counts

    def count(self, name, backend):
        """The count of this name; where the compiler has none, SkipNotImplemented: after setup asv knows no other skip."""
        if name not in self.counts:
            raise SkipNotImplemented(f"{backend} has no count {name}; it has {', '.join(self.counts) or 'none'}")
        return self.counts[name]


class _Fusions(_Counts):
    """Parts that XLA makes one loop, or one call of a library, of."""

    def track_fusions(self, backend, size):
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
    track_fusions.exact = True


class _Fused(_Fusions):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    def track_bytes_accessed(self, backend, size):
        """Bytes that the operations read and write, by XLA's own estimate; a fused one counts once."""
        return self.count("bytes_accessed", backend)

    track_bytes_accessed.unit = "bytes"
    track_bytes_accessed.direction = "lower"
    track_bytes_accessed.exact = True

    def track_kernels(self, backend, size):
        """Loops that Inductor writes itself; a library's product is none."""
        return self.count("kernels", backend)

    track_kernels.unit = "kernels"
    track_kernels.direction = "lower"
    track_kernels.exact = True


class _Trained(_Counts):
    """Of the forward pass and its gradient, which is what torch's compiler is given."""

    def track_graphs(self, backend, size):
        return self.count("graphs", backend)

    track_graphs.unit = "graphs"
    track_graphs.direction = "lower"
    track_graphs.exact = True

    def track_graph_breaks(self, backend, size):
        return self.count("graph_breaks", backend)

    track_graph_breaks.unit = "breaks"
    track_graph_breaks.direction = "lower"
    track_graph_breaks.exact = True

    def track_kernels(self, backend, size):
        return self.count("kernels", backend)

    track_kernels.unit = "kernels"
    track_kernels.direction = "lower"
    track_kernels.exact = True


class _Spelled(_Warm):
    """Seconds of one warm call of a kernel's other spellings, next to ``run``."""

    def setup(self, backend, spelling, size):
        self.case, self.number = _warmed(_compiled(self.kernel, backend, size, spelling))

    def time_call(self, backend, spelling, size):
        self.case.call()


class _CallPattern(_Cells):
    """Exact counts of what a compiler does when its user calls a function again: the same on every run of its release."""

    def setup(self, backend, spelling, pattern):
        self.row = _observed(self.kernel, backend, spelling, pattern)

    def track_raises(self, backend, spelling, pattern):
        """1 where the compiler raises instead of answering."""
        return self.row["outcome"] == "raised"

    track_raises.unit = "exceptions"
    track_raises.direction = "lower"
    track_raises.exact = True

    def track_programs(self, backend, spelling, pattern):
        """Compiled for three calls."""
        return self.row["programs"]

    track_programs.unit = "programs"
    track_programs.direction = "lower"
    track_programs.exact = True

    def track_graph_breaks(self, backend, spelling, pattern):
        """Where the compiler left a part of the function to Python."""
        return self.row["graph_breaks"]

    track_graph_breaks.unit = "graph breaks"
    track_graph_breaks.direction = "lower"
    track_graph_breaks.exact = True


class _Effect(_CallPattern):
    """What is left of an effect, of the three that three calls have where nothing is compiled."""

    def track_printed(self, backend, spelling, pattern):
        return self.row["printed"]

    track_printed.unit = "printed lines"
    track_printed.direction = "equal"
    track_printed.exact = True

    def track_held(self, backend, spelling, pattern):
        return len(self.row["held"])

    track_held.unit = "entries of the list"
    track_held.direction = "equal"
    track_held.exact = True


@functools.cache  # setup runs before every single timed call: only the first may do the work
def _warmed(case):
    """A checked, warm case, and how many calls make a sample."""
    case.check()  # a wrong kernel has no speed
    begin = time.perf_counter()
    while (warmed := time.perf_counter()) - begin < WARM_UP_SECONDS:
        case.call()
        last = time.perf_counter() - warmed
    return case, max(1, round(SAMPLE_SECONDS / last))


@functools.cache
def _compiled(kernel: str, backend: str, size: int, spelling: str = "run"):
    """The case, where its time is that of what its name says."""
    case = _prepared(kernel, backend, size, spelling)
    if case.interpreted:
        raise NotImplementedError(f"{backend} is interpreted on this device: its time is filed under Interpreted")
    return case


@functools.cache
def _interpreted(kernel: str, backend: str, size: int):
    """The case, where an interpreter stands in for its compiler."""
    case = _prepared(kernel, backend, size)
    if not case.interpreted:
        raise NotImplementedError(f"{backend} is compiled on this device: its time is filed under Warm")
    return case


@functools.cache
def _metrics(kernel: str, backend: str, size: int) -> dict[str, float]:
    return _prepared(kernel, backend, size).metrics()


@functools.cache
def _artifacts(kernel: str, backend: str, size: int):
    return _prepared(kernel, backend, size).artifacts()


@functools.cache
def _observed(kernel: str, backend: str, spelling: str, pattern: str):
    """The observation; NotImplementedError where there is none, an error where an answer was wrong."""
    from jitkernels import patterns  # here, so that discovery does without it

    if pattern not in kernels.load(kernel).patterns[spelling]:
        raise NotImplementedError(f"{spelling} of {kernel} is not observed under the pattern {pattern}")
    row = patterns.observe(kernel, backend, spelling, pattern)
    if row["outcome"] == "unavailable":
        raise NotImplementedError(row["reason"])
    assert row["outcome"] in ("ok", "raised"), row["reason"]
    return row


def _prepared(kernel: str, backend: str, size: int, spelling: str = "run"):
    """The case; NotImplementedError, asv's word for a skip, with the reason where there is none."""
    try:
        return prepare(kernel, backend, size, spelling=spelling)
    except Unavailable as error:
        raise NotImplementedError(error.reason) from error
