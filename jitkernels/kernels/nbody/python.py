"""nbody in plain Python: loops over floats."""

from array import array
from math import sqrt

STEPS, DT, SOFTENING = 10, 0.01, 0.1


def accelerations(r, masses):
    x, y, z = r
    ax, ay, az = ([0.0] * len(masses) for _ in range(3))
    for i in range(len(masses)):
        for j in range(len(masses)):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            squared = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING
            weight = masses[j] / (squared * sqrt(squared))
            ax[i] += weight * dx
            ay[i] += weight * dy
            az[i] += weight * dz
    return ax, ay, az


def advance(vectors, time, rates):
    """``vectors += time * rates``."""
    for row, rate in zip(vectors, rates):
        row[:] = [value + time * change for value, change in zip(row, rate)]


def run(positions, velocities, masses):
    r, v, masses = positions.tolist(), velocities.tolist(), masses.tolist()  # plain floats: NumPy's are slow one by one
    a = accelerations(r, masses)
    for _ in range(STEPS):
        advance(v, DT / 2, a)
        advance(r, DT, v)
        a = accelerations(r, masses)
        advance(v, DT / 2, a)
    return tuple([array("f", row) for row in vectors] for vectors in (r, v))
