"""Gravity among bodies, all pairs: loops over little data, which a compiler vectorises, or arrays of all pairs."""

from ._suite.benchmark import BACKENDS, COMPILERS
from ._suite.counts import _Fusions
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.lives import _Roof
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [BACKENDS, [200, 1000]]  # append-only too
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [1000]]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [200]]


class Cold(_Parameters, _Cold):
    params = [COMPILERS, [1_000]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Fusions):
    """Loops that a step is split into, and those around the ten steps."""

    params = [["jax", "tensorflow_xla"], [200]]
