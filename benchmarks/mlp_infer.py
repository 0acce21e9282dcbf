"""The forward pass of a multilayer perceptron: three matrix products, with little for a compiler to fuse."""

from ._suite import _Error, _Warm

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
