"""black_scholes in Numba: a loop over the options, which ``parallel=True`` splits among the threads.

Constants are float32: a Python float beside a float32 makes Numba compute in float64. ``math.exp`` and ``math.log`` are
calls into the C library, one number at a time. Before 0.62, Numba could call Intel's SVML for vectors.
"""

import math

import numpy as np
from numba import prange
from numba.extending import register_jitable

RATE, VOLATILITY = np.float32(0.02), np.float32(0.30)
DRIFT = np.float32(0.02 + 0.5 * 0.30**2)
A1, A2, A3, A4, A5 = map(np.float32, (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429))
HALF, ONE, DENSITY, SLOPE = map(np.float32, (0.5, 1, 0.3989422804014327, 0.2316419))

OPTIONS = {"error_model": "numpy"}  # a division by zero gives infinity, not Python's exception
compiler_options = {"numba": OPTIONS, "numba_parallel": OPTIONS}


@register_jitable(**OPTIONS)
def cdf(d):
    """The normal distribution, and one minus it."""
    k = ONE / (ONE + SLOPE * abs(d))
    tail = math.exp(-HALF * d * d) * DENSITY * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return (ONE - tail, tail) if d > 0 else (tail, ONE - tail)


def run(spot, strike, time):
    call, put = np.empty_like(spot), np.empty_like(spot)
    for i in prange(spot.size):
        deviation = VOLATILITY * math.sqrt(time[i])
        d1 = (math.log(spot[i] / strike[i]) + DRIFT * time[i]) / deviation
        up1, down1 = cdf(d1)
        up2, down2 = cdf(d1 - deviation)
        discounted = strike[i] * math.exp(-RATE * time[i])
        call[i] = spot[i] * up1 - discounted * up2
        put[i] = discounted * down2 - spot[i] * down1
    return call, put
