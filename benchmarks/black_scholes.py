"""Prices of European options: log, exp and sqrt of arrays, which a compiler vectorises or calls one number at a time."""

from ._exact import _Error, _Fusions
from ._suite import ON_ARRAYS, _Interpreted, _Warm

OPTIONS = [10_000, 1_000_000]  # append-only too; all arrays in the nearest cache, and none


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, OPTIONS]
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [10_000]]
    param_names = ["backend", "options"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, OPTIONS]
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Counts(_Fusions):
    """Loops that the expression is cut into: XLA keeps what is dear to compute in memory between them."""

    version = "1"
    params = [["jax", "tensorflow_xla"], [10_000]]
    param_names = ["backend", "options"]
