"""pi from one exactly defined stream of integers: the same work, and the same hits, on every backend."""

import os

from ._library import load
from ._suite import benchmark, counts, exact, first_calls, lives, warm


class Warm(warm._Warm):
    """Seconds of a warm call."""


class Interpreted(warm._Interpreted):
    """Seconds of a call where Triton is interpreted."""


class Cold(first_calls._Cold):
    """Seconds of a first call with empty caches."""


class Cached(first_calls._Cached):
    """Seconds of a first call with caches on disk."""


class Made(counts._Made):
    """Counts of the compiler's output."""


class Stages(lives._Stages):
    """Seconds of a compilation by stage."""


class Memory(lives._Memory):
    """Bytes by which a process grows."""


class Instructions(lives._Instructions):
    """Instructions of a warm call: exact, unlike a noisy time."""


class Accuracy(exact._Accuracy):
    """How near each backend comes to pi, and its hits, which are the same on all."""

    track_hits = exact.figure("hits", "hits", "equal", exact=True)


class Threads(warm._Warm):
    """Seconds of one warm call on one thread and on two: parallel work takes half the time on two."""

    params = [
        ["numba_parallel", "jax", "tensorflow_xla", "torch_inductor"],
        [100_000_000],  # a tenth of a second or more on one thread: much longer than waking another thread
        [1, 2],
    ]
    param_names = ["backend", "points", "threads"]

    def setup(self, backend, points, count):
        cores = load("machine").cores()
        if count > cores:
            raise NotImplementedError(f"{count} threads need as many cores, and {cores} is all there is")
        os.environ["JITKERNELS_THREADS"] = str(count)  # this process is only for this benchmark, and has made no case yet
        self.case, self.number = warm.warmed(benchmark.compiled(self.kernel, backend, self.affordable(backend, points)))
