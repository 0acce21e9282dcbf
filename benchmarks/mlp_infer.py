"""The forward pass of a multilayer perceptron: three matrix products, with little for a compiler to fuse."""

from ._exact import _Error
from ._suite import MODELS, _WarmModel

SAMPLES = [1, 32]  # append-only too


class Warm(_WarmModel):
    version = "1"
    params = [MODELS, SAMPLES]
    param_names = ["backend", "samples"]


class Error(_Error):
    version = "1"
    params = [MODELS, SAMPLES]
    param_names = ["backend", "samples"]
