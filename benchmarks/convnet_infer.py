"""Class scores of 16 images from AlexNet's shape: convolutions, which every framework takes from a library of its own."""

from ._suite import _Error, _Warm

BACKENDS = [  # append-only; the kernel says why the others are not among them
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
PIXELS = [64]  # append-only too; 112 is half the article's side and widths, 224 the article's


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation


class Error(_Error):
    version = "1"
    params = [BACKENDS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300
