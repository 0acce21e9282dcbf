"""Prices of European options: log, exp and sqrt of arrays, vectorised, or called for one number at a time."""

from ._suite.benchmark import COMPILERS, ON_ARRAYS
from ._suite.counts import _Fusions
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.lives import _Roof
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [10_000, 1_000_000]]  # append-only too; all arrays fit into the nearest cache, or none does
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [1_000_000]]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [10_000]]


class Cold(_Parameters, _Cold):
    params = [COMPILERS, [1_000_000]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Fusions):
    """Loops that the expression is split into: XLA stores expensive intermediate results in memory."""

    params = [["jax", "tensorflow_xla"], [10_000]]
