"""mandelbrot in NumPy: an iteration for all points at once; points that left are dropped from the arrays."""

import numpy as np

MOST = 200


def run(x, y):
    shape = y.size, x.size
    counts = np.zeros(y.size * x.size, np.int32)
    places = np.arange(counts.size)
    x, y = np.tile(x, y.size), np.repeat(y, x.size)
    zx, zy = np.zeros_like(x), np.zeros_like(y)
    for _ in range(MOST):
        xx, yy = zx * zx, zy * zy
        inside = xx + yy <= 4
        if not inside.all():
            places, x, y, zx, zy, xx, yy = (array[inside] for array in (places, x, y, zx, zy, xx, yy))
        counts[places] += 1
        zx, zy = xx - yy + x, 2 * zx * zy + y
    return counts.reshape(shape)
