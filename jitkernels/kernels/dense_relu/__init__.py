"""max(0, W X): a matrix product and its activation, as one program for the compiler to fuse or not.

``run(W, X) -> A``: W float32[m, k], X float32[k, n], A float32[m, n] with
``A[i, j] = max(0, sum over p of W[i, p] X[p, j])``; NaN stays NaN. Shapes, inputs and operations are those of ``dense``, and
its result goes through ``relu``. This kernel is compared with those two, compiled apart.

Source: "JAX's jit", which asks whether to compile the two functions or the one that calls them.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _close
from jitkernels.kernels.dense import TOLERANCE, dimensions, flop, inputs
from jitkernels.shapes import Array

kernel = Kernel(
    name="dense_relu",
    summary="max(0, W X): a matrix product and its activation in one program",
    unit="rows",
    sizes=range(1, 2**12),
    default_size=20,
    inputs=inputs,
    check=_close.within(TOLERANCE),  # dense's: max(0, .) rounds nothing and makes no difference larger
    metrics=_close.metrics,
    work=flop,
    work_unit="flop",
    cost=lambda size: (flop(size), kernel.array_bytes(size)),
    dimensions=dimensions,
    arguments={"W": Array("float32", ("m", "k")), "X": Array("float32", ("k", "n"))},
    results={"A": Array("float32", ("m", "n"))},
    absent={"python": "plain Python has no matrices; philox_pi and mandelbrot show its loops"},
)
