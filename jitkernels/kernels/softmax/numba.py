"""softmax in Numba: three loops over a row, which stays in the innermost cache.

Numba calls the C library's exponential, which takes one number at a time; before 0.62 it could call Intel's SVML. In
``polynomial`` it is written out, so that LLVM makes vectors of it.
"""

import numba
import numpy as np
from numba.extending import register_jitable

HALF, ONE, LEAST, LOG2_E = map(np.float32, (0.5, 1, -88, 1.44269504))
C3, C4, C5, C6, C7 = map(np.float32, (1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040))
LN_2 = np.float32(0.693147181)  # off by 2e-9, times 126 at most

# This lets LLVM add a row's terms in any order, so in vectors. NaN and infinities keep their meaning.
compiler_options = {name: {"fastmath": {"reassoc", "nsz", "contract"}} for name in ("numba", "numba_parallel")}


def run(x):
    rows, columns = x.shape
    y = np.empty_like(x)
    for i in numba.prange(rows):
        largest = x[i, 0]
        for j in range(columns):
            largest = x[i, j] if x[i, j] > largest else largest  # NaN may be skipped: the sum will have it
        total = np.float32(0)
        for j in range(columns):
            y[i, j] = np.exp(x[i, j] - largest)
            total += y[i, j]
        for j in range(columns):
            y[i, j] /= total
    return y


@register_jitable
def exponential(x):
    """exp(x) for x <= 0: 2^k exp(r) with |r| <= log(2) / 2, by Taylor's series. Below -87.7 it is 0; NaN stays NaN."""
    x = LEAST if x < LEAST else x
    k = np.int32(x * LOG2_E - HALF)
    r = x - np.float32(k) * LN_2
    series = ((((((C7 * r + C6) * r + C5) * r + C4) * r + C3) * r + HALF) * r + ONE) * r + ONE
    return series * np.int32((k + 127) << 23).view(np.float32)


def polynomial(x):
    rows, columns = x.shape
    y = np.empty_like(x)
    for i in numba.prange(rows):
        largest = x[i, 0]
        for j in range(columns):
            largest = x[i, j] if x[i, j] > largest else largest
        total = np.float32(0)
        for j in range(columns):
            y[i, j] = exponential(x[i, j] - largest)
            total += y[i, j]
        for j in range(columns):
            y[i, j] /= total
    return y
