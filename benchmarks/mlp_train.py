"""A training step of a multilayer perceptron: how much of forward, backward and update a compiler takes."""

from ._suite import _Counts, _Error, _Warm

BACKENDS = [  # append-only; those without a spelling of this model are left out: the kernel says why
    "numpy",
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
SAMPLES = [1, 32]  # append-only too


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, SAMPLES]
    param_names = ["backend", "samples"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, SAMPLES]
    param_names = ["backend", "samples"]


class Counts(_Counts):
    """Of the forward pass and its gradient, which is what torch's compiler is given."""

    version = "1"
    params = [["torch_inductor"], [8]]
    param_names = ["backend", "samples"]

    def track_graphs(self, backend, samples):
        return self.count("graphs", backend)

    track_graphs.unit = "graphs"
    track_graphs.direction = "lower"

    def track_graph_breaks(self, backend, samples):
        return self.count("graph_breaks", backend)

    track_graph_breaks.unit = "breaks"
    track_graph_breaks.direction = "lower"

    def track_kernels(self, backend, samples):
        return self.count("kernels", backend)

    track_kernels.unit = "kernels"
    track_kernels.direction = "lower"


class Fusions(_Counts):
    """Of the whole step, which is what XLA is given."""

    version = "1"
    params = [["jax", "tensorflow_xla"], [8]]
    param_names = ["backend", "samples"]

    def track_fusions(self, backend, samples):
        return self.count("fusions", backend)

    track_fusions.unit = "fusions"
    track_fusions.direction = "lower"
