"""Charts of warm calls: their seconds, their speed-up, the calls after which compiling has paid, and the roofline.

The roofline is that of Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore
architectures", Communications of the ACM 52(4), 2009.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jitkernels.backends.table import catalogue
from jitkernels.charts import figures
from jitkernels.charts.description import NAME, RANGE, SAMPLES, SETTLED, SIZE, WARM, Data, Row, chart, name_of, number, text
from jitkernels.measure import words
from jitkernels.measure.comparisons import calls_or_reason
from jitkernels.measure.ranking import FEWEST

OF_C = " The thick line is C."
BESIDE = 4  # times: how far the roofs reach beyond their corner and the marks
COST = (number("intensity", "operations per byte"), number("flop_per_second", "operations per second"))
SHARE = (number("fraction_of_roof", "share of the roof"), text("by", "nearer roof"))


@chart(
    "Time of a warm call",
    "Seconds of one warm call against {size}, both on logarithmic scales. Bars reach from the lower to the upper "
    "quartile; hollow points had not settled." + OF_C,
    (NAME, SIZE, *WARM, SAMPLES, SETTLED),
    "warm calls",
)
def seconds(data: Data) -> list[Row]:
    """Return one row for each case with a warm call."""
    return [{**figures.case(row), **figures.spread(row, "warm_seconds")} for row in figures.measured(data, "warm_seconds")]


@chart(
    "Speed-up over NumPy and over eager mode",
    "How many times faster a warm call is than NumPy, and than the framework's own eager mode, against {size}. Bars are the "
    "range that the quartiles of both allow. Quartiles of one process can't tell two backends apart.",
    (NAME, SIZE, text("over", "than"), text("rival"), number("times", "times faster"), *RANGE, SETTLED),
    "warm calls of a backend and of its rival",
)
def speedup(data: Data) -> list[Row]:
    """Return one row for each warm case and rival: how many ``times`` faster than NumPy and the framework's eager mode.

    ``low`` and ``high``: the least and the most that the quartiles of both allow.
    """
    by_case, known = {(row["backend"], row["size"]): row for row in figures.measured(data, "warm_seconds")}, catalogue()
    return [
        {**figures.case(row), "over": over, "rival": rival, **_times_faster(row, by_case[rival, size])}
        for (backend, size), row in by_case.items()
        for over, rival in {"numpy": "numpy", "eager mode": known[backend].eager if backend in known else None}.items()
        if rival and rival != backend and (rival, size) in by_case and not row.get("interpreted")
    ]


@chart(
    "When compiling pays off",
    "The number of warm calls after which compiling and calling took no longer in all than NumPy, or than the framework's "
    "eager mode, against {size}. With fewer than five processes each it is an estimate. The text at the top counts the "
    "backends whose warm call took longer.",
    (NAME, SIZE, text("over", "against"), number("calls"), text("verdict"), text("reason")),
    "cold and warm calls of a backend and of its rival",
)
def break_even(data: Data) -> list[Row]:
    """Return one row for each compiler, size and rival: the warm calls after which compiling has paid, or why never.

    ``verdict`` is "never" only if a run measured at least five processes.
    """
    interpreted = {(row["backend"], row["size"]): row.get("interpreted") for row in data["rows"]}
    return [
        {
            "backend": backend,
            "name": name_of(backend, interpreted.get((backend, ranking["size"]))),
            "size": ranking["size"],
            "figure": "cold_seconds",
            "over": over,
            "calls": calls.get(key),
            "verdict": verdict,
            "reason": calls.get(f"{key}_reason"),
        }
        for ranking in data.get("rankings", ())
        for entry in ranking["entries"]
        if (calls := entry.get("break_even")) and _compiles(backend := entry["backend"])
        for key, over in {"numpy": "numpy", "eager": "eager mode"}.items()
        if (verdict := words.paid(calls_or_reason(calls, key), (entry["processes"] or 0) >= FEWEST))
    ]


@chart(
    "How near calls come to the machine's limits (the roof)",
    "Operations on float32 per second against the kernel's operations per byte, both on logarithmic scales. The grey lines "
    "are the most that this machine does on as many threads: the slope is moving arrays of that size, the flat part is "
    "multiply-adds. A mark is the median of a backend's processes.",
    (NAME, SIZE, number("threads"), *COST, *RANGE, *SHARE),
    "a ranking and the roof of its machine",
)
def roofline(data: Data) -> list[Row]:
    """Return one row for each ranked case with a roof, and three rows for each roof, without a backend: its ends and its
    corner. Each size and number of threads has a roof.
    """
    rows: list[Row] = []
    for ranking in data.get("rankings", ()):
        under = [entry for entry in ranking["entries"] if entry.get("roof") and entry.get("seconds")]
        roofs = {entry["threads"]: entry["roof"] for entry in under}
        for threads in sorted(roofs):
            rows += _lines(ranking["size"], threads, roofs[threads], list(roofs.values()))
        rows += [_mark(ranking["size"], entry) for entry in under]
    return rows


def _times_faster(row: Mapping[str, Any], rival: Mapping[str, Any]) -> Row:
    warm, of_rival = row["figures"]["warm_seconds"], rival["figures"]["warm_seconds"]
    settled = False if of_rival.get("settled") is False else warm.get("settled")
    times = {"times": of_rival["value"] / warm["value"], **figures.ratio_range(of_rival, warm)}
    return {"figure": "warm_seconds", **times, "settled": settled}


def _compiles(backend: str) -> bool:
    return backend not in catalogue() or catalogue()[backend].compiles


def _mark(size: int, entry: Mapping[str, Any]) -> Row:
    roof = entry["roof"]
    low, high = (entry.get(end) and roof["flop"] / entry[end] for end in ("high", "low"))
    return {
        **figures.case({**entry, "size": size}),
        "threads": entry["threads"],
        "intensity": roof["flop"] / roof["bytes"],
        "flop_per_second": roof["flop"] / entry["seconds"],
        "low": low,
        "high": high,
        "fraction_of_roof": entry["fraction_of_roof"],
        "by": roof["by"],
        "settled": entry.get("settled"),
    }


def _lines(size: int, threads: int, roof: Mapping[str, Any], roofs: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield the ends and the corner of a roof. roofs: all of the view; they begin and end at the same places."""
    corner = _corner(roof)
    marked = [*map(_corner, roofs), roof["flop"] / roof["bytes"]]
    name = f"roof of {threads} thread{'s' * (threads > 1)}"
    ends = min(marked) / BESIDE, max(marked) * BESIDE
    for intensity in (ends[0], corner, ends[1]):
        rate = min(intensity * roof["bytes_per_second"], roof["flop_per_second"])
        case = {"backend": None, "name": name, "size": size, "interpreted": False, "threads": threads}
        nothing = {"low": None, "high": None, "fraction_of_roof": None, "settled": None}
        by = "bytes" if intensity < corner else "flop"
        yield {**case, **nothing, "intensity": intensity, "flop_per_second": rate, "by": by, "end": intensity == ends[1]}


def _corner(roof: Mapping[str, Any]) -> float:
    """Return the operations per byte at which both roofs are equally near."""
    return float(roof["flop_per_second"] / roof["bytes_per_second"])
