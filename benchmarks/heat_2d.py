"""A hundred sweeps of a stencil over a grid: who fuses a sweep into one pass, and what a loop over sweeps costs."""

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
POINTS = [256, 1024]  # append-only too; a side, of a grid that a core's own cache holds and one that it does not


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [256]]
    param_names = ["backend", "points a side"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"triton": 256, "tensorflow_eager": 256}


class Counts(_Counts):
    version = "1"
    params = [["jax", "tensorflow_xla"], [256]]
    param_names = ["backend", "points a side"]

    def track_fusions(self, backend, points):
        """Loops that a sweep is cut into, and those around the hundred of them."""
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
