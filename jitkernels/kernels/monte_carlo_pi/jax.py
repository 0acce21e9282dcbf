"""monte_carlo_pi in JAX: its default generator, Threefry-2x32, with one key for each chunk.

Needs 64-bit integers: call it under ``jax.enable_x64(True)``, or set ``jax_enable_x64``. ``points`` is a traced value:
one program serves every size.

Threefry limits the speed: drawing its words and combining them by exclusive or takes as long as ``run``, to within a tenth
(EPYC with AVX2). On the CPU its rounds are a loop through memory. XLA's own generator,
``jax.random.key(seed, impl="rbg")``, is not faster.
"""

import jax
import jax.numpy as jnp

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers


def chunk():
    """Points in a chunk: round sizes are whole chunks, and XLA splits Threefry's rounds over the cores only from this length
    on. A GPU needs more."""
    device = jax.config.jax_default_device or jax.devices()[0]
    return 250_000 if device.platform == "cpu" else 10_000_000


def run(points, seed):
    key, length = jax.random.key(seed), chunk()

    def step(i, hits):
        # One evaluation of Threefry gives 64 bits, two coordinates of 24. jax.random.uniform would spend one on each.
        # They are in units of 2^-24 and go through int32: XLA converts 64-bit integers to floats in longer code.
        bits = jax.random.bits(jax.random.fold_in(key, i), (length,), jnp.uint64)
        x = (bits >> 40).astype(jnp.int32).astype(jnp.float32)
        y = (bits & 0xFFFFFF).astype(jnp.int32).astype(jnp.float32)
        left = jnp.minimum(points - i * length, length).astype(jnp.int32)
        inside = (x * x + y * y < 2.0**48) & (jnp.arange(length, dtype=jnp.int32) < left)
        return hits + inside.astype(jnp.uint32)

    # One count for each lane: XLA splits elementwise operations over the cores, but runs a sum to a scalar on one.
    hits = jax.lax.fori_loop(jnp.uint64(0), (points + length - 1) // length, step, jnp.zeros(length, jnp.uint32))
    return 4.0 * hits.sum(dtype=jnp.uint64) / points


def plain(points, seed):
    key_of_x, key_of_y = jax.random.split(jax.random.key(seed))
    x = jax.random.uniform(key_of_x, (points,), jnp.float32)
    y = jax.random.uniform(key_of_y, (points,), jnp.float32)
    return 4.0 * jnp.sum(x * x + y * y < 1) / points
