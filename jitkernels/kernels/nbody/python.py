"""nbody in plain Python: loops over floats, each pair once, because the force on one body is minus that on the other."""

from array import array
from math import sqrt

STEPS, DT, SOFTENING = 10, 0.01, 0.1


def accelerations(r, masses):
    x, y, z = r
    ax, ay, az = ([0.0] * len(masses) for _ in range(3))
    for i in range(len(masses)):
        for j in range(i):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            squared = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING
            weight = 1 / (squared * sqrt(squared))
            from_j, from_i = masses[j] * weight, masses[i] * weight
            ax[i] += from_j * dx
            ay[i] += from_j * dy
            az[i] += from_j * dz
            ax[j] -= from_i * dx
            ay[j] -= from_i * dy
            az[j] -= from_i * dz
    return ax, ay, az


def advance(vectors, time, rates):
    """``vectors += time * rates``."""
    for row, rate in zip(vectors, rates):
        row[:] = [value + time * change for value, change in zip(row, rate)]


def run(positions, velocities, masses):
    r, v, masses = positions.tolist(), velocities.tolist(), masses.tolist()  # plain floats: NumPy's own are slow to handle
    a = accelerations(r, masses)
    for _ in range(STEPS):
        advance(v, DT / 2, a)
        advance(r, DT, v)
        a = accelerations(r, masses)
        advance(v, DT / 2, a)
    return tuple([array("f", row) for row in vectors] for vectors in (r, v))
