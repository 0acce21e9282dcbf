"""heat_2d in Numba: loops over two grids that take turns; ``parallel=True`` splits the rows of a sweep among the threads.

R is a float32: a Python float beside one makes Numba compute in float64.
"""

import numpy as np
from numba import prange

STEPS, R, FOUR = 100, np.float32(0.2), np.float32(4)


def run(u):
    m, n = u.shape
    old, new = u.copy(), u.copy()
    for _ in range(STEPS):
        for i in prange(1, m - 1):
            for j in range(1, n - 1):
                around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
                new[i, j] = old[i, j] + R * (around - FOUR * old[i, j])
        old, new = new, old
    return old
