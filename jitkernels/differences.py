"""Say where and by how much an answer differs from the reference's, and whether its precision explains that."""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

NARROW = ("float16", "float32")  # dtypes whose rounding may explain a difference: the truth is in float64
LARGEST = np.finfo("float64").max
NO_NUMBERS = tuple("OSUMmV")  # NumPy's kinds: objects, texts, dates, durations, records
LAZY = ("send", "__dask_graph__")  # attributes of generators, and of Dask's arrays
SHOWN = 3  # wrong arrays and numbers that a message names
Leaf = tuple[str, Any, Any]  # its place in the answer, the answer's entry, the reference's


def require_close(
    value: Any, truth: Any, rtol: float, atol: float, narrow: Callable[[str], Any] = lambda dtype: None
) -> None:
    """Raise AssertionError unless every entry is off by at most ``atol + rtol * the largest entry of its array``; whole
    numbers and booleans, of any width, by at most ``atol``.

    value, truth: numbers and arrays, in tuples, lists and dictionaries. NaN equals NaN at the same place. narrow: returns
    the reference's answer to inputs of a dtype ("float32"; "": their own, if it is narrow), or None if it is not known.
    """
    wrong = [text for leaf in _leaves(value, truth) if (text := _difference(*leaf, rtol, atol))]
    if wrong:
        hidden = [f"and {len(wrong) - SHOWN} more results"] if len(wrong) > SHOWN else []
        raise AssertionError("; ".join([*wrong[:SHOWN], *hidden, _explanation(value, truth, narrow)]).rstrip("; "))


def largest(value: Any, truth: Any) -> float:
    """Return the largest difference of an entry, divided by the largest entry of its array. NaN equals NaN;
    infinite where only one is NaN."""
    return max((_error(np.asarray(got), np.asarray(want)) for _, got, want in _leaves(value, truth)), default=0.0)


def count_nan(value: Any) -> int:
    """Return how many entries of an answer are NaN."""
    return sum(int(np.isnan(_wide(got)).sum()) for _, got, _ in _leaves(value, value))


def require_repeated(name: str, again: Any, first: Any, agree: Callable[[Any, Any], None]) -> None:
    """Raise AssertionError if ``agree`` does so for two answers to the same inputs. name: of the function that gave them."""
    try:
        agree(again, first)
    except AssertionError:
        reason = "it is not deterministic; draw random numbers in inputs, from rng"
        raise AssertionError(f"{name} gives another answer to the same inputs: {reason}") from None


def require_numbers(answer: Any) -> None:
    """Raise AssertionError if an answer holds anything but arrays and numbers."""
    if isinstance(answer, Mapping):
        answer = tuple(answer.values())
    if isinstance(answer, tuple | list):
        for entry in answer:
            require_numbers(entry)
    elif getattr(getattr(answer, "dtype", None), "kind", "") in NO_NUMBERS:
        raise AssertionError(f"it returned an array of dtype {answer.dtype}: return arrays of numbers")
    elif isinstance(answer, np.ma.MaskedArray):
        raise AssertionError("it returned a masked array: return its data and its mask, or filled(number)")
    elif any(hasattr(answer, mark) for mark in LAZY):
        raise AssertionError(f"it returned {_article(answer)}, which has computed nothing: return arrays and numbers")
    elif not (isinstance(answer, bool | int | float | complex) or _is_array(answer)):
        raise AssertionError(f"it returned {_article(answer)}: return arrays and numbers, in tuples, lists or dictionaries")


def _is_array(answer: Any) -> bool:
    """True for an array that NumPy can read; a sparse one has a dtype and a shape too."""
    return hasattr(answer, "dtype") and hasattr(answer, "shape") and not hasattr(answer, "nnz")


def require_same(after: Sequence[Any], before: Sequence[Any]) -> None:
    """Raise AssertionError if an argument has changed: each timed call would begin with other numbers."""
    for place, (now, then) in enumerate(zip(map(np.asarray, after), map(np.asarray, before), strict=True)):
        if not np.array_equal(now, then.astype(now.dtype), equal_nan=now.dtype.kind in "fc"):
            reason = "each timed call would begin with other numbers: copy it first"
            raise AssertionError(f"it changed its argument {place} in place, so {reason}")


