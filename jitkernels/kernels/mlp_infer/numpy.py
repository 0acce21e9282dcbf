"""mlp_infer in NumPy: the reference."""

import numpy as np


def run(parameters, x):
    p = parameters
    h1 = np.maximum(x @ p["w1"] + p["b1"], 0)  # (batch, hidden)
    h2 = np.maximum(h1 @ p["w2"] + p["b2"], 0)
    return h2 @ p["w3"] + p["b3"]  # (batch, classes)
