"""nbody in PyTorch: a user compiles one step; Python loops over the steps."""

import torch

STEPS = 10


def accelerations(r, masses):
    dx, dy, dz = [c[None, :] - c[:, None] for c in r.unbind(0)]  # [i, j]: from body i to body j
    squared = dx * dx + dy * dy + dz * dz + 0.1**2
    weight = masses / (squared * torch.sqrt(squared))
    return torch.stack([(weight * d).sum(1) for d in (dx, dy, dz)])


def step(r, v, a, masses):
    DT = 0.01
    v = v + DT / 2 * a
    r = r + DT * v
    a = accelerations(r, masses)
    return r, v + DT / 2 * a, a


def run(positions, velocities, masses, *, accelerate=accelerations, advance=step):
    r, v, a = positions, velocities, accelerate(positions, masses)
    for _ in range(STEPS):
        r, v, a = advance(r, v, a, masses)
    return r, v
