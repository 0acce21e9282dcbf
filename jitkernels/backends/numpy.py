"""NumPy: whole-array operations that were compiled long ago; nothing is compiled here."""

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.linalg import _umath_linalg

from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.python import (
    breaks,
    compile,
    forget,
    from_disk,
    interpreted,
    jit,
    programs,
    put,
    stages,
    start,
    wait,
)
from jitkernels.machine import cores
from jitkernels.source import Source

__all__ = [
    "artifacts", "breaks", "compile", "fetch", "forget", "from_disk", "interpreted", "jit", "limit", "programs", "put",
    "stages", "start", "threads", "versions", "wait",
]  # fmt: skip  # one line a name would be the longest thing in this file


def versions() -> dict[str, str]:
    return {"numpy": np.__version__}


def threads(mode: str) -> int:
    """Of the library that NumPy's matrix products call, the only part of NumPy that has threads."""
    get = _openblas("get")
    return int(get()) if get else cores()


def limit(mode: str, count: int) -> None:
    """Of OpenBLAS; another library keeps its number, which ``threads`` can then only guess."""
    if set_ := _openblas("set"):
        set_(count)


def fetch(result: Any) -> Any:
    """NumPy scalars become Python's, in tuples, lists and dictionaries too; arrays stay."""
    if isinstance(result, dict):
        return {name: fetch(entry) for name, entry in result.items()}
    if isinstance(result, tuple | list):
        return type(result)(map(fetch, result))
    return result.item() if isinstance(result, np.generic) else result


@functools.cache
def _openblas(verb: str) -> Any:
    """Its function that gets or sets the number of threads; None where NumPy calls another library."""
    library = ctypes.CDLL(_umath_linalg.__file__)  # what this is linked with is found through it
    names = [f"{maker}openblas_{verb}_num_threads{bits}" for maker in ("scipy_", "") for bits in ("64_", "")]
    return next((getattr(library, name) for name in names if hasattr(library, name)), None)


def artifacts(source: Source, mode: str, device: str, arguments: Sequence[Any]) -> Artifacts:
    return Artifacts()
