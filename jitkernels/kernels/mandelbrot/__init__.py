"""The Mandelbrot set: how many iterations of z -> z^2 + c stay within a circle; some points need one, some all of them.

``run(x, y) -> counts``: x float64[n], the real parts of an image's columns; y float64[m], the imaginary parts of its rows;
counts int32[m, n], how many of z_0, z_1, ..., z_199 come before the first of modulus above 2; MOST = 200 if there is none.
From z_0 = 0,

    zx, zy = zx zx - zy zy + x, 2 zx zy + y        inside while zx zx + zy zy <= 4

Size s is an image of s x s of the window from -2 - 1.25i to 0.5 + 1.25i. The loop diverges: a vector, warp or whole array
goes on until its last point has left the circle, also for points that left before.

Counts are whole numbers, but compilers differ: one may contract a product and a sum into a fused operation with one
rounding. Near the edge of the set, each iteration multiplies such a difference by up to four. ``check`` therefore follows
the reference's orbits with a bound on the rounding errors of any compiler. Where the bound shows on which side of the circle
each z is, the count must be the reference's. For the few per mille of points where it does not, the count must be one that
the bound allows. float32 would leave every twentieth point open, so this kernel is in float64.

Source: Peitgen and Richter, "The beauty of fractals", Springer 1986.
"""

from typing import Any

from jitkernels.kernel import Kernel, Reference, Spelling
from jitkernels.shapes import Array

MOST = 200
ROUNDING = 2.0**-53
ARRAYS = dict.fromkeys(("jax", "numpy", "tensorflow", "torch"), "run works on whole arrays: the compiler makes the vectors")
ABSENT = {**ARRAYS, "python": "Python has no vectors: run is the plain spelling", "triton": "a program's block is a vector"}
LOST = 2.0**-10  # far below the circle's radius, so that what error * error leaves out of a step's rounding is nothing


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Return the window's columns and rows; the seed has no effect."""
    import numpy as np

    return np.linspace(-2, 0.5, size), np.linspace(-1.25, 1.25, size)


def possible(x: Any, y: Any) -> tuple[Any, Any]:
    """Return the least and the largest count that any order of roundings can give at each point, both int32[m, n].

    ``error`` bounds the distance of any compiler's z from the one computed here. A step multiplies it by at most 2 |z| +
    error, and adds the rounding of both orbits: less than 6 ROUNDING (|z|^2 + |c|) in each. Once ``error`` exceeds LOST,
    every later count is possible.
    """
    import numpy as np

    c = (x + 1j * y[:, None]).ravel()
    least, largest = (np.zeros(c.size, np.int32) for _ in range(2))
    places, z, error, surely = np.arange(c.size), np.zeros_like(c), np.zeros(c.size), np.ones(c.size, bool)
    for _ in range(MOST):
        modulus, slack = np.abs(z), error + 8 * ROUNDING  # the test against the circle rounds too
        surely &= modulus + slack <= 2
        maybe, lost = modulus - slack <= 2, error > LOST
        least[places[surely & ~lost]] += 1
        largest[places[maybe]] += 1
        largest[places[lost]] = MOST
        kept = maybe & ~lost
        places, z, error, surely, modulus = (array[kept] for array in (places, z, error, surely, modulus))
        error = error * (2 * modulus + error) + 12 * ROUNDING * (modulus**2 + np.abs(c[places]))
        z = z * z + c[places]
    return least.reshape(y.size, x.size), largest.reshape(y.size, x.size)


def check(counts: Any, size: int, seed: int, reference: Reference) -> None:
    """Require the reference's count wherever rounding cannot matter, elsewhere one that some rounding gives."""
    import numpy as np

    expected, counts = reference(), np.asarray(counts)
    assert counts.shape == expected.shape, f"the counts have the shape {counts.shape}, not {expected.shape}"
    differ = counts != expected
    if differ.any():
        least, largest = possible(*reference.inputs())
        wrong = differ & ((counts < least) | (counts > largest))
        assert not wrong.any(), f"{wrong.sum()} counts are not the reference's where rounding cannot matter"


def metrics(counts: Any, size: int, seed: int, reference: Reference) -> dict[str, float]:
    """error: the share of points whose count is not the reference's."""
    import numpy as np

    return {"error": float(np.mean(np.asarray(counts) != reference()))}


kernel = Kernel(
    name="mandelbrot",
    summary="the Mandelbrot set: loops that end at each point on their own",
    unit="points a side",
    sizes=range(1, 2**14),
    default_size=50,
    inputs=inputs,
    check=check,
    metrics=metrics,
    work=lambda size: size * size,
    work_unit="points",
    no_cost="its arithmetic is on float64, the roof's on float32, and how many iterations a point takes is in the data",
    dimensions=lambda size: {"n": size, "m": size},
    arguments={"x": Array("float64", ("n",)), "y": Array("float64", ("m",))},
    results={"counts": Array("int32", ("m", "n"))},
    spellings={
        "plain": Spelling("a loop for each point", absent={**ABSENT, "numba": "run is the plain spelling"}),
        "lanes": Spelling("points of a row in vectors", absent={**ABSENT, "c": "run is written in lanes"}),
    },
)
