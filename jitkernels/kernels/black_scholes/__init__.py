"""European option prices by Black and Scholes: logarithms, exponentials and square roots of whole arrays, little else.

``run(spot, strike, time) -> (call, put)``, all float32[n]. spot, strike: today's price of the share, and the agreed price,
in one currency. time: years until the agreed date. call, put: the values of the right to buy and of the right to sell. The
yearly interest rate r = 0.02 and the volatility v = 0.30 are constants. All inputs are above zero.

    d1 = (log(spot / strike) + (r + v^2 / 2) time) / (v sqrt(time))        d2 = d1 - v sqrt(time)
    call = spot cdf(d1) - strike exp(-r time) cdf(d2)                      put = strike exp(-r time) cdf(-d2) - spot cdf(-d1)

``cdf`` is the normal distribution, by formula 26.2.17 of Abramowitz and Stegun, off by at most 7.5e-8: with k = 1 / (1 +
0.2316419 |d|), cdf(-|d|) = exp(-d^2 / 2) / sqrt(2 pi) (A1 k + A2 k^2 + ... + A5 k^5). Every dialect evaluates this
polynomial, because NumPy has no erf, and one formula for all leaves only rounding as a difference. The best-known versions
(PARSEC, NVIDIA's CUDA samples) use it too. The market (spot 5 to 30, strike 1 to 100, a quarter to ten years, r and v) is
that of the CUDA samples.

Sources: Black and Scholes, "The pricing of options and corporate liabilities", J. Political Economy 81 (1973); Abramowitz
and Stegun, "Handbook of mathematical functions" (1964); Bienia and others, "The PARSEC benchmark suite", PACT 2008.
"""

from typing import Any

from jitkernels.kernel import Kernel
from jitkernels.kernels import _arrays, _close
from jitkernels.shapes import Array

# A price is the difference of two products of at most the largest strike, which is nearly the largest price. Each product
# has about ten roundings of 2^-24, or twice that for an exp or log that is accurate to 2 ulp: 2 x 10 x 2 x 2^-24.
TOLERANCE = 2.4e-6

OPTIONS = Array("float32", ("n",))


def inputs(size: int, seed: int) -> tuple[Any, ...]:
    """Uniform: spot from 5 to 30, strike from 1 to 100, time from 0.25 to 10 years."""
    generator = _arrays.generator(seed)
    return tuple(generator.uniform(low, high, size).astype("float32") for low, high in ((5, 30), (1, 100), (0.25, 10)))


kernel = Kernel(
    name="black_scholes",
    summary="prices of European options: log, exp and sqrt of arrays",
    unit="options",
    sizes=range(1, 2**28),
    default_size=10_000,
    inputs=inputs,
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: size,
    cost=lambda size: (53 * size, kernel.array_bytes(size)),
    dimensions=lambda size: {"n": size},
    arguments={"spot": OPTIONS, "strike": OPTIONS, "time": OPTIONS},
    results={"call": OPTIONS, "put": OPTIONS},
    absent={"python": "plain Python has no arrays; mandelbrot and nbody show its loops"},
)
