"""dense_relu in TensorFlow. On a GPU its default is TF32, as dense says."""

import tensorflow as tf


def run(W, X):
    return tf.nn.relu(tf.matmul(W, X))
