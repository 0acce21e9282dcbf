"""A training step of a transformer block: how much of forward, backward and update a compiler compiles."""

from ._suite.benchmark import MODEL_COMPILERS, _ModelParameters
from ._suite.counts import _Fusions, _Trained
from ._suite.exact import _Error
from ._suite.first_calls import _Cold
from ._suite.lives import _Roof
from ._suite.warm import _WarmModel


class Warm(_ModelParameters, _WarmModel):
    """Seconds of a training step."""


class Roof(_ModelParameters, _Roof):
    params = [MODEL_COMPILERS, [32]]


class Cold(_ModelParameters, _Cold):
    params = [MODEL_COMPILERS, [32]]


class Error(_ModelParameters, _Error):
    """How near the answer is to the reference."""


class Counts(_ModelParameters, _Trained):
    params = [["torch_inductor"], [8]]


class Fusions(_ModelParameters, _Fusions):
    """Fusions of the whole step, which XLA gets."""

    params = [["jax", "tensorflow_xla"], [8]]
