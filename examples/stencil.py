"""Compute one step of heat flow in a square: each inner cell moves towards the mean of its four neighbours.

The label "numba: slices" names a second function for Numba. "numba_parallel" runs the outer loop on all cores.

    jitkernels compare examples/stencil.py -n 256 -n 1024
"""

import jax
import numba
import numpy as np

import jitkernels

sizes = [256, 1024]
rtol = 1e-6


def inputs(size, rng):
    return (rng.random((size, size), dtype="float32"),)


@jitkernels.variant("numpy")
def with_slices(u):
    new = u.copy()
    new[1:-1, 1:-1] += 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1])
    return new


def with_loops(u):
    new = u.copy()
    for i in numba.prange(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            change = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j]
            new[i, j] = u[i, j] + np.float32(0.2) * change
    return new


jitkernels.variant("numba")(with_loops)
jitkernels.variant("numba_parallel")(with_loops)
jitkernels.variant("numba: slices")(with_slices)


@jitkernels.variant("jax")
@jax.jit
def traced(u):
    change = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    return u.at[1:-1, 1:-1].add(0.2 * change)
