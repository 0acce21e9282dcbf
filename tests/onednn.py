"""What TensorFlow's oneDNN makes of NaN on processors with AVX-512: numbers, where its own kernels keep NaN.

TensorFlow 2.21: ``tf.nn.softmax`` gives a row with a NaN zeros, but for the NaN's place; in a graph, the operation that a
product or a convolution is fused into with max(0, x) gives a number for NaN. With ``TF_ENABLE_ONEDNN_OPTS=0``, or AVX2
alone, both keep it.
"""

import contextlib
import functools
import importlib.util
from collections.abc import Iterator

import pytest

LOST = {("softmax", "tensorflow_eager"), ("softmax", "tensorflow_graph")} | {
    (kernel, "tensorflow_graph") for kernel in ("mlp_infer", "mlp_train", "convnet_infer", "convnet_train")
}


@contextlib.contextmanager
def nan_may_be_lost(kernel: str, backend: str) -> Iterator[None]:
    """Within it, assertions hold; where TensorFlow loses NaN on this processor, those of the cells above must fail, so that
    a release that mends it is noticed."""
    if (kernel, backend) in LOST and softmax_loses_nan():
        with pytest.raises(AssertionError):
            yield
    else:
        yield


@functools.cache
def softmax_loses_nan() -> bool:
    """Ask TensorFlow itself, not a kernel of this library; False where it is not installed."""
    if importlib.util.find_spec("tensorflow") is None:
        return False
    import tensorflow as tf

    row = [0.0] * 36 + [float("nan")]
    return not bool(tf.reduce_all(tf.math.is_nan(tf.nn.softmax(tf.constant([row, row, row])))))
