"""Inputs of array kernels. NumPy is imported when they are made."""

from typing import Any


def generator(seed: int) -> Any:
    """Return NumPy's PCG64: a seed gives the same numbers on every machine."""
    import numpy as np

    return np.random.default_rng(seed)


def number(value: float, dtype: str) -> Any:
    """Return a number as NumPy's of this dtype."""
    import numpy as np

    return np.dtype(dtype).type(value)
