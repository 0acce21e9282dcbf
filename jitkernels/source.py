"""One kernel written in one dialect."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Source:
    """What a backend is given to compile.

    kernel, dialect: the cell's names.
    path: the dialect's file.
    run: its function ``run``; None for C, which ``path`` holds.
    static: names of the arguments that compilers see as constants.
    options: the dialect file's ``compiler_options``: options of the compiler, by backend, that this kernel is written for.
    """

    kernel: str
    dialect: str
    path: Path
    run: Callable[..., Any] | None
    static: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def path(kernel: str, dialect: str) -> Path:
    """Where the kernel's version in this dialect stands, or would stand."""
    return FOLDER / kernel / ("c.c" if dialect == "c" else f"{dialect}.py")


def load(kernel: str, dialect: str, static: tuple[str, ...]) -> Source:
    """Read one cell's source; importing a dialect's file imports its framework."""
    file = path(kernel, dialect)
    if dialect == "c":
        return Source(kernel, dialect, file, None, static)
    module = importlib.import_module(f"jitkernels.kernels.{kernel}.{dialect}")
    options = getattr(module, "compiler_options", {})
    return Source(kernel, dialect, file, module.run, static, options)
