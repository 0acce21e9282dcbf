"""Results of unknown origin: waiting for them and reading them without knowing which framework made them."""

from typing import Any

from jitkernels.backends.compiler import Compiler, class_of
from jitkernels.backends.table import FRAMEWORKS, PYTHON


def compiler_of(result: Any) -> type[Compiler]:
    """Return the class that drives the framework of ``result``; plain Python's for anything else."""
    package = type(result).__module__.partition(".")[0]
    return class_of(next((framework for framework in FRAMEWORKS if package in framework.packages), PYTHON))


def wait(result: Any) -> Any:
    """Return ``result``, finished, with every part of a list, tuple or dict of results."""
    for part in _parts(result):
        compiler_of(part).wait(part)
    return result


def fetch(result: Any) -> Any:
    """Return one result as Python numbers or NumPy arrays."""
    return compiler_of(result).fetch(result)


def _parts(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return [part for value in result.values() for part in _parts(value)]
    if isinstance(result, list | tuple):
        return [part for value in result for part in _parts(value)]
    return [result]
