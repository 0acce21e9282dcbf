"""layer_norm in JAX."""

import jax


def run(x, scale, offset):
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred * centred).mean(axis=1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + 1e-5) * scale + offset
