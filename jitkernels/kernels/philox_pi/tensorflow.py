"""philox_pi in TensorFlow: a loop over steps of the stream, each a few hundred operations on a vector of counters.

``points`` is a tensor, and one program serves every size: the comments in ``run`` say what XLA needs for that.
"""

import tensorflow as tf

M0, M1 = 0xD2511F53, 0xCD9E8D57
W0, W1 = 0x9E3779B9, 0xBB67AE85
WORD = 0xFFFFFFFF
LANES = 2**15  # counters in a vector: enough to split over the cores, and few enough for the cache
BLOCKS = 3  # of each lane in a step: one is a chain of dependent operations; many do not fit the registers

shift_right = tf.bitwise.right_shift


def round_keys(seed):
    """The two key words of each round. Like the counters, only their low halves count."""
    k0, k1 = seed, shift_right(seed, 32)
    return [(k0 + i * W0, k1 + i * W1) for i in range(10)]


def philox(c0, c1, keys):
    """Counter words, uint64 -> four words. Only the low half of each 64-bit lane counts.

    The high halves are masked off before each product: XLA's compiler sees a 32 x 32 -> 64-bit multiplication and drops the
    mask. To mask the words themselves, or to pack them as uint32, costs instructions.
    """
    # Tensors, so that the graph holds each once and not once for each use: tracing is the longer half of a cold call.
    m0, m1, word, half, zero = (tf.constant(value, tf.uint64) for value in (M0, M1, WORD, 32, 0))
    c2 = c3 = zero
    for k0, k1 in keys:
        p0, p1 = m0 * (c0 & word), m1 * (c2 & word)
        c0, c1, c2, c3 = shift_right(p1, half) ^ c1 ^ k0, p1, shift_right(p0, half) ^ c3 ^ k1, p0
    return c0, c1, c2, c3


def inside(word):
    """Words -> uint32 0 or 1: whether the point lies inside the quarter circle of radius 2^16."""
    word = tf.cast(word & WORD, tf.uint32)
    x, y = word & 0xFFFF, shift_right(word, 16)
    return tf.cast(x * x + x <= ~(y * y + y), tf.uint32)


def step_of(block):
    return tf.cast(block // (BLOCKS * LANES), tf.int64)


def hits_by_lane(step, steps, counts, keys):
    """Hits uint32[LANES] of the steps from ``step`` up to ``steps``, in the blocks for which ``counts(block)`` is true."""
    hits = tf.zeros(LANES, tf.uint32)  # one for each lane: XLA splits elementwise operations over the cores, but not a sum
    while step < steps:  # a for over tf.range leaves Range in the graph: XLA compiles again for each length
        lane = tf.cast(tf.range(LANES), tf.uint64)  # made here, it stays in registers; made outside, it is read again
        for j in range(BLOCKS):
            first = tf.cast((step * BLOCKS + j) * LANES, tf.uint64)  # so the upper counter word is the same in all lanes
            in_block = tf.add_n([inside(word) for word in philox(first + lane, shift_right(first, 32), keys)])
            hits += tf.where(counts(first + lane), in_block, tf.zeros_like(in_block))
        step += 1
    return hits


def blocks(first, last, seed):
    def counts(block):
        return (block >= first) & (block < last)

    hits = hits_by_lane(step_of(first), step_of(last + (BLOCKS * LANES - 1)), counts, round_keys(seed))
    return tf.reduce_sum(tf.cast(hits, tf.uint64))


def run(points, seed):
    blocks = points // 4  # whole ones
    keys = round_keys(seed)

    def counts(block):
        return block < blocks

    hits = hits_by_lane(tf.constant(0, tf.int64), step_of(blocks + (BLOCKS * LANES - 1)), counts, keys)
    rest = inside(tf.stack(philox(blocks, shift_right(blocks, 32), keys)))
    rest = tf.where(tf.range(4, dtype=tf.int64) < tf.cast(points % 4, tf.int64), rest, tf.zeros_like(rest))
    return tf.reduce_sum(tf.cast(hits, tf.uint64)) + tf.reduce_sum(tf.cast(rest, tf.uint64))
