"""monte_carlo_pi in TensorFlow: its stateless generator, Philox, with one seed a chunk.

``points`` is a tensor: one program serves every size.
"""

import tensorflow as tf

CHUNK = 2**18  # points: long enough to hide what an operation costs to launch; its few MB stay in the cache


def inside(seed, chunk):
    """Whether each point of a chunk lies inside the quarter circle, bool[CHUNK].

    The generator bounds this kernel, so it is asked for the words it makes, 64 bits, two coordinates of 24 bits. Asked
    for floats, XLA computes each block of Philox four times, in scalar code. int64 and int32, because TensorFlow's cast
    from uint32 to float is slow; coordinates in units of 2^-24, which saves a pass over them.
    """
    seed = tf.random.experimental.stateless_fold_in(seed, chunk)
    words = tf.random.stateless_uniform((CHUNK,), seed, minval=None, maxval=None, dtype=tf.int64)
    x, y = tf.unstack(tf.square(tf.cast(tf.reshape(tf.bitcast(words, tf.int32), (2, CHUNK)) & 0xFFFFFF, tf.float32)))
    return x + y < 2.0**48


def run(points, seed):
    points = tf.cast(points, tf.int64)
    seed = tf.cast(tf.bitcast(seed, tf.uint32), tf.int64)  # two seeds of 32 bits: XLA drops the high half of each
    hits = tf.zeros(CHUNK, tf.int32)  # one a lane: XLA splits an elementwise operation over the cores, but not a sum
    for chunk in tf.range(points // CHUNK):
        hits += tf.cast(inside(seed, chunk), tf.int32)
    rest = inside(seed, points // CHUNK) & (tf.range(CHUNK, dtype=tf.int64) < points % CHUNK)
    hits += tf.cast(rest, tf.int32)
    return 4 * tf.cast(tf.reduce_sum(tf.cast(hits, tf.int64)), tf.float64) / tf.cast(points, tf.float64)
