"""Numba: its disk cache, and ``numba.pycc``, which makes an extension module that needs no Numba and is to go."""

import importlib.util
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core.errors import NumbaPendingDeprecationWarning

from jitkernels.backends import elf, toolchain
from jitkernels.backends.ahead_of_time import Order, started
from jitkernels.backends.numba.extension import MODULE
from jitkernels.case import Case
from jitkernels.errors import Unavailable

with warnings.catch_warnings():
    warnings.simplefilter("ignore", NumbaPendingDeprecationWarning)  # docs/aot.md says it
    from numba.pycc import CC

__all__ = ["build", "facts", "load", "ready"]


def ready(order: Order) -> Case:
    """An extension module is made by the tools that make Python's."""
    if order.form == "extension_module":
        if importlib.util.find_spec("setuptools") is None:
            raise Unavailable("numba.pycc needs setuptools: pip install setuptools")
        if reason := toolchain.missing("c"):
            raise Unavailable(reason)
    return started(order)


def build(subject: Case, form: str, directory: Path) -> None:
    """disk_cache: the directory is already the process's cache."""
    signature = tuple(map(numba.typeof, subject.arguments))
    if form == "disk_cache":
        program: Any = subject.program
        program.compile(signature)
        return
    made = CC(MODULE)
    made.output_dir, made.target_cpu = str(directory), "host"
    made.export("run", signature)(subject.source.run)
    made.compile()


def load(case: Case, form: str, directory: Path) -> Callable[..., Any]:
    """disk_cache; ``_extension`` loads the other. RuntimeError where Numba compiled instead of taking what is there."""
    program: Any = case.program
    program.compile(tuple(map(numba.typeof, case.arguments)))
    if not program.stats.cache_hits:
        raise RuntimeError("Numba found nothing in its cache, and compiled anew")
    return program  # type: ignore[no-any-return]


def facts(form: str, directory: Path) -> dict[str, Any]:
    """Whether the index names this processor's model, by LLVM's word for it."""
    processor = binding.get_host_cpu_name()
    names_it = any(processor.encode() in path.read_bytes() for path in directory.rglob("*.nbi"))
    return {"elf_machine": elf.machines(directory), "processor": processor if names_it else None}
