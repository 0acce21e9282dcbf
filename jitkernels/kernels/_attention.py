"""The transformer block that ``attention_infer`` runs and ``attention_train`` trains: 64 tokens of width 128, 4 heads, and a
classifier of the tokens' mean; 199,562 parameters, 27 Mflop for a sample's forward pass.

    y = x + attention(layer_norm(x; scale1, shift1)) w_out + b_out
    z = y + gelu(layer_norm(y; scale2, shift2) w1 + b1) w2 + b2
    logits = mean over the sequence of z, times w_head, plus b_head

Normalisation comes before each half of the block ("pre-norm": Xiong et al., "On layer normalization in the transformer
architecture", ICML 2020), with 1e-5 added to the variance. Attention is scaled dot-product attention without a mask (Vaswani
et al., "Attention is all you need", NeurIPS 2017): w_qkv holds the projections of queries, keys and values side by side;
each head has 32 neighbouring columns of each. gelu is its tanh form on every backend, 0.5 u (1 + tanh(sqrt(2 / pi) (u +
0.044715 u^3))) (Hendrycks and Gimpel, "Gaussian error linear units", 2016), because NumPy has no erf.
"""

import math
from typing import Any

from jitkernels.kernels import _arrays
from jitkernels.shapes import Array, shape, size_in_bytes

PARAMETERS = {
    "parameters.scale1": Array("float32", ("width",)),
    "parameters.shift1": Array("float32", ("width",)),
    "parameters.w_qkv": Array("float32", ("width", "projections")),
    "parameters.b_qkv": Array("float32", ("projections",)),
    "parameters.w_out": Array("float32", ("width", "width")),
    "parameters.b_out": Array("float32", ("width",)),
    "parameters.scale2": Array("float32", ("width",)),
    "parameters.shift2": Array("float32", ("width",)),
    "parameters.w1": Array("float32", ("width", "hidden")),
    "parameters.b1": Array("float32", ("hidden",)),
    "parameters.w2": Array("float32", ("hidden", "width")),
    "parameters.b2": Array("float32", ("width",)),
    "parameters.w_head": Array("float32", ("width", "classes")),
    "parameters.b_head": Array("float32", ("classes",)),
}
X = Array("float32", ("batch", "sequence", "width"))
LABELS = Array("int64", ("batch",))
LOGITS = Array("float32", ("batch", "classes"))

ABSENT = {
    "python": "plain Python has no matrices; philox_pi shows its loops",
    "numba": "its users take products of matrices from BLAS, as numpy does, and it has no automatic differentiation",
    "triton": "its users write single layers, not models, and it has no automatic differentiation",
    "c": "as fast as the frameworks' it would be a library of matrix products and derivatives, not a page of C",
}


def dimensions(size: int) -> dict[str, int]:
    """A batch of ``size`` samples."""
    return {"batch": size, "sequence": 64, "width": 128, "projections": 3 * 128, "hidden": 4 * 128, "classes": 10}


def flop(size: int) -> int:
    """Return the operations of a forward pass's products: tokens with weights, queries with keys, attention with values, and
    the tokens' mean with the head's weights. The rest (normalisation, softmax, gelu) is a fiftieth.
    """
    lengths = dimensions(size)
    block = (PARAMETERS[f"parameters.{name}"] for name in ("w_qkv", "w_out", "w1", "w2"))
    a_token = sum(math.prod(shape(weight, lengths)) for weight in block) + 2 * lengths["sequence"] * lengths["width"]
    return 2 * size * (lengths["sequence"] * a_token + lengths["width"] * lengths["classes"])


def training_flop(size: int) -> int:
    """Return the operations of a step: a forward pass; as many for the gradient of each of a product's two factors; two for
    the update of each parameter.
    """
    return 3 * flop(size) + 2 * size_in_bytes(PARAMETERS, dimensions(size)) // 4


def inputs(size: int, seed: int) -> tuple[dict[str, Any], Any, Any]:
    """Return parameters, x and labels. Weights are normal with the variance 1 / rows, so a product has the scale of its
    input. Scales are about 1 and biases not zero: a forgotten one changes the answer. x is normal, as embedded tokens are.
    """
    random, lengths = _arrays.generator(seed), dimensions(size)
    parameters = {}
    for name, array in PARAMETERS.items():
        values = random.standard_normal(shape(array, lengths), "float32")
        values *= 0.1 if values.ndim == 1 else len(values) ** -0.5
        parameters[name.removeprefix("parameters.")] = values + 1 if ".scale" in name else values
    x = random.standard_normal(shape(X, lengths), "float32")
    return parameters, x, random.integers(lengths["classes"], size=size)
