"""max(0, z) of every entry of a matrix: its cost as a program of its own, and the lives of its calls.

So small a program measures the compiler more than the compiled code. These lives need a dozen processes, and Numba's
parallel compiler takes ten times as long for dense_relu.
"""

from ._suite import ahead, benchmark, counts, exact, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [100]]  # append-only too
    param_names = ["backend", "rows"]


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [100]]


class Retraces(lives._Retraces):
    params = [benchmark.COMPILERS, [20], ["shape", "dtype"]]
    param_names = ["backend", "rows", "kind"]


class Lives(lives._Lives):
    param_names = ["backend", "rows", "life"]


class AheadOfTime(ahead._AheadOfTime):
    param_names = ["backend", "rows", "form"]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [100]]


class Dispatch(warm._Dispatch):
    params = [benchmark.ON_ARRAYS, ["case", "program", "user"]]
    param_names = ["backend", "how"]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fused):
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
