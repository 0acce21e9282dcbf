"""The multilayer perceptron that ``mlp_infer`` runs and ``mlp_train`` trains: 784-512-512-10, as for 28 x 28 pixels and ten
digits; 669,706 parameters, 1.3 Mflop for a sample's forward pass.
"""

import math
from typing import Any

from jitkernels.kernels import _arrays
from jitkernels.shapes import Array, shape, size_in_bytes

ROUNDED = 2.0**-22  # of the largest sum of a layer: what float32 rounds a sum of 784 products by, at most

PARAMETERS = {
    "parameters.w1": Array("float32", ("features", "hidden")),
    "parameters.b1": Array("float32", ("hidden",)),
    "parameters.w2": Array("float32", ("hidden", "hidden")),
    "parameters.b2": Array("float32", ("hidden",)),
    "parameters.w3": Array("float32", ("hidden", "classes")),
    "parameters.b3": Array("float32", ("classes",)),
}
X = Array("float32", ("batch", "features"))
LABELS = Array("int64", ("batch",))
LOGITS = Array("float32", ("batch", "classes"))

ABSENT = {
    "python": "plain Python has no matrices; philox_pi shows its loops",
    "numba": "a model is a stack of matrix products without automatic differentiation there; dense and relu are its kernels",
    "triton": "its users write single layers, not models; dense and relu are kernels of their own",
    "c": "a model by hand is a stack of dense and relu, which are kernels of their own",
}


def dimensions(size: int) -> dict[str, int]:
    """A batch of ``size`` samples."""
    return {"batch": size, "features": 784, "hidden": 512, "classes": 10}


def flop(size: int) -> int:
    """Return a forward pass's operations: two for each weight and sample. The rest is under 1 %."""
    weights = (array for name, array in PARAMETERS.items() if ".w" in name)
    return 2 * size * sum(math.prod(shape(weight, dimensions(size))) for weight in weights)


def training_flop(size: int) -> int:
    """Return the operations of a step: a forward pass; as many for the weights' gradients, and for the gradients of each
    layer's input except x; two for the update of each parameter.
    """
    lengths = dimensions(size)
    of_x = 2 * size * lengths["features"] * lengths["hidden"]
    return 3 * flop(size) - of_x + 2 * size_in_bytes(PARAMETERS, lengths) // 4


def at_the_kink(parameters: dict[str, Any], x: Any) -> int:
    """Return how many hidden units are so near ReLU's kink that rounding decides on which side they are."""
    import numpy as np

    count, h = 0, x.astype("float64")
    for w, b in (("w1", "b1"), ("w2", "b2")):
        z = h @ parameters[w].astype("float64") + parameters[b]
        count += int((np.abs(z) < ROUNDED * np.abs(z).max(initial=0)).sum())
        h = np.maximum(z, 0)
    return count


def inputs(size: int, seed: int) -> tuple[dict[str, Any], Any, Any]:
    """Return parameters, x and labels. Weights are initialised as by He et al., "Delving deep into rectifiers", ICCV 2015.
    Biases are not zero: a forgotten one changes the answer. x is normal, as standardised pixels are.
    """
    random, lengths = _arrays.generator(seed), dimensions(size)
    parameters = {}
    for name, array in PARAMETERS.items():
        values = random.standard_normal(shape(array, lengths), "float32")
        parameters[name.removeprefix("parameters.")] = values * (0.1 if values.ndim == 1 else (2 / len(values)) ** 0.5)
    x = random.standard_normal(shape(X, lengths), "float32")
    return parameters, x, random.integers(lengths["classes"], size=size)
