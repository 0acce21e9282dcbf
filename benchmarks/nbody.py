"""Gravity among bodies, all pairs: loops over little data, which a compiler makes vectors of, or arrays of all pairs."""

from ._exact import _Error, _Fusions
from ._suite import BACKENDS, _Interpreted, _Warm

BODIES = [200, 1000]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, BODIES]
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [200]]
    param_names = ["backend", "bodies"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, BODIES]
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Counts(_Fusions):
    """Loops that a step is cut into, and those around the ten of them."""

    version = "1"
    params = [["jax", "tensorflow_xla"], [200]]
    param_names = ["backend", "bodies"]
