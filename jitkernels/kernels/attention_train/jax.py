"""attention_train in JAX: one program for the whole step."""

import jax
import jax.numpy as jnp
from jax.nn import dot_product_attention, gelu, log_softmax, standardize

HEADS = 4
RATE = 0.1


def layer_norm(x, scale, shift):
    return standardize(x, epsilon=1e-5) * scale + shift


def attention(qkv):
    batch, sequence, projections = qkv.shape
    heads = qkv.reshape(batch, sequence, 3, HEADS, projections // (3 * HEADS))
    q, k, v = heads[:, :, 0], heads[:, :, 1], heads[:, :, 2]  # each (batch, sequence, heads, width / heads)
    return dot_product_attention(q, k, v).reshape(batch, sequence, projections // 3)


def loss(parameters, x, labels):
    p = parameters
    qkv = layer_norm(x, p["scale1"], p["shift1"]) @ p["w_qkv"] + p["b_qkv"]
    y = x + attention(qkv) @ p["w_out"] + p["b_out"]  # (batch, sequence, width)
    u = layer_norm(y, p["scale2"], p["shift2"]) @ p["w1"] + p["b1"]  # (batch, sequence, hidden)
    z = y + gelu(u) @ p["w2"] + p["b2"]  # in its tanh form, JAX's default
    logits = z.mean(axis=1) @ p["w_head"] + p["b_head"]  # (batch, classes)
    return -jnp.take_along_axis(log_softmax(logits), labels[:, None], axis=1).mean()


def run(parameters, x, labels):
    with jax.default_matmul_precision("float32"):  # on a GPU the default is TF32
        value, gradients = jax.value_and_grad(loss)(parameters, x, labels)
    return value, jax.tree_util.tree_map(lambda p, gradient: p - RATE * gradient, parameters, gradients)
