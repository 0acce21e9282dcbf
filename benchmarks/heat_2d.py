"""A hundred sweeps of a stencil over a grid: which compiler fuses a sweep, and what a loop over sweeps costs."""

from ._suite.benchmark import COMPILERS, ON_ARRAYS
from ._suite.counts import _Fusions
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.lives import _Roof
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [256, 1024]]  # append-only too; the first grid fits into a core's own cache
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [1024]]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [256, 64]]
    largest = {"triton": 64}


class Cold(_Parameters, _Cold):
    params = [COMPILERS, [256]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Fusions):
    """Loops that a sweep is split into, and those around the hundred sweeps."""

    params = [["jax", "tensorflow_xla"], [256]]
