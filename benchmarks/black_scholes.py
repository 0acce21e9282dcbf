"""Prices of European options: log, exp and sqrt of arrays, vectorised, or called for one number at a time."""

from ._suite import benchmark, counts, exact, first_calls, lives, warm


class _Parameters:
    params = [
        benchmark.ON_ARRAYS,
        [10_000, 1_000_000],
    ]  # append-only too; all arrays fit into the nearest cache, or none does
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [1_000_000]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [10_000]]


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [1_000_000]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fusions):
    """Loops that the expression is split into: XLA stores expensive intermediate results in memory."""

    params = [["jax", "tensorflow_xla"], [10_000]]
