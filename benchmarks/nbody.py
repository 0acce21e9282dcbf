"""Gravity among bodies, all pairs: loops over little data, which a compiler vectorises, or arrays of all pairs."""

from ._suite import benchmark, counts, exact, first_calls, lives, warm


class _Parameters:
    params = [benchmark.BACKENDS, [200, 1000]]  # append-only too
    param_names = ["backend", "bodies"]
    largest = {"python": 200, "triton": 200}


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Spellings(warm._Spelled):
    """Arrays of all pairs, compared with a loop over bodies."""

    params = [["jax", "tensorflow_xla"], ["run", "scan"], [200, 1000]]
    param_names = ["backend", "spelling", "bodies"]


class Roof(_Parameters, lives._Roof):
    params = [benchmark.COMPILERS, [1000]]


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [200]]


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [1_000]]


class Error(_Parameters, exact._Error):
    """How near the answer is to the reference."""


class Counts(_Parameters, counts._Fusions):
    """Loops that a step is split into, and those around the ten steps."""

    params = [["jax", "tensorflow_xla"], [200]]
