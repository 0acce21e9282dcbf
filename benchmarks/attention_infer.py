"""The forward pass of a transformer block: what a compiler can fuse between its matrix products."""

from ._suite.benchmark import MODEL_COMPILERS, _ModelParameters
from ._suite.exact import _Error
from ._suite.lives import _Roof
from ._suite.warm import _WarmModel


class Warm(_ModelParameters, _WarmModel):
    """Seconds of a forward pass."""


class Roof(_ModelParameters, _Roof):
    params = [MODEL_COMPILERS, [32]]


class Error(_ModelParameters, _Error):
    """How near the answer is to the reference."""
