"""The inputs of a user's functions: what ``inputs(size, rng)`` returns, checked, copied, and described by dtype and axes."""

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

from jitkernels.errors import Unavailable
from jitkernels.functions import failures, transport
from jitkernels.shapes import Array


class Inputs:
    """``inputs(size, seed)`` of a kernel: copies of what the user's function returns for a generator of that seed.

    function: returns the user's function. axes: of each array, from ``specification``. seed: for ``dimensions``, which
    returns lengths of arrays.
    """

    def __init__(self, function: Callable[[], Callable[..., Any]], axes: Sequence[Sequence[int | str]], seed: int) -> None:
        self._axes, self._seed = axes, seed
        self._make = functools.lru_cache(maxsize=2)(lambda size, seed: call_inputs(function(), size, seed))

    def __call__(self, size: int, seed: int) -> tuple[Any, ...]:
        """Return the arguments. Unavailable if they do not fit into memory."""
        try:
            return tuple(value.copy("K") if hasattr(value, "copy") else value for value in self._make(size, seed))
        except MemoryError as error:
            raise Unavailable(f"inputs of size {size} do not fit into memory: {error}") from error

    def dimensions(self, size: int) -> dict[str, int]:
        """Return the lengths that the size sets, by name."""
        arrays = [value for value in self(size, self._seed) if hasattr(value, "shape")]
        named = zip(arrays, self._axes, strict=False)  # a function may return fewer arrays, or axes, at another size
        pairs = [pair for array, names in named for pair in zip(names, array.shape, strict=False)]
        return {name: length for name, length in pairs if isinstance(name, str)}


def call_inputs(inputs: Callable[..., Any], size: int, seed: int) -> tuple[Any, ...]:
    """Call a user's ``inputs(size, rng)``. ValueError, in one line, if it raises, or returns other
    things than arrays and numbers. MemoryError is passed on.
    """
    import numpy as np

    try:
        values = inputs(size, np.random.default_rng(seed))
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # a user's function may raise anything
        raise ValueError(f"inputs({size}, rng) raises {failures.describe(error, transport.source_file(inputs))}") from error
    values = values if isinstance(values, tuple) else (values,)
    for place, value in enumerate(values):
        if not isinstance(value, np.ndarray | np.generic | bool | int | float | complex):
            kind = type(value).__name__
            raise ValueError(f"inputs must return NumPy arrays and numbers, in a tuple; entry {place} is a {kind}")
        if isinstance(value, np.ndarray) and value.dtype.kind not in "biufc":
            raise ValueError(f"inputs must return arrays of numbers; entry {place} holds {value.dtype}")
        if isinstance(value, np.ndarray) and _is_strided(value):
            reason = "a function gets a copy, which has no gaps between its numbers"
            raise ValueError(f"inputs must return arrays as .copy() makes them: {reason}; entry {place} has other strides")
    return values


def _is_strided(array: Any) -> bool:
    """True if a copy with the same order of axes has other strides."""
    import numpy as np

    if array.flags.c_contiguous or array.flags.f_contiguous:
        return False
    strides = zip(array.shape, array.strides, np.empty_like(array).strides, strict=True)
    return array.size > 0 and any(length > 1 and one != other for length, one, other in strides)


def specification(inputs: Callable[..., Any], size: int, seed: int) -> dict[str, Array]:
    """Return the dtype and the axes of each array, by name. An axis that grows with the size has a name."""
    import numpy as np

    values = others = call_inputs(inputs, size, seed)
    for another in (size + 1, 2 * size):  # lengths may be of size // 2
        with contextlib.suppress(Exception):  # a function may take only some sizes
            others = call_inputs(inputs, another, seed)
        if list(map(np.shape, others)) != list(map(np.shape, values)):
            break
    described: dict[str, Array] = {}
    for place, (value, other) in enumerate(zip(values, others, strict=False)):
        if hasattr(value, "shape"):
            axes = enumerate(zip(value.shape, getattr(other, "shape", value.shape), strict=False))
            shape = tuple(f"axis_{axis}_of_{place}" if one != two else one for axis, (one, two) in axes)
            described[f"argument_{place}"] = Array(str(value.dtype), shape)
    return described
