"""Numba: ``njit`` compiles a function at its first call, for the types of its arguments.

The table's row has the options of ``njit``; a kernel's ``compiler_options`` are added. Listeners to Numba's own events
(numba.core.event) count compilations; they change nothing.
"""

import contextlib
import functools
import io
import os
import re
import tempfile
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding
from numba.core import config, event
from numba.core.errors import ForceLiteralArg

from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler
from jitkernels.settings import THREADS
from jitkernels.source import Source, copy_of

PIPELINE = ("numba_ir", "type_inference", "parfors", "lowering", "llvm")
STAGE_OF_WORD = {  # by the first of these words in a pass's name; other passes make or rewrite Numba's IR
    "diagnostics": "lowering",  # of parfors, which runs in both modes
    "_lowering": "lowering",
    "type_inference": "type_inference",
    "parfor": "parfors",
}


class Numba(Compiler):
    def installed(self) -> dict[str, str]:
        llvm = ".".join(map(str, binding.llvm_version_info))
        return {**super().installed(), "llvmlite": llvmlite.__version__, "llvm": llvm}

    def threads(self) -> int:
        return int(numba.get_num_threads()) if self.backend.needs_threads else 1

    def limit(self, count: int) -> None:
        """Use ``count`` of the threads that Numba launches, one for each core; the others stay idle.

        Numba has such a number for each calling thread; this sets the caller's. Numba's matrix products are SciPy's, whose
        BLAS reads its number when SciPy is imported.
        """
        os.environ["OPENBLAS_NUM_THREADS"] = str(count)
        if self.backend.needs_threads:
            if count > (most := config.NUMBA_NUM_THREADS):
                raise RuntimeError(f"{THREADS} asks for {count}, but NUMBA_NUM_THREADS allows {most}: unset that variable")
            numba.set_num_threads(count)

    def start(self) -> None:
        """Compile and run a loop, which starts LLVM, Numba's registries, and the threads of parallel programs."""
        _start(self.backend.needs_threads)

    def compile(self, source: Source) -> Callable[..., Any]:
        if source.parts:
            return source.bind(self.jit)
        program: Callable[..., Any] = _hand_out(self._dispatcher(source, caches.persistent()))
        return program

    def put(self, value: Any) -> Any:
        """Integers become unsigned, because a seed may need all 64 bits."""
        return np.uint64(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def forget(self) -> None:
        """Drop inlined callees too, including Numba's own: a cold compilation compiles them as well."""
        _drop({*_compilations.dispatchers, *_handed_out})  # dispatchers served by the disk cache have not compiled
        caches.forget()
        if caches.persistent():
            config.reload_config()
            for dispatcher in _handed_out:
                dispatcher.enable_caching()  # again, in the empty directory

    def programs(self) -> int:
        """Count compilations that were not part of another one, and programs from the disk cache."""
        return _compilations.count + self.from_disk()

    def from_disk(self) -> int:
        """Add up the dispatchers' own counters."""
        return sum(sum(hits.values()) for hits in _hits)

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """The function itself names static arguments, by ``numba.literally``. It is cached on disk, as with ``cache=True``,
        if that is asked for and it is in a file."""
        dispatcher = numba.njit(**self.backend.options)(function)
        if caches.persistent():
            config.reload_config()
            with contextlib.suppress(RuntimeError):  # a function without a file, such as a notebook's
                dispatcher.enable_caching()
        return _hand_out(dispatcher)

    def adopt(self, function: Any) -> Any:
        """Count what it loads from the disk cache. Compilations are counted anyway."""
        if getattr(function, "targetoptions", {}).get("parallel") and not self.backend.needs_threads:
            raise ValueError("it is compiled with parallel=True: label it numba_parallel, which has threads")
        if hasattr(function, "stats"):
            _hits.append(function.stats.cache_hits)
        return function

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time Numba's passes by purpose, and LLVM. Callees are compiled again and count in each stage. No stages for a
        function with ``numba.literally``, which is compiled for values."""
        _drop(set(_compilations.dispatchers) - set(_handed_out))
        passes, clock = _StageClock(), Clock()
        try:
            with event.install_listener("numba:run_pass", passes), event.install_listener("numba:llvm_lock", passes):
                self._compiled(source, arguments)
        except ForceLiteralArg:
            return Stages()
        return clock.stages({stage: passes.seconds[stage] for stage in PIPELINE if stage in passes.seconds})

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the source with its types, and LLVM's output, including parallel parts and the wrappers for Python."""
        dispatcher = self._compiled(source, arguments)
        (signature,) = dispatcher.signatures
        typed = io.StringIO()
        dispatcher.inspect_types(file=typed)
        llvm, text = dispatcher.inspect_llvm(signature), dispatcher.inspect_asm(signature)
        machine = _machine_code(dispatcher.overloads[signature].library) or text
        counts = assembly.counts(machine, "assembly_instructions")
        counts["llvm_instructions"] = len(re.findall(r"^  (?:%\S+ = )?[a-z]", llvm, re.MULTILINE))
        return Artifacts({"typed_ir": typed.getvalue(), "llvm": llvm, "assembly": text}, counts)

    def _dispatcher(self, source: Source, cache: bool) -> Any:
        assert source.run is not None
        if cache:
            config.reload_config()  # NUMBA_CACHE_DIR may have been set after the import
        options = {**self.backend.options, **source.options.get(self.backend.name, {})}
        return numba.njit(cache=cache, **options)(_renamed(source.run, self.backend.mode) if cache else source.run)

    def _compiled(self, source: Source, arguments: Sequence[Any]) -> Any:
        """Return a new dispatcher, compiled for these arguments but not run."""
        dispatcher = self._dispatcher(source, cache=False)
        _, types = dispatcher.fold_argument_types(tuple(map(numba.typeof, arguments)), {})  # with defaults, as a call has
        dispatcher.compile(types)
        return dispatcher


def _hand_out(dispatcher: Any) -> Any:
    """Return the dispatcher; from now on its programs are counted, and ``forget`` drops them."""
    _handed_out.add(dispatcher)
    _hits.append(dispatcher.stats.cache_hits)  # the dispatcher's own counter; this list keeps it alive
    return dispatcher


@functools.cache
def _start(parallel: bool) -> None:
    def total(count: Any) -> Any:
        total = count
        for i in numba.prange(count):
            total += i
        return total

    numba.njit(parallel=parallel)(total)(np.uint64(1))


def _machine_code(library: Any) -> str | None:
    """Return the machine code that ``inspect_asm`` shows, disassembled; None without objdump."""
    with tempfile.TemporaryDirectory() as directory:
        object_file = Path(directory) / "run.o"
        object_file.write_bytes(library._codegen._tm.emit_object(library._final_module))
        return assembly.disassemble([object_file])


def _renamed(run: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """Return a copy whose name ends with the mode: Numba's disk cache finds a function by its name and ignores options."""
    copy: Callable[..., Any] = copy_of(run)
    copy.__qualname__ = f"{run.__qualname__}_{mode}"
    return copy


def _drop(dispatchers: Iterable[Any]) -> None:
    """Do the first part of ``Dispatcher.recompile``. Machine code that others have inlined stays, and a function with an
    explicit signature, which is compiled only once."""
    for dispatcher in dispatchers:
        if dispatcher._can_compile:
            dispatcher._make_finalizer()()
            dispatcher._reset_overloads()


class _Compilations(event.Listener):  # type: ignore[misc]  # numba is not typed
    """Counts the outermost compilations, and lists every dispatcher that has compiled."""

    def __init__(self) -> None:
        self.count = 0
        self.dispatchers: weakref.WeakSet[Any] = weakref.WeakSet()
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        self.dispatchers.add(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        self.count += self._depth == 0 and event._exc_details is None  # is_failed means the opposite (0.68)


class _StageClock(event.Listener):  # type: ignore[misc]  # numba is not typed
    """Seconds by stage, without overlap: a callee's lowering during its caller's type inference counts as lowering."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._stages: list[str] = []
        self._last = 0.0

    def on_start(self, event: Any) -> None:
        self._tick()
        self._stages.append("llvm" if event.kind == "numba:llvm_lock" else _stage(event.data["name"]))

    def on_end(self, event: Any) -> None:
        self._tick()
        self._stages.pop()

    def _tick(self) -> None:
        now = time.perf_counter()
        if self._stages:
            self.seconds[self._stages[-1]] = self.seconds.get(self._stages[-1], 0.0) + now - self._last
        self._last = now


def _stage(name: str) -> str:
    return next((stage for word, stage in STAGE_OF_WORD.items() if word in name.split()[0]), "numba_ir")


# Registries of the process: a listener is registered once, and dispatchers outlive the cases that made them.
_handed_out: weakref.WeakSet[Any] = weakref.WeakSet()
_hits: list[Counter[Any]] = []
_compilations = _Compilations()
event.register("numba:compile", _compilations)
