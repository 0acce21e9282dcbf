"""layer_norm in TensorFlow.

Written out, because tf.nn.batch_normalization multiplies out to x s + (offset - mean s), whose two halves cancel where a
row varies little: off by 3e-5 for a constant row, where the order below is exact.
"""

import tensorflow as tf


def run(x, scale, offset):
    mean, variance = tf.nn.moments(x, axes=[1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5) * scale + offset
