"""The ranking of backends at one size, and which neighbours cannot be told apart.

Backends are ranked by the processes of one run of ``make ranking``. Without a run asv's samples order them, but tell none
apart, because each backend's come from few processes at different hours. An interpreter's time has no rank. A time whose
answer is not known to be right has no rank either.
"""

import math
import statistics
from collections.abc import Sequence
from typing import cast

from history.store.rankings import Cell, Line, can_rank
from jitkernels.charts import figures
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE
from jitkernels.measure.comparisons import INTERPRETED
from jitkernels.measure.ranking import FEWEST, places
from website.read import catalogue, first_calls
from website.read.benchmarks import WARM
from website.read.runs import Run, Runs
from website.schema.kernels import Entry, Gain, Ranking, Row, Warm
from website.schema.values import Source

UNCHECKED = "no check of its answer is stored"
NOT_IN_RUN = "not measured in the run that ranks the others"
OTHER_THREADS = "its first call was measured with the backend's own number of threads"
TOO_FEW = f"fewer than {FEWEST} processes could be measured, so it cannot be told apart from others"
NOTHING = cast(Warm, dict.fromkeys(Warm.__annotations__))


def rankings(kernel: str, rows: Sequence[Row], runs: Runs, sources: Sequence[Source]) -> list[Ranking]:
    """Return a ranking for each size at which a backend has a warm call. A run that cannot rank counts only where asv has no
    time. sources: of the rows' figures."""
    timed = {row["size"] for row in rows if row["size"] and WARM in row["figures"]}
    counted = {size: run for size, run in runs.items() if can_rank(run.line) or size not in timed}
    return [_ranking(kernel, size, rows, counted.get(size), sources) for size in sorted(timed | counted.keys())]


def _ranking(kernel: str, size: int, rows: Sequence[Row], run: Run | None, sources: Sequence[Source]) -> Ranking:
    here = [(index, row) for index, row in enumerate(rows) if row["size"] == size]
    entries = _entries(here, run and run.line, sources)
    first_calls.add(entries, rows, run and run.line)
    one_thread = None
    if run and (line := run.one_thread):
        one_thread = _entries([(index, row) for index, row in here if row["backend"] in line["cells"]], line, sources)
    return {
        "size": size,
        "entries": entries,
        "run": run and run.row(),
        "one_thread": one_thread,
        "quicker": [entry["backend"] for entry in entries if _is_quicker(entry, entries[0])],
        "roof_reason": catalogue.no_cost(kernel),
    }


def _is_quicker(entry: Entry, first: Entry) -> bool:
    """True if the backend is not in the run, and its time of another hour is shorter than the first backend's in the run."""
    is_other = entry["reason"] == NOT_IN_RUN and entry["seconds"] is not None and first["rank"] is not None
    return is_other and (entry["seconds"] or 0.0) < (first["seconds"] or 0.0)


def _entries(here: Sequence[tuple[int, Row]], line: Line | None, sources: Sequence[Source]) -> list[Entry]:
    """Return the entries of rows: those with a rank first, from the fastest to the slowest.

    here: the rows, each with its place among all rows. line: of a run; None if asv's figures order the entries.
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
    """Return a backend's warm call: that of the run, or else asv's."""
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
        "break_even": {"numpy": None, "numpy_reason": OTHER_THREADS, "eager": None, "eager_reason": OTHER_THREADS},
        "error": figures.value(row, "error"),
        "standard_error": STANDARD_ERROR_OF_ONE / math.sqrt(row["size"] or math.inf) if is_estimate else None,
        "z": figures.value(row, "z"),
        "interpreted": row["interpreted"],
        "status": row["status"],
        "reason": reason,
        "figures": index,
    }


def _no_rank(row: Row, line: Line | None) -> str | None:
    """Return why the row has no rank; None if it has one."""
    if line and (cell := line["cells"].get(row["backend"])):
        return row.get("wrong", TOO_FEW if len(cell["seconds"]) < FEWEST else None)
    if line and row["backend"] in line["empty"]:
        return line["empty"][row["backend"]]
    if WARM not in row["figures"]:
        return row["missing"][WARM]["reason"] if WARM in row["missing"] else NOT_IN_RUN
    if row["interpreted"]:
        return INTERPRETED
    if line:
        return row.get("wrong", NOT_IN_RUN)
    return None if row["checked"] else row.get("wrong", UNCHECKED)


def _gain(warm: Warm, numpy: Warm) -> Gain:
    """Return how many times faster than NumPy a warm call is, and the least and most that both spreads allow.

    The values are None if one of the times is missing, or if only one of them is of a run.
    """
    name, is_comparable = "times_faster_than_numpy", (warm["processes"] is None) == (numpy["processes"] is None)
    if not (warm["seconds"] and numpy["seconds"] and is_comparable):
        return cast(Gain, dict.fromkeys(Gain.__annotations__))
    ends = {f"{name}_{end}": value for end, value in figures.ratio_range(numpy, warm).items()}
    return cast(Gain, {name: numpy["seconds"] / warm["seconds"], **ends})
