"""TensorFlow: ``tf.function`` traces to a graph; with ``jit_compile=True`` XLA compiles that; or eager."""

import contextlib
import dataclasses
import functools
import importlib
import os
import re
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitkernels.backends import caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.clock import Clock
from jitkernels.backends.python import breaks, interpreted
from jitkernels.errors import Unavailable
from jitkernels.machine import cores
from jitkernels.settings import require_threads
from jitkernels.source import Source

LOG_LEVEL = "TF_CPP_MIN_LOG_LEVEL"  # read once, while the library loads
_chosen = os.environ.get(LOG_LEVEL)
# Errors only; not even those where XLA keeps programs on disk: it finds fault with every program that it loads back.
os.environ.setdefault(LOG_LEVEL, "3" if caches.persistent() else "2")
import tensorflow as tf  # noqa: E402  # its log level must stand before

if _chosen is None:
    del os.environ[LOG_LEVEL]

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "from_disk", "interpreted", "jit", "limit", "programs", "put",
    "stages", "start", "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file

INTRA_OP = "TF_NUM_INTRAOP_THREADS"  # what TensorFlow goes by where its own setting is 0

_traced_to = {"graph": 0, "xla": 0}  # functions, by who compiles the graph
_name = "run"
_decorated: dict[str, list[Any]] = {"graph": [], "xla": []}  # by ``jit``; TensorFlow itself counts how often each was traced


def versions() -> dict[str, str]:
    return {"tensorflow": tf.__version__}


def threads(mode: str) -> int:
    """The pool inside one operation; XLA's programs run on the same one."""
    return tf.config.threading.get_intra_op_parallelism_threads() or int(os.environ.get(INTRA_OP) or 0) or cores()


def limit(mode: str, count: int) -> None:
    """The pool inside one operation, and as many operations of a graph at a time."""
    with contextlib.suppress(RuntimeError):  # the runtime has started, maybe with this very number
        tf.config.threading.set_inter_op_parallelism_threads(count)
        tf.config.threading.set_intra_op_parallelism_threads(count)
    require_threads("TensorFlow", threads(mode), count)


def start(mode: str, device: str) -> None:
    """The devices with their threads, AutoGraph's converter, and LLVM where XLA compiles."""
    with tf.device(_device(device)):
        _function(_countdown, mode)(put(1, device))


def compile(source: Source, mode: str, device: str) -> Callable[..., Any]:
    """The device is named on every call only where there is another to go to: that costs microseconds."""
    name = _device(device)
    if source.parts:
        return source.bind(functools.partial(jit, mode=mode))
    program: Callable[..., Any] = _function(_bound(source, mode), mode)
    if not tf.config.list_logical_devices("GPU"):
        return program

    def placed(*arguments: Any) -> Any:
        with tf.device(name):
            return program(*arguments)

    return placed


def put(value: Any, device: str) -> Any:
    """Integers become uint64, Python floats float64; arrays keep their type."""
    width = {int: tf.uint64, float: tf.float64}.get(type(value))
    with tf.device(_device(device)):
        return tf.constant(value, width)


def wait(result: Any) -> Any:
    """On the CPU TensorFlow returns when it is done, so there is intentionally nothing to wait for."""
    if tf.config.list_logical_devices("GPU"):
        tf.test.experimental.sync_devices()
    return result


def fetch(result: Any) -> Any:
    return tf.nest.map_structure(lambda tensor: tensor.numpy().item() if tensor.ndim == 0 else tensor.numpy(), result)


def forget() -> None:
    """Programs in memory belong to the callables that ``compile`` made: each new one is traced and compiled again. Only
    AutoGraph keeps its translations of Python. XLA's directory was read from TF_XLA_FLAGS for good, but a function of
    a new name is not found in it.
    """
    global _name
    caches.forget()
    _name = f"run_{uuid.uuid4().hex}"


def programs() -> int:
    """Functions traced through this module, graphs and XLA's alike: each makes one program. XLA makes more of one where a
    program holds the value of an argument, as the limit of a ``tf.range``: they are counted where it has a directory."""
    return _traces("graph") + max(_traces("xla"), _written() or 0)


