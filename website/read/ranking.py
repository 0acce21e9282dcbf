"""Who is fastest, at one size; and whom the samples do not tell apart.

Two neighbours are told apart when the quartile ranges of their samples are disjoint *and* asv's own test of the samples
(Mann and Whitney's, at 0.002) says that they differ. Who is told apart neither from the one above nor from the first of its
rank shares it. An interpreter's time, and one whose answer is not known to be right, has no rank.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from asv._stats import is_different

from jitkernels.backends.table import BACKENDS
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE
from jitkernels.measure import break_even
from website.read.points import Point

Row = dict[str, Any]
INTERPRETED = "an interpreter stands in for the compiler on this device"
UNCHECKED = "nothing says that its answer is right"
COMPILES_NOTHING = ("eager", "interpreter")  # modes whose first call is as their later ones


def rankings(kernel: str, rows: Sequence[Row], samples: Callable[[str, int], Point | None]) -> list[Row]:
    """One ranking for each size at which anything was called warm. ``samples``: the point of a backend's warm call."""
    sizes = sorted({row["size"] for row in rows if row["size"] and "warm_seconds" in row["figures"]})
    return [_ranking(kernel, size, rows, samples) for size in sizes]


def _ranking(kernel: str, size: int, rows: Sequence[Row], samples: Callable[[str, int], Point | None]) -> Row:
    here = [(index, row) for index, row in enumerate(rows) if row["size"] == size and _concerns(row)]
    even = _break_even(kernel, size, rows)
    numpy = next((row["figures"].get("warm_seconds") for _, row in here if row["backend"] == "numpy"), None)
    entries = [_entry(index, row, numpy, even.get(row["backend"]), rows) for index, row in here]
    ranked = sorted((entry for entry in entries if entry["reason"] is None), key=lambda entry: entry["seconds"])
    first = above = None
    for place, entry in enumerate(ranked):
        entry["tied"] = bool(above) and not told_apart(above, entry, samples, size)
        shares = entry["tied"] and (first is above or not told_apart(first, entry, samples, size))
        entry["rank"] = first["rank"] if shares else place + 1
        first, above = first if shares else entry, entry
    return {"size": size, "entries": ranked + [entry for entry in entries if entry["reason"] is not None]}


def told_apart(first: Row, second: Row, samples: Callable[[str, int], Point | None], size: int) -> bool:
    """Whether the warm calls of two entries differ: by their quartiles, and by asv's test of their samples."""
    ends = first["low"], first["high"], second["low"], second["high"]
    if None in ends or (ends[0] <= ends[3] and ends[2] <= ends[1]):
        return False
    points = [samples(entry["backend"], size) for entry in (first, second)]
    found = [(_samples(point), _statistics(point)) for point in points if point]
    if len(found) < 2 or None in (found[0][1], found[1][1]):
        return False
    return bool(is_different(found[0][0], found[1][0], found[0][1], found[1][1]))


def _concerns(row: Row) -> bool:
    return "warm_seconds" in row["figures"] or "warm_seconds" in row["missing"]


def _entry(index: int, row: Row, numpy: Row | None, even: Row | None, rows: Sequence[Row]) -> Row:
    figures = row["figures"]
    warm = figures.get("warm_seconds")
    cold = _cold_row(row, rows)
    size = row["size"]
    return {
        "rank": None,
        "backend": row["backend"],
        "tied": False,
        "seconds": warm and warm["value"],
        **{key: warm and warm[key] for key in ("low", "high", "samples", "settled")},
        **_times_faster(warm, numpy),
        "cold_seconds": _value(cold, "cold_seconds"),
        "cold_size": cold and cold["size"],
        "cached_seconds": _value(cold, "cached_seconds"),
        "break_even": even or {"numpy": None, "numpy_reason": "no warm call", "eager": None, "eager_reason": "no warm call"},
        "error": _value(row, "error"),
        "standard_error": STANDARD_ERROR_OF_ONE / math.sqrt(size) if "z" in figures or "z" in row["missing"] else None,
        "z": _value(row, "z"),
        "interpreted": row["interpreted"],
        "status": row["status"],
        "reason": _unranked(row),
        "figures": index,
    }


def _unranked(row: Row) -> str | None:
    """Why the row has no rank; None where it has one."""
    if "warm_seconds" not in row["figures"]:
        return str(row["missing"]["warm_seconds"]["reason"])
    if row["interpreted"]:
        return INTERPRETED
    return None if row["checked"] else str(row.get("wrong") or UNCHECKED)


def _times_faster(warm: Row | None, numpy: Row | None) -> Row:
    """How many times faster than NumPy; the least and the most that the quartiles of both allow."""
    name = "times_faster_than_numpy"
    if not warm or not numpy or not warm["value"]:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = _over(numpy["low"], warm["high"]), _over(numpy["high"], warm["low"])
    return {name: numpy["value"] / warm["value"], f"{name}_low": low, f"{name}_high": high}


def _over(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _cold_row(row: Row, rows: Sequence[Row]) -> Row | None:
    """The row of the same backend, at the nearest size at which its first call was measured."""
    cold = [other for other in rows if other["backend"] == row["backend"] and "cold_seconds" in other["figures"]]
    cold = [other for other in cold if other["size"]]
    return min(cold, key=lambda other: abs(math.log(other["size"] / row["size"])), default=None)


def _break_even(kernel: str, size: int, rows: Sequence[Row]) -> dict[str, Row]:
    """By backend, after how many warm calls compiling has paid; what a first call costs beyond a warm one is taken from the
    size at which it was measured, and is nothing where nothing is compiled."""
    here = [row for row in rows if row["size"] == size and row["backend"] in BACKENDS]
    told = [_life(kernel, row, rows) for row in here if _value(row, "warm_seconds")]
    break_even.add(told)
    none = f"its first call {break_even.NOT_MEASURED}"
    return {
        row["backend"]: row["break_even"] or {"numpy": None, "numpy_reason": none, "eager": None, "eager_reason": none}
        for row in told
    }


def _life(kernel: str, row: Row, rows: Sequence[Row]) -> Row:
    """The row as ``break_even`` wants it."""
    warm = row["figures"]["warm_seconds"]
    cold, first = _cold_row(row, rows), None
    if cold and cold["size"] == row["size"]:
        first = _value(cold, "cold_seconds")
    elif cold and _value(cold, "warm_seconds"):
        first = max(0.0, cold["figures"]["cold_seconds"]["value"] - cold["figures"]["warm_seconds"]["value"]) + warm["value"]
    elif BACKENDS[row["backend"]].mode in COMPILES_NOTHING:
        first = warm["value"]
    quartiles = warm["low"] or warm["value"], warm["high"] or warm["value"]
    told = {"cold_seconds": first, "warm_seconds": warm["value"], "warm_quartiles": quartiles}
    return {"kernel": kernel, "backend": row["backend"], "size": row["size"], "interpreted": row["interpreted"], **told}


def _value(row: Row | None, name: str) -> float | None:
    return row["figures"][name]["value"] if row and name in row["figures"] else None


def _samples(point: Point) -> list[float] | None:
    samples = point.column("samples")
    return samples if isinstance(samples, list) and all(isinstance(value, int | float) for value in samples) else None


def _statistics(point: Point) -> Mapping[str, float] | None:
    """What asv's test falls back on where samples were not kept."""
    found = {name: point.column(f"stats_{name}") for name in ("ci_99_a", "ci_99_b")}
    return found if all(isinstance(value, int | float) for value in found.values()) else None
