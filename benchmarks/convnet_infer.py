"""Class scores of 16 images from AlexNet's shape: convolutions, which every framework takes from a library of its own."""

from ._exact import _Error
from ._suite import MODELS, _WarmModel

PIXELS = [64]  # append-only too; 112 is half the article's side and widths, 224 the article's


class Warm(_WarmModel):
    version = "1"
    params = [MODELS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300  # seconds: Inductor's compilation


class Error(_Error):
    version = "1"
    params = [MODELS, PIXELS]
    param_names = ["backend", "pixels"]
    timeout = 300
