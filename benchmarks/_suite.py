"""The suite that every kernel's module leaves empty-bodied classes over: what is timed. What is exact is in ``_exact``.

asv 0.6.6 and asv_runner 0.3.2 dictate the shape. Lists of backends and sizes are literals, because asv files results by
position; ``version`` stands on every leaf, because the default hashes the source and an edit here would drop all history;
the underscore hides the classes below, because asv takes every public one.
"""

import functools
import math
import statistics
import sys
import time

from jitkernels import Unavailable, prepare
from jitkernels.case import Reference
from jitkernels.measure import steady

from . import _records
from ._costs import Stopwatch

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
SAMPLE_SECONDS = 0.03  # one sample: several slices of the scheduler, so that what interrupts it is a part of it, not all
MOST_CALLS = 2_000  # a sample: before each of them asv runs setup, which takes several times as long as the shortest calls
WARM_UP_SECONDS = 0.15  # long enough for the clock frequency to settle, and for a series that shows whether it has


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
    heard = False  # whether setup has said what came of it

    def __init_subclass__(cls) -> None:
        """No tracked value reaches asv that it could not store, and no cell is empty without a record of why: whoever writes
        a class cannot forget either."""
        for name, method in list(vars(cls).items()):
            if name.startswith("track_"):
                setattr(cls, name, _records.explained(_finite(method)))
            if name == "setup":
                cls.setup = _records.heard(method)

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


class _Samples(_Cells):
    """How samples of something warm are taken."""

    rounds = 2  # processes; two, because what one process fixes (memory layout, cores) is not the program's speed
    repeat = 5  # samples a process: 10 in all; asv's test can never tell 6 samples from 6
    warmup_time = 0  # setup has warmed the case; asv's own loop would run setup before each call


class _Warm(_Samples):
    """Seconds of one call that is compiled and warm. Inside the clock: the call and the wait for its result."""

    interpreted = False  # a time of an interpreter that stands in for a compiler is filed apart, under a name that says so

    def setup(self, backend, size):
        find = _interpreted if self.interpreted else _compiled
        self.case, self.number = _warmed(find(self.kernel, backend, self.affordable(backend, size)))

    def time_call(self, backend, size):
        self.case.call()


class _WarmModel(_Warm):
    """The same of a model, whose compilation takes longer than all its samples: one process has them all."""

    rounds = 1
    repeat = 10


class _Interpreted(_Warm):
    """Seconds of one call where an interpreter stands in for the compiler: no measure of the compiler's speed."""

    params = [["triton"], [1_000, 10_000, 100_000, 1_000_000]]
    interpreted = True


class _Shared(_Cells):
    """asv runs cells of classes that have one ``setup_cache`` in one directory, which lives as long as the run: what the
    first of them leaves there the others find."""

    def setup_cache(self):
        """Nothing to do but to exist."""


class _Dispatch(_Samples):
    """Seconds of a thousand warm calls on one element, where a call costs more than its work.

    The loop is in the body: asv runs setup and reads its clock before every single call, which is most of a microsecond and
    cools the caches. Inside the clock: the loop, the calls and the waits. ``case``: the calls are ``case.call()``;
    ``program``: the compiled function itself, then the framework's wait; their difference is what this library adds.
    ``user``: the same with what the framework's own decorator makes of the kernel's function.
    """

    number = 1
    calls = 1_000

    def setup(self, backend, how):
        self.call = _thousand(self.kernel, backend, how, self.calls)

    def time_1000_calls(self, backend, how):
        self.call()


class _Spelled(_Warm):
    """Seconds of one warm call of a kernel's other spellings, next to ``run``."""

    def setup(self, backend, spelling, size):
        self.case, self.number = _warmed(_compiled(self.kernel, backend, size, spelling))

    def time_call(self, backend, spelling, size):
        self.case.call()


@functools.cache  # setup runs before every single timed call: only the first may do the work
def _warmed(case):
    """A checked, warm case, and how many calls make a sample.

    A case is whatever has ``check()``, ``settle()`` and ``call()``.
    """
    watch = Stopwatch()
    case.check()  # a wrong kernel has no speed
    watch.lap("check")
    case.settle()
    seconds = []
    begin = time.perf_counter()
    while not seconds or time.perf_counter() - begin < WARM_UP_SECONDS:
        before = time.perf_counter()
        case.call()
        seconds.append(time.perf_counter() - before)
    watch.lap("warm_up")
    answer = steady.settled(seconds)
    _records.settled(answer, len(seconds))
    changing = answer is False
    if changing:
        print(f"{case} had not settled after {len(seconds)} calls", file=sys.stderr)
    watch.save("warm", **({"unsettled": str(case)} if changing else {}))
    return case, min(max(1, round(SAMPLE_SECONDS / statistics.median(seconds))), MOST_CALLS)


@functools.cache
def _thousand(kernel: str, backend: str, how: str, calls: int):
    """A function that makes that many warm calls on one element."""
    case, _ = _warmed(_compiled(kernel, backend, 1))
    if how == "case":
        call = case.call

        def through_the_case():
            for _ in range(calls):
                call()

        return through_the_case
    program, wait, arguments = case.program, case.compiler.wait, case.arguments
    if how == "user":
        try:
            program = case.compiler.jit(case.source.run, case.source.static)
        except Unavailable as error:
            raise NotImplementedError(error.reason) from error
        case.kernel.check(case.compiler.fetch(wait(program(*arguments))), case.size, case.seed, Reference(case))

    def bare():
        for _ in range(calls):
            wait(program(*arguments))

    bare()
    return bare


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


def _prepared(kernel: str, backend: str, size: int, spelling: str = "run"):
    """The case; NotImplementedError, asv's word for a skip, with the reason where there is none."""
    try:
        return prepare(kernel, backend, size, spelling=spelling)
    except Unavailable as error:
        raise NotImplementedError(error.reason) from error
