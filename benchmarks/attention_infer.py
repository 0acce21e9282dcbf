"""The forward pass of a transformer block: between its matrix products, what a compiler can fuse."""

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
