"""nbody in Triton: a launch for each step. Each program sums the forces on one block of bodies over blocks of all others,
then kicks and drifts its own block. Two consecutive half kicks are one whole kick.
"""

import torch
import triton
import triton.language as tl

STEPS, DT = 10, 0.01


@triton.jit
def kick_and_drift(old, new, velocities, masses, n, kick: tl.float32, drift: tl.float32, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y, z = tl.load(old + i, mask=i < n), tl.load(old + n + i, mask=i < n), tl.load(old + 2 * n + i, mask=i < n)
    ax, ay, az = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for first in range(0, n, BLOCK):
        j = first + tl.arange(0, BLOCK)
        dx = tl.load(old + j, mask=j < n, other=0.0)[None, :] - x[:, None]
        dy = tl.load(old + n + j, mask=j < n, other=0.0)[None, :] - y[:, None]
        dz = tl.load(old + 2 * n + j, mask=j < n, other=0.0)[None, :] - z[:, None]
        squared = dx * dx + dy * dy + dz * dz + 0.1 * 0.1
        weight = tl.load(masses + j, mask=j < n, other=0.0)[None, :] / (squared * tl.sqrt(squared))
        ax += tl.sum(weight * dx, axis=1)
        ay += tl.sum(weight * dy, axis=1)
        az += tl.sum(weight * dz, axis=1)
    vx = tl.load(velocities + i, mask=i < n) + kick * ax
    vy = tl.load(velocities + n + i, mask=i < n) + kick * ay
    vz = tl.load(velocities + 2 * n + i, mask=i < n) + kick * az
    tl.store(velocities + i, vx, mask=i < n)
    tl.store(velocities + n + i, vy, mask=i < n)
    tl.store(velocities + 2 * n + i, vz, mask=i < n)
    tl.store(new + i, x + drift * vx, mask=i < n)
    tl.store(new + n + i, y + drift * vy, mask=i < n)
    tl.store(new + 2 * n + i, z + drift * vz, mask=i < n)


def run(positions, velocities, masses):
    n = masses.numel()
    old, new, v = positions, torch.empty_like(positions), velocities.clone()
    block = 32 if masses.is_cuda else 512  # the interpreter is faster with fewer programs
    for step in range(STEPS + 1):
        kick, drift = DT if 0 < step < STEPS else DT / 2, DT if step < STEPS else 0.0
        kick_and_drift[(triton.cdiv(n, block),)](old, new, v, masses, n, kick, drift, BLOCK=block)
        old, new = new, torch.empty_like(positions) if step == 0 else old
    return old, v


kernel = kick_and_drift
signature = {
    **dict.fromkeys(("old", "new", "velocities", "masses"), "*fp32"),
    **{"n": "i32", "kick": "fp32", "drift": "fp32", "BLOCK": 32},
}
