"""square_or_cube in TensorFlow: AutoGraph makes a ``tf.cond`` of the branch, whose condition is a tensor."""

import tensorflow as tf


def run(x):
    if x % 2 == 0:
        return x * x
    else:  # AutoGraph wants both branches to return; without "else" it has to rewrite the rest of the function
        return x * x * x


naive = run
static = run  # a Python number is a constant of the graph, so the branch is Python's


def where(x):
    return tf.where(x % 2 == 0, x * x, x * x * x)


def cond(x):
    return tf.cond(x % 2 == 0, lambda: x * x, lambda: x * x * x)
