"""The class scores that a transformer block gives to a batch: its forward pass.

``run(parameters, x) -> logits``: x float32[batch, sequence, width], logits float32[batch, classes].
The parameters are a flat dictionary of float32 arrays; shapes and formula are in ``_attention.py``:

    y = x + attention(layer_norm(x; scale1, shift1) w_qkv + b_qkv) w_out + b_out
    z = y + gelu(layer_norm(y; scale2, shift2) w1 + b1) w2 + b2
    logits = (mean of z over the sequence) w_head + b_head

Size s is a batch of s samples. NaN in a sample makes the logits of that sample NaN, and no others.

Source: as in ``_attention.py``.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _attention, _close

TOLERANCE = 41 * 2**-23  # a sum of n terms is off by about sqrt(n) roundings; n = 1,696 in all consecutive sums

kernel = Kernel(
    name="attention_infer",
    summary="the forward pass of a transformer block",
    unit="samples",
    sizes=range(1, 2**16 + 1),
    default_size=8,
    inputs=lambda size, seed: _attention.inputs(size, seed)[:2],  # only training needs labels
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: size,
    cost=lambda size: (_attention.flop(size), kernel.array_bytes(size)),
    dimensions=_attention.dimensions,
    arguments={**_attention.PARAMETERS, "x": _attention.X},
    results={"logits": _attention.LOGITS},
    absent=_attention.ABSENT,
)
