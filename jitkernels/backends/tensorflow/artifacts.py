"""What TensorFlow, and XLA in it, make of a kernel: the graph, HLO, LLVM's code and the machine's.

XLA writes what it makes where the environment's XLA_FLAGS say, and reads them once a process, when it is first asked for
anything; TensorFlow passes it no options for one function. So it is told to write of functions with a name of their own,
which no call has; and where it had read its flags before, another process is asked: ``python -m
jitkernels.backends.tensorflow.artifacts``.
"""

import functools
import os
import pickle
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.tensorflow import (
    compiler as backend,  # before its framework: it sees to it that errors alone are logged
)
from jitkernels.source import Source

import tensorflow as tf  # isort: skip

FLAGS = "XLA_FLAGS"
SHOWN = "shown"  # in the names of the functions of which XLA writes


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The graph, a node a line, with the functions it calls; from XLA, HLO before and after it is optimised, and on a
    processor LLVM's code and the machine's."""
    name = f"{SHOWN}_{uuid.uuid4().hex}" if mode == "xla" else "run"
    made = _made(source, mode, device, arguments, name)
    if mode != "xla" or device != "cpu":
        return made
    code = _written(name) or _elsewhere(source, arguments)
    return Artifacts({**made.texts, **code.texts}, {**made.counts, **code.counts})


def _made(source: Source, mode: str, device: str, arguments: Sequence[Any], name: str) -> Artifacts:
    """What TensorFlow itself says. name: the function's, which no text shows."""
    program = backend.function(source, mode, name)
    with tf.device(backend._device(device)):
        graph = program.get_concrete_function(*arguments).graph.as_graph_def()
        blocks = {"main": graph.node} | {inner.signature.name: inner.node_def for inner in graph.library.function}
        texts = {"graph": "\n".join(f"{block}:\n{_lines(nodes)}" for block, nodes in blocks.items())}
        counts = {"graph_operations": sum(map(len, blocks.values()))}
        if mode == "xla":
            text = program.experimental_get_compiler_ir(*arguments)
            with _asked_to_write():
                texts |= {stage: text(stage=stage).replace(name, "run") for stage in ("hlo", "optimized_hlo")}
            instructions = re.findall(r"^ +(?:ROOT )?%?[\w.-]+ = ", texts["optimized_hlo"], re.MULTILINE)
            counts["hlo_instructions"] = len(instructions)
            counts["fusions"] = len(re.findall(r" fusion\(", texts["optimized_hlo"]))
    return Artifacts(texts, counts)


@contextmanager
def _asked_to_write() -> Iterator[None]:
    """Within it, XLA's flags name a directory to write to. The user's own stay, and are never replaced."""
    before = os.environ.get(FLAGS)
    if "xla_dump" not in (before or ""):
        ours = f"--xla_dump_to={_directory()} --xla_dump_hlo_module_re=.*{SHOWN}.*"
        os.environ[FLAGS] = f"{before or ''} {ours}".strip()
    try:
        yield
    finally:
        os.environ.pop(FLAGS, None)
        if before is not None:
            os.environ[FLAGS] = before


@functools.cache
def _directory() -> Path:
    """Of this process."""
    return caches.passing()


def _written(name: str) -> Artifacts | None:
    """LLVM's code and the machine's of the function, with counts of the latter; None where XLA was not told to write."""
    files = {suffix: sorted(_directory().glob(f"*{name}*{suffix}")) for suffix in (".txt", ".ir-with-opt.ll", ".o")}
    if not files[".txt"]:
        return None
    machine = assembly.disassemble(files[".o"])
    texts = {"llvm": "\n".join(file.read_text() for file in files[".ir-with-opt.ll"]).replace(name, "run")}
    if machine is None:
        return Artifacts(texts)
    texts["assembly"] = machine.strip() or "# XLA wrote no machine code: all of it is calls of its libraries"
    return Artifacts(texts, assembly.counts(machine))


def _elsewhere(source: Source, arguments: Sequence[Any]) -> Artifacts:
    """The same from a process of its own."""
    given = pickle.dumps((source, tf.nest.map_structure(_plain, tuple(arguments))))
    flags = [flag for flag in os.environ.get(FLAGS, "").split() if "xla_dump" not in flag]
    command = [sys.executable, "-m", "jitkernels.backends.tensorflow.artifacts"]
    answer = subprocess.run(command, input=given, capture_output=True, env={**os.environ, FLAGS: " ".join(flags)})
    if answer.returncode:
        *_, last = answer.stderr.decode().strip().splitlines() or [f"exit status {answer.returncode}"]
        raise RuntimeError(f"XLA failed on {source.path}: {last}")
    made: Artifacts = pickle.loads(answer.stdout)
    return made


def _plain(value: Any) -> Any:
    """A tensor as NumPy's array; what is no tensor is a static argument."""
    return value.numpy() if isinstance(value, tf.Tensor) else value


def _lines(nodes: Any) -> str:
    return "".join(f"  {node.name} = {node.op}({', '.join(node.input)})\n" for node in nodes)


def _answer() -> None:
    """In the process of its own, which has asked XLA for nothing yet."""
    source, values = pickle.load(sys.stdin.buffer)
    arguments = tf.nest.map_structure(lambda value: tf.constant(value) if hasattr(value, "dtype") else value, values)
    _made(source, "xla", "cpu", arguments, SHOWN)
    sys.stdout.buffer.write(pickle.dumps(_written(SHOWN)))


if __name__ == "__main__":
    _answer()
