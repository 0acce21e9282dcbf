"""The dtypes and shapes of a kernel's arrays, with names for lengths that depend on the size.

A specification is a mapping from a name to an ``Array``; "parameters.w1" is entry "w1" of the dictionary "parameters".
Nothing here imports NumPy: an array is any object with a ``dtype`` and a ``shape``.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Array:
    """dtype: NumPy's name of it. shape: a number, or the name of a dimension ("m"), for each axis; () for a scalar."""

    dtype: str
    shape: tuple[str | int, ...] = ()


Specification = Mapping[str, Array]


def names(specification: Specification) -> list[str]:
    """Return the names of the arguments, in order: "parameters" once, not for each of its entries."""
    return list(dict.fromkeys(name.partition(".")[0] for name in specification))


def bind(arguments: Sequence[Any], specification: Specification) -> dict[str, int]:
    """Return the length of each dimension, by name, with which ``arguments`` fit the specification.

    Raises TypeError for a wrong number of arguments, a missing entry or a wrong dtype, and ValueError for a wrong number
    of axes, an axis of length 0, or lengths that contradict each other. Each message is one line and names the argument.
    """
    dimensions: dict[str, int] = {}
    origins: dict[str, str] = {}
    for name, value in _entries(arguments, specification):
        array = specification[name]
        if str(getattr(value, "dtype", type(value).__name__)) != array.dtype:
            dtype = getattr(value, "dtype", None) or type(value).__name__
            raise TypeError(f"{name} must hold {array.dtype}, not {dtype}")
        if len(value.shape) != len(array.shape):
            raise ValueError(f"{name} must have the shape {_text(array.shape)}, not {_text(value.shape)}")
        for axis, (expected, length) in enumerate(zip(array.shape, value.shape, strict=True)):
            if length < 1:
                raise ValueError(f"axis {axis} of {name} must have at least 1 element: its shape is {_text(value.shape)}")
            known = expected if isinstance(expected, int) else dimensions.setdefault(expected, length)
            origin = name if isinstance(expected, int) else origins.setdefault(expected, name)
            if length != known:
                reason = f"{expected} is {known} in {origin}" if isinstance(expected, str) else f"it must be {expected}"
                raise ValueError(f"axis {axis} of {name} has length {length}, but {reason}")
    return dimensions


def shape(array: Array, dimensions: Mapping[str, int]) -> tuple[int, ...]:
    """Return the array's shape in numbers."""
    return tuple(axis if isinstance(axis, int) else dimensions[axis] for axis in array.shape)


def describe(specification: Specification, dimensions: Mapping[str, int]) -> str:
    """Return the arrays with their lengths, "W: 100 x 500, X: 500 x 20"; for a dictionary, its number of arrays. Scalars are
    left out.
    """
    texts = []
    for name in names(specification):
        if name not in specification:
            texts.append(f"{name}: {sum(entry.startswith(f'{name}.') for entry in specification)} arrays")
        elif lengths := shape(specification[name], dimensions):
            texts.append(f"{name}: {' x '.join(map(str, lengths))}")
    return ", ".join(texts)


def size_in_bytes(specification: Specification, dimensions: Mapping[str, int]) -> int:
    """Return the bytes that all arrays of the specification hold together."""
    return sum(_item_bytes(array.dtype) * math.prod(shape(array, dimensions)) for array in specification.values())


def dtypes(values: Any) -> list[str]:
    """Return the dtypes of an array, or of the arrays in a tuple."""
    return [str(value.dtype) for value in (values if isinstance(values, tuple) else (values,)) if hasattr(value, "dtype")]


def _item_bytes(dtype: str) -> int:
    """Return the bytes of one entry: NumPy's names of dtypes end with the number of bits, except bool (one byte)."""
    return int(re.sub(r"\D", "", dtype) or 8) // 8


def _entries(arguments: Sequence[Any], specification: Specification) -> Iterator[tuple[str, Any]]:
    """Yield each array with its name in the specification."""
    expected = names(specification)
    if len(arguments) != len(expected):
        known = f"expected the {len(expected)} arguments {', '.join(expected)}" if expected else "the kernel takes no arrays"
        raise TypeError(f"{known}, got {len(arguments)}")
    values = dict(zip(expected, arguments, strict=True))
    for name in specification:
        owner, _, entry = name.partition(".")
        if entry and (not isinstance(values[owner], Mapping) or entry not in values[owner]):
            raise TypeError(f"{owner} must be a dictionary with an entry {entry!r}")
        yield name, values[owner][entry] if entry else values[owner]


def _text(shape: Sequence[object]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
