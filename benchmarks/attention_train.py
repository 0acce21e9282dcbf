"""A training step of a transformer block: how much of forward, backward and update a compiler takes."""

from ._exact import _Error, _Fusions, _Trained
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


class Counts(_Trained):
    """Of the forward pass and its gradient, which is what torch's compiler is given."""

    version = "1"
    params = [["torch_inductor"], [8]]
    param_names = ["backend", "samples"]


class Fusions(_Fusions):
    """Of the whole step, which is what XLA is given."""

    version = "1"
    params = [["jax", "tensorflow_xla"], [8]]
    param_names = ["backend", "samples"]
