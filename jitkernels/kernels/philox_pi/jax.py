"""philox_pi in JAX: a loop over steps of the stream, each one fused operation on a vector of counters.

Needs 64-bit integers: call it under ``jax.enable_x64(True)``, or set ``jax_enable_x64``. ``points`` is a traced value:
one program serves every size.
"""

import jax
import jax.numpy as jnp

M0, M1 = 0xD2511F53, 0xCD9E8D57
W0, W1 = 0x9E3779B9, 0xBB67AE85
WORD = 0xFFFFFFFF
BLOCKS = 4  # of each lane in a step: one is a chain of dependent operations; many do not fit the registers

compiler_options = {"jax": {"xla_cpu_prefer_vector_width": 512}}  # XLA's own choice is half of AVX-512's registers


def lanes():
    """Counters in a vector: enough to split over the cores, and few enough for the cache. A GPU needs more."""
    device = jax.config.jax_default_device or jax.devices()[0]
    return 2**15 if device.platform == "cpu" else 2**20


def philox(c0, c1, seed):
    """Counter words, uint64 -> four words. Only the low half of each 64-bit lane counts.

    The high halves are masked off before each product: the compiler sees a 32 x 32 -> 64-bit multiplication and drops the
    mask. To mask the words themselves, or to pack them as uint32, costs instructions.
    """
    c2 = c3 = jnp.uint64(0)
    k0, k1 = seed, seed >> 32
    for _ in range(10):
        p0, p1 = M0 * (c0 & WORD), M1 * (c2 & WORD)
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1, (p0 >> 32) ^ c3 ^ k1, p0
        k0, k1 = k0 + W0, k1 + W1
    return c0, c1, c2, c3


def inside(word):
    """Words -> uint32 0 or 1: whether the point lies inside the quarter circle of radius 2^16."""
    word = word.astype(jnp.uint32)
    x, y = word & 0xFFFF, word >> 16
    return (x * x + x <= ~(y * y + y)).astype(jnp.uint32)


def hits_by_lane(begin, end, counts, seed):
    """Hits uint32[lanes()] of the steps from ``begin`` up to ``end``, in the blocks for which ``counts(block)`` is true."""
    length = lanes()

    def step(i, hits):
        lane = jnp.arange(length, dtype=jnp.uint64)  # made here, it stays in registers; made outside, it is read again
        for j in range(BLOCKS):
            first = (i * BLOCKS + j) * length  # a multiple of length, so the upper counter word is the same in all lanes
            in_block = sum(map(inside, philox(first + lane, first >> 32, seed)))
            hits += jnp.where(counts(first + lane), in_block, jnp.uint32(0))
        return hits

    # One count for each lane: XLA splits elementwise operations over the cores, but runs a sum to a scalar on one.
    return jax.lax.fori_loop(begin, end, step, jnp.zeros(length, jnp.uint32))


def blocks(first, last, seed):
    step = BLOCKS * lanes()
    hits = hits_by_lane(first // step, (last + step - 1) // step, lambda block: (block >= first) & (block < last), seed)
    return hits.sum(dtype=jnp.uint64)


def run(points, seed):
    blocks = points // 4  # whole ones
    step = BLOCKS * lanes()
    steps = (blocks + step - 1) // step
    hits = hits_by_lane(jnp.uint64(0), steps, lambda block: block < blocks, seed)
    rest = inside(jnp.stack(philox(blocks, blocks >> 32, seed))) * (jnp.arange(4) < points % 4)
    return hits.sum(dtype=jnp.uint64) + rest.sum(dtype=jnp.uint64)
