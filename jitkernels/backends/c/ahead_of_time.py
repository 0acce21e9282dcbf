"""C: a shared object, which needs nothing of its compiler to be loaded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.backends import elf
from jitkernels.backends.ahead_of_time import Order
from jitkernels.backends.c import compiler as backend
from jitkernels.case import Case

__all__ = ["build", "facts", "load", "ready"]


def ready(order: Order) -> Case:
    """The C compiler has nothing to start."""
    return order.case()


def build(subject: Case, form: str, directory: Path) -> None:
    backend.build(subject.source.path, directory)


def load(case: Case, form: str, directory: Path) -> Callable[..., Any]:
    """By ``ctypes``."""
    (library,) = directory.glob("*.so")
    program: Callable[..., Any] = backend.exported(library, case.source)
    return program


def facts(form: str, directory: Path) -> dict[str, Any]:
    return {"elf_machine": elf.machines(directory)}
