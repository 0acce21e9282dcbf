"""C: a shared object, which needs nothing of its compiler to be loaded."""

import ctypes
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jitkernels.aot import elf
from jitkernels.aot._contract import Order
from jitkernels.backends import c as backend
from jitkernels.case import Case

__all__ = ["build", "facts", "load", "ready"]


def ready(order: Order) -> Case:
    """The C compiler has nothing to start."""
    return order.case()


def build(subject: Case, form: str, directory: Path) -> None:
    backend._build(subject.source.path, directory)


def load(case: Case, form: str, directory: Path) -> Callable[..., Any]:
    """By ``ctypes``, with the types of the source's prototype."""
    (library,) = directory.glob("*.so")
    prototype = backend.PROTOTYPE.search(case.source.path.read_text())
    assert prototype
    parameters = [parameter.split() for parameter in prototype["parameters"].split(",")]
    function = ctypes.CDLL(str(library)).run
    function.restype = backend.TYPES[prototype["result"]]
    function.argtypes = [ctypes.c_void_p if "*" in "".join(words) else backend.TYPES[words[0]] for words in parameters]
    if not case.source.results:
        return function
    arrays: Any = importlib.import_module("jitkernels.backends._c_arrays")  # it needs NumPy; numbers alone do not
    program: Callable[..., Any] = arrays.on_arrays(function, [words[-1].lstrip("*") for words in parameters], case.source)
    return program


def facts(form: str, directory: Path) -> dict[str, Any]:
    return {"elf_machine": elf.machines(directory)}
