"""nbody in Numba: a loop over pairs; ``parallel=True`` splits the bodies i among the threads.

LLVM vectorises the inner loop only if it may add in another order ("reassoc"; all of ``fastmath`` would also promise that
there is no NaN) and if a division by zero gives infinity: Python's exception would leave the loop. Constants are
float32: a Python float beside one makes Numba compute in float64.
"""

import math

import numpy as np
from numba import prange

STEPS, DT, HALF_STEP = 10, np.float32(0.01), np.float32(0.005)
SOFTENING_SQUARED = np.float32(0.1**2)

OPTIONS = {"fastmath": {"reassoc", "contract"}, "error_model": "numpy"}
compiler_options = {"numba": OPTIONS, "numba_parallel": OPTIONS}


def run(positions, velocities, masses):
    r, v = positions.copy(), velocities.copy()
    x, y, z = r[0], r[1], r[2]  # ``x, y, z = r`` is 70 times as slow under parallel=True: it is not vectorised
    for step in range(STEPS + 1):
        kick = DT if 0 < step < STEPS else HALF_STEP  # two consecutive half kicks are one whole kick
        for i in prange(masses.size):
            ax = ay = az = np.float32(0)
            for j in range(masses.size):
                dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
                squared = dx * dx + dy * dy + dz * dz + SOFTENING_SQUARED
                weight = masses[j] / (squared * math.sqrt(squared))
                ax += weight * dx
                ay += weight * dy
                az += weight * dz
            v[0, i] += kick * ax
            v[1, i] += kick * ay
            v[2, i] += kick * az
        if step < STEPS:
            r += DT * v
    return r, v
