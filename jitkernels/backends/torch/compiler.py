"""PyTorch: eager, TorchScript, and torch.compile's ladder: Dynamo alone, with AOTAutograd, with Inductor.

A dialect's file may name the parts that its user would hand to the compiler: keyword-only parameters of ``run`` whose
defaults are functions (``count=count_hits``). These are compiled and ``run`` itself is left to Python, because a loop
over chunks in it would be unrolled into the program; where ``run`` has no such parameter, it is compiled whole. A
keyword-only parameter ``device`` gets torch's name of the device.

``compiler_options`` of the file holds, by backend, the keyword arguments of ``torch.compile``; under "run", values for
other keyword-only parameters of ``run``.

Dynamo is imported with the first use of ``torch.compile``: it takes seconds and brings Triton along.
"""

import functools
import importlib.metadata
import inspect
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from jitkernels.backends import caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.python import interpreted
from jitkernels.errors import Unavailable
from jitkernels.source import Source

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "from_disk", "interpreted", "jit", "limit", "programs", "put",
    "stages", "start", "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file

LADDER = {"dynamo": "eager", "aot": "aot_eager_decomp_partition", "inductor": "inductor"}
"""The backend of ``torch.compile`` by mode; each does what the one before it does, and more."""
BACKWARD = "compile_fx.<locals>.bw_compiler"  # Inductor's own name for its clock

_scripts = 0


def versions() -> dict[str, str]:
    """Triton is Inductor's compiler for a GPU; it is not imported to ask."""
    found = {"torch": str(torch.__version__)}
    try:
        return {**found, "triton": importlib.metadata.version("triton")}
    except importlib.metadata.PackageNotFoundError:
        return found


def threads(mode: str) -> int:
    return int(torch.get_num_threads())


def limit(mode: str, count: int) -> None:
    """Takes effect at once, in the code that Inductor wrote too: the number is part of what its cache goes by, or read when
    a program runs."""
    torch.set_num_threads(count)


def start(mode: str, device: str) -> None:
    """Threads or CUDA's context, and the mode's compiler on a function of no kernel: its imports, its worker processes,
    and with Inductor the probes of the processor and the precompiled headers, which one vector loop asks for."""
    numbers = torch.ones(1024, device=device_name(device))
    wait(translate(_sum_of_squares, mode, {})(numbers))


def compile(source: Source, mode: str, device: str) -> Callable[..., Any]:
    """Nothing is compiled before the first call, by TorchScript neither."""
    return bind(source, mode, device, functools.partial(translate, mode=mode))


def put(value: Any, device: str) -> Any:
    """NumPy's arrays and numbers become tensors on the device; Python's numbers stay, and ``run`` makes of them what it
    needs."""
    name = device_name(device)
    return torch.from_numpy(np.asarray(value)).to(name) if isinstance(value, np.ndarray | np.generic) else value


def wait(result: Any) -> Any:
    """On the CPU a result is finished when it is there."""
    first = result
    while isinstance(first, tuple | list | dict):
        first = next(iter(first.values() if isinstance(first, dict) else first))
    if getattr(first, "is_cuda", False):
        torch.cuda.synchronize(first.device)
    return result


def fetch(result: Any) -> Any:
    if isinstance(result, torch.Tensor):
        return result.item() if result.ndim == 0 else result.detach().cpu().numpy()
    if isinstance(result, dict):
        return {name: fetch(entry) for name, entry in result.items()}
    return type(result)(map(fetch, result)) if isinstance(result, tuple | list) else result


def forget() -> None:
    """Dynamo's code, what Inductor and TorchScript keep in memory, and all disk caches."""
    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()
        torch._inductor.utils.clear_caches()
    torch.jit._state._jit_caching_layer.clear()
    caches.forget()


def programs() -> int:
    """Graphs that Dynamo has handed to a compiler, functions that TorchScript was given, and backward passes that Inductor
    compiled on their own: it leaves each until a gradient is asked for."""
    if "torch._dynamo" not in sys.modules:
        return _scripts
    backward = torch._dynamo.utils.compilation_time_metrics.get(BACKWARD, [])  # a clock's readings, one a compilation
    return int(_scripts + torch._dynamo.utils.counters["stats"]["unique_graphs"] + len(backward))


def from_disk() -> int:
    """Graphs that Inductor's cache had compiled, by its own counter; the other modes keep nothing on disk."""
    if "torch._dynamo" not in sys.modules:
        return 0
    return int(torch._dynamo.utils.counters["inductor"]["fxgraph_cache_hit"])


def jit(function: Callable[..., Any], mode: str, static: Sequence[str] = (), whole: bool = False) -> Any:
    """Any Python number is static, until Dynamo has seen another. whole: ``fullgraph=True``."""
    if mode == "script":
        return script(function)
    return translate(function, mode, {"fullgraph": whole})


def breaks() -> int:
    """Dynamo's list of reasons; its counter of that name misses the breaks at branches on a tensor's value."""
    return len(torch._dynamo.utils.graph_break_reasons) if "torch._dynamo" in sys.modules else 0


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    """Seconds in Dynamo, AOTAutograd and Inductor (its C++ compiler too), each without the next; or TorchScript's."""
    return Stages() if mode == "eager" else _inside().stages(source, mode, device, arguments)


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The graphs that the mode passes through, and Inductor's output code; none in eager mode."""
    return Artifacts() if mode == "eager" else _inside().artifacts(source, mode, device, arguments)


def bind(source: Source, mode: str, device: str, translator: Callable[..., Any]) -> Callable[..., Any]:
    """``run`` with ``translator(function, options=...)`` applied to its parts, or to itself where it has none."""
    run: Any = source.run
    options = dict(source.options.get(f"torch_{mode}", {}))
    keywords = dict(options.pop("run", {}))
    defaults = {p.name: p.default for p in inspect.signature(run).parameters.values() if p.kind is p.KEYWORD_ONLY}
    if "device" in defaults:
        keywords["device"] = device_name(device)
    parts = {name: keywords.pop(name, part) for name, part in defaults.items() if isinstance(part, types.FunctionType)}
    if not parts:
        return functools.partial(translator(run, options=options), **keywords)
    translated = {name: translator(part, options=options) for name, part in parts.items()}
    return functools.partial(run, **translated, **keywords)


def translate(function: Any, mode: str, options: dict[str, Any]) -> Any:
    """One function as the mode's user would compile it."""
    if mode == "eager":
        return function
    if mode == "script":
        return _script_on_first_call(function)
    return torch.compile(function, backend=LADDER[mode], **options)


def script(function: Any) -> Any:
    """``torch.jit.script`` without the warning that it will go: this backend says what it was worth."""
    global _scripts
    known = torch.jit._state._try_get_jit_cached_function(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        scripted = torch.jit.script(function)
    _scripts += known is None
    return scripted


def device_name(device: str) -> str:
    """torch's name of the device; Unavailable where torch sees no such device."""
    if device == "cpu":
        return "cpu"
    if not torch.cuda.is_available():
        raise Unavailable("torch sees no GPU: this machine has none, or this build of torch is for the CPU")
    return "cuda"


def _sum_of_squares(numbers: torch.Tensor) -> torch.Tensor:
    return (numbers * numbers).sum()


def _script_on_first_call(function: Any) -> Any:
    scripted: Any = None

    def program(*arguments: Any) -> Any:
        nonlocal scripted
        if scripted is None:
            scripted = script(function)
        return scripted(*arguments)

    return program


def _inside() -> Any:
    """The module that looks inside ``torch.compile``; loaded when asked for, because it imports Dynamo."""
    return importlib.import_module("jitkernels.backends.torch.artifacts")
