"""layer_norm in Numba: three loops over a row, which stays in the innermost cache."""

import numba
import numpy as np

# This lets LLVM add a row's terms in any order, so in vectors. NaN and infinities keep their meaning.
compiler_options = {name: {"fastmath": {"reassoc", "nsz", "contract"}} for name in ("numba", "numba_parallel")}


def run(x, scale, offset):
    rows, columns = x.shape
    y = np.empty_like(x)
    for i in numba.prange(rows):
        total = squares = np.float32(0)
        for j in range(columns):
            total += x[i, j]
        mean = total / np.float32(columns)
        for j in range(columns):
            squares += (x[i, j] - mean) ** 2
        factor = np.float32(1) / np.sqrt(squares / np.float32(columns) + np.float32(1e-5))
        for j in range(columns):
            y[i, j] = (x[i, j] - mean) * factor * scale[j] + offset[j]
    return y
