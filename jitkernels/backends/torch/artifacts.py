"""What torch's compilers make of a kernel, and how long each stage takes them.

Everything is compiled anew from copies of the functions, into a cache directory that is thrown away: the programs that
the process runs, and their disk cache, are left as they are.
"""

import dataclasses
import functools
import os
import types
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.utils import compile_times
from torch._inductor import metrics
from torch._inductor.compile_fx import compile_fx, compile_fx_inner, select_decomp_table
from torch._inductor.utils import fresh_cache

from jitkernels.backends import assembly
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.clock import Clock
from jitkernels.backends.torch import compiler as backend
from jitkernels.source import Source

KERNELS = r"kernel(\._omp_fn\.\d+)?(\.cold)?"  # what Inductor calls its C functions, and g++ their parallel parts
BACKWARD = "backward._backward_impl"  # AOTAutograd's graph of the gradient, which is compiled when it is first wanted
ENTRIES = {
    "dynamo": ("_compile.compile_inner", BACKWARD),
    "aot_autograd": ("OutputGraph.call_user_compiler", BACKWARD),
    "inductor": ("compile_fx_inner",),
}
"""Where each stage begins, by torch's names for its clocks; each calls the next, so its seconds include the next's."""


def stages(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Stages:
    if mode == "script":
        torch.jit._state._jit_caching_layer.clear()
        clock = Clock()
        program = backend.bind(source, mode, device, lambda part, options: backend.script(_copy(part)))
        clock.lap("script")
        backend.wait(program(*arguments))
        return clock.stages()
    program = backend.bind(source, mode, device, lambda part, options: backend.translate(_copy(part), mode, options))
    with fresh_cache():
        before, clock = _clocks(), Clock()
        backend.wait(program(*arguments))
        whole = clock.stages()
        inclusive = [now - then for now, then in zip(_clocks(), before, strict=True)]
    reached = [*inclusive[: list(backend.LADDER).index(mode) + 1], 0.0]
    seconds = {stage: reached[i] - reached[i + 1] for i, stage in enumerate(list(ENTRIES)[: len(reached) - 1])}
    return dataclasses.replace(whole, seconds=seconds)


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    """The graphs, one after the other; how many, their operations, graph breaks and the kernels Inductor wrote."""
    if mode == "script":
        graphs = [str(scripted.inlined_graph) for scripted in _scripts(source, device)]
        text = "\n".join(graphs)
        return Artifacts({"graph": text}, {"graphs": len(graphs), "aten_operations": text.count(" = aten::")})
    recorder = Recorder(mode)
    program = backend.bind(source, mode, device, recorder.compile)
    breaks, kernels = backend.breaks(), metrics.generated_kernel_count
    with fresh_cache():
        backend.wait(program(*arguments))
        texts = {**recorder.texts, **({"output_code": _output_code()} if mode == "inductor" else {})}
        machine = _machine_code() if mode == "inductor" and device == "cpu" else None
    counts = {**recorder.counts, "graph_breaks": backend.breaks() - breaks}
    if mode == "inductor":
        counts["kernels"] = metrics.generated_kernel_count - kernels
    if machine is not None:
        texts["assembly"] = machine or "# Inductor wrote no C++: all of it is calls of torch's own operations"
        counts.update(assembly.counts(machine))
    return Artifacts(texts, counts)


class Recorder:
    """``torch.compile`` in one mode, keeping a copy of the graphs that pass from stage to stage."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.texts: dict[str, str] = {}
        self.counts: Counter[str] = Counter()

    def compile(self, part: Any, options: dict[str, Any]) -> Any:
        keywords = {name: value for name, value in options.items() if name != "options"}
        compiler = functools.partial(self._after_dynamo, options.get("options"))
        return torch.compile(_copy(part), backend=compiler, **keywords)

    def _after_dynamo(self, patches: Any, graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        self.counts["graphs"] += 1
        self._keep("fx_graph", "fx_operations", graph)
        if self.mode == "dynamo":
            return graph.forward
        if self.mode == "inductor":
            return compile_fx(graph, inputs, inner_compile=self._after_autograd, config_patches=patches)
        lower: Any = aot_autograd(
            fw_compiler=self._after_autograd,
            decompositions=select_decomp_table,
            partition_fn=functools.partial(min_cut_rematerialization_partition, compiler="inductor"),
        )  # what the backend aot_eager_decomp_partition says
        return lower(graph, inputs)

    def _after_autograd(self, graph: torch.fx.GraphModule, inputs: Any, **others: Any) -> Any:
        self._keep("aot_graph", "aten_operations", graph)
        return compile_fx_inner(graph, inputs, **others) if self.mode == "inductor" else make_boxed_func(graph.forward)

    def _keep(self, stage: str, operations: str, graph: torch.fx.GraphModule) -> None:
        text = graph.print_readable(print_output=False)
        self.texts[stage] = f"{self.texts[stage]}\n{text}" if stage in self.texts else text
        self.counts[operations] += sum(node.op.startswith("call_") for node in graph.graph.nodes)


def _scripts(source: Source, device: str) -> list[Any]:
    """The parts of ``run``, each scripted anew, and with them the functions that they call."""
    torch.jit._state._jit_caching_layer.clear()
    scripts: list[Any] = []

    def translate(part: Any, options: dict[str, Any]) -> Any:
        scripts.append(backend.script(_copy(part)))
        return scripts[-1]

    backend.bind(source, "script", device, translate)
    return scripts


def _copy(function: Callable[..., Any]) -> Any:
    """The same function with a code object of its own, by which Dynamo knows what it has compiled."""
    code, name = function.__code__.replace(), function.__name__
    copy = types.FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _clocks() -> list[float]:
    """Seconds that this process has spent in each stage and those after it."""
    names, seconds = compile_times(repr="csv", aggregate=True)
    total = dict(zip(names, map(float, seconds), strict=True))
    return [sum(total.get(entry, 0.0) for entry in entries) for entries in ENTRIES.values()]


def _machine_code() -> str | None:
    """The loops that Inductor wrote, in the libraries that it left in the fresh cache; not their door to Python."""
    libraries = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob("*/*.main.so")
    text = assembly.disassemble(sorted(libraries, key=lambda library: library.stat().st_mtime_ns))
    return None if text is None else assembly.only(text, KERNELS)


def _output_code() -> str:
    """The Python modules that Inductor wrote into the fresh cache, the C++ or Triton of their kernels inside."""
    modules = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob("*/*.py")
    texts = [module.read_text() for module in sorted(modules, key=lambda module: module.stat().st_mtime_ns)]
    return "\n".join(text for text in texts if "def call(" in text)
