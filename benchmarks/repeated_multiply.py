"""A loop on a value: in the program, or in Python around a compiled multiplication."""

from ._exact import _CallPattern, _Error
from ._suite import ON_ARRAYS, _Interpreted, _Spelled, _Warm

COMPILERS = [  # append-only; torch_aot and torch_inductor compile when torch_dynamo does, as the tests say
    "numba",
    "jax",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_script",
    "torch_dynamo",
]
LOOPED = [  # append-only
    "numpy",
    "numba",
    "jax_eager",
    "jax",
    "tensorflow_eager",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_eager",
    "torch_script",
    "torch_dynamo",
    "torch_aot",
    "torch_inductor",
]
MULTIPLICATIONS = [1_000]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, MULTIPLICATIONS]
    param_names = ["backend", "multiplications"]


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], MULTIPLICATIONS]
    param_names = ["backend", "multiplications"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, MULTIPLICATIONS]
    param_names = ["backend", "multiplications"]


class Loop(_Spelled):
    """The loop compiled once, against the multiplication compiled and the loop left to Python."""

    version = "1"
    params = [LOOPED, ["run", "per_iteration"], MULTIPLICATIONS]
    param_names = ["backend", "spelling", "multiplications"]


class Spellings(_CallPattern):
    version = "1"
    params = [COMPILERS, ["run", "naive", "static", "per_iteration"], ["new_value"]]
    param_names = ["backend", "spelling", "pattern"]
