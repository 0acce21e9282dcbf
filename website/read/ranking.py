"""The ranking of backends at one size, and which neighbours cannot be told apart.

Backends are ranked by the processes of one run of ``make ranking``. asv's samples are of one process a backend, or of few,
hours apart: they order backends and tell none apart. An interpreter's time has no rank, nor has one whose answer is not
known to be right.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, cast

from history.store.rankings import Cell, Line
from jitkernels.backends.table import BACKENDS
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE
from jitkernels.measure import comparisons
from jitkernels.measure.ranking import places
from website.read import catalogue
from website.read.rows import WARM
from website.read.runs import Run, Runs
from website.schema.kernels import BreakEven, Entry, Gain, Ranking, Row, Warm
from website.schema.values import Source

INTERPRETED = "an interpreter stands in for the compiler on this device"
UNCHECKED = "nothing says that its answer is right"
NOT_IN_RUN = "the run that ranks the others did not measure it"
OTHER_THREADS = "was measured with the backend's own number of threads"
NOTHING = Warm(
    seconds=None,
    low=None,
    high=None,
    samples=None,
    processes=None,
    threads=None,
    settled=None,
    roof=None,
    fraction_of_roof=None,
)
UNKNOWN_FIRST_CALL = f"its first call {comparisons.NOT_MEASURED}"
COMPILES_NOTHING = ("eager", "interpreter")  # kinds of backends whose first call is as their later ones


def rankings(kernel: str, rows: Sequence[Row], runs: Runs, sources: Sequence[Source]) -> list[Ranking]:
    """Return a ranking for each size at which a backend has a warm call. sources: of the rows' figures."""
    sizes = sorted({row["size"] for row in rows if row["size"] and WARM in row["figures"]} | runs.keys())
    return [_ranking(kernel, size, rows, runs.get(size), sources) for size in sizes]


def _ranking(kernel: str, size: int, rows: Sequence[Row], run: Run | None, sources: Sequence[Source]) -> Ranking:
    here = [(index, row) for index, row in enumerate(rows) if row["size"] == size]
    entries = _entries(here, run and run.line, sources)
    _add_first_calls(entries, _break_even(kernel, [row for _, row in here], rows), rows)
    one_thread = None
    if run and (line := run.one_thread):
        one_thread = _entries([(index, row) for index, row in here if row["backend"] in line["cells"]], line, sources)
    return {
        "size": size,
        "entries": entries,
        "run": run and run.row(),
        "one_thread": one_thread,
        "roof_reason": catalogue.no_cost(kernel),
    }


def _add_first_calls(entries: Sequence[Entry], calls: Mapping[str, BreakEven], rows: Sequence[Row]) -> None:
    """Add what asv measured of each backend with its own threads: its first call, and when that has paid off."""
    for entry in entries:
        cold = _cold_row(rows[entry["figures"]], rows)
        entry["cold_seconds"], entry["cold_size"] = _value(cold, "cold_seconds"), cold and cold["size"]
        entry["cached_seconds"] = _value(cold, "cached_seconds")
        entry["break_even"] = calls.get(entry["backend"]) or _no_break_even(UNKNOWN_FIRST_CALL)


def _entries(here: Sequence[tuple[int, Row]], line: Line | None, sources: Sequence[Source]) -> list[Entry]:
    """Return the entries of rows, each with its place among all: those with a rank first, the fastest at the top.

    line: of a run; None where there is none, and asv's figures order the entries.
    """
    warm = {row["backend"]: _warm(row, line, sources) for _, row in here}
    entries = {
        row["backend"]: _entry(index, row, warm[row["backend"]], warm.get("numpy", NOTHING), _no_rank(row, line))
        for index, row in here
        if WARM in row["figures"] or WARM in row["missing"] or (line and row["backend"] in (line["cells"] | line["empty"]))
    }
    ranked = {name: [entry["seconds"] or 0.0] for name, entry in entries.items() if entry["reason"] is None}
    ordered = places({name: line["cells"][name]["seconds"] if line else seconds for name, seconds in ranked.items()})
    for place in ordered:
        entries[place.backend]["rank"], entries[place.backend]["tied"] = place.rank, place.tied
    others = [entry for entry in entries.values() if entry["reason"] is not None]
    return [*(entries[place.backend] for place in ordered), *others]


def _warm(row: Row, line: Line | None, sources: Sequence[Source]) -> Warm:
    """Return a backend's warm call: in a run, or else asv's."""
    if line and (cell := line["cells"].get(row["backend"])):
        return _in_run(cell)
    figure = row["figures"].get(WARM)
    if figure is None:
        return NOTHING
    return {
        **NOTHING,
        "seconds": figure["value"],
        "low": figure["low"],
        "high": figure["high"],
        "samples": figure["samples"],
        "threads": sources[figure["source"]]["threads"].get(row["backend"]),
        "settled": figure["settled"],
    }


def _in_run(cell: Cell) -> Warm:
    seconds, roof = statistics.median(cell["seconds"]), cell.get("roof")
    return {
        "seconds": seconds,
        "low": min(cell["seconds"]),
        "high": max(cell["seconds"]),
        "samples": None,
        "processes": len(cell["seconds"]),
        "threads": cell["threads"],
        "settled": cell["settled"],
        "roof": roof,
        "fraction_of_roof": roof["seconds"] / seconds if roof else None,
    }


def _entry(index: int, row: Row, warm: Warm, numpy: Warm, reason: str | None) -> Entry:
    is_estimate = "z" in row["figures"] or "z" in row["missing"]
    return {
        "rank": None,
        "backend": row["backend"],
        "tied": False,
        **warm,
        **_gain(warm, numpy),
        "cold_seconds": None,
        "cold_size": None,
        "cached_seconds": None,
        "break_even": _no_break_even(OTHER_THREADS),
        "error": _value(row, "error"),
        "standard_error": STANDARD_ERROR_OF_ONE / math.sqrt(row["size"] or math.inf) if is_estimate else None,
        "z": _value(row, "z"),
        "interpreted": row["interpreted"],
        "status": row["status"],
        "reason": reason,
        "figures": index,
    }


def _no_rank(row: Row, line: Line | None) -> str | None:
    """Return why the row has no rank; None where it has one."""
    if line and row["backend"] in line["cells"]:
        return row.get("wrong")
    if line and row["backend"] in line["empty"]:
        return line["empty"][row["backend"]]
    if WARM not in row["figures"]:
        return row["missing"][WARM]["reason"] if WARM in row["missing"] else NOT_IN_RUN
    if row["interpreted"]:
        return INTERPRETED
    if line:
        return NOT_IN_RUN
    return None if row["checked"] else row.get("wrong", UNCHECKED)


def _gain(warm: Warm, numpy: Warm) -> Gain:
    """Return how many times faster than NumPy a warm call is, and the least and most that both spreads allow.

    None where one of them is of a run and the other one is asv's.
    """
    value = low = high = None
    is_comparable = (warm["processes"] is None) == (numpy["processes"] is None)
    if warm["seconds"] and numpy["seconds"] and is_comparable:
        value = numpy["seconds"] / warm["seconds"]
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
    return {life["backend"]: life["break_even"] or _no_break_even(UNKNOWN_FIRST_CALL) for life in lives}


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
