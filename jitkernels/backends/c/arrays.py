"""C functions on NumPy arrays.

The function's parameters have the names of the kernel's arguments and results (addresses of row-major memory) and of its
dimensions (``int64_t``). Scalar arguments are passed by value.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitkernels.source import Source


def on_arrays(function: Any, parameters: Sequence[str], source: Source) -> Callable[..., Any]:
    """Return ``function`` as a callable that takes the kernel's arguments and returns its result, or a tuple of results.

    As with every other backend, allocating the results is inside the clock.
    """
    places = {name: place for place, name in enumerate(source.arguments)}
    axes = {  # where to read a dimension: argument, axis
        name: (places[argument], axis)
        for argument, array in source.arguments.items()
        for axis, name in enumerate(array.shape)
        if isinstance(name, str)
    }
    results = {name: place for place, name in enumerate(source.results)}
    shapes = [(array.shape, np.dtype(array.dtype)) for array in source.results.values()]

    def program(*arguments: Any) -> Any:
        known: dict[Any, Any] = {name: arguments[place].shape[axis] for name, (place, axis) in axes.items()}
        outputs = [np.empty([known.get(length, length) for length in shape], dtype) for shape, dtype in shapes]
        for name, place in places.items():
            known[name] = _passed(arguments[place])
        for name, place in results.items():
            known[name] = _passed(outputs[place])
        function(*[known[name] for name in parameters])
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    return program


def _passed(value: Any) -> Any:
    """Return an array's address, or a number unchanged. ``ndarray.ctypes`` takes two microseconds for an address. The buffer
    protocol takes a fifth of that, but refuses read-only arrays."""
    if not isinstance(value, np.ndarray):
        return value
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))  # type: ignore[arg-type]  # it has a buffer
    except TypeError:
        return value.ctypes.data
