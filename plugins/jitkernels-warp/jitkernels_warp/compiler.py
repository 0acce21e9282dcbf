"""NVIDIA Warp: ``wp.launch`` compiles a kernel's module at its first launch; on the CPU with the LLVM in Warp's wheel.

A program is a loaded Warp module; each dialect's file is one module. Warp logs each load, and whether the module was
compiled or cached. The logger set here counts loads and prints neither these nor Warp's banner. Debug messages, warnings and
errors go to the previous logger.
"""

import functools
import inspect
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler, map_entries, plain
from jitkernels.errors import Unavailable
from jitkernels.source import Source

DEVICES = {"cpu": "cpu", "gpu": "cuda"}
COMPILED, CACHED = "(compiled)", "(cached)"  # how Warp's message about a load ends

_modules: set[Any] = set()  # Warp's modules of the dialect's files that this process has compiled


class Warp(Compiler):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if self.device == "gpu" and not wp.is_cuda_available():
            raise Unavailable("Warp finds no CUDA device")
        self.name = DEVICES[self.device]

    def installed(self) -> dict[str, str]:
        return {"warp": wp.config.version, "numpy": np.__version__}

    def start(self) -> None:
        """Load Warp's libraries, LLVM among them, and start CUDA if there is a device."""
        wp.init()

    def compile(self, source: Source) -> Callable[..., Any]:
        run: Any = source.run
        _modules.add(_module(source))
        takes_device = "device" in inspect.signature(run).parameters
        return functools.partial(run, device=self.name) if takes_device else run

    def put(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return wp.array(value, dtype=wp.dtype_from_numpy(value.dtype), device=self.name)  # else a matrix is one of vectors

    @staticmethod
    def wait(result: Any) -> Any:
        """Wait for the arrays among the results; a launch on the CPU has finished when it returns."""
        for part in result if isinstance(result, tuple) else (result,):
            if isinstance(part, wp.array) and part.device.is_cuda:
                wp.synchronize_device(part.device)
        return result

    @staticmethod
    def fetch(result: Any) -> Any:
        return map_entries(_fetched, result)

    def forget(self) -> None:
        for module in _modules:
            module.unload()
        caches.forget()
        wp.config.kernel_cache_dir = os.environ["WARP_CACHE_PATH"]

    def programs(self) -> int:
        return _loads.counts.total()

    def from_disk(self) -> int:
        return _loads.counts[CACHED]

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time a load from an empty cache: Warp's C++, LLVM and the linker together, because Warp does not time each."""
        with self._built(source) as (_, stages):
            return stages

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the C++ or CUDA that Warp writes, and on the CPU the machine code of the whole module."""
        with self._built(source) as (directory, _):
            files = [path for path in directory.rglob("*") if path.suffix in (".cpp", ".cu")]
            texts = {path.suffix[1:]: path.read_text() for path in files}
            text = assembly.disassemble(sorted(directory.rglob("*.o")))
        if not text:
            return Artifacts(texts)
        return Artifacts({**texts, "assembly": text}, assembly.counts(text, "instructions"))

    @contextmanager
    def _built(self, source: Source) -> Iterator[tuple[Path, Stages]]:
        """Load the module from an empty cache, which exists within the context; yield its directory and the stages."""
        module, threads = _module(source), 1 if self.device == "cpu" else 256  # threads in a block, as in wp.launch
        wp.init()
        with tempfile.TemporaryDirectory() as directory:
            before, wp.config.kernel_cache_dir = wp.config.kernel_cache_dir, directory
            try:
                module.unload()
                clock = Clock()
                wp.load_module(module, self.name, block_dim=threads)
                clock.lap("build")
                yield Path(directory), clock.stages()
            finally:
                wp.config.kernel_cache_dir = before


def _module(source: Source) -> Any:
    assert source.run
    return wp.get_module(source.run.__module__)


def _fetched(value: Any) -> Any:
    return value.numpy() if isinstance(value, wp.array) else plain(value)


class _Loads:
    """Warp's logger, which counts loads."""

    def __init__(self) -> None:
        self.counts = Counter[str]()
        self.before = wp.get_logger()
        self.debug, self.warning, self.error = self.before.debug, self.before.warning, self.before.error

    def info(self, message: str) -> None:
        if message.startswith("Module ") and message.endswith((COMPILED, CACHED)):
            self.counts[COMPILED if message.endswith(COMPILED) else CACHED] += 1


_loads = _Loads()
wp.set_logger(_loads)
