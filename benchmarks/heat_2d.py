"""A hundred sweeps of a stencil over a grid: who fuses a sweep into one pass, and what a loop over sweeps costs."""

from ._exact import _Error, _Fusions
from ._suite import ON_ARRAYS, _Interpreted, _Warm

POINTS = [256, 1024]  # append-only too; a side, of a grid that a core's own cache holds and one that it does not


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [256, 64]]
    param_names = ["backend", "points a side"]
    largest = {"triton": 64}


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Counts(_Fusions):
    """Loops that a sweep is cut into, and those around the hundred of them."""

    version = "1"
    params = [["jax", "tensorflow_xla"], [256]]
    param_names = ["backend", "points a side"]
