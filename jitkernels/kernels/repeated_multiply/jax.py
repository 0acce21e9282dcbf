"""repeated_multiply in JAX: the loop is an operation of the program, because tracing sees no value."""

import jax
import jax.numpy as jnp


def run(x, n):
    return jax.lax.fori_loop(0, n, lambda _, y: y * x, jnp.ones_like(x))


def naive(x, n):
    y = jnp.ones_like(x)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


static = naive  # with n a static argument the loop is unrolled while it is traced


def multiply(y, x):
    return y * x


def per_iteration(x, n, *, multiply=multiply):
    y = jnp.ones_like(x)
    for _ in range(int(n)):
        y = multiply(y, x)
    return y
