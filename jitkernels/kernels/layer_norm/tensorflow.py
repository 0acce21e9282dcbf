"""layer_norm in TensorFlow.

Written out, because tf.nn.batch_normalization computes x s + (offset - mean s). Its two terms cancel if a row varies little:
a constant row is off by 3e-5. The order below is exact for it.
"""

import tensorflow as tf


def run(x, scale, offset):
    mean, variance = tf.nn.moments(x, axes=[1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5) * scale + offset
