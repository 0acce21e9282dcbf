"""The forward pass of a transformer block: what a compiler can fuse between its matrix products."""

from ._suite.benchmark import _ModelParameters
from ._suite.exact import _Error
from ._suite.warm import _WarmModel


class Warm(_ModelParameters, _WarmModel):
    """Seconds of a forward pass."""


class Error(_ModelParameters, _Error):
    """How near the answer is to the reference."""
