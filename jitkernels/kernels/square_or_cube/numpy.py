"""square_or_cube in NumPy: one number, so plain Python."""

import numpy as np


def run(x):
    if x % 2 == 0:
        return x * x
    return x * x * x


naive = run


def where(x):
    return np.where(x % 2 == 0, x * x, x * x * x)
