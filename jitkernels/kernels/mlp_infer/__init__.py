"""The class scores that a multilayer perceptron gives to a batch: its forward pass.

``run(parameters, x) -> logits``: x float32[batch, features], logits float32[batch, classes].
The parameters are a flat dictionary of float32 arrays; shapes and formula are in ``_mlp.py``:

    h1 = relu(x w1 + b1)
    h2 = relu(h1 w2 + b2)
    logits = h2 w3 + b3

Size s is a batch of s samples. NaN in a sample makes the logits of that sample NaN, and no others.

Source: as in ``_mlp.py``.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _close, _mlp

TOLERANCE = 43 * 2**-23  # a sum of n terms is off by about sqrt(n) roundings; n = 784 + 512 + 512 in three layers

kernel = Kernel(
    name="mlp_infer",
    summary="the forward pass of a multilayer perceptron",
    unit="samples",
    sizes=range(1, 2**16 + 1),
    default_size=8,
    inputs=lambda size, seed: _mlp.inputs(size, seed)[:2],  # only training needs labels
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: size,
    cost=lambda size: (_mlp.flop(size), kernel.array_bytes(size)),
    dimensions=_mlp.dimensions,
    arguments={**_mlp.PARAMETERS, "x": _mlp.X},
    results={"logits": _mlp.LOGITS},
    absent=_mlp.ABSENT,
)
