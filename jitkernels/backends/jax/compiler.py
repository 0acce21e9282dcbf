"""JAX: ``jax.jit`` compiles through XLA; its eager mode runs operation by operation.

Kernels are traced, compiled and, in eager mode, run with 64-bit types, under ``jax.enable_x64(True)``; the process's
own setting is never touched.
"""

import functools
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jax
import jaxlib
import numpy as np
from jax import monitoring, tree_util
from jax.experimental.compilation_cache import compilation_cache

from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.clock import Clock
from jitkernels.backends.jax.releases import accepted, costs, enable_x64, require_stages, traced
from jitkernels.backends.python import breaks, interpreted
from jitkernels.errors import Unavailable
from jitkernels.machine import cores, threads_named
from jitkernels.settings import require_threads
from jitkernels.source import Source

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "from_disk", "interpreted", "jit", "limit", "programs", "put",
    "stages", "start", "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file

COMPILED = "/jax/core/compile/backend_compile_duration"  # also recorded when the disk cache gives the program back
FROM_DISK = "/jax/compilation_cache/cache_hits"

POOL = "tf_XLAEigen"  # XLA's name for its threads; TensorFlow has such a pool of its own
POOL_SIZE = "PJRT_NPROC"  # https://github.com/openxla/xla/blob/main/xla/pjrt/utils.cc

_events = {COMPILED: 0, FROM_DISK: 0}


def versions() -> dict[str, str]:
    return {"jax": jax.__version__, "jaxlib": jaxlib.__version__}


def threads(mode: str) -> int:
    """Of XLA's pool on the CPU, in eager mode too."""
    return _pool()


def limit(mode: str, count: int) -> None:
    """XLA's client asks the environment when it starts; without an answer it takes a thread for each core."""
    os.environ[POOL_SIZE] = str(count)
    require_threads("XLA's client", _pool(), count)


def start(mode: str, device: str) -> None:
    """The device's client with its threads, LLVM, and what tracing imports on its first time."""
    with _on(device):
        jax.jit(lambda x: jax.lax.fori_loop(0, 2, lambda _, y: y + y, x))(put(1, device)).block_until_ready()


def compile(source: Source, mode: str, device: str) -> Callable[..., Any]:
    """jit: compiled on the first call with arguments of these shapes and types, as ``jax.jit`` does, but ahead of time:
    to enter ``jax.enable_x64`` on every call would add to each dispatch.
    eager: under ``jax.disable_jit``, without which loops and most of ``jax.numpy`` are compiled all the same.
    """
    if source.parts:
        return source.bind(functools.partial(jit, mode=mode))
    return _eager(source, device) if mode == "eager" else _just_in_time(source, device)


def put(value: Any, device: str) -> Any:
    """Integers become uint64; everything else keeps its width."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = np.uint64(value)
    with _on(device):
        return jax.device_put(value, _device(device))


def wait(result: Any) -> Any:
    """An array's own method is four times as quick to call as ``jax.block_until_ready``, which takes any structure."""
    return result.block_until_ready() if isinstance(result, jax.Array) else jax.block_until_ready(result)


def fetch(result: Any) -> Any:
    return tree_util.tree_map(lambda array: array.item() if array.ndim == 0 else array, jax.device_get(result))


def forget() -> None:
    """Where JAX keeps a cache on disk, it goes on with an empty one, as ``caches.forget`` promises."""
    jax.clear_caches()
    caches.forget()
    if jax.config.values.get("jax_compilation_cache_dir"):
        jax.config.update("jax_compilation_cache_dir", str(caches.root().with_name("jax")))
        compilation_cache.reset_cache()


def programs() -> int:
    """Everything that XLA made for JAX since this module was imported: eager operations and users' programs too."""
    return _events[COMPILED]


def from_disk() -> int:
    """By JAX's own event."""
    return _events[FROM_DISK]


