"""One step of plain stochastic gradient descent of a multilayer perceptron: forward, loss, backward, update.

``run(parameters, x, labels) -> (loss, updated parameters)``: x float32[batch, features], labels int64[batch] from 0 to
classes - 1, loss a float32. The parameters are a flat dictionary of float32 arrays; shapes and formula are in ``_mlp.py``.
With the logits of ``mlp_infer``,

    loss = mean over the batch of -log(softmax(logits)[label])
    p <- p - RATE * d loss / d p,  RATE = 0.01, for every parameter p

A call does not change its inputs, so it can be repeated: no framework updates in place, or into donated buffers. Size s is a
batch of s samples. NaN in x makes the loss NaN. A label outside its range is the caller's mistake; the framework decides
whether it gives an error, NaN or a number.

Source: as in ``_mlp.py``.
"""

import math
from typing import Any

from jitkernels.kernel import Kernel, Reference
from jitkernels.kernels import _close, _mlp
from jitkernels.shapes import Array

TOLERANCE = 60 * 2**-23  # as mlp_infer's, for twice as many sums in a row: forward and backward
SHARE = 0.05  # of the largest entry: what one unit of one sample may add to a parameter, over the batch; observed: 0.013


def check(value: Any, size: int, seed: int, reference: Reference) -> None:
    """Check the loss and each parameter up to rounding, and each parameter's step by the length of its error.

    The gradient jumps where a hidden unit of a sample is at ReLU's kink. In one of ten batches of 1024 samples rounding puts
    such a unit on the other side. It is one of n = 512 x batch, of which half pass a gradient on, so it changes a step by
    about sqrt(2 / n) of its length; twice as much is allowed.
    """
    try:
        _require_close(value, reference, 0)
    except AssertionError:
        units = _mlp.at_the_kink(*reference.inputs()[:2])  # not before: OpenBLAS's threads would disturb the next calls
        if not units:
            raise
        _require_close(value, reference, units)


def _require_close(value: Any, reference: Reference, units: int) -> None:
    """units: how many hidden units may have crossed the kink."""
    truth, (parameters, x, _) = reference(), reference.inputs()
    _close.require_close(value, truth, TOLERANCE + SHARE * units / len(x))
    crossed = 2 * math.sqrt(2 * units / (len(parameters["b1"]) * len(x)))
    _close.require_steps(value[1], truth[1], parameters, _close.STEP_TOLERANCE + crossed)


kernel = Kernel(
    name="mlp_train",
    summary="one training step of a multilayer perceptron",
    unit="samples",
    sizes=range(1, 2**16 + 1),
    default_size=8,
    inputs=_mlp.inputs,
    check=check,
    metrics=_close.training_metrics,
    work=lambda size: size,
    cost=lambda size: (_mlp.training_flop(size), kernel.array_bytes(size)),
    dimensions=_mlp.dimensions,
    arguments={**_mlp.PARAMETERS, "x": _mlp.X, "labels": _mlp.LABELS},
    results={"loss": Array("float32"), **_mlp.PARAMETERS},
    absent=_mlp.ABSENT,
)
