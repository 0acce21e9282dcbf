"""mlp_train in TensorFlow: the tape is inside the function, so the graph also has the backward pass and the update."""

import tensorflow as tf

RATE = 0.01


def run(parameters, x, labels):
    p = parameters
    with tf.GradientTape() as tape:
        tape.watch(p)
        h1 = tf.nn.relu(x @ p["w1"] + p["b1"])  # (batch, hidden)
        h2 = tf.nn.relu(h1 @ p["w2"] + p["b2"])
        logits = h2 @ p["w3"] + p["b3"]  # (batch, classes)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    gradients = tape.gradient(loss, p)
    return loss, {name: p[name] - RATE * gradients[name] for name in p}
