"""The ranking of backends at one size, and which neighbours the samples cannot separate.

Two neighbours differ when the quartile ranges of their samples are disjoint *and* asv's own test of the samples (Mann and
Whitney's, at 0.002) says that they differ. A backend that differs neither from the one above nor from the first of that
rank shares the rank. An interpreter's time has no rank, nor has one whose answer is not known to be right.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from asv._stats import is_different

from jitkernels.backends.table import BACKENDS
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE
from jitkernels.measure import comparisons
from website.read.points import Point
from website.read.rows import WARM, Chosen
from website.schema.kernels import BreakEven, Entry, Figure, Gain, Ranking, Row

INTERPRETED = "an interpreter stands in for the compiler on this device"
UNCHECKED = "nothing says that its answer is right"
COMPILES_NOTHING = ("eager", "interpreter")  # kinds of backends whose first call is as their later ones


def rankings(kernel: str, rows: Sequence[Row], chosen: Chosen) -> list[Ranking]:
    """Return a ranking for each size at which a backend has a warm call. ``chosen``: the points of the rows' figures."""
    sizes = sorted({row["size"] for row in rows if row["size"] and WARM in row["figures"]})
    return [_ranking(kernel, size, rows, chosen) for size in sizes]


def _ranking(kernel: str, size: int, rows: Sequence[Row], chosen: Chosen) -> Ranking:
    here = [(index, row) for index, row in enumerate(rows) if row["size"] == size]
    warm = [(index, row) for index, row in here if WARM in row["figures"] or WARM in row["missing"]]
    calls = _break_even(kernel, [row for _, row in here], rows)
    numpy = next((row["figures"].get(WARM) for _, row in warm if row["backend"] == "numpy"), None)
    entries = [_entry(index, row, numpy, calls, rows) for index, row in warm]
    ranked = sorted((entry for entry in entries if entry["reason"] is None), key=lambda entry: entry["seconds"] or 0.0)
    for place, entry in enumerate(ranked):
        above = ranked[place - 1] if place else None
        first = above and next(other for other in ranked if other["rank"] == above["rank"])
        entry["tied"] = above is not None and not differ(above, entry, chosen, size)
        shares = entry["tied"] and first and (first is above or not differ(first, entry, chosen, size))
        entry["rank"] = first["rank"] if shares and first else place + 1
    return {"size": size, "entries": ranked + [entry for entry in entries if entry["reason"] is not None]}


def differ(one: Entry, other: Entry, chosen: Chosen, size: int) -> bool:
    """True if the warm calls of two entries differ, by their quartiles and by asv's test of their samples."""
    ends = one["low"], one["high"], other["low"], other["high"]
    if None in ends or (ends[0] <= ends[3] and ends[2] <= ends[1]):  # type: ignore[operator]
        return False
    points = [chosen[entry["backend"], size, WARM] for entry in (one, other)]
    intervals = [_interval(point) for point in points]
    return None not in intervals and bool(is_different(*map(_samples, points), *intervals))


def _entry(index: int, row: Row, numpy: Figure | None, calls: Mapping[str, BreakEven], rows: Sequence[Row]) -> Entry:
    warm, cold = row["figures"].get(WARM), _cold_row(row, rows)
    is_estimate = "z" in row["figures"] or "z" in row["missing"]
    return {
        "rank": None,
        "backend": row["backend"],
        "tied": False,
        "seconds": warm and warm["value"],
        "low": warm and warm["low"],
        "high": warm and warm["high"],
        "samples": warm and warm["samples"],
        "settled": warm and warm["settled"],
        **_gain(warm, numpy),
        "cold_seconds": _value(cold, "cold_seconds"),
        "cold_size": cold and cold["size"],
        "cached_seconds": _value(cold, "cached_seconds"),
        "break_even": calls.get(row["backend"]) or _no_break_even("no warm call"),
        "error": _value(row, "error"),
        "standard_error": STANDARD_ERROR_OF_ONE / math.sqrt(row["size"] or math.inf) if is_estimate else None,
        "z": _value(row, "z"),
        "interpreted": row["interpreted"],
        "status": row["status"],
        "reason": _no_rank(row),
        "figures": index,
    }