def jit(function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
    """eager: nothing is disabled, so loops and most of ``jax.numpy`` are compiled, as they are for a user."""
    return function if mode == "eager" else jax.jit(function, static_argnames=tuple(static))


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    """Forgets first: JAX keeps the traces of the library functions that a kernel calls."""
    if mode == "eager":
        return Stages()
    require_stages()
    forget()
    with _on(device):
        clock = Clock()
        graph = _jitted(source, device).trace(*arguments)
        clock.lap("trace")
        lowered = graph.lower()
        clock.lap("lower")
        lowered.compile()
        clock.lap("compile")
        return clock.stages()


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The jaxpr; where it is compiled, StableHLO, and XLA's HLO, on a processor with LLVM's code and the machine's."""
    with _on(device):
        graph = traced(_jitted(source, device), source.static, arguments)
        texts = {"jaxpr": str(graph.jaxpr)}
        counts = {"jaxpr_operations": _operations(graph.jaxpr.jaxpr)}
        if mode == "eager":
            return Artifacts(texts, counts)
        lowered = graph.lower()
        with tempfile.TemporaryDirectory() as directory:
            compiled = lowered.compile(compiler_options={"xla_dump_to": directory})
            llvm = [file.read_text() for file in sorted(Path(directory).glob("*.ir-with-opt.ll"))]
            machine = assembly.disassemble(sorted(Path(directory).glob("*.o"))) if device == "cpu" else None
        texts["stablehlo"], texts["hlo"] = lowered.as_text(), compiled.as_text()
    counts["hlo_instructions"] = len(re.findall(r"^ +(?:ROOT )?%?[\w.-]+ = ", texts["hlo"], re.MULTILINE))
    counts["fusions"] = len(re.findall(r" fusion\(", texts["hlo"]))
    counts["bytes_accessed"] = int(costs(compiled)["bytes accessed"])  # XLA's own estimate, from shapes alone
    if llvm:
        texts["llvm"] = "\n".join(llvm)
    if machine is not None:
        texts["assembly"] = machine.strip() or "# XLA wrote no machine code: all of it is calls of its libraries"
        counts.update(assembly.counts(machine))
    return Artifacts(texts, counts)


def _eager(source: Source, device: str) -> Callable[..., Any]:
    run: Any = source.run

    def program(*arguments: Any) -> Any:
        with _on(device), jax.disable_jit():
            return run(*arguments)

    return program


def _just_in_time(source: Source, device: str) -> Callable[..., Any]:
    """Arrays are recognised by their abstract value; what has none is a static argument and part of the program."""
    jitted = _jitted(source, device)
    executables: dict[tuple[Any, ...], Any] = {}

    def program(*arguments: Any) -> Any:
        leaves = arguments if dict not in map(type, arguments) else tree_util.tree_leaves(arguments)
        key = tuple([getattr(leaf, "aval", leaf) for leaf in leaves])
        executable = executables.get(key)
        if executable is None:
            with _on(device):
                executable = executables[key] = jitted.lower(*arguments).compile()
        if source.static:
            arguments = tuple(argument for argument in arguments if isinstance(argument, jax.Array | dict))
        return executable(*arguments)

    return program


def _jitted(source: Source, device: str) -> Any:
    """``jax.jit`` with the kernel's own options; those for the CPU mean nothing elsewhere."""
    options = dict(source.options.get("jax", {}))
    if device != "cpu":
        options = {name: value for name, value in options.items() if not name.startswith("xla_cpu_")}
    return jax.jit(source.run, static_argnames=source.static, **accepted(options))


@functools.cache
def _pool() -> int:
    """Threads that come with XLA's client for the CPU, counted by their name; where none are seen, what it goes by."""
    before = threads_named(POOL)
    jax.devices()
    found = threads_named(POOL)
    return found - before or found or int(os.environ.get(POOL_SIZE) or cores())


@contextmanager
def _on(device: str) -> Iterator[None]:
    """64-bit types, and constants made on the device."""
    with enable_x64(True), jax.default_device(_device(device)):
        yield


def _device(device: str) -> Any:
    try:
        return jax.devices(device)[0]
    except RuntimeError as error:
        raise Unavailable(f"JAX sees no {device}: {error}") from error


def _operations(jaxpr: Any) -> int:
    """Equations of a jaxpr, those of the loops and calls inside it too."""
    inner = tree_util.tree_leaves([list(equation.params.values()) for equation in jaxpr.eqns])
    inner = [getattr(value, "jaxpr", value) for value in inner]
    return len(jaxpr.eqns) + sum(_operations(value) for value in inner if hasattr(value, "eqns"))


def _count(event: str, *_: float, **__: str | int) -> None:
    if event in _events:
        _events[event] += 1


monitoring.register_event_duration_secs_listener(_count)
monitoring.register_event_listener(_count)
