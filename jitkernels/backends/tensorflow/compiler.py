"""TensorFlow: ``tf.function`` traces a graph; with ``jit_compile=True`` XLA compiles it; or eager."""

import contextlib
import dataclasses
import functools
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from jitkernels.backends import caches
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler, plain
from jitkernels.backends.tensorflow import artifacts as inside
from jitkernels.backends.tensorflow import programs  # before its framework: it limits logging to errors
from jitkernels.machine import cores
from jitkernels.settings import require_threads
from jitkernels.source import Source

import tensorflow as tf  # isort: skip

INTRA_OP = "TF_NUM_INTRAOP_THREADS"  # TensorFlow reads it if its own setting is 0


class TensorFlow(Compiler):
    def installed(self) -> dict[str, str]:
        return {**super().installed(), **(programs.xla_versions() if programs.is_xla(self.backend.options) else {})}

    def threads(self) -> int:
        """Return the size of the pool inside one operation. XLA's programs use the same pool."""
        return tf.config.threading.get_intra_op_parallelism_threads() or int(os.environ.get(INTRA_OP) or 0) or cores()

    def limit(self, count: int) -> None:
        """Limit the pool inside one operation, and the operations of a graph that run at the same time."""
        with contextlib.suppress(RuntimeError):  # the runtime has started, maybe with this number
            tf.config.threading.set_inter_op_parallelism_threads(count)
            tf.config.threading.set_intra_op_parallelism_threads(count)
        require_threads("TensorFlow", self.threads(), count)

    def start(self) -> None:
        """Start the devices with their threads, AutoGraph's converter, and LLVM if XLA compiles."""
        with self.on_device():
            self._function(_countdown)(self.put(1))

    def compile(self, source: Source) -> Callable[..., Any]:
        if source.parts:
            return source.bind(self.jit)
        return self._placed(self._function(programs.bound(source, self.backend.name)))

    def _placed(self, program: Callable[..., Any]) -> Callable[..., Any]:
        """Return the program on this device. Calls name the device only if there is a GPU, because that costs
        microseconds."""
        name = programs.device_name(self.device)
        if not _has_gpu():
            return program

        def placed(*arguments: Any) -> Any:
            with tf.device(name):
                return program(*arguments)

        return placed

    def put(self, value: Any) -> Any:
        """Integers become uint64, Python floats float64; arrays keep their type."""
        width = {int: tf.uint64, float: tf.float64}.get(type(value))
        with self.on_device():
            return tf.constant(value, width)

    @staticmethod
    def wait(result: Any) -> Any:
        """On the CPU TensorFlow returns a finished result, so this intentionally does not wait."""
        if _has_gpu():
            tf.test.experimental.sync_devices()
        return result

    @staticmethod
    def fetch(result: Any) -> Any:
        return tf.nest.map_structure(_fetched, result)

    def forget(self) -> None:
        """Programs in memory belong to the callables that ``compile`` made: each new one is traced and compiled again.
        Only AutoGraph keeps its translations of Python. XLA keeps using the directory that it read first, but finds no
        function of a new name there.
        """
        caches.forget()
        programs.rename()

    def programs(self) -> int:
        """Count the functions traced through this module, for graphs and for XLA: each makes one program. XLA makes several
        of one if a program contains the value of an argument, such as the limit of a ``tf.range``. These are counted only
        if XLA has a directory."""
        return programs.traces(False) + max(programs.traces(True), programs.written() or 0)

    def from_disk(self) -> int:
        """Count the traced programs for which XLA left no file in its directory, because XLA reports nothing to Python."""
        written = programs.written()
        return 0 if written is None else max(0, programs.traces(True) - written)

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """Every Python number is static. whole: without AutoGraph, which translates Python's branches and loops."""
        options = {"autograph": not whole, **self.backend.options}
        return self._placed(function if self.is_eager else programs.decorate(function, options))

    def adopt(self, function: Any) -> Any:
        if hasattr(function, "experimental_get_tracing_count"):
            own = "tensorflow_xla" if getattr(function, "_jit_compile", None) else "tensorflow_graph"
            if own != self.backend.name:
                raise ValueError(f"tf.function compiles it with other options: label it {own}")
            programs.adopt(function, self.backend.options)
        return self._placed(function)

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time AutoGraph with tracing; then the first run minus the second: XLA's compilation, or for a graph its placement
        and optimisation (TensorFlow calls it instantiation)."""
        self.forget()
        program = self._function(programs.bound(source, self.backend.name))
        with self.on_device():
            clock = Clock()
            trace = self._seconds(program.get_concrete_function, arguments)
            first = self._seconds(program, arguments)
            whole = clock.stages()
            second = self._seconds(program, arguments)
        compilation = "compile" if programs.is_xla(self.backend.options) else "instantiate"
        return dataclasses.replace(whole, seconds={"trace": trace, compilation: max(0.0, first - second)})

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the graph; if XLA compiles, also HLO before and after optimisation, LLVM's code and machine code."""
        if self.is_eager:
            return Artifacts()
        return inside.artifacts(source, self.backend, self.device, arguments)

    def on_device(self) -> Any:
        return programs.on_device(self.device)

    def _function(self, run: Any) -> Any:
        return run if self.is_eager else programs.function(run, self.backend.options)

    def _seconds(self, call: Callable[..., Any], arguments: Sequence[Any]) -> float:
        begin = time.perf_counter()
        self.wait(call(*arguments))
        return time.perf_counter() - begin


@functools.cache  # inside the clock of every call; the devices of a process do not change after its first operation
def _has_gpu() -> bool:
    """True if TensorFlow uses a GPU. Starts its devices."""
    return bool(tf.config.list_logical_devices("GPU"))


def _countdown(count: Any) -> Any:
    while count > 0:
        count -= 1
    return count


def _fetched(value: Any) -> Any:
    """Return a tensor as a NumPy array or a number. A function may also return Python numbers."""
    return plain(value.numpy()) if tf.is_tensor(value) else value
