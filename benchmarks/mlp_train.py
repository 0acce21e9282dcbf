"""A training step of a multilayer perceptron: how much of forward, backward and update a compiler compiles."""

from ._suite.benchmark import MODEL_COMPILERS, MODELS
from ._suite.counts import _Fusions, _Trained
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.warm import _WarmModel


class _Parameters:
    params = [MODELS, [1, 32]]  # append-only too
    param_names = ["backend", "samples"]


class Warm(_Parameters, _WarmModel):
    """Seconds of a training step."""


class Cold(_Parameters, _Cold):
    """Seconds of a first call with empty caches."""

    params = [MODEL_COMPILERS, [32]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, _Trained):
    """Counts of the forward pass and its gradient, which torch's compiler gets."""

    params = [["torch_inductor"], [8]]


class Fusions(_Parameters, _Fusions):
    """Fusions of the whole step, which XLA gets."""

    params = [["jax", "tensorflow_xla"], [8]]
