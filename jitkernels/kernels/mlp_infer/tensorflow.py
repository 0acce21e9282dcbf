"""mlp_infer in TensorFlow."""

import tensorflow as tf


def run(parameters, x):
    p = parameters
    h1 = tf.nn.relu(x @ p["w1"] + p["b1"])  # (batch, hidden)
    h2 = tf.nn.relu(h1 @ p["w2"] + p["b2"])
    return h2 @ p["w3"] + p["b3"]  # (batch, classes)
