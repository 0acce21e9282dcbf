"""convnet_infer in TensorFlow. On the CPU its convolutions take only images in NHWC and weights in HWIO.

Both are transposed inside, a cost of the framework. The last feature map goes back to NCHW, which ``w6`` expects.
"""

import tensorflow as tf


def conv(x, w, b, stride=1, pad=0):
    padding = [[0, 0], [pad, pad], [pad, pad], [0, 0]]
    return tf.nn.bias_add(tf.nn.conv2d(x, tf.transpose(w, (2, 3, 1, 0)), stride, padding), b)


def max_pool(x):
    return tf.nn.max_pool2d(x, 3, 2, "VALID")


def dense(h, w, b):
    return tf.nn.bias_add(tf.matmul(h, w, transpose_b=True), b)


def run(parameters, x):
    p = parameters
    h = tf.transpose(x, (0, 2, 3, 1))
    h = max_pool(tf.nn.relu(conv(h, p["w1"], p["b1"], stride=4, pad=2)))
    h = max_pool(tf.nn.relu(conv(h, p["w2"], p["b2"], pad=2)))
    h = tf.nn.relu(conv(h, p["w3"], p["b3"], pad=1))
    h = tf.nn.relu(conv(h, p["w4"], p["b4"], pad=1))
    h = max_pool(tf.nn.relu(conv(h, p["w5"], p["b5"], pad=1)))
    h = tf.reshape(tf.transpose(h, (0, 3, 1, 2)), (len(x), -1))
    h = tf.nn.relu(dense(h, p["w6"], p["b6"]))
    h = tf.nn.relu(dense(h, p["w7"], p["b7"]))
    return dense(h, p["w8"], p["b8"])
