"""Class scores of 16 images from AlexNet's shape: convolutions, for which every framework has its own library."""

from ._suite import benchmark, exact, lives, warm


class _Parameters:
    params = [benchmark.MODELS, [64]]  # append-only too; 112 is half the article's side and widths, 224 the full ones
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation


class Warm(_Parameters, warm._WarmModel):
    """Seconds of a forward pass."""


class Roof(_Parameters, lives._Roof):
    params = [benchmark.MODEL_COMPILERS, [64]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""
