"""Layer normalisation of every row of a matrix: passes over memory that a compiler can save."""

from ._exact import _Error
from ._suite import ON_ARRAYS, _Interpreted, _Warm

ROWS = [100, 10_000]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [100]]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter
