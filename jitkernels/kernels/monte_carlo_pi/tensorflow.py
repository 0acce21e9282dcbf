"""monte_carlo_pi in TensorFlow: its stateless generator, Philox, with one seed for each chunk.

``points`` is a tensor, and one program serves every size: the comments in ``run`` say what XLA needs for that.

Philox limits the speed: its words take nearly 90 % of the processor seconds of ``run`` in XLA and 83 to 88 % in a graph. So
a million points in a graph are no faster than ``plain`` (0.96 to 1.02 of its speed; EPYC with AVX2); a gain is possible if
whole arrays leave the cache. In XLA ThreeFry (``alg="threefry"``) would be a fifth faster than the default. With one mask
for all chunks, instead of the ``if`` after the loop, XLA draws every word four times: 3.4 times slower.
"""

import tensorflow as tf

CHUNK = 250_000  # points: round sizes are whole chunks; long enough to hide a launch, its few MB stay in the cache

compiler_options = {"tensorflow_xla": {"run": {"words": True}}}


def inside(seed, chunk, words):
    """Whether each point of a chunk lies inside the quarter circle, bool[CHUNK].

    words: draw int64[CHUNK], each two coordinates of 32 bits. For floats, XLA computes each block of Philox four times, in
    scalar code. The words are signed, because TensorFlow's cast from uint32 to float is slow: x and y are in units of 2^-31,
    and their squares lose the signs. A graph draws floats as fast as words.
    """
    seed = tf.random.experimental.stateless_fold_in(seed, chunk)
    if words:
        bits = tf.random.stateless_uniform((CHUNK,), seed, minval=None, maxval=None, dtype=tf.int64)
        x, y = tf.unstack(tf.square(tf.cast(tf.reshape(tf.bitcast(bits, tf.int32), (2, CHUNK)), tf.float32)))
        return x + y < 2.0**62
    x, y = tf.unstack(tf.square(tf.random.stateless_uniform((2, CHUNK), seed)))
    return x + y < 1.0


def run(points, seed, *, words=False):
    points, seed = tf.cast(points, tf.int64), halves(seed)
    hits = tf.zeros(CHUNK, tf.int32)  # one for each lane: XLA splits elementwise operations over the cores, but not a sum
    chunk = tf.constant(0, tf.int64)
    while chunk < points // CHUNK:  # a for over tf.range leaves Range in the graph: XLA compiles again for each length
        hits += tf.cast(inside(seed, chunk, words), tf.int32)
        chunk += 1
    if points % CHUNK > 0:
        rest = inside(seed, points // CHUNK, words) & (tf.range(CHUNK, dtype=tf.int64) < points % CHUNK)
        hits += tf.cast(rest, tf.int32)
    return 4 * tf.reduce_sum(tf.cast(hits, tf.int64)) / points


def halves(seed):
    """Two seeds of 32 bits, int64[2]: XLA drops the high half of each."""
    return tf.cast(tf.bitcast(seed, tf.uint32), tf.int64)


def plain(points, seed):
    seed_of_x, seed_of_y = tf.unstack(tf.random.experimental.stateless_split(halves(seed), 2))
    x = tf.random.stateless_uniform((points,), seed_of_x)  # two rows of one draw would take XLA 25 times as long
    y = tf.random.stateless_uniform((points,), seed_of_y)
    return 4 * tf.math.count_nonzero(x * x + y * y < 1) / points
