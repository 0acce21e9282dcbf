"""max(0, z) of every entry of a matrix: its cost as a program of its own, and the lives of its calls.

So small a program measures the compiler more than the compiled code. These lives need a dozen processes, and Numba's
parallel compiler takes ten times as long for dense_relu.
"""

from ._suite.ahead import _AheadOfTime
from ._suite.benchmark import COMPILERS, ON_ARRAYS
from ._suite.counts import _Fused
from ._suite.exact import _Error
from ._suite.lives import _Lives, _Retraces, _Roof
from ._suite.warm import _Dispatch, _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [100]]  # append-only too
    param_names = ["backend", "rows"]


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [100]]


class Retraces(_Retraces):
    params = [COMPILERS, [20], ["shape", "dtype"]]
    param_names = ["backend", "rows", "kind"]


class Lives(_Lives):
    param_names = ["backend", "rows", "life"]


class AheadOfTime(_AheadOfTime):
    param_names = ["backend", "rows", "form"]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [100]]


class Dispatch(_Dispatch):
    params = [ON_ARRAYS, ["case", "program", "user"]]
    param_names = ["backend", "how"]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Fused):
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
