"""layer_norm in NumPy."""

import numpy as np


def run(x, scale, offset):
    centred = x - x.mean(axis=1, keepdims=True)
    variance = np.square(centred).mean(axis=1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * scale + offset
