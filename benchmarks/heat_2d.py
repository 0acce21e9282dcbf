"""A hundred sweeps of a stencil over a grid: which compiler fuses a sweep, and what a loop over sweeps costs."""

from ._suite import benchmark, counts, exact, first_calls, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [256, 1024]]  # append-only too; the first grid fits into a core's own cache
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [1024]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [256, 64]]
    largest = {"triton": 64}


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [256]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fusions):
    """Loops that a sweep is split into, and those around the hundred sweeps."""

    params = [["jax", "tensorflow_xla"], [256]]
