"""repeated_multiply in NumPy: one number, so plain Python."""

import numpy as np


def run(x, n):
    y = np.ones_like(x)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


naive = run


def multiply(y, x):
    return y * x


def per_iteration(x, n, *, multiply=multiply):
    y = np.ones_like(x)
    for _ in range(int(n)):
        y = multiply(y, x)
    return y
