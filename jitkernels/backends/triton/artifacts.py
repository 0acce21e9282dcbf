"""The output of Triton's compiler for one GPU, which need not be present, and the time of each stage.

It runs in another process, because without a GPU the library's process has Triton's interpreter.
"""

import importlib
import re
import subprocess
import tempfile
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget

from jitkernels.backends.artifacts import Artifacts, Clock, Stages
from jitkernels.backends.triton.releases import cuobjdump, sass, source, stage_clock

TARGET = GPUTarget("cuda", 90, 32)  # a Hopper; fixed, so that counts are equal on all machines
TEXTS = ("ttir", "ttgir", "llir", "ptx")
RESOURCES = {"registers": "REG", "stack_bytes": "STACK", "spilled_bytes": "LOCAL", "shared_bytes": "SHARED"}


def compile_apart(kernel: str) -> tuple[Stages, Artifacts]:
    """Compile the kernel of a dialect's module, by its ``kernel`` and ``signature``."""
    dialect = importlib.import_module(f"jitkernels.kernels.{kernel}.triton")
    seconds = stage_clock(TARGET)
    clock = Clock()
    compiled = triton.compile(source(dialect.kernel, dialect.signature), target=TARGET)
    stages = clock.stages(seconds)
    machine, usage = disassemble(compiled.asm["cubin"])
    texts = {stage: compiled.asm[stage] for stage in TEXTS} | {"sass": sass(compiled) or machine}
    return stages, Artifacts(texts, counts(texts["ptx"], machine, usage))


def disassemble(cubin: bytes) -> tuple[str, str]:
    """Return cuobjdump's texts: the machine's instructions, and the resources of one thread (shared memory: of one
    program)."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "kernel.cubin"
        file.write_bytes(cubin)
        commands = [[cuobjdump(), option, str(file)] for option in ("--dump-sass", "--dump-resource-usage")]
        machine, usage = (subprocess.run(c, capture_output=True, text=True, check=True).stdout for c in commands)
    return machine, usage


def counts(ptx: str, machine: str, usage: str) -> dict[str, int]:
    """Count the instructions of PTX and of the machine, and the resources."""
    used = dict(re.findall(r"(\w+):(\d+)", usage.rpartition("Function")[2]))
    return {
        **{name: int(used[word]) for name, word in RESOURCES.items()},
        "ptx_instructions": len(re.findall(r"^\s+(?:@!?%p\d+ )?[a-z][\w.]*(?:\s.*)?;", ptx, re.MULTILINE)),
        "sass_instructions": len(re.findall(r"^\s+/\*[0-9a-f]+\*/ .*;", machine, re.MULTILINE)),
    }
