"""square_or_cube in JAX: the condition is an operation of the program, because tracing sees no value."""

import jax
import jax.numpy as jnp


def run(x):
    return jax.lax.cond(x % 2 == 0, lambda x: x * x, lambda x: x * x * x, x)


cond = run


def naive(x):
    if x % 2 == 0:
        return x * x
    return x * x * x


static = naive  # with x a static argument it is a number while it is traced


def where(x):
    return jnp.where(x % 2 == 0, x * x, x * x * x)
