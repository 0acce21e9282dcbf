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
    if isinstance(result, dict | list | tuple):
        for part in result.values() if isinstance(result, dict) else result:
            wait(part)
    else:
        compiler_of(result).wait(result)
    return result


def fetch(result: Any) -> Any:
    """Return one result as Python numbers or NumPy arrays."""
    return compiler_of(result).fetch(result)
