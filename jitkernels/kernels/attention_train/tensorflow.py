"""attention_train in TensorFlow: the tape is inside the function, so the graph also has the backward pass and the update."""

import tensorflow as tf

HEADS = 4
RATE = 0.1


def layer_norm(x, scale, shift):
    mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, shift, scale, 1e-5)


def dense(x, weights, bias):
    return tf.tensordot(x, weights, 1) + bias  # one matrix product; ``x @ weights`` would be one for each sample


def attention(qkv):
    batch, sequence, projections = qkv.shape
    heads = tf.reshape(qkv, (batch, sequence, 3, HEADS, projections // (3 * HEADS)))
    q, k, v = tf.unstack(tf.transpose(heads, (2, 0, 3, 1, 4)))  # each (batch, heads, sequence, width / heads)
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * q.shape[3] ** -0.5)
    return tf.reshape(tf.transpose(weights @ v, (0, 2, 1, 3)), (batch, sequence, projections // 3))


def run(parameters, x, labels):
    p = parameters
    with tf.GradientTape() as tape:
        tape.watch(p)
        qkv = dense(layer_norm(x, p["scale1"], p["shift1"]), p["w_qkv"], p["b_qkv"])
        y = x + dense(attention(qkv), p["w_out"], p["b_out"])  # (batch, sequence, width)
        u = dense(layer_norm(y, p["scale2"], p["shift2"]), p["w1"], p["b1"])  # (batch, sequence, hidden)
        z = y + dense(tf.nn.gelu(u, approximate=True), p["w2"], p["b2"])
        logits = tf.reduce_mean(z, axis=1) @ p["w_head"] + p["b_head"]  # (batch, classes)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    gradients = tape.gradient(loss, p)
    return loss, {name: p[name] - RATE * gradients[name] for name in p}
