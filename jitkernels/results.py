"""Results of unknown origin: waiting for them and reading them without knowing which framework made them."""

import importlib
from typing import Any

from jitkernels.backends.compiler import Compiler
from jitkernels.backends.table import module_of

_MODULES = {"jax": "jax", "jaxlib": "jax", "torch": "torch", "tensorflow": "tensorflow", "numpy": "numpy"}
"""The backends' module that drives what a result's class comes from, by that class's top package."""


def compiler_of(result: Any) -> Compiler:
    """The plumbing of the framework that ``result`` belongs to; plain Python's for anything else."""
    package = type(result).__module__.partition(".")[0]
    module: Any = importlib.import_module(module_of(_MODULES.get(package, "python")))
    compiler: Compiler = module
    return compiler


def wait(result: Any) -> Any:
    """``result``, finished; every part of a list, tuple or dict of results too."""
    for part in _parts(result):
        compiler_of(part).wait(part)
    return result


def fetch(result: Any) -> Any:
    """One result as Python numbers or NumPy arrays."""
    return compiler_of(result).fetch(result)


def _parts(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return [part for value in result.values() for part in _parts(value)]
    if isinstance(result, list | tuple):
        return [part for value in result for part in _parts(value)]
    return [result]
