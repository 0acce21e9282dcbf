"""Seconds of calls that are compiled and warm."""

import contextlib
import functools
import statistics
import time

from jitkernels import Unavailable

from .. import _records
from .._library import jit, load
from .benchmark import _Benchmark, check_answer, compiled, interpreted

SAMPLE_SECONDS = 0.03  # one sample: several slices of the scheduler, so that an interruption is only a part of it
MOST_CALLS = 2_000  # in a sample: asv runs setup before each, which takes several times as long as the shortest calls
WARM_UP_SECONDS = 0.15  # long enough for the clock frequency to settle, and for a series that shows it


class _Samples(_Benchmark):
    """How warm samples are taken. The last answer of each sample is checked after the clock has stopped."""

    rounds = 2  # processes; two, because one has a fixed memory layout and core, which are not the program's speed
    repeat = 5  # samples a process, 10 in all: asv's test cannot tell 6 samples from 6
    warmup_time = 0  # setup has warmed the case; asv's own loop would run setup before each call
    answer = None
    timed = 0  # calls so far

    def teardown(self, *parameters):
        # asv runs this between any two calls. A check there would cool the caches: JAX's relu took 3.3 times as long.
        # So it checks only the last call of a sample, and the first of all, which is the only one with asv's --quick.
        self.timed += 1
        if self.answer is not None and (self.timed == 1 or self.timed % self.number == 0):
            check_answer(self.case, self.answer)
            self.answer = None
            self.case.call()  # the first timed call after a check would be up to a fifth longer


class _Warm(_Samples):
    """Seconds of one call that is compiled and warm.

    Inside the clock: the call, the wait for its result, and about 0.1 us of asv's and this class's own.
    """

    prepare = staticmethod(compiled)

    def setup(self, backend, size):
        self.case, self.number = warmed(self.prepare(self.kernel, backend, self.affordable(backend, size)))

    def time_call(self, *parameters):
        self.answer = None  # the previous answer must not be in memory during a call
        self.answer = self.case.call()


class _WarmModel(_Warm):
    """Seconds of one warm call of a model. One process takes all samples, because compiling takes longer."""

    rounds = 1
    repeat = 10


class _Interpreted(_Warm):
    """Seconds of one call in an interpreter that stands in for the compiler: not the compiler's speed."""

    params = [["triton"], [1_000, 10_000, 100_000, 1_000_000]]
    prepare = staticmethod(interpreted)


class _Spelled(_Warm):
    """Seconds of one warm call of a kernel's other spellings, besides ``run``."""

    def setup(self, backend, spelling, size):
        self.case, self.number = warmed(compiled(self.kernel, backend, size, spelling))


class _Dispatch(_Samples):
    """Seconds of a thousand warm calls on one element, for which a call costs more than its work.

    The benchmark itself has the loop, because asv runs setup and reads its clock before every call, which takes most of a
    microsecond and cools the caches. Inside the clock: the loop, the calls and the waits. ``case``: the calls are
    ``case.call()``; ``program``: the compiled function itself, then the framework's wait; the difference is this library's
    overhead. ``user``: like ``program``, but with the framework's own decorator on the kernel's function.
    """

    number = 1
    calls = 1_000

    def setup(self, backend, how):
        self.case, self.call = repeated(self.kernel, backend, how, self.calls)

    def time_1000_calls(self, backend, how):
        self.answer = self.call()


@functools.cache  # setup runs before every single timed call: only the first may do the work
def warmed(case, clock=time.perf_counter):
    """Check, warm and check the case. Return it and the number of calls in a sample.

    A case is any object with ``check()`` and ``call()``, and in newer libraries ``settle()``.
    """
    case.check()  # a wrong kernel has no speed
    case.check()  # nor has one whose second call is wrong after the first
    if hasattr(case, "settle"):
        case.settle()
    seconds: list[float] = []
    begin = clock()
    while not seconds or clock() - begin < WARM_UP_SECONDS:
        before = clock()
        case.call()
        seconds.append(clock() - before)
    case.check()  # nor has one that is wrong only when warm
    case.call()  # the check has cooled the caches
    with contextlib.suppress(NotImplementedError):  # an older library has no such test
        _records.note_settled(load("steady", "settled").settled(seconds), len(seconds))
    return case, min(max(1, round(SAMPLE_SECONDS / statistics.median(seconds))), MOST_CALLS)


@functools.cache
def repeated(kernel: str, backend: str, how: str, calls: int):
    """Return a case of one element, and a function that makes ``calls`` warm calls of it and returns the last answer."""
    case, _ = warmed(compiled(kernel, backend, 1))
    if how == "case":
        call = case.call

        def by_the_case():
            for _ in range(calls - 1):
                call()
            return call()

        return case, by_the_case
    program = case.program if how == "program" else _decorated_program(case)
    wait, arguments = case.compiler.wait, case.arguments

    def bare():
        for _ in range(calls - 1):
            wait(program(*arguments))
        return wait(program(*arguments))

    bare()
    return case, bare


def _decorated_program(case):
    """Return the kernel's function under the framework's own decorator, after a check of its answer."""
    reference = load("case", "Reference").Reference(case)
    try:
        program = jit(case)
    except Unavailable as error:
        raise NotImplementedError(error.reason) from error
    answer = case.compiler.fetch(case.compiler.wait(program(*case.arguments)))
    case.kernel.check(answer, case.size, case.seed, reference)
    return program
