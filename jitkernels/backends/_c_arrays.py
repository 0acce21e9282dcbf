"""C functions on NumPy arrays.

The parameters of the function have the names of the kernel's arguments and results, which it gets as addresses of row-major
memory, and of dimensions (``int64_t``). Scalar arguments are passed by value.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitkernels import shapes
from jitkernels.source import Source


def on_arrays(function: Any, parameters: Sequence[str], source: Source) -> Callable[..., Any]:
    """``function`` as a callable that takes the kernel's arguments and returns its result, or a tuple of them.

    Inside any clock, as with every other backend: making the arrays for the results.
    """
    names = list(source.arguments)
    axes = {  # where a dimension can be read off: argument, axis
        name: (place, axis)
        for place, array in enumerate(source.arguments.values())
        for axis, name in enumerate(array.shape)
        if isinstance(name, str)
    }
    results = list(source.results.items())

    def program(*arguments: Any) -> Any:
        dimensions = {name: arguments[place].shape[axis] for name, (place, axis) in axes.items()}
        made = [np.empty(shapes.shape(array, dimensions), array.dtype) for _, array in results]
        known = dict(zip(names, arguments, strict=True), **dimensions)
        known.update((name, array) for (name, _), array in zip(results, made, strict=True))
        function(*[_passed(known[name]) for name in parameters])
        return made[0] if len(made) == 1 else tuple(made)

    return program


def _passed(value: Any) -> Any:
    """An array's address; a number as it is."""
    return value.ctypes.data if isinstance(value, np.ndarray) else value
