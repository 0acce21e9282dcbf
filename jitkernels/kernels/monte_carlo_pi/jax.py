"""monte_carlo_pi in JAX: its default generator, Threefry-2x32, with one key a chunk.

Needs 64-bit integers: call it under ``jax.enable_x64(True)``, or set ``jax_enable_x64``. ``points`` is a traced value:
one program serves every size.
"""

import jax
import jax.numpy as jnp

CHUNK = 2**19  # points: XLA splits Threefry's rounds over the cores only when they work on this much; 16 MB in all

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers


def run(points, seed):
    key = jax.random.key(seed)

    def step(i, hits):
        # One evaluation of Threefry gives 64 bits, two floats of 24. jax.random.uniform would spend one on each float,
        # and the generator is what bounds this kernel: on the CPU its rounds are a loop through memory.
        bits = jax.random.bits(jax.random.fold_in(key, i), (CHUNK,), jnp.uint64)
        x = (bits >> 40).astype(jnp.float32) * 2**-24
        y = (bits & 0xFFFFFF).astype(jnp.float32) * 2**-24
        inside = (x * x + y * y < 1) & (i * CHUNK + jnp.arange(CHUNK, dtype=jnp.uint64) < points)
        return hits + inside.astype(jnp.uint32)

    # One count a lane: XLA splits an elementwise operation over the cores, but runs a sum to a scalar on one.
    hits = jax.lax.fori_loop(jnp.uint64(0), (points + CHUNK - 1) // CHUNK, step, jnp.zeros(CHUNK, jnp.uint32))
    return 4.0 * hits.sum(dtype=jnp.uint64) / points
