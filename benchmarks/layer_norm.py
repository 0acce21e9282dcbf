"""Layer normalisation of every row of a matrix: passes over memory that a compiler can save."""

from ._suite import benchmark, exact, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [100, 10_000]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [10_000]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [100]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""
