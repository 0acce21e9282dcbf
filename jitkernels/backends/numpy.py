"""NumPy: operations on whole arrays, compiled when NumPy was built."""

import ctypes
import functools
from typing import Any

from numpy.linalg import _umath_linalg

from jitkernels.backends.compiler import Compiler
from jitkernels.machine import cores


class NumPy(Compiler):
    def installed(self) -> dict[str, str]:
        """Return also the version of OpenBLAS, and for which processor it has chosen its loops: "0.3.31 SkylakeX"."""
        if not (kernels := _text("corename")):
            return super().installed()
        return {**super().installed(), "openblas": f"{_text('config').split()[1]} {kernels}"}

    def threads(self) -> int:
        """Return the threads of the library for matrix products, the only part of NumPy that has threads."""
        get = _openblas("get_num_threads")
        return int(get()) if get else cores()

    def limit(self, count: int) -> None:
        """Limit OpenBLAS. Another library keeps its number, and ``threads`` can only guess it."""
        if set_ := _openblas("set_num_threads"):
            set_(count)


def _text(name: str) -> str:
    """Return a text of OpenBLAS's; "" if NumPy calls another library."""
    if not (get := _openblas(f"get_{name}")):
        return ""
    get.restype = ctypes.c_char_p
    return str(get().decode())


@functools.cache
def _openblas(name: str) -> Any:
    """Return the function of OpenBLAS; None if NumPy calls another library."""
    library = ctypes.CDLL(_umath_linalg.__file__)  # symbols of its linked libraries are found through it
    names = [f"{maker}openblas_{name}{bits}" for maker in ("scipy_", "") for bits in ("64_", "")]
    return next((getattr(library, name) for name in names if hasattr(library, name)), None)
