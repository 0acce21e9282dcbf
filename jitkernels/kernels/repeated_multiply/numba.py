"""repeated_multiply in Numba, which compiles the loop as it stands."""

import numba
import numpy as np

compiler_options = {"numba_parallel": {"parallel": False}}  # one number: nothing to split, and Numba would warn


def run(x, n):
    y = np.float32(1)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


naive = run


def static(x, n):
    y = np.float32(1)
    for _ in range(numba.literally(n)):  # Numba's static argument: compiled for each n, and looked up at each call
        y = y * x
    return y


def multiply(y, x):
    return y * x


def per_iteration(x, n, *, multiply=multiply):
    y = np.float32(1)
    for _ in range(int(n)):
        y = multiply(y, x)  # gives a Python float, so from the second call on it is another program, in float64
    return y
