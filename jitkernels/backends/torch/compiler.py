"""PyTorch: eager, TorchScript, and ``torch.compile`` in three modes: Dynamo alone, with AOTAutograd, with Inductor.

Dynamo is imported at the first use of ``torch.compile``. This takes seconds and imports Triton too.
"""

import functools
import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from typing import Any

import torch

from jitkernels.backends import caches
from jitkernels.backends.artifacts import Artifacts, Stages
from jitkernels.backends.torch import programs
from jitkernels.backends.torch.tensors import Tensors, device_name
from jitkernels.source import Source

BACKWARD = "compile_fx.<locals>.bw_compiler"  # Inductor's own name for its clock


class Torch(Tensors):
    def installed(self) -> dict[str, str]:
        """Triton, Inductor's compiler for a GPU, is not imported to get its version."""
        versions = super().installed()
        try:
            return {**versions, "triton": importlib.metadata.version("triton")}
        except importlib.metadata.PackageNotFoundError:
            return versions

    def threads(self) -> int:
        return int(torch.get_num_threads())

    def start(self) -> None:
        """Start threads or CUDA's context, and the mode's compiler on a function that is not a kernel's: imports, worker
        processes, and with Inductor the probes of the processor and the precompiled headers, which one vector loop needs."""
        numbers = torch.ones(1024, device=device_name(self.device))
        self.wait(programs.translate(self.backend, _sum_of_squares, {})(numbers))

    def compile(self, source: Source) -> Callable[..., Any]:
        """Nothing is compiled before the first call, not even by TorchScript."""
        translator = functools.partial(programs.translate, self.backend)
        return programs.bind(source, self.backend.name, self.device, translator)

    def forget(self) -> None:
        """Drop Dynamo's code, what Inductor and TorchScript keep in memory, and all disk caches."""
        if "torch._dynamo" in sys.modules:
            torch._dynamo.reset()
            torch._inductor.utils.clear_caches()
        programs.forget_scripts()
        caches.forget()

    def programs(self) -> int:
        """Count the graphs that Dynamo has passed to a compiler, the functions that TorchScript was given, and the backward
        passes that Inductor compiled separately, because it waits until a gradient is needed."""
        others = programs.counts.total()
        if "torch._dynamo" not in sys.modules:
            return others
        backward = torch._dynamo.utils.compilation_time_metrics.get(BACKWARD, [])  # a clock's readings, one per compilation
        return int(others + torch._dynamo.utils.counters["stats"]["unique_graphs"] + len(backward))

    def from_disk(self) -> int:
        """Count the graphs from Inductor's cache, by its own counter; other modes keep nothing on disk."""
        if "torch._dynamo" not in sys.modules:
            return 0
        return int(torch._dynamo.utils.counters["inductor"]["fxgraph_cache_hit"])

    def jit(self, function: Callable[..., Any], static: Sequence[str] = (), whole: bool = False) -> Any:
        """Every Python number is static until Dynamo has seen another value. whole: ``fullgraph=True``."""
        if self.backend.mode == programs.SCRIPT:
            return programs.script(function)
        return programs.translate(self.backend, function, {"fullgraph": True} if whole else {})

    def program(self, function: Callable[..., Any], static: Sequence[str] = ()) -> Any:
        return programs.translate(self.backend, function, {})

    def breaks(self) -> int:
        """Count Dynamo's list of reasons. Its counter of that name misses breaks at branches on a tensor's value."""
        return len(torch._dynamo.utils.graph_break_reasons) if "torch._dynamo" in sys.modules else 0

    def stages(self, source: Source, arguments: Sequence[Any]) -> Stages:
        """Time Dynamo, AOTAutograd and Inductor (with its C++ compiler), each without the next one; or TorchScript."""
        stages: Stages = _inside().stages(self, source, arguments)
        return stages

    def artifacts(self, source: Source, arguments: Sequence[Any]) -> Artifacts:
        """Return the mode's graphs, and Inductor's output code; none in eager mode."""
        return _inside().artifacts(self, source, arguments) if self.backend.translator else Artifacts()


def _sum_of_squares(numbers: torch.Tensor) -> torch.Tensor:
    return (numbers * numbers).sum()


def _inside() -> Any:
    """Import the module that looks inside ``torch.compile`` only when needed, because it imports Dynamo."""
    return importlib.import_module("jitkernels.backends.torch.artifacts")
