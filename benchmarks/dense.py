"""The product of two matrices: compiled by each compiler, or a call of a library."""

from ._suite.benchmark import COMPILERS, ON_ARRAYS
from ._suite.counts import _Fused
from ._suite.exact import _Error
from ._suite.lives import _Roof
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [ON_ARRAYS, [20, 100]]  # append-only too
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Roof(_Parameters, _Roof):
    params = [COMPILERS, [100]]


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [20]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Fused):
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
