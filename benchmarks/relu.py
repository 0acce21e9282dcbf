"""max(0, z) of every entry of a matrix: what it costs as a program of its own."""

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
ROWS = [100]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], ROWS]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
