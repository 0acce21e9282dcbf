"""The softmax of every row of a matrix: passes over memory that a compiler can save."""

from ._suite import benchmark, exact, first_calls, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [100, 10_000]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Spellings(warm._Spelled):
    """The C library's exponential, compared with one that is written out."""

    params = [["numba", "numba_parallel"], ["run", "polynomial"], [100, 10_000]]
    param_names = ["backend", "spelling", "rows"]


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [10_000]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [100]]


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [10_000]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""
