"""Inputs of array kernels, and the difference of two answers. It imports NumPy, so specs import it in functions."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def generator(seed: int) -> np.random.Generator:
    """Return NumPy's PCG64: a seed gives the same numbers on every machine."""
    return np.random.default_rng(seed)


def number(value: float, dtype: str) -> Any:
    """Return a number as NumPy's of this dtype."""
    return np.dtype(dtype).type(value)


def error(value: Any, reference: Any) -> float:
    """Return the largest difference of an entry, divided by the largest entry of the reference's array (1 if all are zero).

    value, reference: arrays, numbers, and dictionaries, tuples or lists of them; the worst one counts. Entries that are NaN,
    or the same infinity, in both are equal; if only one is, the error is infinite.
    """
    return max(_error(np.asarray(got), np.asarray(want)) for got, want in _pairs(value, reference))


def assert_close(value: Any, reference: Any, tolerance: float) -> None:
    """Raise AssertionError, which says where, unless shapes agree and ``error(value, reference) <= tolerance``."""
    for place, (got, want) in enumerate(_pairs(value, reference)):
        got, want = np.asarray(got), np.asarray(want)
        assert got.shape == want.shape, f"result {place} has the shape {got.shape}, not {want.shape}"
        off = _error(got, want)
        assert off <= tolerance, f"result {place} is off by {off:.3g} of its largest entry; {tolerance:.3g} is allowed"


def _pairs(value: Any, reference: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(reference, Mapping):
        assert value.keys() == reference.keys(), f"the result has the entries {list(value)}, not {list(reference)}"
        for name in reference:
            yield from _pairs(value[name], reference[name])
    elif isinstance(reference, tuple | list):
        assert len(value) == len(reference), f"there are {len(value)} results, not {len(reference)}"
        for got, want in zip(value, reference, strict=True):
            yield from _pairs(got, want)
    else:
        yield value, reference


def _error(got: Any, want: Any) -> float:
    got, want = got.astype(np.float64), want.astype(np.float64)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    if same.all():
        return 0.0
    difference = np.abs(got - want, where=~same, out=np.zeros_like(want))
    largest = float(np.abs(want[np.isfinite(want)]).max(initial=0.0)) or 1.0
    return float(np.where(np.isnan(difference), np.inf, difference).max()) / largest
