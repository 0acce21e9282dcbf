"""The product of two matrices: what each compiler makes, or calls, of the oldest kernel of all."""

from ._exact import _Error, _Fused
from ._suite import ON_ARRAYS, _Interpreted, _Warm

ROWS = [20, 100]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [20]]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Counts(_Fused):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    version = "1"
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
    param_names = ["backend", "rows"]
