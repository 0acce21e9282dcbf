"""monte_carlo_pi in JAX: its default generator, Threefry-2x32, with one key a chunk.

Needs 64-bit integers: call it under ``jax.enable_x64(True)``, or set ``jax_enable_x64``. ``points`` is a traced value:
one program serves every size.

Threefry bounds it: its words alone, added up by exclusive or, take as long as ``run`` to within a tenth (EPYC with AVX2): on
the CPU its rounds are a loop through memory. ``jax.random.key(seed, impl="rbg")``, XLA's own generator, gains nothing.
"""

import jax
import jax.numpy as jnp

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers


def chunk():
    """Points: round sizes are whole chunks; XLA splits Threefry's rounds over the cores only from this much on. A GPU is
    filled by more."""
    device = jax.config.jax_default_device or jax.devices()[0]
    return 250_000 if device.platform == "cpu" else 10_000_000


def run(points, seed):
    key, length = jax.random.key(seed), chunk()

    def step(i, hits):
        # One evaluation of Threefry gives 64 bits, two coordinates of 24. jax.random.uniform would spend one on each.
        # In units of 2^-24, and by way of int32: from 64-bit integers XLA converts in longer code.
        bits = jax.random.bits(jax.random.fold_in(key, i), (length,), jnp.uint64)
        x = (bits >> 40).astype(jnp.int32).astype(jnp.float32)
        y = (bits & 0xFFFFFF).astype(jnp.int32).astype(jnp.float32)
        left = jnp.minimum(points - i * length, length).astype(jnp.int32)
        inside = (x * x + y * y < 2.0**48) & (jnp.arange(length, dtype=jnp.int32) < left)
        return hits + inside.astype(jnp.uint32)

    # One count a lane: XLA splits an elementwise operation over the cores, but runs a sum to a scalar on one.
    hits = jax.lax.fori_loop(jnp.uint64(0), (points + length - 1) // length, step, jnp.zeros(length, jnp.uint32))
    return 4.0 * hits.sum(dtype=jnp.uint64) / points


def plain(points, seed):
    key_of_x, key_of_y = jax.random.split(jax.random.key(seed))
    x = jax.random.uniform(key_of_x, (points,), jnp.float32)
    y = jax.random.uniform(key_of_y, (points,), jnp.float32)
    return 4.0 * jnp.sum(x * x + y * y < 1) / points
