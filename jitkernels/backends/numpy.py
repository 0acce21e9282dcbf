"""NumPy: operations on whole arrays, compiled when NumPy was built."""

import ctypes
import functools
from typing import Any

from numpy.linalg import _umath_linalg

from jitkernels.backends.compiler import Compiler
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


@functools.cache
def _openblas(verb: str) -> Any:
    """Return OpenBLAS's function that gets or sets the number of threads; None if NumPy calls another library."""
    library = ctypes.CDLL(_umath_linalg.__file__)  # symbols of its linked libraries are found through it
    names = [f"{maker}openblas_{verb}_num_threads{bits}" for maker in ("scipy_", "") for bits in ("64_", "")]
    return next((getattr(library, name) for name in names if hasattr(library, name)), None)
