"""nbody in PyTorch: the loop over steps is Python's, the accelerations are what a user hands to the compiler."""

import torch

STEPS, DT = 10, 0.01


def accelerations(r, masses):
    dx, dy, dz = [c[None, :] - c[:, None] for c in r.unbind(0)]  # [i, j]: from body i to body j
    squared = dx * dx + dy * dy + dz * dz + 0.1**2
    weight = masses / (squared * torch.sqrt(squared))
    return torch.stack([(weight * d).sum(1) for d in (dx, dy, dz)])


def run(positions, velocities, masses, *, accelerate=accelerations):
    r, v = positions.clone(), velocities.clone()
    a = accelerate(r, masses)
    for _ in range(STEPS):
        v += DT / 2 * a
        r += DT * v
        a = accelerate(r, masses)
        v += DT / 2 * a
    return r, v
