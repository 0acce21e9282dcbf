"""max(0, z) of every entry of a matrix: what it costs as a program of its own, and what the lives of its calls do.

So small a program shows the compiler rather than what it compiles: Numba's parallel compiler takes ten times as long for
dense_relu, and there are a dozen processes in these lives.
"""

from ._ahead import _AheadOfTime
from ._exact import _Error, _Fused
from ._lives import COMPILERS, _Lives, _Retraces
from ._suite import ON_ARRAYS, _Dispatch, _Interpreted, _Warm

ROWS = [100]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, ROWS]
    param_names = ["backend", "rows"]


class Retraces(_Retraces):
    version = "1"
    params = [COMPILERS, [20], ["shape", "dtype"]]
    param_names = ["backend", "rows", "kind"]


class Lives(_Lives):
    version = "1"
    param_names = ["backend", "rows", "life"]


class AheadOfTime(_AheadOfTime):
    version = "1"
    param_names = ["backend", "rows", "form"]


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