def _leaves(value: Any, truth: Any, place: str = "the answer") -> Iterator[Leaf]:
    """Yield the arrays and numbers of both. Raises AssertionError if the two are nested differently. Lists of numbers in the
    truth count as one array if the value is an array of that shape."""
    if isinstance(truth, Mapping):
        if not isinstance(value, Mapping) or value.keys() != truth.keys():
            have = sorted(map(str, value)) if isinstance(value, Mapping) else _article(value)
            raise AssertionError(f"{place} is {have}, the reference's has the entries {sorted(map(str, truth))}")
        for name in truth:
            yield from _leaves(value[name], truth[name], f"{place}[{name!r}]")
    elif isinstance(truth, tuple | list) and not _has_shape(truth, getattr(value, "shape", ())):
        if not isinstance(value, tuple | list) or len(value) != len(truth):
            have = f"{len(value)} results" if isinstance(value, tuple | list) else _article(value)
            raise AssertionError(f"{place} is {have}, the reference's is {len(truth)} results")
        for number, (got, want) in enumerate(zip(value, truth, strict=True)):
            yield from _leaves(got, want, f"{place}[{number}]")
    else:
        yield place, _with_dtype(value, truth), _with_dtype(truth, value)


def _with_dtype(numbers: Any, other: Any) -> Any:
    """Return lists of whole numbers, or empty ones, as an array of the other's dtype, which holds them; else unchanged."""
    dtype = getattr(other, "dtype", None)
    if not isinstance(numbers, tuple | list) or dtype is None:
        return numbers
    array = np.asarray(numbers, object)
    if all(type(number) is int for number in array.flat) and (not array.size or dtype.kind in "iu"):
        with contextlib.suppress(OverflowError):
            return np.asarray(numbers, np.dtype(dtype))
    return numbers


def _has_shape(numbers: Any, shape: tuple[int, ...]) -> bool:
    """True if this is a number, or nested lists of numbers, of this shape."""
    if not shape:
        return isinstance(numbers, int | float | complex | np.number | np.bool_)
    is_alike = isinstance(numbers, tuple | list) and len(numbers) == shape[0]
    return is_alike and all(_has_shape(entry, shape[1:]) for entry in numbers)


def _difference(place: str, value: Any, truth: Any, rtol: float, atol: float) -> str:
    """Return where and by how much the entries differ; "" if they do not."""
    got, want = np.asarray(value), np.asarray(truth)
    if got.shape != want.shape:
        return f"the shape of {place} is {got.shape}, that of the reference {want.shape}"
    if _kind(got) != _kind(want):
        return f"the dtype of {place} is {got.dtype}, that of the reference {want.dtype}"
    if not want.size:
        return ""
    off, is_exact = _distance(got, want), _is_exact(got, want)
    allowed = atol if is_exact else atol + rtol * _scale(want)
    lost = off != off  # NaN in one of them alone
    if lost.any():
        return f"{place} is {_entry(lost, got, want)}; {lost.sum():,} of {lost.size:,} entries are NaN in one of them alone"
    if off.max() <= allowed:
        return ""
    first = off == off.max()
    entry = f"{place} is {_entry(first, got, want)}: off by"
    many = f"{(off > allowed).sum():,} of {off.size:,} entries are off by more than"
    if is_exact:
        cause = f" ({got.dtype}, the reference's are {want.dtype})" if got.dtype.itemsize < want.dtype.itemsize else ""
        if int(off.max()) % 2**32 == 0 and off.max() < 2**63:
            cause = " (by a multiple of 2^32: it overflowed 32 bits; jax_enable_x64 gives JAX 64)"
        return f"{entry} {off.max():,}; {many} atol {atol:g} allows, which is what counts for whole numbers{cause}"
    size = f"{off.max():.3g}, {off.max() / _scale(want):.2g} of the largest entry{_ulps(got, want, first)}"
    return f"{entry} {size}; {many} rtol {rtol:g}, atol {atol:g} allow"