def from_disk() -> int:
    """XLA says nothing in Python, but it leaves a file for each program that it compiles, where it was given a directory: a
    program that left none came from there."""
    written = _written()
    return 0 if written is None else max(0, _traces("xla") - written)


def _traces(mode: str) -> int:
    return _traced_to[mode] + sum(int(function.experimental_get_tracing_count()) for function in _decorated[mode])


def jit(function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
    """Any Python number is static. whole: without AutoGraph, which translates Python's branches and loops."""
    if mode == "eager":
        return function
    decorated = tf.function(function, jit_compile=True if mode == "xla" else None, autograph=not whole)
    _decorated[mode].append(decorated)
    return decorated


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    """AutoGraph and tracing; then what the first run takes beyond the second: XLA's compilation, or for a graph to
    be placed and optimised (TensorFlow calls it instantiation)."""
    if mode == "eager":
        return Stages()
    forget()
    program = _function(_bound(source, mode), mode)
    with tf.device(_device(device)):
        clock = Clock()
        trace = _seconds(program.get_concrete_function, arguments)
        first = _seconds(program, arguments)
        whole = clock.stages()
        second = _seconds(program, arguments)
    seconds = {"trace": trace, "compile" if mode == "xla" else "instantiate": max(0.0, first - second)}
    return dataclasses.replace(whole, seconds=seconds)


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The graph; where XLA compiles, HLO before and after it is optimised, LLVM's code and the machine's."""
    return Artifacts() if mode == "eager" else _inside().artifacts(source, mode, device, arguments)


def function(source: Source, mode: str, name: str) -> Any:
    """``tf.function`` of the source, as ``compile`` makes it where there are no parts, under another name."""
    return _function(_bound(source, mode), mode, name)


def _bound(source: Source, mode: str) -> Any:
    """``run`` with what the file's ``compiler_options`` hold for the mode under "run": values of keyword-only parameters."""
    keywords = source.options.get(f"tensorflow_{mode}", {}).get("run", {})
    return functools.partial(source.run, **keywords) if keywords and source.run else source.run


def _function(run: Any, mode: str, name: str = "") -> Any:
    """``tf.function``, as a user would write it, but for its name and the count of its traces."""
    if mode == "eager":
        return run
    # A partial has no byte code, by which TensorFlow would take several kernels for one that is traced over and over.
    program: Any = functools.partial(_traced, run, mode)
    program.__name__ = name or _name
    return tf.function(program, jit_compile=True if mode == "xla" else None)


def _traced(run: Any, mode: str, *arguments: Any) -> Any:
    _count(mode)
    return run(*arguments)


@tf.autograph.experimental.do_not_convert  # type: ignore[untyped-decorator]  # TensorFlow has no annotations
def _count(mode: str) -> None:
    _traced_to[mode] += 1


def _xla_directory() -> Path | None:
    """Where XLA keeps programs, which it read from TF_XLA_FLAGS when it was loaded; None where it keeps none."""
    found = re.search(r"--tf_xla_persistent_cache_directory=(\S+)", _flags)
    return Path(found[1]) if found else None


def _kept() -> int:
    """How many programs lie in XLA's directory."""
    directory = _xla_directory()
    return len(list(directory.glob("*.pb"))) if directory else 0


def _written() -> int | None:
    """How many programs XLA has compiled; None where it was given no directory to leave them in."""
    return _kept() - _kept_before if _xla_directory() else None


def _countdown(count: Any) -> Any:
    while count > 0:
        count -= 1
    return count


def _device(device: str) -> str:
    if device == "gpu" and not tf.config.list_physical_devices("GPU"):
        raise Unavailable("TensorFlow sees no GPU; on Linux, pip install 'tensorflow[and-cuda]' and NVIDIA's driver")
    return f"/{device.upper()}:0"


def _seconds(call: Callable[..., Any], arguments: Sequence[Any]) -> float:
    begin = time.perf_counter()
    wait(call(*arguments))
    return time.perf_counter() - begin


def _inside() -> Any:
    """The module that looks inside; loaded when asked for, because it imports this one."""
    return importlib.import_module("jitkernels.backends.tensorflow.artifacts")


_flags = os.environ.get("TF_XLA_FLAGS", "")
_kept_before = _kept()
