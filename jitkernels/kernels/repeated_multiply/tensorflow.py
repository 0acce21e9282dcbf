"""repeated_multiply in TensorFlow: AutoGraph makes a ``tf.while_loop`` of a loop whose condition is a tensor."""

import tensorflow as tf


def run(x, n):
    y = tf.ones_like(x)
    count = tf.constant(0)
    while count < n:
        y = y * x
        count += 1
    return y


def naive(x, n):
    y = tf.ones_like(x)
    count = 0
    while count < n:
        y = y * x
        count += 1
    return y


static = naive  # a Python number is a constant of the graph, so the loop is Python's, and unrolled


def multiply(y, x):
    return y * x


def per_iteration(x, n, *, multiply=multiply):
    y = tf.ones_like(x)
    for _ in range(int(n)):
        y = multiply(y, x)
    return y
