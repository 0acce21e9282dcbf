"""mlp_train in JAX: one program for the whole step."""

import jax
import jax.numpy as jnp
from jax.nn import log_softmax, relu

RATE = 0.01


def loss(parameters, x, labels):
    p = parameters
    h1 = relu(x @ p["w1"] + p["b1"])  # (batch, hidden)
    h2 = relu(h1 @ p["w2"] + p["b2"])
    logits = h2 @ p["w3"] + p["b3"]  # (batch, classes)
    return -jnp.take_along_axis(log_softmax(logits), labels[:, None], axis=1).mean()


def run(parameters, x, labels):
    with jax.default_matmul_precision("float32"):  # on a GPU the default is TF32
        value, gradients = jax.value_and_grad(loss)(parameters, x, labels)
    return value, jax.tree_util.tree_map(lambda p, gradient: p - RATE * gradient, parameters, gradients)
