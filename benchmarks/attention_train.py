"""A training step of a transformer block: how much of forward, backward and update a compiler compiles."""

from ._suite import benchmark, counts, exact, first_calls, lives, warm


class Warm(benchmark._ModelParameters, warm._WarmModel):
    """Seconds of a training step."""


class Roof(benchmark._ModelParameters, lives._Roof):
    params = [benchmark.MODEL_COMPILERS, [32]]


class Cold(benchmark._ModelParameters, first_calls._Cold):
    params = [benchmark.MODEL_COMPILERS, [32]]


class Error(benchmark._ModelParameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(benchmark._ModelParameters, counts._Trained):
    params = [["torch_inductor"], [8]]


class Fusions(benchmark._ModelParameters, counts._Fusions):
    """Fusions of the whole step, which XLA gets."""

    params = [["jax", "tensorflow_xla"], [8]]
