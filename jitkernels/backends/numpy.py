"""NumPy: operations on whole arrays, compiled when NumPy was built."""

import ctypes
import functools
from typing import Any

import numpy as np
from numpy.linalg import _umath_linalg

from jitkernels.backends.compiler import Compiler, map_entries
from jitkernels.machine import cores


class NumPy(Compiler):
    def threads(self) -> int:
        """Return the threads of the library for matrix products, the only part of NumPy that has threads."""
        get = _openblas("get")
        return int(get()) if get else cores()

    def limit(self, count: int) -> None:
        """Limit OpenBLAS. Another library keeps its number, and ``threads`` can only guess it."""
        if set_ := _openblas("set"):
            set_(count)

    @staticmethod
    def fetch(result: Any) -> Any:
        """Convert NumPy scalars to Python's, also in tuples, lists and dictionaries; keep arrays."""
        return map_entries(lambda value: value.item() if isinstance(value, np.generic) else value, result)


@functools.cache
def _openblas(verb: str) -> Any:
    """Return OpenBLAS's function that gets or sets the number of threads; None if NumPy calls another library."""
    library = ctypes.CDLL(_umath_linalg.__file__)  # symbols of its linked libraries are found through it
    names = [f"{maker}openblas_{verb}_num_threads{bits}" for maker in ("scipy_", "") for bits in ("64_", "")]
    return next((getattr(library, name) for name in names if hasattr(library, name)), None)
