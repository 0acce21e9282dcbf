"""max(0, z) of every entry: the activation that the JAX article compiles apart from, or together with, a matrix product.

``run(Z) -> A``: Z float32[m, n], A float32[m, n] with ``A[i, j] = max(0, Z[i, j])``; NaN stays NaN. Size s is m = s rows of
n = 20 s, the shape of the article's product (s = 1000). It has almost no arithmetic: memory limits the speed.

Source: "JAX's jit" (the seed article's ``apply_activation``); Nair and Hinton, "Rectified linear units improve restricted
Boltzmann machines", ICML 2010.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

TOLERANCE = 0.0  # an entry is copied or is zero: nothing is rounded

kernel = Kernel(
    name="relu",
    summary="max(0, z) of every entry of a matrix",
    unit="rows",
    sizes=range(1, 2**20),
    default_size=100,
    # standard normal numbers: half of them are below zero
    inputs=lambda size, seed: (_arrays.generator(seed).standard_normal((size, 20 * size), "float32"),),
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: 20 * size * size,
    work_unit="entries",
    cost=lambda size: (20 * size * size, kernel.array_bytes(size)),
    dimensions=lambda size: {"m": size, "n": 20 * size},
    arguments={"Z": Array("float32", ("m", "n"))},
    results={"A": Array("float32", ("m", "n"))},
    absent={"python": "plain Python has no matrices; philox_pi and mandelbrot show its loops"},
)
