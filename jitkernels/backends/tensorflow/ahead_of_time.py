"""TensorFlow: a SavedModel, a graph that is optimised, or with ``jit_compile=True`` compiled by XLA, where it is loaded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.backends.ahead_of_time import started as ready
from jitkernels.backends.tensorflow import (
    compiler as backend,  # before its framework: it sees to it that errors alone are logged
)
from jitkernels.case import Case
from jitkernels.errors import Unavailable

import tensorflow as tf  # isort: skip

__all__ = ["build", "facts", "load", "ready"]


def build(subject: Case, form: str, directory: Path) -> None:
    """The signature has the arguments' own shapes, as the other forms have."""
    if subject.source.parts or subject.source.static:
        raise Unavailable("its static argument or its loop over parts stays with Python, and a SavedModel has none")
    module = tf.Module()
    xla = True if subject.backend.mode == "xla" else None
    signature = tf.nest.map_structure(lambda tensor: tf.TensorSpec(tensor.shape, tensor.dtype), subject.arguments)
    module.run = tf.function(subject.source.run, jit_compile=xla, input_signature=signature)
    with tf.device(backend._device(subject.device)):
        tf.saved_model.save(module, str(directory))


def load(case: Case, form: str, directory: Path) -> Callable[..., Any]:
    program: Callable[..., Any] = tf.saved_model.load(str(directory)).run
    return program


def facts(form: str, directory: Path) -> dict[str, Any]:
    """The must-compile mark of each function, which says that XLA is to compile it."""
    stored = (directory / "saved_model.pb").read_bytes()
    return {"elf_machine": {}, "asks_for_xla": b"_XlaMustCompile" in stored}
