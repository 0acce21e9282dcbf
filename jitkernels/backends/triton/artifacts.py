"""``python -m jitkernels.backends.triton.artifacts KERNEL``: what Triton's compiler makes of a kernel, as JSON.

Compiles for one GPU, which need not be here: seconds by stage, texts by stage, counts. A process of its own, because
where there is no GPU the library's process has Triton's interpreter.
"""

import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import triton
from triton.backends.compiler import GPUTarget

from jitkernels.backends.clock import Clock
from jitkernels.backends.triton.releases import cuobjdump, sass, source, stage_clock

TARGET = GPUTarget("cuda", 90, 32)  # a Hopper, fixed so that counts are the same on every machine
TEXTS = ("ttir", "ttgir", "llir", "ptx")
RESOURCES = {"registers": "REG", "stack_bytes": "STACK", "spilled_bytes": "LOCAL", "shared_bytes": "SHARED"}


def look(dialect: Any) -> dict[str, Any]:
    """dialect: the module of a dialect's file, with ``kernel`` and ``signature``."""
    seconds = stage_clock(TARGET)
    clock = Clock()
    compiled = triton.compile(source(dialect.kernel, dialect.signature), target=TARGET)
    whole = clock.stages()
    machine, usage = inside(compiled.asm["cubin"])
    texts = {stage: compiled.asm[stage] for stage in TEXTS} | {"sass": sass(compiled) or machine}
    made = {"stages": seconds, "total": whole.total, "cpu_seconds": whole.cpu_seconds}
    return {**made, "texts": texts, "counts": count(texts["ptx"], machine, usage)}


def inside(cubin: bytes) -> tuple[str, str]:
    """The machine's instructions, and what one thread uses (shared memory: one program), in cuobjdump's words."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "kernel.cubin"
        file.write_bytes(cubin)
        commands = [[cuobjdump(), option, str(file)] for option in ("--dump-sass", "--dump-resource-usage")]
        machine, usage = (subprocess.run(c, capture_output=True, text=True, check=True).stdout for c in commands)
    return machine, usage


def count(ptx: str, machine: str, usage: str) -> dict[str, int]:
    """Instructions of PTX and of the machine, and the resources."""
    found = dict(re.findall(r"(\w+):(\d+)", usage.rpartition("Function")[2]))
    return {
        **{name: int(found[word]) for name, word in RESOURCES.items()},
        "ptx_instructions": len(re.findall(r"^\s+(?:@!?%p\d+ )?[a-z][\w.]*(?:\s.*)?;", ptx, re.MULTILINE)),
        "sass_instructions": len(re.findall(r"^\s+/\*[0-9a-f]+\*/ .*;", machine, re.MULTILINE)),
    }


if __name__ == "__main__":
    print(json.dumps(look(importlib.import_module(f"jitkernels.kernels.{sys.argv[1]}.triton"))))
