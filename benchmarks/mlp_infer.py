"""The forward pass of a multilayer perceptron: three matrix products, with little for a compiler to fuse."""

from ._suite import benchmark, exact, lives, warm


class Warm(benchmark._ModelParameters, warm._WarmModel):
    """Seconds of a forward pass."""


class Roof(benchmark._ModelParameters, lives._Roof):
    params = [benchmark.MODEL_COMPILERS, [32]]


class Error(benchmark._ModelParameters, exact._Error):
    """How near the answer is to the reference."""
