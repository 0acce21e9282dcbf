"""mandelbrot in TensorFlow: an iteration for all points at once. Points outside go on to infinity and NaN and are no longer
counted: z never comes back into the circle.
"""

import tensorflow as tf

MOST = 200
UNROLL = 10  # iterations after which XLA writes z and the counts to memory


def run(x, y):
    x, y = tf.meshgrid(x, y)
    zx, zy, counts = tf.zeros_like(x), tf.zeros_like(y), tf.zeros_like(x, tf.int32)
    for _ in tf.range(MOST // UNROLL):
        for _ in range(UNROLL):
            xx, yy = zx * zx, zy * zy
            counts += tf.cast(xx + yy <= 4, tf.int32)
            zx, zy = xx - yy + x, 2 * zx * zy + y
    return counts
