"""attention_infer in NumPy: the reference."""

import numpy as np

HEADS = 4


def layer_norm(x, scale, shift):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + 1e-5) * scale + shift


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def gelu(u):
    return 0.5 * u * (1 + np.tanh((2 / np.pi) ** 0.5 * (u + 0.044715 * u * u * u)))  # u**3 would call pow


def attention(qkv):
    batch, sequence, projections = qkv.shape
    heads = qkv.reshape(batch, sequence, 3, HEADS, projections // (3 * HEADS)).transpose(2, 0, 3, 1, 4)
    q, k, v = heads  # each (batch, heads, sequence, width / heads)
    weights = softmax(q @ k.swapaxes(2, 3) * q.shape[3] ** -0.5)
    return (weights @ v).transpose(0, 2, 1, 3).reshape(batch, sequence, projections // 3)


def run(parameters, x):
    p = parameters
    qkv = layer_norm(x, p["scale1"], p["shift1"]) @ p["w_qkv"] + p["b_qkv"]
    y = x + attention(qkv) @ p["w_out"] + p["b_out"]  # (batch, sequence, width)
    u = layer_norm(y, p["scale2"], p["shift2"]) @ p["w1"] + p["b1"]  # (batch, sequence, hidden)
    z = y + gelu(u) @ p["w2"] + p["b2"]
    return z.mean(axis=1) @ p["w_head"] + p["b_head"]  # (batch, classes)
