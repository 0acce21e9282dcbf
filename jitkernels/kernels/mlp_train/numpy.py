"""mlp_train in NumPy: the reference. The gradient is written by hand, because NumPy cannot derive it."""

import numpy as np

RATE = 0.01


def loss_and_gradients(parameters, x, labels):
    p, sample = parameters, np.arange(len(x))
    h1 = np.maximum(x @ p["w1"] + p["b1"], 0)  # (batch, hidden)
    h2 = np.maximum(h1 @ p["w2"] + p["b2"], 0)
    logits = h2 @ p["w3"] + p["b3"]  # (batch, classes)
    logits -= logits.max(axis=1, keepdims=True)  # the softmax is the same, and exp cannot overflow
    log_softmax = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    loss = -log_softmax[sample, labels].mean()

    d3 = np.exp(log_softmax)  # the derivative of the loss with respect to logits, and so on down
    d3[sample, labels] -= 1
    d3 /= len(x)
    d2 = (d3 @ p["w3"].T) * (h2 > 0)
    d1 = (d2 @ p["w2"].T) * (h1 > 0)
    return loss, {
        "w1": x.T @ d1, "b1": d1.sum(axis=0),
        "w2": h1.T @ d2, "b2": d2.sum(axis=0),
        "w3": h2.T @ d3, "b3": d3.sum(axis=0),
    }  # fmt: skip


def run(parameters, x, labels):
    loss, gradients = loss_and_gradients(parameters, x, labels)
    return loss, {name: p - RATE * gradients[name] for name, p in parameters.items()}
