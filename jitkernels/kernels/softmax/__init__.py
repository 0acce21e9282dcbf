"""The softmax of every row of a matrix: exponentials of its entries, over their sum.

``run(x) -> y``: x float32[rows, columns], y float32[rows, columns] with
``y[i, j] = exp(x[i, j] - largest of x[i]) / sum over l of exp(x[i, l] - largest of x[i])``. Without the subtraction, which
changes nothing in exact arithmetic, the exponentials of these inputs would overflow. A row that holds NaN is NaN
throughout. Size s is s rows of 1000 columns, no multiple of an AVX-512 vector's or a tile's length. Work is 8 bytes for each
entry: 4 are read and 4 written.

Source: Bridle, "Probabilistic interpretation of feedforward classification network outputs", Neurocomputing, 1990; for
one reading of x from memory, Triton's tutorial on fused softmax.
"""

from typing import Any

from jitkernels.kernel import Kernel, Reference, Spelling
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

# The sum of 1000 terms rounds 1000 times by up to 2^-24, in random directions: sqrt(1000) 2^-24 = 1.9e-6. The
# exponential (2 units in the last place), the division and the product add four or five times 2^-24.
TOLERANCE = 3e-6
COLUMNS = 1000


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return normal numbers of deviation 3 around a centre from -200 to 200 for each row: exp(89) overflows float32."""
    generator = _arrays.generator(seed)
    centre = generator.uniform(-200, 200, (size, 1)).astype("float32")
    return (3 * generator.standard_normal((size, COLUMNS), "float32") + centre,)


def check(value: Any, size: int, seed: int, reference: Reference) -> None:
    """Check each entry by its own size: most are a thousandth of the largest one.

    The subtraction rounds by 2^-24 of its result d, which multiplies the exponential by up to 1 + 2^-24 |d|. Where denormal
    numbers are 0, an exponential that is computed as 2 * 2^(k - 1) * p (oneDNN) is 0 below twice the least normal number.
    """
    import numpy as np

    truth, value = reference(), np.asarray(value)
    assert value.shape == truth.shape, f"the answer has the shape {value.shape}, not {truth.shape}"
    (x,) = reference.inputs()
    with np.errstate(invalid="ignore"):
        below = np.nan_to_num(x.max(axis=1, keepdims=True) - x, nan=0, posinf=0)
        is_near = np.abs(value - truth) <= (TOLERANCE + 2.0**-24 * below) * truth + 2 * np.finfo("float32").tiny
    wrong = ~(is_near | (np.isnan(value) & np.isnan(truth)))
    assert not wrong.any(), f"each of {wrong.sum()} entries is off by more than {TOLERANCE:.3g} of itself"


kernel = Kernel(
    name="softmax",
    summary="the softmax of every row of a matrix",
    unit="rows",
    sizes=range(1, 2**24),
    default_size=100,
    inputs=inputs,
    check=check,
    metrics=_close.metrics,
    work=lambda size: 8 * size * COLUMNS,
    work_unit="bytes",
    cost=lambda size: (5 * size * COLUMNS, kernel.array_bytes(size)),
    dimensions=lambda size: {"rows": size, "columns": COLUMNS},
    arguments={"x": Array("float32", ("rows", "columns"))},
    results={"y": Array("float32", ("rows", "columns"))},
    absent={"python": "plain Python has no matrices; philox_pi and mandelbrot show its loops"},
    spellings={
        "polynomial": Spelling(
            "the exponential is written out, so that the compiler makes vectors of it",
            absent={
                "c": "run is written so",
                **dict.fromkeys(("jax", "numpy", "tensorflow", "torch", "triton"), "its own exponential takes vectors"),
            },
        )
    },
)
