"""Bodies that attract one another: ten leapfrog steps, with the force on each body summed directly over all others.

``run(positions, velocities, masses) -> (positions, velocities)``: float32[3, n] each, masses float32[n]. A row is a
coordinate, so neighbours in memory are bodies and fill a vector. The gravitational constant is 1; body i is accelerated by

    a_i = sum over j of m_j (r_j - r_i) / (|r_j - r_i|^2 + SOFTENING^2)^(3/2)        SOFTENING = 0.1

The term j = i is zero and need not be left out. One step of DT = 0.01 is half a kick, ``v += DT/2 a``, a drift,
``r += DT v``, the accelerations at the new positions, and the other half kick. Accelerations are computed STEPS + 1 = 11
times, for n^2 pairs, and take nearly all of the time: 18 operations a pair, with a square root and a division, on data that
fit the nearest cache. A program that keeps an array of all pairs in memory moves 4 n^2 bytes for each operation.

float32 is usual for such sums: a vector holds twice as many pairs, and the error against float64 shows. Positions and
velocities are standard normal, all masses 1/n.

Sources: Aarseth, "Gravitational N-body simulations", Cambridge 2003 (softening, leapfrog); Nyland, Harris and Prins, "Fast
N-body simulation with CUDA", GPU Gems 3 (2007), chapter 31.
"""

from typing import Any

from jitkernels.kernel import Kernel, Reference, Spelling
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

STEPS = 10

# Of the largest entry: a position or velocity is rounded thirty times, by 2^-24 of itself, 1.8e-6 in all.
TOLERANCE = 5e-6
KICKS = 2e-5  # of the length of the velocities' change
STORES = 10  # of 20 roundings of a velocity; how many add up in one direction, observed: 8.4 for two bodies

VECTORS = Array("float32", (3, "n"))

PAIRS = "run is a loop over pairs, which keeps no array of them"


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return standard normal positions and velocities, and masses 1/n."""
    import numpy as np

    generator = _arrays.generator(seed)
    positions, velocities = (generator.standard_normal((3, size), "float32") for _ in range(2))
    return positions, velocities, np.full(size, 1 / size, "float32")


def check(value: Any, size: int, seed: int, reference: Reference) -> None:
    """Check each entry, and the velocities' change by the length of its error: forces change a velocity by a twentieth, so
    its entries show little of their error."""
    truth, (_, before, _) = reference(), reference.inputs()
    _close.require_close(value, truth, TOLERANCE)
    _close.require_steps({"velocities": value[1]}, {"velocities": truth[1]}, {"velocities": before}, KICKS, STORES)


kernel = Kernel(
    name="nbody",
    summary="gravity among bodies: ten leapfrog steps with all pairs",
    unit="bodies",
    sizes=range(1, 2**20),
    default_size=100,
    inputs=inputs,
    check=check,
    metrics=_close.metrics,
    work=lambda size: (STEPS + 1) * size * size,
    work_unit="pairs",
    cost=lambda size: (18 * (STEPS + 1) * size * size, (STEPS + 1) * kernel.array_bytes(size)),
    dimensions=lambda size: {"n": size},
    arguments={"positions": VECTORS, "velocities": VECTORS, "masses": Array("float32", ("n",))},
    results={"new_positions": VECTORS, "new_velocities": VECTORS},
    spellings={
        "scan": Spelling(
            "adds one body's pull on all others at a time, without arrays of pairs",
            absent={
                **dict.fromkeys(("c", "numba", "python"), PAIRS),
                "numpy": "each step of the scan would be a dozen calls of NumPy",
                "torch": "torch.compile would unroll the scan over all bodies",
                "triton": "a program keeps a block of pairs, and no array of all",
            },
        )
    },
)
