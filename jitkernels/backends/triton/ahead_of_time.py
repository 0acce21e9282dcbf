"""Triton: a cubin, the GPU's machine code, compiled on any machine and run on none without a GPU.

A module of its own process: here Triton is a compiler, where the compiler module may have its interpreter.
"""

import importlib
import json
import warnings
from pathlib import Path
from typing import Any

import triton
from triton.compiler import ASTSource

from jitkernels import kernels, settings
from jitkernels.backends import elf
from jitkernels.backends.ahead_of_time import Order
from jitkernels.backends.triton.artifacts import TARGET
from jitkernels.case import find_backend, unavailable
from jitkernels.errors import Unavailable

__all__ = ["build", "facts", "ready"]

LAUNCH = ("name", "num_warps", "num_ctas", "shared")  # what a launcher has to know besides the machine code


def ready(order: Order) -> Any:
    """The module of the kernel's file in Triton: its jit function and what that is compiled for."""
    if reason := unavailable(kernels.load(order.kernel), find_backend(order.backend), settings.device()):
        raise Unavailable(reason)
    return importlib.import_module(f"jitkernels.kernels.{order.kernel}.triton")


def build(subject: Any, form: str, directory: Path) -> None:
    constants = {name: value for name, value in subject.signature.items() if not isinstance(value, str)}
    signature = {name: "constexpr" if name in constants else value for name, value in subject.signature.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a default of its will change with Triton's next release
        compiled = triton.compile(ASTSource(subject.kernel, signature, constants), target=TARGET)
    (directory / "run.cubin").write_bytes(compiled.asm["cubin"])
    launch = {word: getattr(compiled.metadata, word) for word in LAUNCH}
    (directory / "run.json").write_text(json.dumps(launch))


def facts(form: str, directory: Path) -> dict[str, Any]:
    return {"elf_machine": elf.machines(directory), "target": f"sm_{TARGET.arch}"}
