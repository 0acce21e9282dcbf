"""Layer normalisation of every row of a matrix: to mean 0 and variance 1, then scaled and shifted by column.

``run(x, scale, offset) -> y``: x float32[rows, columns], scale and offset float32[columns], y float32[rows, columns] with
``y[i, j] = (x[i, j] - mean of x[i]) / sqrt(variance of x[i] + 1e-5) * scale[j] + offset[j]``; the variance is the mean of
the squared differences from the mean. A row that holds NaN is NaN throughout. Size s is s rows of 1000 columns, no multiple
of an AVX-512 vector's or a tile's length. Work is 8 bytes for each entry of x: 4 are read and 4 written.

Source: Ba, Kiros and Hinton, "Layer normalization", arXiv:1607.06450, 2016, with the epsilon of PyTorch's.
"""

from typing import Any

from jitkernels.kernel import Kernel
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

# The sum of 1000 entries rounds 1000 times by up to 2^-24 of itself, in random directions: sqrt(1000) 2^-24 = 1.9e-6 of the
# mean, which is at most as large as the largest entry of y. The variance has the same error; its root halves it.
TOLERANCE = 3e-6
COLUMNS = 1000


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return normal numbers around a centre from -4 to 4 for each row; a scale around 1, an offset around 0."""
    generator = _arrays.generator(seed)
    draw = generator.standard_normal
    centre = generator.uniform(-4, 4, (size, 1)).astype("float32")
    return draw((size, COLUMNS), "float32") + centre, 1 + draw(COLUMNS, "float32") / 4, draw(COLUMNS, "float32")


kernel = Kernel(
    name="layer_norm",
    summary="layer normalisation of every row of a matrix",
    unit="rows",
    sizes=range(1, 2**24),
    default_size=100,
    inputs=inputs,
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: 8 * size * COLUMNS,
    work_unit="bytes",
    cost=lambda size: (7 * size * COLUMNS, kernel.array_bytes(size)),
    dimensions=lambda size: {"rows": size, "columns": COLUMNS},
    arguments={
        "x": Array("float32", ("rows", "columns")),
        "scale": Array("float32", ("columns",)),
        "offset": Array("float32", ("columns",)),
    },
    results={"y": Array("float32", ("rows", "columns"))},
    absent={"python": "plain Python has no matrices; philox_pi and mandelbrot show its loops"},
)
