"""The softmax of every row of a matrix: passes over memory that a compiler can save."""

from ._suite import _Error, _Interpreted, _Warm

BACKENDS = [  # append-only; python is not among them: the kernel says why
    "numpy",
    "c",
    "numba",
    "numba_parallel",
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
    "triton",
]
ROWS = [100, 10_000]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [100]]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 100}  # its interpreter
