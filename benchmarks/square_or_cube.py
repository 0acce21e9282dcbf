"""A branch on a value: what a call costs, and what each compiler makes of each way to write it."""

from ._exact import _CallPattern, _Error
from ._lives import COMPILERS as COMPILED
from ._lives import _Retraces
from ._suite import ON_ARRAYS, _Interpreted, _Warm

COMPILERS = [  # append-only; torch_aot and torch_inductor compile when torch_dynamo does, as the tests say
    "numba",
    "jax",
    "tensorflow_graph",
    "tensorflow_xla",
    "torch_script",
    "torch_dynamo",
]
NUMBERS = [3]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [ON_ARRAYS, NUMBERS]
    param_names = ["backend", "number"]


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], NUMBERS]
    param_names = ["backend", "number"]


class Error(_Error):
    version = "1"
    params = [ON_ARRAYS, NUMBERS]
    param_names = ["backend", "number"]


class Retraces(_Retraces):
    """Of another number, and of another one that is part of the program."""

    version = "1"
    params = [COMPILED, NUMBERS, ["value", "static"]]
    param_names = ["backend", "number", "kind"]


class Spellings(_CallPattern):
    version = "1"
    params = [COMPILERS, ["run", "naive", "static", "where", "cond"], ["new_value"]]
    param_names = ["backend", "spelling", "pattern"]
