"""The output of torch's compilers for a kernel, and the time of each stage.

Everything is compiled again into a temporary cache directory, from copies of the functions with new code objects, by which
Dynamo recognises compiled functions. So the process's own programs and their disk cache are not changed.
"""

import dataclasses
import functools
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import torch
from functorch.compile import make_boxed_func, min_cut_rematerialization_partition
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.utils import compile_times
from torch._inductor import metrics
from torch._inductor.compile_fx import compile_fx, compile_fx_inner, select_decomp_table
from torch._inductor.utils import fresh_cache

from jitkernels.backends import assembly
from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.compiler import Compiler
from jitkernels.backends.torch import programs
from jitkernels.source import Source, copy_of

KERNELS = r"kernel(\._omp_fn\.\d+)?(\.cold)?"  # names of Inductor's C functions, and of their parallel parts by g++
BACKWARD = "backward._backward_impl"  # AOTAutograd's graph of the gradient, compiled at its first use
ENTRIES = {
    "dynamo": ("_compile.compile_inner", BACKWARD),
    "aot_autograd": ("OutputGraph.call_user_compiler", BACKWARD),
    "inductor": ("compile_fx_inner",),
}
"""torch's clocks at the begin of each stage. Each stage calls the next one, so its seconds include the next one's."""


def stages(compiler: Compiler, source: Source, arguments: Sequence[Any]) -> Stages:
    """Return the seconds of the mode's stages; none if the table does not name the mode's stages, or for a callable that
    cannot be copied."""
    if not isinstance(source.run, FunctionType):
        return Stages()
    if compiler.backend.mode == programs.SCRIPT:
        programs.forget_scripts()
        clock = Clock()
        program = _bind(compiler, source, lambda part, options: programs.script(copy_of(part, new_code=True)))
        clock.lap("script")
        compiler.wait(program(*arguments))
        return clock.stages()
    if compiler.backend.adds not in ENTRIES:
        return Stages()
    translate = functools.partial(programs.translate, compiler.backend)
    program = _bind(compiler, source, lambda part, options: translate(copy_of(part, new_code=True), options))
    with fresh_cache():
        before, clock = _clocks(), Clock()
        compiler.wait(program(*arguments))
        whole = clock.stages()
        inclusive = [now - then for now, then in zip(_clocks(), before, strict=True)]
    names = list(ENTRIES)[: list(ENTRIES).index(compiler.backend.adds) + 1]
    reached = [*inclusive[: len(names)], 0.0]
    return dataclasses.replace(whole, seconds={name: reached[i] - reached[i + 1] for i, name in enumerate(names)})


def artifacts(compiler: Compiler, source: Source, arguments: Sequence[Any]) -> Artifacts:
    """Return the graphs, one after the other, with counts of graphs, operations, graph breaks and Inductor's kernels."""
    last = compiler.backend.adds
    if compiler.backend.mode == programs.SCRIPT:
        graphs = [str(scripted.inlined_graph) for scripted in _scripts(compiler, source)]
        text = "\n".join(graphs)
        return Artifacts({"graph": text}, {"graphs": len(graphs), "aten_operations": text.count(" = aten::")})
    if last not in ENTRIES:
        return Artifacts()
    recorder = Recorder(last)
    program = _bind(compiler, source, recorder.compile)
    breaks, kernels = compiler.breaks(), metrics.generated_kernel_count
    with fresh_cache():
        compiler.wait(program(*arguments))
        texts = {**recorder.texts, **({"output_code": _output_code()} if last == "inductor" else {})}
        machine = _machine_code() if last == "inductor" and compiler.device == "cpu" else None
    counts = {**recorder.counts, "graph_breaks": compiler.breaks() - breaks}
    if last == "inductor":
        counts["kernels"] = metrics.generated_kernel_count - kernels
    if machine is not None:
        texts["assembly"] = machine or "# Inductor wrote no C++: all of it is calls of torch's own operations"
        counts.update(assembly.counts(machine))
    return Artifacts(texts, counts)


class Recorder:
    """``torch.compile`` up to the stage ``last``. Copies the graphs that pass from stage to stage."""

    def __init__(self, last: str) -> None:
        self.last = last
        self.texts: dict[str, str] = {}
        self.counts: Counter[str] = Counter()

    def compile(self, part: Any, options: dict[str, Any]) -> Any:
        keywords = {name: value for name, value in options.items() if name != "options"}
        compiler = functools.partial(self._after_dynamo, options.get("options"))
        return torch.compile(copy_of(part, new_code=True), backend=compiler, **keywords)

    def _after_dynamo(self, patches: Any, graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        self.counts["graphs"] += 1
        self._keep("fx_graph", "fx_operations", graph)
        if self.last == "dynamo":
            return graph.forward
        if self.last == "inductor":
            return compile_fx(graph, inputs, inner_compile=self._after_autograd, config_patches=patches)
        lower: Any = aot_autograd(
            fw_compiler=self._after_autograd,
            decompositions=select_decomp_table,
            partition_fn=functools.partial(min_cut_rematerialization_partition, compiler="inductor"),
        )  # like the backend aot_eager_decomp_partition
        return lower(graph, inputs)

    def _after_autograd(self, graph: torch.fx.GraphModule, inputs: Any, **others: Any) -> Any:
        self._keep("aot_graph", "aten_operations", graph)
        return compile_fx_inner(graph, inputs, **others) if self.last == "inductor" else make_boxed_func(graph.forward)

    def _keep(self, stage: str, operations: str, graph: torch.fx.GraphModule) -> None:
        text = graph.print_readable(print_output=False)
        self.texts[stage] = f"{self.texts[stage]}\n{text}" if stage in self.texts else text
        self.counts[operations] += sum(node.op.startswith("call_") for node in graph.graph.nodes)


def _bind(compiler: Compiler, source: Source, translator: Callable[..., Any]) -> Callable[..., Any]:
    return programs.bind(source, compiler.backend.name, compiler.device, translator)


def _scripts(compiler: Compiler, source: Source) -> list[Any]:
    """Return the parts of ``run``, each scripted again, together with the functions that they call."""
    programs.forget_scripts()
    scripts: list[Any] = []

    def translate(part: Any, options: dict[str, Any]) -> Any:
        scripts.append(programs.script(copy_of(part, new_code=True)))
        return scripts[-1]

    _bind(compiler, source, translate)
    return scripts


def _clocks() -> list[float]:
    """Return the seconds that this process has spent in each stage, including later ones."""
    names, seconds = compile_times(repr="csv", aggregate=True)
    total = dict(zip(names, map(float, seconds), strict=True))
    return [sum(total.get(entry, 0.0) for entry in entries) for entries in ENTRIES.values()]


def _machine_code() -> str | None:
    """Return the loops that Inductor wrote, from its libraries in the fresh cache, without their wrappers for Python."""
    libraries = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob("*/*.main.so")
    text = assembly.disassemble(sorted(libraries, key=lambda library: library.stat().st_mtime_ns))
    return None if text is None else assembly.only(text, KERNELS)


def _output_code() -> str:
    """Return the Python modules that Inductor wrote into the fresh cache, with the C++ or Triton of their kernels."""
    modules = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob("*/*.py")
    texts = [module.read_text() for module in sorted(modules, key=lambda module: module.stat().st_mtime_ns)]
    return "\n".join(text for text in texts if "def call(" in text)
