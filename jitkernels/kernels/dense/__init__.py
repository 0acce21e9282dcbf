"""The product of two matrices: a layer's weights times its inputs, without an activation.

``run(W, X) -> Y``: W float32[m, k], X float32[k, n], Y float32[m, n] with ``Y[i, j] = sum over p of W[i, p] X[p, j]``, in
float32 throughout. Size s is m = s, k = 10 s, n = 20 s; s = 1000 is the JAX article's own product, 1000 x 10000 x 20000. It
takes 2 m k n operations. Each number of X is used m times, so arithmetic limits the speed from about m = 20 on.

Source: "JAX's jit" (the seed article's ``dense``); for how products are blocked, Goto and van de Geijn, "Anatomy of
high-performance matrix multiplication", ACM TOMS 34(3), 2008.
"""

from typing import Any

from jitkernels.kernel import Kernel
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

# A sum of k terms one after the other is off by about 0.4 sqrt(k) 2^-24 standard deviations of an entry. The largest of many
# entries is about 5 standard deviations, and the largest error 5 times the usual error. At size 1000, k = 10,000, that is
# 2.4e-6 of the largest entry; four times as much leaves room for other orders of the terms. TF32's ten bits would be off by
# 1e-4 and more.
TOLERANCE = 1e-5


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return standard normal numbers."""
    draw = _arrays.generator(seed).standard_normal
    return draw((size, 10 * size), "float32"), draw((10 * size, 20 * size), "float32")


def dimensions(size: int) -> dict[str, int]:
    """Return the lengths in the article's proportions."""
    return {"m": size, "k": 10 * size, "n": 20 * size}


def flop(size: int) -> int:
    """Return a multiplication and an addition for each term of each entry."""
    return 2 * size * 10 * size * 20 * size


kernel = Kernel(
    name="dense",
    summary="the product of two matrices, W X",
    unit="rows",
    sizes=range(1, 2**12),
    default_size=20,
    inputs=inputs,
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=flop,
    work_unit="flop",
    cost=lambda size: (flop(size), kernel.array_bytes(size)),
    dimensions=dimensions,
    arguments={"W": Array("float32", ("m", "k")), "X": Array("float32", ("k", "n"))},
    results={"Y": Array("float32", ("m", "n"))},
    absent={"python": "plain Python has no matrices; philox_pi and mandelbrot show its loops"},
)
