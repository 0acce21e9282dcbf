"""max(0, W X): a matrix product and its activation, as one program for the compiler to fuse or not.

``run(W, X) -> A``: W float32[m, k], X float32[k, n], A float32[m, n] with
``A[i, j] = max(0, sum over p of W[i, p] X[p, j])``; NaN stays NaN. Shapes, inputs and operations are those of ``dense``, and
its result goes through ``relu``. This kernel is compared with those two, compiled apart.

Source: "JAX's jit", which asks whether to compile the two functions or the one that calls them.
"""

import dataclasses

from jitkernels.kernels import dense
from jitkernels.shapes import Array

kernel = dataclasses.replace(
    dense.kernel,  # its check too: max(0, .) rounds nothing and makes no difference larger
    name="dense_relu",
    summary="max(0, W X): a matrix product and its activation in one program",
    results={"A": Array("float32", ("m", "n"))},
)
