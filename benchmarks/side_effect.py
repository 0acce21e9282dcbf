"""What is left of an effect under a compiler, and when it compiles again."""

from ._exact import _CallPattern, _Effect, _Error
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
PATTERNS = ["same", "new_value", "new_number", "new_shape", "new_dtype", "anew", "anew_closure"]  # append-only too


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


class Caching(_CallPattern):
    version = "1"
    params = [COMPILERS, ["run"], PATTERNS]
    param_names = ["backend", "spelling", "pattern"]


class Effects(_Effect):
    version = "1"
    params = [COMPILERS, ["prints", "appends"], ["new_value"]]
    param_names = ["backend", "spelling", "pattern"]
