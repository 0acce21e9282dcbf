"""Prices of European options: log, exp and sqrt of arrays, which a compiler vectorises or calls one number at a time."""

from ._suite import _Counts, _Error, _Interpreted, _Warm

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
OPTIONS = [10_000, 1_000_000]  # append-only too; all arrays in the nearest cache, and none


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, OPTIONS]
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [10_000]]
    param_names = ["backend", "options"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, OPTIONS]
    param_names = ["backend", "options"]
    largest = {"triton": 10_000}


class Counts(_Counts):
    version = "1"
    params = [["jax", "tensorflow_xla"], [10_000]]
    param_names = ["backend", "options"]

    def track_fusions(self, backend, options):
        """Loops that the expression is cut into: XLA keeps what is dear to compute in memory between them."""
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
