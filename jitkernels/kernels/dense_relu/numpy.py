"""dense_relu in NumPy: its BLAS, and a pass over the result, in place."""

import numpy as np


def run(W, X):
    A = W @ X
    return np.maximum(A, 0, out=A)
