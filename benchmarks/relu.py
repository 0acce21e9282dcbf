"""max(0, z) of every entry of a matrix: what it costs as a program of its own."""

from ._exact import _Error, _Fused
from ._suite import ON_ARRAYS, _Dispatch, _Interpreted, _Warm

ROWS = [100]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], ROWS]
    param_names = ["backend", "rows"]


class Dispatch(_Dispatch):
    version = "1"
    params = [ON_ARRAYS, ["case", "program", "user"]]
    param_names = ["backend", "how"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]


class Counts(_Fused):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    version = "1"
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
    param_names = ["backend", "rows"]
