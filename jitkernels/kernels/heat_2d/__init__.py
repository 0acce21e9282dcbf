"""Heat spreading over a plate: a hundred sweeps of an explicit five-point stencil over a grid whose edge keeps its values.

``run(u) -> v``: float32[m, n] with m, n >= 2, the temperature before and after STEPS = 100 steps in time. One step computes
every inner entry from its own and its four neighbours' old values:

    u[i, j] + R (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 u[i, j])        R = alpha dt / h^2 = 0.2

(the Euler method in time, central differences in space; stable up to R = 1/4). Size s is a grid of s x s. A sweep does seven
operations for each eight bytes that it must move. A program gains if it keeps the grid in a cache, or takes several sweeps
over a part of it there. It loses if each operation makes an array.

Source: LeVeque, "Finite difference methods for ordinary and partial differential equations", SIAM 2007, chapter 9.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

STEPS = 100

# A step rounds seven times, by at most 2^-24 of the largest entry or of 4 R times that. It passes old errors on with weights
# of sum 1, so they do not grow. The worst case is 100 steps x (2 + 5 x 0.8) x 2^-24; random errors stay far below.
TOLERANCE = 4e-5

kernel = Kernel(
    name="heat_2d",
    summary="a hundred sweeps of a five-point stencil over a grid",
    unit="points a side",
    sizes=range(2, 2**15),
    default_size=50,
    # uniform numbers from 0 to 1: they contain every frequency of the grid
    inputs=lambda size, seed: (_arrays.generator(seed).random((size, size), "float32"),),
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: STEPS * (size - 2) ** 2,
    work_unit="points",
    cost=lambda size: (7 * STEPS * (size - 2) ** 2, STEPS * kernel.array_bytes(size)),
    dimensions=lambda size: {"m": size, "n": size},
    arguments={"u": Array("float32", ("m", "n"))},
    results={"v": Array("float32", ("m", "n"))},
    absent={"python": "plain Python has no matrices; mandelbrot and nbody show its loops"},
)
