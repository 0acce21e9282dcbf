"""JAX: ``jax.jit`` compiles through XLA; its eager mode runs operation by operation.

Kernels are traced, compiled and, in eager mode, run with 64-bit types under ``jax.enable_x64(True)``. The process's own
setting is never changed.
"""

import contextlib
import functools
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax import monitoring, tree_util
from jax.experimental.compilation_cache import compilation_cache

from jitkernels import settings
from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler, plain
from jitkernels.backends.jax.releases import costs, enable_x64, keywords_of, require_stages, trace
from jitkernels.errors import Unavailable
from jitkernels.machine import cores, threads_named
from jitkernels.settings import require_threads
from jitkernels.source import Source

COMPILED = "/jax/core/compile/backend_compile_duration"  # also recorded when the program comes from the disk cache
FROM_DISK = "/jax/compilation_cache/cache_hits"

POOL = "tf_XLAEigen"  # XLA's name for its threads; TensorFlow has another pool of this name
POOL_SIZE = "PJRT_NPROC"  # https://github.com/openxla/xla/blob/main/xla/pjrt/utils.cc

_events = Counter[str]()  # of this process, by JAX's names; its listeners are registered once


class JAX(Compiler):
    def threads(self) -> int:
        """Return the size of XLA's pool on the CPU, in eager mode too."""
        return _pool()

    def limit(self, count: int) -> None:
        """XLA's client reads the environment at its start; without the variable it uses a thread for each core."""
        os.environ[POOL_SIZE] = str(count)
        require_threads("XLA's client", _pool(), count)

    def start(self) -> None:
        """Start the device's client with its threads, LLVM, and the imports of the first tracing."""
        with self.on_device():
            jax.jit(lambda x: jax.lax.fori_loop(0, 2, lambda _, y: y + y, x))(self.put(1)).block_until_ready()

    def compile(self, source: Source) -> Callable[..., Any]:
        """jit: compiled at the first call with arguments of these shapes and types, like ``jax.jit``, but by JAX's
        ahead-of-time functions, because entering ``jax.enable_x64`` on every call would slow each call.
        eager: under ``jax.disable_jit``; otherwise loops and most of ``jax.numpy`` are compiled.
        """
        if source.parts:
            return source.bind(self.jit)
        return self._eager(source) if self.is_eager else self._just_in_time(source)

    def put(self, value: Any) -> Any:
        """Integers become uint64; everything else keeps its width."""
        if isinstance(value, int) and not isinstance(value, bool):
            value = np.uint64(value)
        with self.on_device():
            return jax.device_put(value, _device(self.device))

    def place(self, value: Any) -> Any:
        """As ``jax.numpy.asarray``: float64 becomes float32 unless the user has set jax_enable_x64."""
        return jax.device_put(jax.numpy.asarray(value), _device(self.device)) if hasattr(value, "shape") else value

    @staticmethod
    def wait(result: Any) -> Any:
        """An array's own method takes a quarter of the time of ``jax.block_until_ready``, which accepts any structure."""
        return result.block_until_ready() if isinstance(result, jax.Array) else jax.block_until_ready(result)

    @staticmethod
    def fetch(result: Any) -> Any:
        return tree_util.tree_map(plain, jax.device_get(result))

    def forget(self) -> None:
        """If JAX has a disk cache, it continues with an empty one, as ``caches.forget`` promises."""
        jax.clear_caches()
        caches.forget()
        if jax.config.values.get("jax_compilation_cache_dir"):
            jax.config.update("jax_compilation_cache_dir", str(caches.root().with_name("jax")))
            compilation_cache.reset_cache()

    def programs(self) -> int:
        """Count XLA's programs for JAX since this module was imported, including eager operations and users' programs."""
        return _events[COMPILED]

    def from_disk(self) -> int:
        return _events[FROM_DISK]

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """eager: nothing is disabled, so loops and most of ``jax.numpy`` are compiled, as for a user."""
        return function if self.is_eager else jax.jit(function, static_argnames=tuple(static), **self.backend.options)

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Forget first, because JAX keeps the traces of library functions that a kernel calls."""
        require_stages()
        self.forget()
        with contextlib.nullcontext() if source.is_user_function else self.on_device():
            clock = Clock()
            graph = self.jitted(source).trace(*arguments)
            clock.lap("trace")
            lowered = graph.lower()
            clock.lap("lower")
            lowered.compile()
            clock.lap("compile")
            return clock.stages()

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the jaxpr; if it is compiled, also StableHLO and XLA's HLO, and on a processor LLVM's code and machine
        code."""
        with self.on_device():
            graph = trace(self.jitted(source), source.static, arguments)
            texts = {"jaxpr": str(graph.jaxpr)}
            counts = {"jaxpr_operations": _operations(graph.jaxpr.jaxpr)}
            if self.is_eager:
                return Artifacts(texts, counts)
            lowered = graph.lower()
            with tempfile.TemporaryDirectory() as directory:
                compiled = lowered.compile(compiler_options={"xla_dump_to": directory})
                code = assembly.of_xla(Path(directory), has_objects=self.device == "cpu")
            texts["stablehlo"], texts["hlo"] = lowered.as_text(), compiled.as_text()
        counts |= assembly.hlo_counts(texts["hlo"])
        counts["bytes_accessed"] = int(costs(compiled)["bytes accessed"])  # XLA's own estimate, from shapes alone
        return Artifacts({**texts, **code.texts}, {**counts, **code.counts})

    def _eager(self, source: Source) -> Callable[..., Any]:
        run: Any = source.run

        def program(*arguments: Any) -> Any:
            with self.on_device(), jax.disable_jit():
                return run(*arguments)

        return program

    def _just_in_time(self, source: Source) -> Callable[..., Any]:
        """Arrays are recognised by their abstract value. Anything else is a static argument and part of the program."""
        jitted = self.jitted(source)
        executables: dict[tuple[Any, ...], Any] = {}

        def program(*arguments: Any) -> Any:
            leaves = arguments if dict not in map(type, arguments) else tree_util.tree_leaves(arguments)
            key = tuple([getattr(leaf, "aval", leaf) for leaf in leaves])
            executable = executables.get(key)
            if executable is None:
                with self.on_device():
                    executable = executables[key] = jitted.lower(*arguments).compile()
            if source.static:
                arguments = tuple(argument for argument in arguments if isinstance(argument, jax.Array | dict))
            return executable(*arguments)

        return program

    def jitted(self, source: Source) -> Any:
        """Return ``jax.jit`` of the kernel with its own options, without those that the user's XLA_FLAGS name; options for
        the CPU are dropped on other devices."""
        own = settings.xla_flags()
        options = {name: value for name, value in source.options.get(self.backend.name, {}).items() if name not in own}
        if self.device != "cpu":
            options = {name: value for name, value in options.items() if not name.startswith("xla_cpu_")}
        return jax.jit(source.run, static_argnames=source.static, **keywords_of(options), **self.backend.options)

    @contextlib.contextmanager
    def on_device(self) -> Iterator[None]:
        """A context in which types have 64 bits and constants are made on the device."""
        with enable_x64(True), jax.default_device(_device(self.device)):
            yield


@functools.cache
def _pool() -> int:
    """Count the threads of XLA's client for the CPU by their name; if none has it, return the setting."""
    before = threads_named(POOL)
    jax.devices()
    after = threads_named(POOL)
    return after - before or after or int(os.environ.get(POOL_SIZE) or cores())


def _device(device: str) -> Any:
    try:
        return jax.devices(device)[0]
    except RuntimeError as error:
        own = os.environ.get("JAX_PLATFORMS", "")
        advice = f"; JAX_PLATFORMS={own} allows no other: unset it" if own else ""
        raise Unavailable(f"JAX sees no {device}: {error}{advice}") from error


def _operations(jaxpr: Any) -> int:
    """Count the equations of a jaxpr, including those of its loops and calls."""
    inner = tree_util.tree_leaves([list(equation.params.values()) for equation in jaxpr.eqns])
    inner = [getattr(value, "jaxpr", value) for value in inner]
    return len(jaxpr.eqns) + sum(_operations(value) for value in inner if hasattr(value, "eqns"))


def _count(event: str, *_: float, **__: str | int) -> None:
    _events[event] += 1


monitoring.register_event_duration_secs_listener(_count)
monitoring.register_event_listener(_count)
