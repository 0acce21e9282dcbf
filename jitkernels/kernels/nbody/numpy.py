"""nbody in NumPy: all pairs at once, each coordinate an array of (n, n)."""

import numpy as np

STEPS, DT, SOFTENING = 10, 0.01, 0.1


def accelerations(r, masses):
    dx, dy, dz = [c[None, :] - c[:, None] for c in r]  # [i, j]: from body i to body j
    squared = dx * dx + dy * dy + dz * dz + SOFTENING**2
    weight = masses / (squared * np.sqrt(squared))
    return np.stack([np.einsum("ij,ij->i", weight, d) for d in (dx, dy, dz)])  # without an array of products


def run(positions, velocities, masses):
    r, v = positions.copy(), velocities.copy()
    a = accelerations(r, masses)
    for _ in range(STEPS):
        v += DT / 2 * a
        r += DT * v
        a = accelerations(r, masses)
        v += DT / 2 * a
    return r, v
