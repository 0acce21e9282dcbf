"""softmax in NumPy: in place after the first pass, which saves two arrays."""

import numpy as np


def run(x):
    y = x - x.max(axis=1, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=1, keepdims=True)
    return y
