"""Compute the softmax of every row of a matrix, written as users of each compiler write it.

jitkernels compare examples/softmax.py --html softmax.html
"""

import jax
import numpy as np

sizes = [10, 100, 1000]  # rows of 500 columns


def inputs(size, rng):
    return (rng.standard_normal((size, 500), dtype="float32"),)


def softmax_numpy(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def softmax_numba(x):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        largest = x[i].max()
        total = np.float32(0)
        for j in range(x.shape[1]):
            y[i, j] = np.exp(x[i, j] - largest)
            total += y[i, j]
        y[i] /= total
    return y


def softmax_jax(x):
    return jax.nn.softmax(x, axis=1)
