"""The differences between releases of Triton since 3.0. The other modules are written for today's release.

Each function tests for a feature; the number beside it is the first release that has it.
"""

import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import triton
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

LISTENS = hasattr(triton, "knobs")  # 3.4: a listener is told of each compilation, and if the program came from a disk cache


def source(kernel: Any, signature: dict[str, Any]) -> Any:
    """Return a jit function with the types that it is compiled for; constants have a type since 3.3."""
    constants = {name: value for name, value in signature.items() if not isinstance(value, str)}
    types = {name: value for name, value in signature.items() if name not in constants}
    if "constexprs" in inspect.signature(ASTSource).parameters:
        types = {name: types.get(name, "constexpr") for name in signature}
    return ASTSource(kernel, types, constants)


def stage_clock(target: Any) -> dict[str, float]:
    """Return seconds by stage. Later compilations of this process for this target fill them in."""
    seconds: dict[str, float] = {}

    def keep(*, times: Any, **_: Any) -> None:
        lowering = dict(times.lowering_stages)
        stages = {"ir_initialization": times.ir_initialization, **lowering, "store_results": times.store_results}
        seconds.update({stage: microseconds / 1e6 for stage, microseconds in stages.items()})

    if LISTENS:
        triton.knobs.compilation.listener = keep
    else:
        backend = type(make_backend(target))
        backend.add_stages = _timed(backend.add_stages, seconds)
    return seconds


def _timed(add_stages: Callable[..., None], seconds: dict[str, float]) -> Callable[..., None]:
    """Return an older release's ``add_stages`` with a clock around each stage, but not around the work before and after."""

    def add_timed(self: Any, stages: dict[str, Any], options: Any) -> None:
        add_stages(self, stages, options)
        stages.update({name: clocked(name, lower) for name, lower in stages.items()})

    def clocked(name: str, lower: Callable[..., Any]) -> Callable[..., Any]:
        def lowered(*arguments: Any) -> Any:
            begin = time.perf_counter()
            result = lower(*arguments)
            seconds[name] = time.perf_counter() - begin
            return result

        return lowered

    return add_timed


def programs_by_device(kernel: Any) -> dict[Any, Any]:
    """Return the programs of a jit function by the device that it ran on."""
    programs: dict[Any, Any] = kernel.device_caches if hasattr(kernel, "device_caches") else kernel.cache  # 3.3
    return programs


def programs(kernel: Any) -> int:
    """Count the programs of a jit function. If a device's entry is a tuple, they are its first part."""
    return sum(len(entry[0] if isinstance(entry, tuple) else entry) for entry in programs_by_device(kernel).values())


def sass(compiled: Any) -> str | None:
    """Return the machine's instructions, as Triton shows them (3.2; its own disassembler cannot be imported in 3.0)."""
    return None if type(compiled.asm) is dict else str(compiled.asm["sass"])


def cuobjdump() -> str:
    """Return the path of NVIDIA's program, which comes with Triton."""
    if LISTENS:
        return str(triton.knobs.nvidia.cuobjdump.path)
    return str(Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump")
