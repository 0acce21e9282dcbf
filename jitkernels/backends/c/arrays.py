"""C functions on NumPy arrays.

The parameters of the function have the names of the kernel's arguments and results, which it gets as addresses of row-major
memory, and of dimensions (``int64_t``). Scalar arguments are passed by value.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitkernels.source import Source


def on_arrays(function: Any, parameters: Sequence[str], source: Source) -> Callable[..., Any]:
    """``function`` as a callable that takes the kernel's arguments and returns its result, or a tuple of them.

    Inside any clock, as with every other backend: making the arrays for the results.
    """
    places = {name: place for place, name in enumerate(source.arguments)}
    axes = {  # where a dimension can be read off: argument, axis
        name: (places[argument], axis)
        for argument, array in source.arguments.items()
        for axis, name in enumerate(array.shape)
        if isinstance(name, str)
    }
    results = {name: place for place, name in enumerate(source.results)}
    shapes = [(array.shape, np.dtype(array.dtype)) for array in source.results.values()]

    def program(*arguments: Any) -> Any:
        known: dict[Any, Any] = {name: arguments[place].shape[axis] for name, (place, axis) in axes.items()}
        made = [np.empty([known.get(length, length) for length in shape], dtype) for shape, dtype in shapes]
        for name, place in places.items():
            known[name] = _passed(arguments[place])
        for name, place in results.items():
            known[name] = _passed(made[place])
        function(*[known[name] for name in parameters])
        return made[0] if len(made) == 1 else tuple(made)

    return program


def _passed(value: Any) -> Any:
    """An array's address; a number as it is. By way of ``ndarray.ctypes`` an address costs two microseconds, a fifth of it
    by way of the buffer protocol, which a read-only array refuses."""
    if not isinstance(value, np.ndarray):
        return value
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))  # type: ignore[arg-type]  # it has a buffer
    except TypeError:
        return value.ctypes.data
