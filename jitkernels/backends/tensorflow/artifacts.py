"""The artifacts of TensorFlow and its XLA: the graph, HLO, LLVM's code and machine code.

XLA writes files of its code into the directory that XLA_FLAGS names. It reads that variable only once in a process, at its
first use. So the variable makes XLA write files for functions of a name that no other call has. If XLA has already read the
variable, another process is used.
"""

import contextlib
import functools
import os
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jitkernels import settings
from jitkernels.backends import apart, assembly, caches
from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.table import Backend, find_backend
from jitkernels.backends.tensorflow import programs  # before its framework: it limits logging to errors
from jitkernels.source import Source

import tensorflow as tf  # isort: skip

WRITE = "jitkernels.backends.tensorflow.artifacts:write_apart"
SHOWN = "shown"  # in the names of the functions for which XLA writes files


def artifacts(source: Source, backend: Backend, device: str, arguments: Sequence[Any]) -> Artifacts:
    """Return the graph, one node on each line, with the functions it calls; from XLA, HLO before and after optimisation, and
    on a processor LLVM's code and machine code."""
    is_xla = programs.is_xla(backend.options)
    name = f"{SHOWN}_{uuid.uuid4().hex}" if is_xla else "run"
    result = _from_tensorflow(source, backend, device, arguments, name)
    if not is_xla or device != "cpu":
        return result
    try:
        code = _written(name) or _from_another_process(source, backend, arguments)
    finally:
        _remove_files(name)
    return Artifacts({**result.texts, **code.texts}, {**result.counts, **code.counts})


def _from_tensorflow(source: Source, backend: Backend, device: str, arguments: Sequence[Any], name: str) -> Artifacts:
    """Return the texts of TensorFlow's own functions. name: of the function; removed from the texts."""
    is_xla = programs.is_xla(backend.options)
    if is_xla:
        _read_flags()
    program = programs.function(programs.bound(source, backend.name), backend.options, name)
    with programs.on_device(device):
        graph = program.get_concrete_function(*arguments).graph.as_graph_def()
        blocks = {"main": graph.node} | {inner.signature.name: inner.node_def for inner in graph.library.function}
        texts = {"graph": "\n".join(f"{block}:\n{_lines(nodes)}" for block, nodes in blocks.items())}
        counts = {"graph_operations": sum(map(len, blocks.values()))}
        if is_xla:
            text = program.experimental_get_compiler_ir(*arguments)
            texts |= {stage: text(stage=stage).replace(name, "run") for stage in ("hlo", "optimized_hlo")}
            counts |= assembly.hlo_counts(texts["optimized_hlo"])
    return Artifacts(texts, counts)


def _read_flags() -> None:
    """Make XLA read flags that name an output directory, unless the user's flags name one."""
    is_named = "xla_dump" in os.environ.get(settings.XLA_FLAGS, "")
    programs.read_xla_flags(
        "" if is_named else f"--xla_dump_to={caches.quoted(str(_directory()))} --xla_dump_hlo_module_re=.*{SHOWN}.*"
    )


@functools.cache
def _directory() -> Path:
    """Return this process's directory for XLA's files. XLA makes it if it is missing."""
    return Path(tempfile.gettempdir()) / f"jitkernels-xla-{uuid.uuid4().hex}"


def _remove_files(name: str) -> None:
    """Remove the function's files at once, because nothing removes them at the end of a fork. Remove the directory if it is
    empty."""
    for file in _directory().glob(f"*{name}*"):
        file.unlink()
    with contextlib.suppress(OSError):  # another fork of this process has files there, or there is none
        _directory().rmdir()


def _written(name: str) -> Artifacts | None:
    """Return the function's LLVM code and machine code, with counts of the latter; None if XLA wrote no files."""
    if not any(_directory().glob(f"*{name}*.txt")):
        return None
    code = assembly.of_xla(_directory(), files=f"*{name}*")
    return Artifacts({stage: text.replace(name, "run") for stage, text in code.texts.items()}, code.counts)


def _from_another_process(source: Source, backend: Backend, arguments: Sequence[Any]) -> Artifacts:
    """Return the same from a process in which XLA has not read its flags."""
    values = tf.nest.map_structure(_plain, tuple(arguments))
    own = " ".join(flag for flag in settings.flags_of(os.environ.get(settings.XLA_FLAGS, "")) if "xla_dump" not in flag)
    written: Artifacts = apart.call(WRITE, source, backend.name, values, environment={**os.environ, settings.XLA_FLAGS: own})
    return written


def _plain(value: Any) -> Any:
    """Return a tensor as NumPy's array; any other value is a static argument and stays."""
    return value.numpy() if isinstance(value, tf.Tensor) else value


def _lines(nodes: Any) -> str:
    return "".join(f"  {node.name} = {node.op}({', '.join(node.input)})\n" for node in nodes)


def write_apart(source: Source, backend: str, values: Any) -> Artifacts | None:
    arguments = tf.nest.map_structure(lambda value: tf.constant(value) if hasattr(value, "dtype") else value, values)
    try:
        _from_tensorflow(source, find_backend(backend), "cpu", arguments, SHOWN)
        return _written(SHOWN)
    finally:
        _remove_files(SHOWN)
