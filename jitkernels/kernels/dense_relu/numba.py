"""dense_relu in Numba: dense, with the activation applied to each strip of columns while it is in the cache.

Threads share strips of 512 columns of A, which fit the nearest caches, and update four rows at once.
"""

import numba
import numpy as np
from numba.extending import register_jitable

STRIP = 512  # columns; the innermost loop works on eight rows of them, 16 KiB
DEPTH = 128  # rows of X at a time, a multiple of four: 256 KiB, read again for every four rows of A

# This lets LLVM fuse a product with a sum and add a row's terms in any order; without it, speed is a quarter less. NaN and
# infinities keep their meaning.
compiler_options = {name: {"fastmath": {"reassoc", "nsz", "contract"}} for name in ("numba", "numba_parallel")}


@register_jitable(forceinline=True)
def add_product(Y, W, X, i, first, last, begin, end):
    """Y[i : i + 4, begin:end] += W[i : i + 4, first:last] @ X[first:last, begin:end], four terms of each entry at a time."""
    y0, y1, y2, y3 = Y[i, begin:end], Y[i + 1, begin:end], Y[i + 2, begin:end], Y[i + 3, begin:end]
    for p in range(first, last - 3, 4):
        x0, x1, x2, x3 = X[p, begin:end], X[p + 1, begin:end], X[p + 2, begin:end], X[p + 3, begin:end]
        a0, a1, a2, a3 = W[i, p], W[i, p + 1], W[i, p + 2], W[i, p + 3]
        b0, b1, b2, b3 = W[i + 1, p], W[i + 1, p + 1], W[i + 1, p + 2], W[i + 1, p + 3]
        c0, c1, c2, c3 = W[i + 2, p], W[i + 2, p + 1], W[i + 2, p + 2], W[i + 2, p + 3]
        d0, d1, d2, d3 = W[i + 3, p], W[i + 3, p + 1], W[i + 3, p + 2], W[i + 3, p + 3]
        for j in range(end - begin):
            y0[j] += a0 * x0[j] + a1 * x1[j] + a2 * x2[j] + a3 * x3[j]
            y1[j] += b0 * x0[j] + b1 * x1[j] + b2 * x2[j] + b3 * x3[j]
            y2[j] += c0 * x0[j] + c1 * x1[j] + c2 * x2[j] + c3 * x3[j]
            y3[j] += d0 * x0[j] + d1 * x1[j] + d2 * x2[j] + d3 * x3[j]


@register_jitable(forceinline=True)
def add_row(Y, W, X, i, first, last, begin, end):
    """Y[i, begin:end] += W[i, first:last] @ X[first:last, begin:end], for rows and terms outside blocks of 4 x 4."""
    for p in range(first, last):
        for j in range(begin, end):
            Y[i, j] += W[i, p] * X[p, j]


def run(W, X):
    (m, k), n = W.shape, X.shape[1]
    A = np.zeros((m, n), W.dtype)
    whole = m // 4 * 4
    for strip in numba.prange((n + STRIP - 1) // STRIP):
        begin, end = strip * STRIP, min(n, (strip + 1) * STRIP)
        for first in range(0, k, DEPTH):
            last = min(k, first + DEPTH)
            for i in range(0, whole, 4):
                add_product(A, W, X, i, first, last, begin, end)
            for i in range(m):
                add_row(A, W, X, i, last // 4 * 4 if i < whole else first, last, begin, end)
        for i in range(m):
            row = A[i, begin:end]
            for j in range(end - begin):
                row[j] = np.float32(0) if row[j] < 0 else row[j]  # NaN is not below zero, so it stays
    return A
