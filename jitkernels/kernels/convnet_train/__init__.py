"""One step of plain stochastic gradient descent of AlexNet's shape on 16 images: forward, loss, backward, update.

``run(parameters, x, labels) -> (loss, updated parameters)``: x float32[images, 3, side, side], labels int64[images] from 0
to classes - 1, loss a float32; the parameters are the flat dictionary of ``convnet_infer``. With its logits,

    loss = mean over the images of -log(softmax(logits)[label])
    p <- p - RATE * d loss / d p,  RATE = 0.01 as in the article, for every parameter p

A call does not change its inputs, so it can be repeated. NaN in x makes the loss NaN. A label outside its range is the
caller's mistake; its effect depends on the framework.

Size s is the side of the images in pixels: 224 is the article's model and batch. At a smaller side each width (channels,
hidden units, classes) is AlexNet's times s / 224, rounded up to a multiple of 8. The layouts are in ``_convnet.py``.

Besides ``run``, each file has ``forward_loss``, which computes only the loss. torch's also has ``forward``, which records
what a backward pass needs. ``jitkernels.measure.warm_up`` warms up with them.

Source: "AOT & JIT" (the torch.compile article, exp5 to exp7); otherwise as in ``_convnet.py``.
"""

from typing import Any

from jitkernels.kernel import Kernel
from jitkernels.kernels import _close, _convnet
from jitkernels.shapes import Array

LOSS_TOLERANCE = 100 * 2**-23  # as convnet_infer's logits: they carry all of its error
STEP_TOLERANCE = 0.05  # of a step's length; see ``check``
LAST = ("w8", "b8")  # there is no kink between these and the loss, so their steps are off by rounding alone
FARTHEST = 0.01  # of the largest entry, for each entry; observed: 1e-6, and seldom 0.002 when a unit crosses the kink


def check(value: Any, size: int, seed: int, reference: Any) -> None:
    """Check the loss up to rounding, and each parameter's step by the length of its error, relative to the step's length.

    The gradient jumps where a unit is at ReLU's kink, or the two largest inputs of a pool are equal. In three of 80 batches
    at side 64, rounding puts a unit on the other side of its kink. At 224 there are forty times as many units, and the
    default batch has one such unit. It changes the steps of its layer and of earlier layers, in these 80 batches by at most
    1.3 % of their length; rounding alone changes them by 0.001 %. A gradient that is missing, doubled or another layer's is
    off by 100 %. The parameters' entries show less: a step is only a hundredth of the largest entry of w1.
    """
    truth = reference()
    _close.require_close(value[0], truth[0], LOSS_TOLERANCE)
    _close.require_close(value[1], truth[1], FARTHEST)
    after, exact, before = value[1], truth[1], reference.inputs()[0]
    _close.require_steps(after, exact, before, STEP_TOLERANCE)
    last = ({name: parameters[name] for name in LAST} for parameters in (after, exact, before))
    _close.require_steps(*last, _close.STEP_TOLERANCE)


kernel = Kernel(
    name="convnet_train",
    summary="one training step of a convolutional network (AlexNet's shape) on 16 images",
    unit="pixels",
    sizes=_convnet.SIDES,
    default_size=64,
    inputs=_convnet.inputs,
    check=check,
    metrics=_close.training_metrics,
    work=lambda size: _convnet.BATCH,
    work_unit="images",
    cost=lambda size: (_convnet.training_flop(size), kernel.array_bytes(size)),
    dimensions=_convnet.dimensions,
    arguments={**_convnet.PARAMETERS, **_convnet.X, "labels": Array("int64", ("images",))},
    results={"loss": Array("float32"), **_convnet.PARAMETERS},
    reference="torch_eager",
    absent={**_convnet.ABSENT, "numpy": "NumPy does not differentiate; convnet_infer has its forward pass"},
)
