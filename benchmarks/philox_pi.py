"""pi from one exactly defined stream of integers: the same work, and the same hits, on every backend."""

import os

from ._library import load
from ._suite.benchmark import compiled
from ._suite.counts import _Made
from ._suite.exact import _Accuracy, figure
from ._suite.first_calls import _Cached, _Cold
from ._suite.lives import _Instructions, _Memory, _Stages
from ._suite.warm import _Interpreted, _Warm, warmed


class Warm(_Warm):
    """Seconds of a warm call."""


class Interpreted(_Interpreted):
    """Seconds of a call where Triton is interpreted."""


class Cold(_Cold):
    """Seconds of a first call with empty caches."""


class Cached(_Cached):
    """Seconds of a first call with caches on disk."""


class Made(_Made):
    """Counts of the compiler's output."""


class Stages(_Stages):
    """Seconds of a compilation by stage."""


class Memory(_Memory):
    """Bytes by which a process grows."""


class Instructions(_Instructions):
    """Instructions of a warm call: exact, unlike a noisy time."""


class Accuracy(_Accuracy):
    """How near each backend comes to pi, and its hits, which are the same on all."""

    track_hits = figure("hits", "hits", "equal", exact=True)


class Threads(_Warm):
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
        self.case, self.number = warmed(compiled(self.kernel, backend, self.affordable(backend, points)))
