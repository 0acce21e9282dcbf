"""A loop that depends on a value: in the program, or in Python around a compiled multiplication."""

from ._suite.benchmark import OBSERVED, ON_ARRAYS
from ._suite.counts import _CallPattern
from ._suite.exact import _Error
from ._suite.warm import _Interpreted, _Spelled, _Warm

LOOPED = [  # append-only
    *("numpy", "numba"),
    *("jax_eager", "jax"),
    *("tensorflow_eager", "tensorflow_graph", "tensorflow_xla"),
    *("torch_eager", "torch_script", "torch_dynamo", "torch_aot", "torch_inductor"),
]


class _Parameters:
    params = [ON_ARRAYS, [1_000]]  # append-only too
    param_names = ["backend", "multiplications"]


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [1_000]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Loop(_Spelled):
    """The compiled loop, compared with a compiled multiplication and a loop in Python."""

    params = [LOOPED, ["run", "per_iteration"], [1_000]]
    param_names = ["backend", "spelling", "multiplications"]


class Spellings(_CallPattern):
    """What each compiler does with each way to write the loop."""

    params = [OBSERVED, ["run", "naive", "static", "per_iteration"], ["new_value"]]
