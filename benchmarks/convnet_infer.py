"""Class scores of 16 images from AlexNet's shape: convolutions, for which every framework has its own library."""

from ._suite.benchmark import MODEL_COMPILERS, MODELS
from ._suite.exact import _Error
from ._suite.lives import _Roof
from ._suite.warm import _WarmModel


class _Parameters:
    params = [MODELS, [64]]  # append-only too; 112 is half the article's side and widths, 224 the full ones
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation


class Warm(_Parameters, _WarmModel):
    """Seconds of a forward pass."""


class Roof(_Parameters, _Roof):
    params = [MODEL_COMPILERS, [64]]


class Error(_Parameters, _Error):
    """How near the answer is to the reference."""
