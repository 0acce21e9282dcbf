"""The roofline chart: the operations per second of calls, below the most that this machine can compute and move.

Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for multicore architectures",
Communications of the ACM 52(4), 2009.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jitkernels.charts import figures
from jitkernels.charts.description import NAME, RANGE, SIZE, Data, Row, chart, number, text

BESIDE = 4  # times: how far the roofs reach beyond their corner and the marks
COST = (number("intensity", "operations per byte"), number("flop_per_second", "operations per second"))
SHARE = (number("fraction_of_roof", "share of the roof"), text("by", "nearer roof"))


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
