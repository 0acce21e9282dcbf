"""mandelbrot in Numba: a loop for each point, which ends when the point has left; ``parallel=True`` splits the rows.

An iteration needs the one before, so only points can share a vector, and LLVM vectorises no such outer loop. In ``lanes``,
16 points go on together (in C 32); every eight iterations a test ends them if all are outside.
"""

import numpy as np
from numba import prange
from numba.extending import register_jitable

MOST, LANES, TURNS = 200, 16, 8  # the last divides the first


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


@register_jitable
def iterate(x, y, zx, zy, counts):
    """Make TURNS iterations of each point. Outside, z goes on to infinity and NaN and never comes back."""
    for lane in range(LANES):
        cx, zx_, zy_, n = x[lane], zx[lane], zy[lane], counts[lane]
        for _ in range(TURNS):
            xx, yy = zx_ * zx_, zy_ * zy_
            n += xx + yy <= 4
            zx_, zy_ = xx - yy + cx, 2 * zx_ * zy_ + y
        zx[lane], zy[lane], counts[lane] = zx_, zy_, n


def lanes(x, y):
    counts = np.empty((y.size, x.size), np.int32)
    for i in prange(y.size):
        cx, zx, zy, inside = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES, np.int64)
        for first in range(0, x.size, LANES):
            length = min(LANES, x.size - first)
            cx[:length], cx[length:] = x[first : first + length], 4  # past the end: outside at once
            zx[:], zy[:], inside[:] = 0, 0, 0
            total = 0
            for _ in range(MOST // TURNS):
                iterate(cx, y[i], zx, zy, inside)
                before, total = total, inside.sum()
                if total == before:
                    break
            counts[i, first : first + length] = inside[:length]
    return counts
