"""black_scholes in JAX."""

import jax.numpy as jnp

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers

RATE, VOLATILITY = 0.02, 0.30
A1, A2, A3, A4, A5 = 0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429


def cdf(d):
    """The normal distribution, and one minus it."""
    k = 1 / (1 + 0.2316419 * jnp.abs(d))
    tail = jnp.exp(-0.5 * d * d) * 0.3989422804014327 * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))))
    return jnp.where(d > 0, 1 - tail, tail), jnp.where(d > 0, tail, 1 - tail)


def run(spot, strike, time):
    deviation = VOLATILITY * jnp.sqrt(time)
    d1 = (jnp.log(spot / strike) + (RATE + 0.5 * VOLATILITY**2) * time) / deviation
    up1, down1 = cdf(d1)
    up2, down2 = cdf(d1 - deviation)
    discounted = strike * jnp.exp(-RATE * time)
    return spot * up1 - discounted * up2, discounted * down2 - spot * down1
