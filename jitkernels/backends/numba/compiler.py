"""Numba: ``njit`` compiles a function for the types of its arguments, at its first call.

Mode "serial" is ``njit``, mode "parallel" is ``njit(parallel=True)``; a kernel's ``compiler_options`` come on top. What
the compiler does is heard through its own events (numba.core.event), by listeners that change nothing.
"""

import functools
import io
import re
import tempfile
import time
import types
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

from jitkernels.backends import assembly, caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.clock import Clock
from jitkernels.backends.numpy import fetch
from jitkernels.backends.python import breaks, interpreted, wait
from jitkernels.settings import require_threads
from jitkernels.source import Source

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "from_disk", "interpreted", "jit", "limit", "programs", "put",
    "stages", "start", "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file

BACKENDS = {"serial": "numba", "parallel": "numba_parallel"}
PIPELINE = ("numba_ir", "type_inference", "parfors", "lowering", "llvm")
STAGE_OF_WORD = {  # the first that a pass's name holds; the other passes make Numba's IR or rewrite it
    "diagnostics": "lowering",  # of parfors, which is run in both modes
    "_lowering": "lowering",
    "type_inference": "type_inference",
    "parfor": "parfors",
}


def versions() -> dict[str, str]:
    llvm = ".".join(map(str, binding.llvm_version_info))
    return {"numba": numba.__version__, "llvmlite": llvmlite.__version__, "llvm": llvm}


def threads(mode: str) -> int:
    return int(numba.get_num_threads()) if mode == "parallel" else 1


def limit(mode: str, count: int) -> None:
    """Of those that Numba launches, a thread for each core, the others stay idle. Numba keeps the number for each thread
    that calls compiled programs; this is the caller's."""
    if mode == "parallel":
        require_threads("Numba", min(count, config.NUMBA_NUM_THREADS), count)
        numba.set_num_threads(count)


@functools.cache
def start(mode: str, device: str) -> None:
    """Compile and run a loop: LLVM and Numba's registries come up; in mode "parallel" the threads are launched too."""

    def total(count: Any) -> Any:
        total = count
        for i in numba.prange(count):
            total += i
        return total

    numba.njit(parallel=mode == "parallel")(total)(np.uint64(1))


def compile(source: Source, mode: str, device: str) -> Callable[..., Any]:
    if source.parts:
        return source.bind(functools.partial(jit, mode=mode))
    dispatcher: Any = _dispatcher(source, mode, caches.persistent())
    _handed_out.add(dispatcher)
    _hits.append(dispatcher.stats.cache_hits)  # the dispatcher's own counter, which outlives it here
    return dispatcher  # type: ignore[no-any-return]  # numba is not typed


def put(value: Any, device: str) -> Any:
    """Integers are unsigned, as a seed may need all 64 bits."""
    return np.uint64(value) if isinstance(value, int) and not isinstance(value, bool) else value


def forget() -> None:
    """Inlined callees, Numba's own among them, are dropped too: a cold compilation compiles them as well."""
    _drop({*_compilations.dispatchers, *_handed_out})  # those that the disk cache served never compiled
    caches.forget()
    if caches.persistent():
        config.reload_config()
        for dispatcher in _handed_out:
            dispatcher.enable_caching()  # anew, in the empty directory


def programs() -> int:
    """Compilations that were not part of another one, and what the disk cache gave."""
    return _compilations.count + from_disk()


def from_disk() -> int:
    """By the dispatchers' own counters."""
    return sum(sum(hits.values()) for hits in _hits)


def jit(function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
    """Static arguments are named in the function, by ``numba.literally``."""
    return numba.njit(parallel=mode == "parallel")(function)


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    """Numba's passes by what they are for, and LLVM; callees are compiled anew and count in each stage."""
    _drop(set(_compilations.dispatchers) - set(_handed_out))
    passes, clock = _StageClock(), Clock()
    with event.install_listener("numba:run_pass", passes), event.install_listener("numba:llvm_lock", passes):
        _compiled(source, mode, arguments)
    return clock.stages({stage: passes.seconds[stage] for stage in PIPELINE if stage in passes.seconds})


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The source with its types, and LLVM's output; all parallel parts and the wrappers for Python included."""
    dispatcher = _compiled(source, mode, arguments)
    (signature,) = dispatcher.signatures
    typed = io.StringIO()
    dispatcher.inspect_types(file=typed)
    llvm, text = dispatcher.inspect_llvm(signature), dispatcher.inspect_asm(signature)
    counts = assembly.counts(_machine_code(dispatcher.overloads[signature].library) or text)
    counts["assembly_instructions"] = counts.pop("machine_instructions")
    counts["llvm_instructions"] = len(re.findall(r"^  (?:%\S+ = )?[a-z]", llvm, re.MULTILINE))
    return Artifacts({"typed_ir": typed.getvalue(), "llvm": llvm, "assembly": text}, counts)


def _machine_code(library: Any) -> str | None:
    """What ``inspect_asm`` shows, as bytes: the same call with objects for text."""
    with tempfile.TemporaryDirectory() as directory:
        made = Path(directory) / "run.o"
        made.write_bytes(library._codegen._tm.emit_object(library._final_module))
        return assembly.disassemble([made])


def _dispatcher(source: Source, mode: str, cache: bool) -> Any:
    assert source.run is not None
    if cache:
        config.reload_config()  # as the compiler does for itself: NUMBA_CACHE_DIR may be younger than the import
    options = {"parallel": mode == "parallel", **source.options.get(BACKENDS[mode], {})}
    return numba.njit(cache=cache, **options)(_renamed(source.run, mode) if cache else source.run)


def _renamed(run: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """A copy whose name tells the mode: Numba's disk cache knows a function by its name and ignores ``parallel``."""
    assert isinstance(run, types.FunctionType)
    copy = types.FunctionType(run.__code__, run.__globals__, run.__name__, run.__defaults__, run.__closure__)
    copy.__qualname__ = f"{run.__qualname__}_{mode}"
    return copy


def _compiled(source: Source, mode: str, arguments: Sequence[Any]) -> Any:
    """A new dispatcher, compiled for these arguments but not run."""
    dispatcher = _dispatcher(source, mode, cache=False)
    dispatcher.compile(tuple(map(numba.typeof, arguments)))
    return dispatcher


def _drop(dispatchers: Iterable[Any]) -> None:
    """What ``Dispatcher.recompile`` does first; machine code that others have inlined stays theirs."""
    for dispatcher in list(dispatchers):
        dispatcher._make_finalizer()()
        dispatcher._reset_overloads()


class _Compilations(event.Listener):  # type: ignore[misc]  # numba is not typed
    """Counts the outermost compilations, and knows every dispatcher that has compiled."""

    def __init__(self) -> None:
        self.count = 0
        self.dispatchers: weakref.WeakSet[Any] = weakref.WeakSet()
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        self.dispatchers.add(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        self.count += self._depth == 0 and event._exc_details is None  # is_failed says the opposite (0.68)


class _StageClock(event.Listener):  # type: ignore[misc]  # numba is not typed
    """Seconds by stage, each second in one only: a callee's lowering within its caller's type inference is lowering."""

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


_handed_out: weakref.WeakSet[Any] = weakref.WeakSet()
_hits: list[Counter[Any]] = []
_compilations = _Compilations()
event.register("numba:compile", _compilations)
