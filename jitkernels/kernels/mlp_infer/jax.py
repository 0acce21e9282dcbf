"""mlp_infer in JAX."""

import jax
from jax.nn import relu


def run(parameters, x):
    with jax.default_matmul_precision("float32"):  # on a GPU the default is TF32
        p = parameters
        h1 = relu(x @ p["w1"] + p["b1"])  # (batch, hidden)
        h2 = relu(h1 @ p["w2"] + p["b2"])
        return h2 @ p["w3"] + p["b3"]  # (batch, classes)
