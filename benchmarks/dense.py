"""The product of two matrices: compiled by each compiler, or a call of a library."""

from ._suite import benchmark, counts, exact, lives, warm


class _Parameters:
    params = [benchmark.ON_ARRAYS, [20, 100]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [100]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [20]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fused):
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
