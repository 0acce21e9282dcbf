"""mandelbrot in Numba: a loop for each point, which ends when the point has left; ``parallel=True`` splits the rows."""

import numpy as np
from numba import prange
from numba.extending import register_jitable

MOST = 200


@register_jitable
def count(x, y):
    zx = zy = 0.0
    for n in range(MOST):
        xx, yy = zx * zx, zy * zy
        if not xx + yy <= 4:
            return n
        zx, zy = xx - yy + x, 2 * zx * zy + y
    return MOST


def run(x, y):
    counts = np.empty((y.size, x.size), np.int32)
    for i in prange(y.size):
        for j in range(x.size):
            counts[i, j] = count(x[j], y[i])
    return counts
