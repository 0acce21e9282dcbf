"""The Mandelbrot set: each point ends its loop by itself, which costs compilers that run points together."""

from ._suite.benchmark import BACKENDS, COMPILERS
from ._suite.exact import _Error, figure
from ._suite.first_calls import _Cold
from ._suite.warm import _Interpreted, _Warm


class _Parameters:
    params = [BACKENDS, [100, 400]]  # append-only too
    param_names = ["backend", "points a side"]
    largest = {"python": 100, "triton": 100}


class Warm(_Parameters, _Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, _Interpreted):
    params = [["triton"], [100]]


class Cold(_Parameters, _Cold):
    params = [COMPILERS, [400]]


class Error(_Parameters, _Error):
    """The share of wrong counts."""

    track_error = figure("error", "share of points whose count is not the reference's", checked=True)
