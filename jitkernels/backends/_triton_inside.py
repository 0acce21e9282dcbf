"""``python -m jitkernels.backends._triton_inside KERNEL``: what Triton's compiler makes of a kernel, as JSON.

Compiles for one GPU, which need not be here: seconds by stage, texts by stage, counts. A process of its own, because
where there is no GPU the library's process has Triton's interpreter.
"""

import importlib
import json
import re
import subprocess
import sys
from typing import Any

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from jitkernels.clock import Clock

TARGET = GPUTarget("cuda", 90, 32)  # a Hopper, fixed so that counts are the same on every machine
TEXTS = ("ttir", "ttgir", "llir", "ptx", "sass")
RESOURCES = {"registers": "REG", "stack_bytes": "STACK", "spilled_bytes": "LOCAL", "shared_bytes": "SHARED"}


def look(dialect: Any) -> dict[str, Any]:
    """dialect: the module of a dialect's file, with ``kernel`` and ``signature``."""
    seconds: dict[str, float] = {}

    def keep(*, times: Any, **_: Any) -> None:
        lowering = dict(times.lowering_stages)
        found = {"ir_initialization": times.ir_initialization, **lowering, "store_results": times.store_results}
        seconds.update({stage: microseconds / 1e6 for stage, microseconds in found.items()})

    constants = {name: value for name, value in dialect.signature.items() if not isinstance(value, str)}
    signature = {name: "constexpr" if name in constants else value for name, value in dialect.signature.items()}
    triton.knobs.compilation.listener = keep
    clock = Clock()
    compiled = triton.compile(ASTSource(dialect.kernel, signature, constants), target=TARGET)
    whole = clock.stages()
    texts = {stage: compiled.asm[stage] for stage in TEXTS}
    made = {"stages": seconds, "total": whole.total, "cpu_seconds": whole.cpu_seconds}
    return {**made, "texts": texts, "counts": count(texts, compiled)}


def count(texts: dict[str, str], compiled: Any) -> dict[str, int]:
    """Instructions of PTX and of the machine, and the resources of one thread (shared memory: of one program)."""
    cubin = next(path for name, path in compiled.metadata_group.items() if name.endswith(".cubin"))
    command = [triton.knobs.nvidia.cuobjdump.path, "--dump-resource-usage", cubin]
    usage = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = dict(re.findall(r"(\w+):(\d+)", usage.rpartition("Function")[2]))
    return {
        **{name: int(found[word]) for name, word in RESOURCES.items()},
        "ptx_instructions": len(re.findall(r"^\s+(?:@!?%p\d+ )?[a-z][\w.]*(?:\s.*)?;", texts["ptx"], re.MULTILINE)),
        "sass_instructions": len(re.findall(r"^\S+\t.*;$", texts["sass"], re.MULTILINE)),
    }


if __name__ == "__main__":
    print(json.dumps(look(importlib.import_module(f"jitkernels.kernels.{sys.argv[1]}.triton"))))
