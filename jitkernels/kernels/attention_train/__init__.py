"""One step of plain stochastic gradient descent of a transformer block: forward, loss, backward, update.

``run(parameters, x, labels) -> (loss, updated parameters)``: x float32[batch, sequence, width], labels int64[batch] from 0
to classes - 1, loss a float32. The parameters are a flat dictionary of float32 arrays; shapes and formula are in
``_attention.py``. With the logits of ``attention_infer``,

    loss = mean over the batch of -log(softmax(logits)[label])
    p <- p - RATE * d loss / d p,  RATE = 0.1, for every parameter p

A call does not change its inputs, so it can be repeated: no framework updates in place, or into donated buffers. Size s is a
batch of s samples. NaN in x makes the loss NaN. A label outside its range is the caller's mistake; the framework decides
whether it gives an error, NaN or a number.

Source: as in ``_attention.py``.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _attention, _close
from jitkernels.shapes import Array

TOLERANCE = 58 * 2**-23  # as attention_infer's, for twice as many sums in a row: forward and backward

kernel = Kernel(
    name="attention_train",
    summary="one training step of a transformer block",
    unit="samples",
    sizes=range(1, 2**16 + 1),
    default_size=8,
    inputs=_attention.inputs,
    check=_close.trained(TOLERANCE),
    metrics=_close.training_metrics,
    work=lambda size: size,
    cost=lambda size: (_attention.training_flop(size), kernel.array_bytes(size)),
    dimensions=_attention.dimensions,
    arguments={**_attention.PARAMETERS, "x": _attention.X, "labels": _attention.LABELS},
    results={"loss": Array("float32"), **_attention.PARAMETERS},
    absent=_attention.ABSENT,
)
