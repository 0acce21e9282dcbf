"""Gravity among bodies, all pairs: loops over little data, which a compiler makes vectors of, or arrays of all pairs."""

from ._suite import _Counts, _Error, _Interpreted, _Warm

BACKENDS = [  # append-only
    "python",
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
BODIES = [200, 1000]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, BODIES]
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [200]]
    param_names = ["backend", "bodies"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, BODIES]
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Counts(_Counts):
    version = "1"
    params = [["jax", "tensorflow_xla"], [200]]
    param_names = ["backend", "bodies"]

    def track_fusions(self, backend, bodies):
        """Loops that a step is cut into, and those around the ten of them."""
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
