"""The Mandelbrot set: each point ends its loop by itself, which costs compilers that run points together."""

from ._suite import benchmark, exact, first_calls, warm


class _Parameters:
    params = [benchmark.BACKENDS, [100, 400]]  # append-only too
    param_names = ["backend", "points a side"]
    largest = {"python": 100, "triton": 100}


class Warm(_Parameters, warm._Warm):
    """Seconds of a warm call."""


class Interpreted(_Parameters, warm._Interpreted):
    params = [["triton"], [100]]


class Spellings(warm._Spelled):
    """A loop for each point, compared with points of a row in vectors."""

    params = [["c", "numba", "numba_parallel"], ["run", "plain", "lanes"], [400]]
    param_names = ["backend", "spelling", "points a side"]


class Cold(_Parameters, first_calls._Cold):
    params = [benchmark.COMPILERS, [400]]


class Error(_Parameters, exact._Error):
    """The share of wrong counts."""

    track_error = exact.figure("error", "share of points whose count is not the reference's", checked=True)
