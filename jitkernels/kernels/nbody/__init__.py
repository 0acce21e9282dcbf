"""Bodies that attract one another: ten leapfrog steps, with the force on each body summed directly over all others.

``run(positions, velocities, masses) -> (positions, velocities)``: float32[3, n] each, masses float32[n]; a row a coordinate,
so that neighbours in memory are bodies, as a vector wants them. With a gravitational constant of 1, body i is accelerated by

    a_i = sum over j of m_j (r_j - r_i) / (|r_j - r_i|^2 + SOFTENING^2)^(3/2)        SOFTENING = 0.1

whose term j = i is zero, so nobody need leave it out. One step of DT = 0.01: half a kick, ``v += DT/2 a``, a drift,
``r += DT v``, the accelerations at the new places, and the other half kick. They are computed STEPS + 1 = 11 times, n^2
pairs each, and nearly all time goes there: 19 operations a pair, with a square root and a division, on data that fit the
nearest cache. Who keeps an array of all pairs in memory moves 4 n^2 bytes for each operation instead.

float32, in which such sums are usually taken: twice the pairs a vector, and the error against float64 shows. Positions and
velocities are standard normal, all masses 1/n.

Sources: Aarseth, "Gravitational N-body simulations", Cambridge 2003 (softening, leapfrog); Nyland, Harris and Prins, "Fast
N-body simulation with CUDA", GPU Gems 3 (2007), chapter 31.
"""

from typing import Any

from jitkernels.kernel import Kernel
from jitkernels.kernels import _close
from jitkernels.shapes import Array

STEPS = 10

# A position or velocity is rounded thirty times, by 2^-24 of itself: 1.8e-6. Kicks add up to STEPS x DT = 0.1 of an
# acceleration of about the size of a velocity: the rest is for that, 3e-5 of it, or 500 roundings in its sum over n bodies.
TOLERANCE = 5e-6

VECTORS = Array("float32", (3, "n"))


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Positions and velocities standard normal, masses 1/n."""
    import numpy as np

    from jitkernels.kernels import _arrays

    generator = _arrays.generator(seed)
    positions, velocities = (generator.standard_normal((3, size), "float32") for _ in range(2))
    return positions, velocities, np.full(size, 1 / size, "float32")


kernel = Kernel(
    name="nbody",
    summary="gravity among bodies: ten leapfrog steps with all pairs",
    unit="bodies",
    sizes=range(1, 2**20),
    default_size=100,
    inputs=inputs,
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: (STEPS + 1) * size * size,
    work_unit="pairs",
    cost=lambda size: (19 * (STEPS + 1) * size * size, (STEPS + 1) * kernel.array_bytes(size)),
    dimensions=lambda size: {"n": size},
    arguments={"positions": VECTORS, "velocities": VECTORS, "masses": Array("float32", ("n",))},
    results={"new_positions": VECTORS, "new_velocities": VECTORS},
)
