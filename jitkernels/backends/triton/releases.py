"""What releases of Triton since 3.0 call otherwise, so that ``triton`` and ``_triton_inside`` can be written as of today.

What is there is asked for; the number beside it is the first release that has it.
"""

import inspect
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import triton
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

LISTENS = hasattr(triton, "knobs")  # 3.4: whoever asks hears of each compilation, and whether a disk cache had it


def source(kernel: Any, signature: dict[str, Any]) -> Any:
    """A jit function with the types that it is compiled for; constants among them have a type since 3.3."""
    constants = {name: value for name, value in signature.items() if not isinstance(value, str)}
    types = {name: value for name, value in signature.items() if name not in constants}
    if "constexprs" in inspect.signature(ASTSource).parameters:
        types = {name: types.get(name, "constexpr") for name in signature}
    return ASTSource(kernel, types, constants)


def stage_clock(target: Any) -> dict[str, float]:
    """Seconds by stage, filled in while this process compiles for this target from now on."""
    seconds: dict[str, float] = {}

    def keep(*, times: Any, **_: Any) -> None:
        lowering = dict(times.lowering_stages)
        found = {"ir_initialization": times.ir_initialization, **lowering, "store_results": times.store_results}
        seconds.update({stage: microseconds / 1e6 for stage, microseconds in found.items()})

    if LISTENS:
        triton.knobs.compilation.listener = keep
    else:
        backend = type(make_backend(target))
        backend.add_stages = _timed(backend.add_stages, seconds)
    return seconds


def _timed(add_stages: Callable[..., None], seconds: dict[str, float]) -> Callable[..., None]:
    """An older release's stages, each with a clock around it; what comes before and after them is none of them."""

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


def cached(kernel: Any) -> dict[Any, Any]:
    """What a jit function keeps for each device that it ran on."""
    kept: dict[Any, Any] = kernel.device_caches if hasattr(kernel, "device_caches") else kernel.cache  # 3.3
    return kept


def programs(kernel: Any) -> int:
    """How many a jit function keeps: where there is more to keep for a device, they come first."""
    return sum(len(kept[0] if isinstance(kept, tuple) else kept) for kept in cached(kernel).values())


def sass(compiled: Any) -> str | None:
    """The machine's instructions, as Triton shows them (3.2; its own disassembler cannot be imported in 3.0)."""
    return None if type(compiled.asm) is dict else str(compiled.asm["sass"])


def cuobjdump() -> str:
    """NVIDIA's program, which comes with Triton."""
    if LISTENS:
        return str(triton.knobs.nvidia.cuobjdump.path)
    return str(Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump")