def _explanation(value: Any, truth: Any, narrow: Callable[[str], Any]) -> str:
    """Return a sentence on whether the answer's precision explains the difference; "" if that is not known."""
    try:
        leaves = [(np.asarray(got), np.asarray(want)) for _, got, want in _leaves(value, truth)]
        dtypes = [got.dtype for got, _ in leaves if got.dtype.name in NARROW]
        is_comparable = all(got.shape == want.shape and _kind(got) == _kind(want) for got, want in leaves)
        name = min(dtypes, key=lambda dtype: dtype.itemsize).name if dtypes else ""
        is_known = is_comparable and (name or all(_is_exact(got, want) for got, want in leaves))
        rounded = narrow(name) if is_known else None
        if rounded is None:
            return ""
        name = name or "the inputs' dtype"  # of whole numbers, such as a mask
        error, reference = largest(value, truth), largest(rounded, truth)
    except Exception:  # answers that are nested differently, or a reference that does not take this dtype
        return ""
    if not math.isfinite(reference):
        return f"{name} explains it: in it the reference itself is infinite or NaN, so use float64 (in JAX: jax_enable_x64)"
    if not math.isfinite(error):
        return ""
    off = f"the reference itself is off by {reference:.2g} in {name}"
    if error <= 8 * reference:
        return f"{name} explains it: {off}, so allow more, or use float64 (in JAX: jax_enable_x64)"
    return f"{name} does not explain it: {off}"


def _entry(where: Any, got: Any, want: Any) -> str:
    place = tuple(int(axis) for axis in np.argwhere(where)[0])
    at = f" at {list(place)}" if place else ""
    digits = "" if _is_exact(got, want) else ".8g"
    return f"{got[place]:{digits}}{at}, the reference's {want[place]:{digits}}"


def _ulps(got: Any, want: Any, where: Any) -> str:
    """Return the distance in units in the last place of the answer's own dtype."""
    if got.dtype.kind != "f":
        return ""
    place = tuple(int(axis) for axis in np.argwhere(where)[0])
    with np.errstate(over="ignore"):
        spacing = np.spacing(np.abs(got.dtype.type(want[place])))
    ulps = abs(float(got[place]) - float(want[place])) / float(spacing)
    return f", {ulps:,.0f} ulps of {got.dtype}" if np.isfinite(ulps) else ""


def _error(got: Any, want: Any) -> float:
    if got.shape != want.shape:
        return float("inf")
    if not want.size:
        return 0.0
    off = float(_wide(_distance(got, want)).max())  # NaN if one of them alone is somewhere
    return math.inf if math.isnan(off) else off / _scale(want)


def _distance(got: Any, want: Any) -> Any:
    """Return the absolute differences, exact for whole numbers; 0 where both are NaN or the same infinity, NaN where one of
    them is NaN."""
    if _is_exact(got, want):
        common = np.result_type(got.dtype, want.dtype)
        if common.kind in "fO":  # int64 with uint64, for which NumPy takes float64, or Python's larger numbers
            return np.asarray(abs(got.astype(object) - want.astype(object)))
        more, one, other = got > want, got.astype("uint64"), want.astype("uint64")
        with np.errstate(over="ignore"):  # modulo 2^64, larger minus smaller is right, also for negative numbers
            return np.where(more, one - other, other - one)
    got, want = _wide(got), _wide(want)
    with np.errstate(invalid="ignore"):
        return np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0.0, np.abs(got - want))


def _scale(want: Any) -> float:
    """Return the absolute value of the largest finite entry, or 1 if that is 0."""
    wide = _wide(want)
    finite = np.abs(wide[np.isfinite(wide)])
    return float(finite.max()) if finite.size and finite.max() else 1.0


def _wide(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "O":  # Python's whole numbers, which may be larger
        array = np.asarray(np.clip(array, -int(LARGEST), int(LARGEST)))
    return array if array.dtype.kind == "c" else array.astype("float64")


def _kind(array: Any) -> str:
    """Return the kind of number, which must agree. Python's whole numbers beyond 64 bits have the dtype object; JAX's
    bfloat16 has no kind of NumPy's."""
    kind = "f" if array.dtype.name == "bfloat16" else str(array.dtype.kind)
    return "whole numbers" if kind in "iuO" else kind


def _is_exact(got: Any, want: Any) -> bool:
    return _kind(got) == _kind(want) and _kind(got) in ("whole numbers", "b")


def _article(value: Any) -> str:
    name = type(value).__name__
    return "nothing (None)" if value is None else f"a{'n' * (name[0] in 'AEIOUaeiou')} {name}"
