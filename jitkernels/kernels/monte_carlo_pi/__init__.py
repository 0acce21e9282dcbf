"""pi by Monte Carlo, as a good user of each framework writes it.

``run(points, seed) -> estimate``: draw ``points`` pairs (x, y), uniform in [0, 1), from the framework's own generator,
seeded with ``seed``; count those with x^2 + y^2 < 1; the estimate is 4 hits / points, a float64. The points are drawn in
chunks that stay in the cache, so a billion of them need no gigabytes. Generators differ, so answers differ between
backends by their standard error, 1.642 / sqrt(points); one backend gives the same answer for the same seed.

The generator is most of the work, so ``run`` uses all of its bits: where a word of 64 bits costs as much as one of 32, it
gives two coordinates. ``plain`` is what a reader of the article writes: whole arrays of uniform floats from the default
generator, x*x + y*y < 1, and a sum, compiled without options; in Numba a loop over ``np.random.random()``.

Source: "Benchmark of four JIT Backends" (dev.to/ssghost), where four compilers run this loop.
"""

from jitkernels.kernel import Kernel, Spelling
from jitkernels.kernels import _pi

LARGEST_ARRAY = 10_000_000  # points: their arrays and intermediate results take some hundred MB

kernel = Kernel(
    name="monte_carlo_pi",
    summary="pi from random points of the framework's own generator",
    unit="points",
    sizes=range(1, _pi.MOST_POINTS + 1),
    default_size=100_000,
    inputs=lambda points, seed: (points, seed),
    check=lambda estimate, points, seed, reference: _pi.assert_plausible(estimate, points),
    metrics=lambda estimate, points, seed, reference: _pi.metrics(estimate, points),
    work=lambda points: points,
    no_cost="most of its arithmetic is a generator's, on integers; the roof's is on float32",
    remark="On a CPU JAX and TensorFlow draw 250,000 points at least: with fewer their times do not show what a call costs.",
    spellings={
        "plain": Spelling(
            "the article's lines: whole arrays of uniform floats; in Numba, a loop",
            static=("points",),
            sizes=range(1, LARGEST_ARRAY + 1),
            tuned=False,
            absent={
                "python": "run is these lines",
                "c": "run is a plain loop, which is what the article's lines are in C",
                "triton": "a kernel in Triton is written in blocks, as the article's is and run is: no whole array is drawn",
            },
        ),
    },
)
