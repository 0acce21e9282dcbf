"""AlexNet's layers and widths; the widths shrink with the side of the images.

The torch.compile article trains a model on 16 images of 3 x 224 x 224. It does not show that model, but names torchvision's
``models.alexnet()``. The model here is AlexNet without dropout, so that a step has no randomness:
five convolutions with ReLU (11 x 11 with stride 4, 5 x 5, three of 3 x 3), a max pool of 3 x 3 with stride 2 after the
first, second and fifth, three dense layers with ReLU between them, 1000 classes; 61,100,840 parameters and 0.71 billion
multiplications an image.
(torchvision's adaptive average pool changes nothing at 224, and is left out.)

The size is the side of the images. At ``ARTICLE`` = 224 everything is the article's. At a smaller side the widths (channels,
hidden units, classes) shrink in proportion: width * side / 224, rounded up to a multiple of 8. The batch stays at 16. So a
call's work shrinks with about the fourth power of the side: it is a fifteenth at 112, a hundredth at 64.

Images are NCHW, convolutions' weights OIHW and dense layers' (out, in), as torch has them; all float32.

Source: Krizhevsky, "One weird trick for parallelizing convolutional neural networks", arXiv:1404.5997 (the widths);
Krizhevsky, Sutskever, Hinton, "ImageNet classification with deep convolutional neural networks", NeurIPS 2012.
"""

import math
from collections.abc import Mapping
from typing import Any

from jitkernels.kernels import _arrays
from jitkernels.shapes import Array, shape, size_in_bytes

ARTICLE = 224  # pixels: the side of the article's images
BATCH = 16  # images: the article's
SIDES = range(63, ARTICLE + 1)  # below 63 pixels the last pool has nothing left to pool
WIDTHS = {"c1": 64, "c2": 192, "c3": 384, "c4": 256, "c5": 256, "hidden": 4096, "classes": 1000}

X = {"x": Array("float32", ("images", 3, "side", "side"))}
LOGITS = {"logits": Array("float32", ("images", "classes"))}
PARAMETERS = {
    "parameters.w1": Array("float32", ("c1", 3, 11, 11)),
    "parameters.b1": Array("float32", ("c1",)),
    "parameters.w2": Array("float32", ("c2", "c1", 5, 5)),
    "parameters.b2": Array("float32", ("c2",)),
    "parameters.w3": Array("float32", ("c3", "c2", 3, 3)),
    "parameters.b3": Array("float32", ("c3",)),
    "parameters.w4": Array("float32", ("c4", "c3", 3, 3)),
    "parameters.b4": Array("float32", ("c4",)),
    "parameters.w5": Array("float32", ("c5", "c4", 3, 3)),
    "parameters.b5": Array("float32", ("c5",)),
    "parameters.w6": Array("float32", ("hidden", "features")),
    "parameters.b6": Array("float32", ("hidden",)),
    "parameters.w7": Array("float32", ("hidden", "hidden")),
    "parameters.b7": Array("float32", ("hidden",)),
    "parameters.w8": Array("float32", ("classes", "hidden")),
    "parameters.b8": Array("float32", ("classes",)),
}

ABSENT = {
    "python": "a forward pass has hundreds of millions of multiplications; philox_pi and mandelbrot show Python's loops",
    "numba": "its users take convolutions from a library that has them, and Numba compiles none",
    "triton": "a convolution's tiles are a library of their own; dense shows what its products are made of",
    "c": "a convolution as fast as the frameworks' is a library (oneDNN), not a page of C",
}


def dimensions(side: int) -> Mapping[str, int]:
    """Return the lengths by name for images of this side."""
    lengths = {name: 8 * math.ceil(width * side / ARTICLE / 8) for name, width in WIDTHS.items()}
    return {"images": BATCH, "side": side, **lengths, "features": lengths["c5"] * feature_sides(side)[-1] ** 2}


def feature_sides(side: int) -> tuple[int, int, int, int]:
    """Return the feature maps' sides: after the first convolution, and after each of the three pools."""
    first = (side + 2 * 2 - 11) // 4 + 1
    second = (first - 3) // 2 + 1
    third = (second - 3) // 2 + 1
    return first, second, third, (third - 3) // 2 + 1


def flop(side: int) -> int:
    """Return the operations of a forward pass: a multiplication and an addition for each weight at each place of its
    convolution, including the zeros around the input. The rest is under 1 %.
    """
    return sum(_products(side))


def training_flop(side: int) -> int:
    """Return the operations of a step: a forward pass; as many for the weights' gradients, and for the gradients of each
    layer's input except x; two for the update of each parameter.
    """
    layers = _products(side)
    return 3 * sum(layers) - layers[0] + 2 * size_in_bytes(PARAMETERS, dimensions(side)) // 4


def _products(side: int) -> list[int]:
    """Return the operations of each layer's products."""
    first, second, third, _ = feature_sides(side)
    places = [first**2, second**2, third**2, third**2, third**2, 1, 1, 1]
    weights = [math.prod(shape(PARAMETERS[f"parameters.w{layer}"], dimensions(side))) for layer in range(1, 9)]
    return [2 * BATCH * at * weight for at, weight in zip(places, weights, strict=True)]


def inputs(side: int, seed: int) -> tuple[dict[str, Any], Any, Any]:
    """Return parameters, x and labels.

    Weights are normal with the variance 2 / fan-in, which keeps the activations' size from layer to layer (He et al., 2015).
    Biases are normal with a tenth of that deviation: a forgotten one changes the answer. Pixels are standard normal.
    """
    lengths = dimensions(side)
    numbers = _arrays.generator(seed)
    parameters = {}
    for name, array in PARAMETERS.items():
        layer = name.partition(".")[2]
        weight = shape(PARAMETERS[f"parameters.w{layer[1]}"], lengths)
        deviation = math.sqrt(2 / math.prod(weight[1:])) * (0.1 if layer[0] == "b" else 1.0)
        parameters[layer] = numbers.standard_normal(shape(array, lengths), "float32") * deviation
    x = numbers.standard_normal((BATCH, 3, side, side), "float32")
    return parameters, x, numbers.integers(0, lengths["classes"], BATCH)
