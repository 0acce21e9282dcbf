"""mandelbrot in JAX: an iteration for all points at once. Points outside go on to infinity and NaN and are no longer
counted: z never comes back into the circle.
"""

import jax
import jax.numpy as jnp

MOST = 200
UNROLL = 10  # iterations after which z and the counts are written to memory

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers


def run(x, y):
    x, y = jnp.meshgrid(x, y)

    def step(_, state):
        zx, zy, counts = state
        xx, yy = zx * zx, zy * zy
        return xx - yy + x, 2 * zx * zy + y, counts + (xx + yy <= 4)

    start = jnp.zeros_like(x), jnp.zeros_like(y), jnp.zeros(x.shape, jnp.int32)
    return jax.lax.fori_loop(0, MOST, step, start, unroll=UNROLL)[2]
