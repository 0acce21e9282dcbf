"""pi from one exactly defined stream of integers: the same work, and the same hits, on every backend."""

import os

from jitkernels import machine, settings

from ._exact import _Accuracy, _Made
from ._lives import _Cached, _Cold, _Memory, _Stages
from ._suite import _compiled, _Interpreted, _Warm, _warmed


class Warm(_Warm):
    version = "1"


class Interpreted(_Interpreted):
    version = "1"


class Cold(_Cold):
    version = "1"


class Cached(_Cached):
    version = "1"


class Made(_Made):
    version = "1"


class Stages(_Stages):
    version = "1"


class Memory(_Memory):
    version = "1"


class Accuracy(_Accuracy):
    version = "1"

    def track_hits(self, backend, points):
        return self.row["hits"]

    track_hits.unit = "hits"
    track_hits.direction = "equal"
    track_hits.exact = True


class Threads(_Warm):
    """Seconds of one warm call on one thread and on two: what is not half of the other did not run in parallel."""

    version = "1"
    params = [
        ["numba_parallel", "jax", "tensorflow_xla", "torch_inductor"],
        [100_000_000],  # a tenth of a second of one thread and more: far above what it costs to wake another
        [1, 2],
    ]
    param_names = ["backend", "points", "threads"]

    def setup(self, backend, points, count):
        if count > machine.cores():
            raise NotImplementedError(f"{count} threads need as many cores, and {machine.cores()} is all there is")
        os.environ[settings.THREADS] = str(count)  # this process is the benchmark's own, and has made no case yet
        self.case, self.number = _warmed(_compiled(self.kernel, backend, self.affordable(backend, points)))

    def time_call(self, backend, points, count):
        self.case.call()
