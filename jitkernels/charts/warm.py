"""Charts of warm calls: their seconds, their speed-up, and the number of calls after which compiling has paid."""

from collections.abc import Mapping
from typing import Any

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import figures
from jitkernels.charts.description import NAME, RANGE, SAMPLES, SETTLED, SIZE, WARM, Data, Row, chart, name_of, number, text
from jitkernels.measure import words
from jitkernels.measure.comparisons import calls_or_reason
from jitkernels.measure.ranking import FEWEST

OF_C = " The thick line is C, the mark of this hardware."


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
    by_case = {(row["backend"], row["size"]): row for row in figures.measured(data, "warm_seconds")}
    return [
        {**figures.case(row), "over": over, "rival": rival, **_times_faster(row, by_case[rival, size])}
        for (backend, size), row in by_case.items()
        for over, rival in {"numpy": "numpy", "eager mode": BACKENDS[backend].eager if backend in BACKENDS else None}.items()
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


def _times_faster(row: Mapping[str, Any], rival: Mapping[str, Any]) -> Row:
    warm, of_rival = row["figures"]["warm_seconds"], rival["figures"]["warm_seconds"]
    settled = False if of_rival.get("settled") is False else warm.get("settled")
    times = {"times": of_rival["value"] / warm["value"], **figures.ratio_range(of_rival, warm)}
    return {"figure": "warm_seconds", **times, "settled": settled}


def _compiles(backend: str) -> bool:
    return backend not in BACKENDS or BACKENDS[backend].compiles
