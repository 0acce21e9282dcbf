"""Class scores of 16 images by AlexNet: five convolutions, three max pools, three dense layers.

``run(parameters, x) -> logits``: x float32[images, 3, side, side], logits float32[images, classes]; parameters is a flat
dictionary of float32 arrays, ``w1``, ``b1`` to ``w8``, ``b8``. Convolutions and dense layers are affine (+ b); max(0, .)
follows each but the last. Conv 1 has stride 4 and 2 zeros around its input, conv 2 has 2 zeros, 3 to 5 have 1. The last
feature map is flattened as (channel, row, column). NaN in an image makes all logits of that image NaN, and no others.

Size s is the side of the images in pixels: 224 is AlexNet itself. At a smaller side each width (channels, hidden units,
classes) is AlexNet's times s / 224, rounded up to a multiple of 8. The layouts are in ``_convnet.py``.

Source: as in ``_convnet.py``.
"""

from jitkernels.kernel import Kernel
from jitkernels.kernels import _close, _convnet

TOLERANCE = 100 * 2**-23  # eight consecutive sums of up to 9,216 products: about the root of that many roundings

kernel = Kernel(
    name="convnet_infer",
    summary="class scores of 16 images from a convolutional network (AlexNet's shape)",
    unit="pixels",
    sizes=_convnet.SIDES,
    default_size=64,
    inputs=lambda size, seed: _convnet.inputs(size, seed)[:2],  # only training needs labels
    check=_close.within(TOLERANCE),
    metrics=_close.metrics,
    work=lambda size: _convnet.BATCH,
    work_unit="images",
    cost=lambda size: (_convnet.flop(size), kernel.array_bytes(size)),
    dimensions=_convnet.dimensions,
    arguments={**_convnet.PARAMETERS, **_convnet.X},
    results=_convnet.LOGITS,
    absent=_convnet.ABSENT,
)
