"""The Mandelbrot set: what a loop that ends at each point on its own costs those who run points in step."""

from ._exact import _Error
from ._suite import BACKENDS, _Interpreted, _Warm

POINTS = [100, 400]  # append-only too; a side


class Warm(_Warm):
    version = "1"
    params = [BACKENDS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"python": 100, "triton": 100}


class Interpreted(_Interpreted):
    version = "1"
    params = [["triton"], [100]]
    param_names = ["backend", "points a side"]


class Error(_Error):
    version = "1"
    params = [BACKENDS, POINTS]
    param_names = ["backend", "points a side"]
    largest = {"python": 100, "triton": 100}

    def track_error(self, backend, points):
        return self.row["error"]

    track_error.unit = "share of points whose count is not the reference's"
    track_error.direction = "lower"
