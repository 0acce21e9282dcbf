"""The forward pass of a transformer block: what a compiler can fuse between its matrix products."""

from ._suite.benchmark import MODELS
from ._suite.exact import _Error
from ._suite.warm import _WarmModel


class _Parameters:
    params = [MODELS, [1, 32]]  # append-only too
    param_names = ["backend", "samples"]


class Warm(_Parameters, _WarmModel):
    """Seconds of a forward pass."""


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""
