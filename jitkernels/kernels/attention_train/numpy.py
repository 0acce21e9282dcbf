"""attention_train in NumPy: the reference. The gradient is written by hand, because NumPy cannot derive it.

A d before a name means the derivative of the loss with respect to the named value.
"""

import numpy as np

HEADS = 4
RATE = 0.1
SLOPE, CUBIC = (2 / np.pi) ** 0.5, 0.044715  # gelu's


def normalised(x):
    """x with mean 0 and variance 1 along its last axis, and the deviation by which it was divided."""
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + 1e-5)
    return centred / deviation, deviation


def normalised_backward(dn, n, deviation):
    return (dn - dn.mean(axis=-1, keepdims=True) - n * (dn * n).mean(axis=-1, keepdims=True)) / deviation


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attention(qkv):
    """The heads' outputs side by side, and what the backward pass needs: q, k, v and the weights."""
    batch, sequence, projections = qkv.shape
    heads = qkv.reshape(batch, sequence, 3, HEADS, projections // (3 * HEADS)).transpose(2, 0, 3, 1, 4)
    q, k, v = heads  # each (batch, heads, sequence, width / heads)
    weights = softmax(q @ k.swapaxes(2, 3) * q.shape[3] ** -0.5)
    return (weights @ v).transpose(0, 2, 1, 3).reshape(batch, sequence, projections // 3), (q, k, v, weights)


def attention_backward(do, kept):
    q, k, v, weights = kept
    batch, sequence, width = do.shape
    do = do.reshape(batch, sequence, HEADS, width // HEADS).transpose(0, 2, 1, 3)
    dweights = do @ v.swapaxes(2, 3)
    dscores = weights * (dweights - (dweights * weights).sum(axis=-1, keepdims=True)) * q.shape[3] ** -0.5
    dheads = np.stack([dscores @ k, dscores.swapaxes(2, 3) @ q, weights.swapaxes(2, 3) @ do], axis=2)
    return dheads.transpose(0, 3, 2, 1, 4).reshape(batch, sequence, 3 * width)


def loss_and_gradients(parameters, x, labels):
    p, sample = parameters, np.arange(len(x))
    n1, _ = normalised(x)
    m1 = n1 * p["scale1"] + p["shift1"]
    o, kept = attention(m1 @ p["w_qkv"] + p["b_qkv"])
    y = x + o @ p["w_out"] + p["b_out"]  # (batch, sequence, width)
    n2, deviation = normalised(y)
    m2 = n2 * p["scale2"] + p["shift2"]
    u = m2 @ p["w1"] + p["b1"]  # (batch, sequence, hidden)
    t = np.tanh(SLOPE * (u + CUBIC * u * u * u))  # u**3 would call pow
    g = 0.5 * u * (1 + t)  # gelu
    z = y + g @ p["w2"] + p["b2"]
    pooled = z.mean(axis=1)
    logits = pooled @ p["w_head"] + p["b_head"]  # (batch, classes)
    logits -= logits.max(axis=1, keepdims=True)  # the softmax is the same, and exp cannot overflow
    log_softmax = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    loss = -log_softmax[sample, labels].mean()

    dlogits = np.exp(log_softmax)
    dlogits[sample, labels] -= 1
    dlogits /= len(x)
    dz = np.broadcast_to((dlogits @ p["w_head"].T)[:, np.newaxis] / x.shape[1], z.shape)
    dg = dz @ p["w2"].T
    du = dg * (0.5 * (1 + t) + 0.5 * u * (1 - t * t) * SLOPE * (1 + 3 * CUBIC * u * u))
    dm2 = du @ p["w1"].T
    dy = dz + normalised_backward(dm2 * p["scale2"], n2, deviation)
    dqkv = attention_backward(dy @ p["w_out"].T, kept)
    dm1 = dqkv @ p["w_qkv"].T
    return loss, {
        "scale1": total(dm1 * n1), "shift1": total(dm1),
        "w_qkv": product(m1, dqkv), "b_qkv": total(dqkv),
        "w_out": product(o, dy), "b_out": total(dy),
        "scale2": total(dm2 * n2), "shift2": total(dm2),
        "w1": product(m2, du), "b1": total(du),
        "w2": product(g, dz), "b2": total(dz),
        "w_head": pooled.T @ dlogits, "b_head": dlogits.sum(axis=0),
    }  # fmt: skip


def total(d):
    """The sum over all tokens of the batch."""
    return d.sum(axis=(0, 1))


def product(x, d):
    """The gradient of a weight that x was multiplied with: x^T d over all tokens of the batch, as one matrix product."""
    return x.reshape(-1, x.shape[2]).T @ d.reshape(-1, d.shape[2])


def run(parameters, x, labels):
    loss, gradients = loss_and_gradients(parameters, x, labels)
    return loss, {name: p - RATE * gradients[name] for name, p in parameters.items()}
