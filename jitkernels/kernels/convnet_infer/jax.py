"""convnet_infer in JAX: ``dimension_numbers`` say that images are NCHW and weights OIHW. In NHWC it takes as long."""

import jax
import jax.numpy as jnp
from jax import lax, nn


def conv(x, w, b, stride=1, pad=0):
    padding = ((pad, pad), (pad, pad))
    z = lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return z + b[:, None, None]


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "VALID")


def run(parameters, x):
    with jax.default_matmul_precision("float32"):  # on a GPU the default is TF32
        p = parameters
        h = max_pool(nn.relu(conv(x, p["w1"], p["b1"], stride=4, pad=2)))
        h = max_pool(nn.relu(conv(h, p["w2"], p["b2"], pad=2)))
        h = nn.relu(conv(h, p["w3"], p["b3"], pad=1))
        h = nn.relu(conv(h, p["w4"], p["b4"], pad=1))
        h = max_pool(nn.relu(conv(h, p["w5"], p["b5"], pad=1)))
        h = h.reshape(len(x), -1)
        h = nn.relu(h @ p["w6"].T + p["b6"])
        h = nn.relu(h @ p["w7"].T + p["b7"])
        return h @ p["w8"].T + p["b8"]
