"""layer_norm in TensorFlow."""

import tensorflow as tf


def run(x, scale, offset):
    mean, variance = tf.nn.moments(x, axes=[1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-5)
