"""TensorFlow: ``tf.function`` traces to a graph; with ``jit_compile=True`` XLA compiles that; or eager."""

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from jitkernels.backends import caches
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler
from jitkernels.backends.tensorflow import artifacts as inside
from jitkernels.backends.tensorflow import programs, xla  # before their framework: it lets errors alone be logged
from jitkernels.machine import cores
from jitkernels.settings import require_threads
from jitkernels.source import Source

import tensorflow as tf  # isort: skip

INTRA_OP = "TF_NUM_INTRAOP_THREADS"  # TensorFlow reads it where its own setting is 0


class TensorFlow(Compiler):
    def versions(self) -> dict[str, str]:
        return {"tensorflow": tf.__version__, **(xla.versions() if self.backend.options.get("jit_compile") else {})}

    def threads(self) -> int:
        """Return the size of the pool inside one operation; XLA's programs run on the same one."""
        return tf.config.threading.get_intra_op_parallelism_threads() or int(os.environ.get(INTRA_OP) or 0) or cores()

    def limit(self, count: int) -> None:
        """Limit the pool inside one operation, and the operations of a graph that run at a time."""
        with contextlib.suppress(RuntimeError):  # the runtime has started, maybe with this very number
            tf.config.threading.set_inter_op_parallelism_threads(count)
            tf.config.threading.set_intra_op_parallelism_threads(count)
        require_threads("TensorFlow", self.threads(), count)

    def start(self) -> None:
        """Start the devices with their threads, AutoGraph's converter, and LLVM where XLA compiles."""
        with self.on_device():
            self._function(_countdown)(self.put(1))

    def compile(self, source: Source) -> Callable[..., Any]:
        """The device is named on every call only where there is a GPU: that costs microseconds."""
        name = programs.device_name(self.device)
        if source.parts:
            xla.read_flags()
            return source.bind(self.jit)
        program: Callable[..., Any] = self._function(programs.bound(source, self.backend.name))
        if not tf.config.list_logical_devices("GPU"):
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
        """On the CPU TensorFlow returns when it is done, so there is intentionally nothing to wait for."""
        if tf.config.list_logical_devices("GPU"):
            tf.test.experimental.sync_devices()
        return result

    @staticmethod
    def fetch(result: Any) -> Any:
        return tf.nest.map_structure(_fetched, result)

    def forget(self) -> None:
        """Programs in memory belong to the callables that ``compile`` made: each new one is traced and compiled again.
        Only AutoGraph keeps its translations of Python. XLA read its directory once and for all, but it does not find
        a function of a new name there.
        """
        caches.forget()
        programs.rename()

    def programs(self) -> int:
        """Count the functions traced through this module, graphs and XLA's alike: each makes one program. XLA makes more of
        one where a program holds the value of an argument, as the limit of a ``tf.range``: they are counted where it has a
        directory."""
        return programs.traces(False) + max(programs.traces(True), programs.written() or 0)

    def from_disk(self) -> int:
        """Count the traced programs for which XLA left no file, where it has a directory: it tells Python nothing."""
        written = programs.written()
        return 0 if written is None else max(0, programs.traces(True) - written)

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """Any Python number is static. whole: without AutoGraph, which translates Python's branches and loops."""
        return function if self.is_eager else programs.decorate(function, {"autograph": not whole, **self.backend.options})

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time AutoGraph with tracing, then what the first run takes beyond the second: XLA's compilation, or for a graph
        its placement and optimisation (TensorFlow calls it instantiation)."""
        if self.is_eager:
            return Stages()
        self.forget()
        program = self._function(programs.bound(source, self.backend.name))
        with self.on_device():
            clock = Clock()
            trace = self._seconds(program.get_concrete_function, arguments)
            first = self._seconds(program, arguments)
            whole = clock.stages()
            second = self._seconds(program, arguments)
        compilation = "compile" if self.backend.options.get("jit_compile") else "instantiate"
        return dataclasses.replace(whole, seconds={"trace": trace, compilation: max(0.0, first - second)})

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the graph; where XLA compiles, HLO before and after it is optimised, LLVM's code and the machine's."""
        if self.is_eager:
            return Artifacts()
        return inside.artifacts(source, self.backend, self.device, arguments)

    def on_device(self) -> Any:
        return tf.device(programs.device_name(self.device))

    def _function(self, run: Any) -> Any:
        return run if self.is_eager else programs.function(run, self.backend.options)

    def _seconds(self, call: Callable[..., Any], arguments: Sequence[Any]) -> float:
        begin = time.perf_counter()
        self.wait(call(*arguments))
        return time.perf_counter() - begin


def _countdown(count: Any) -> Any:
    while count > 0:
        count -= 1
    return count


def _fetched(value: Any) -> Any:
    """Return a tensor as NumPy's array, or as a number; a function may return Python's own numbers too."""
    if not tf.is_tensor(value):
        return value
    return value.numpy().item() if value.ndim == 0 else value.numpy()
