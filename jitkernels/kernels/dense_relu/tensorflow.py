"""dense_relu in TensorFlow. On a GPU the default is TF32, with 10 bits."""

import tensorflow as tf


def run(W, X):
    return tf.nn.relu(tf.matmul(W, X))
