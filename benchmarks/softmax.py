"""The softmax of every row of a matrix: passes over memory that a compiler can save."""

from ._suite.benchmark import COMPILERS, ON_ARRAYS
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.lives import _Roof
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [100, 10_000]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [10_000]]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [100]]


class Cold(_Parameters, _Cold):
    params = [COMPILERS, [10_000]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""
