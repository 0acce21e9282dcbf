"""TensorFlow's oneDNN turns NaN into numbers on processors with AVX-512; TensorFlow's own kernels keep NaN.

TensorFlow 2.21: ``tf.nn.softmax`` turns a row with a NaN into zeros, except at the NaN's place. In a graph, max(0, x) fused
with a product or a convolution gives a number for NaN. With ``TF_ENABLE_ONEDNN_OPTS=0``, or with AVX2 only, both keep NaN.
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
    """Run assertions. For the cells above they must fail if TensorFlow loses NaN on this processor, so that a test notices
    the release that fixes it."""
    if (kernel, backend) in LOST and softmax_loses_nan():
        with pytest.raises(AssertionError):
            yield
    else:
        yield


@functools.cache
def softmax_loses_nan() -> bool:
    """True if TensorFlow's own softmax loses NaN here; False if TensorFlow is not installed."""
    if importlib.util.find_spec("tensorflow") is None:
        return False
    import tensorflow as tf

    row = [0.0] * 36 + [float("nan")]
    return not bool(tf.reduce_all(tf.math.is_nan(tf.nn.softmax(tf.constant([row, row, row])))))
