"""square_or_cube in Numba, which compiles the branch as it stands."""

import numpy as np

compiler_options = {"numba_parallel": {"parallel": False}}  # one number: nothing to split, and Numba would warn


def run(x):
    if x % 2 == 0:
        return x * x
    return x * x * x


naive = run


def where(x):
    return np.where(x % 2 == 0, x * x, x * x * x)
