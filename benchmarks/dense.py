"""The product of two matrices: what each compiler makes, or calls, of the oldest kernel of all."""

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
ROWS = [20, 100]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [20]]
    param_names = ["backend", "rows"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, ROWS]
    param_names = ["backend", "rows"]
    largest = {"triton": 20}  # its interpreter


class Counts(_Counts):
    """The traffic and the programs that fusing saves: exact, where a time is noise."""

    version = "1"
    params = [["jax", "tensorflow_xla", "torch_inductor"], [100]]
    param_names = ["backend", "rows"]

    def track_bytes_accessed(self, backend, rows):
        """Bytes that the operations read and write, by XLA's own estimate; a fused one counts once."""
        return self.count("bytes_accessed", backend)

    track_bytes_accessed.unit = "bytes"
    track_bytes_accessed.direction = "lower"
    track_bytes_accessed.exact = True

    def track_fusions(self, backend, rows):
        """Parts that XLA makes one loop, or one call of a library, of."""
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
    track_fusions.exact = True

    def track_kernels(self, backend, rows):
        """Loops that Inductor writes itself; a library's product is none."""
        return self.count("kernels", backend)

    track_kernels.unit = "kernels"
    track_kernels.direction = "lower"
    track_kernels.exact = True