def _no_rank(row: Row) -> str | None:
    """Return why the row has no rank; None where it has one."""
    if WARM not in row["figures"]:
        return row["missing"][WARM]["reason"]
    if row["interpreted"]:
        return INTERPRETED
    return None if row["checked"] else row.get("wrong", UNCHECKED)


def _gain(warm: Figure | None, numpy: Figure | None) -> Gain:
    """Return how many times faster than NumPy a warm call is, and the least and most that the quartiles allow."""
    value = low = high = None
    if warm and numpy and warm["value"]:
        value = numpy["value"] / warm["value"]
        low = numpy["low"] / warm["high"] if numpy["low"] is not None and warm["high"] else None
        high = numpy["high"] / warm["low"] if numpy["high"] is not None and warm["low"] else None
    name = "times_faster_than_numpy"
    return cast(Gain, {name: value, f"{name}_low": low, f"{name}_high": high})


def _cold_row(row: Row, rows: Sequence[Row]) -> Row | None:
    """Return the row of the same backend at the nearest size at which a first call was measured."""
    cold = [other for other in rows if other["backend"] == row["backend"] and "cold_seconds" in other["figures"]]
    size = row["size"] or 1
    return min(cold, key=lambda other: abs(math.log((other["size"] or 1) / size)), default=None)


def _break_even(kernel: str, here: Sequence[Row], rows: Sequence[Row]) -> dict[str, BreakEven]:
    """Return by backend after how many warm calls compiling pays off, for the rows of one size."""
    lives = [_life(kernel, row, rows) for row in here if row["backend"] in BACKENDS and _value(row, WARM)]
    comparisons.add_break_even(lives)
    none = _no_break_even(f"its first call {comparisons.NOT_MEASURED}")
    return {life["backend"]: life["break_even"] or none for life in lives}


def _no_break_even(reason: str) -> BreakEven:
    return {"numpy": None, "numpy_reason": reason, "eager": None, "eager_reason": reason}


def _life(kernel: str, row: Row, rows: Sequence[Row]) -> dict[str, Any]:
    """Return the row as ``comparisons.add_break_even`` expects it.

    Where the first call was measured at another size, its cost beyond a warm call is taken from there. A mode that compiles
    nothing has no such cost.
    """
    warm = row["figures"][WARM]
    cold, first = _cold_row(row, rows), None
    if cold and cold["size"] == row["size"]:
        first = _value(cold, "cold_seconds")
    elif cold and _value(cold, WARM):
        figures = cold["figures"]
        first = max(0.0, figures["cold_seconds"]["value"] - figures[WARM]["value"]) + warm["value"]
    elif BACKENDS[row["backend"]].kind in COMPILES_NOTHING:
        first = warm["value"]
    quartiles = warm["low"] or warm["value"], warm["high"] or warm["value"]
    seconds = {"cold_seconds": first, "warm_seconds": warm["value"], "warm_quartiles": quartiles}
    return {"kernel": kernel, "backend": row["backend"], "size": row["size"], "interpreted": row["interpreted"], **seconds}


def _value(row: Row | None, name: str) -> float | None:
    return row["figures"][name]["value"] if row and name in row["figures"] else None


def _samples(point: Point) -> list[float] | None:
    samples = point.column("samples")
    return samples if isinstance(samples, list) and all(isinstance(value, int | float) for value in samples) else None


def _interval(point: Point) -> dict[str, float] | None:
    """Return the confidence interval that asv's test uses where samples are missing; None where it is not stored."""
    ends = {name: point.column(f"stats_{name}") for name in ("ci_99_a", "ci_99_b")}
    return ends if all(isinstance(value, int | float) for value in ends.values()) else None
