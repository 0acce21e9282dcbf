"""TensorFlow: a SavedModel. After loading, its graph is optimised, or with ``jit_compile=True`` compiled by XLA."""

from pathlib import Path
from typing import Any

from jitkernels.backends import ahead_of_time
from jitkernels.backends.tensorflow import programs  # before its framework: it limits logging to errors
from jitkernels.errors import Unavailable

import tensorflow as tf  # isort: skip


class AheadOfTime(ahead_of_time.AheadOfTime):
    def build(self, case: Any, directory: Path) -> None:
        """The signature has the arguments' own shapes, as in the other forms."""
        source, compiler = case.source, case.compiler
        if source.parts or source.static:
            raise Unavailable("its static argument or its loop over parts stays with Python, and a SavedModel has none")
        module = tf.Module()
        signature = tf.nest.map_structure(lambda tensor: tf.TensorSpec(tensor.shape, tensor.dtype), case.arguments)
        module.run = tf.function(source.run, input_signature=signature, **compiler.backend.options)
        with programs.on_device(compiler.device):
            tf.saved_model.save(module, str(directory))

    def load(self, case: Any, directory: Path) -> Any:
        return tf.saved_model.load(str(directory)).run

    def facts(self, directory: Path) -> dict[str, Any]:
        """Return whether a function has the must-compile mark, which makes XLA compile it."""
        graph = (directory / "saved_model.pb").read_bytes()
        return {**super().facts(directory), "asks_for_xla": b"_XlaMustCompile" in graph}
