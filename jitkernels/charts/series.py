"""Read series of figures by release, for the functions that make rows of the charts of a compiler's releases.

A series is a case and a figure: {"backend", "size", "figure", "interpreted", "points", "missing", "steps"}, as the site's
files of releases hold it (docs/site-data.md). Its seconds are free of the machine's drift.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jitkernels.charts import figures
from jitkernels.charts.description import Data, Row

LIVES = {"warm_seconds": "A warm call", "cold_seconds": "The first call"}
LEAST_MARKED = 1.2  # times: a step of at least this factor can have its factor beside it
MARKS_ACROSS = 8  # factors that fit side by side across a view
MEASURED = ("value", "low", "high", "samples", "settled")
MONTH = 7  # letters of an ISO date: the year and the month
Series = Mapping[str, Any]


def of_figures(data: Data, *names: str) -> list[Series]:
    """Return the series of these figures; without names, all."""
    return [series for series in data.get("series") or () if not names or series["figure"] in names]


def of_family(data: Data, family: str) -> list[Series]:
    """Return the series of the figures whose names begin with ``family`` and a dot."""
    return [series for series in of_figures(data) if series["figure"].startswith(f"{family}.")]


def of_lives(data: Data) -> list[Series]:
    """Return the series of warm calls, then those of first calls; each with the largest size first."""
    return in_order(of_figures(data, *LIVES))


def in_order(all_series: Iterable[Series]) -> list[Series]:
    """Return the series of lives in their order, then the others by name; each with the largest size first."""

    def place(series: Series) -> tuple[int, str, int]:
        figure = series["figure"]
        return [*LIVES, figure].index(figure), figure, -(series["size"] or 0)

    return sorted(all_series, key=place)


def of_largest_size(all_series: Iterable[Series]) -> list[Series]:
    """Return each backend's series with points of the largest size; series from duets come before larger sizes."""
    largest: dict[str, Series] = {}
    for series in all_series:
        before = largest.get(series["backend"])
        if series["points"] and (before is None or _rank(series) > _rank(before)):
            largest[series["backend"]] = series
    return list(largest.values())


def _rank(series: Series) -> tuple[bool, int]:
    return bool(series.get("in_duets")), series["size"] or 0


def label(release: Mapping[str, Any]) -> str:
    """Return the text on the axis: the month of publication, then the release."""
    published = release.get("published")
    return f"{published[:MONTH]}  {release['release']}" if published else str(release["release"])


def at_size(words: str, size: int | None) -> str:
    return f"{words} at {size:,} {{size}}" if size is not None else words


def panel(series: Series) -> str:
    """Return the name of the view in which a series of seconds is drawn."""
    figure: str = series["figure"]
    return at_size(LIVES.get(figure, figure), series["size"])


def case(series: Series) -> Row:
    """Return the fields that identify the case and the figure of a series."""
    return {**figures.case(series), "figure": series["figure"]}


def points(data: Data, series: Series) -> list[Row]:
    """Return a row for each release, with or without a value; ``absent``: why it has none."""
    by_order = {point["order"]: point for point in series["points"]}
    reasons = {gap["order"]: gap["reason"] for gap in series.get("missing") or ()}
    rows = []
    for release in data.get("releases") or ():
        order = release["order"]
        point = by_order.get(order, {})
        reason = str(reasons.get(order) or release.get("reason") or "not measured")
        row = {"release": release["release"], "order": order, "label": label(release), "published": release.get("published")}
        row |= {key: point.get(key) for key in MEASURED}
        rows.append({**case(series), **row, "absent": None if point else reason})
    return rows


def seconds(data: Data, series: Series) -> list[Row]:
    """Return the rows of ``points`` for a series of seconds. ``panel``: its view; ``step``: a step's factor, or None;
    ``since``: the release before it."""
    steps = {step["to"]: step for step in series.get("steps") or ()}
    rows = points(data, series)
    for row in rows:
        step = steps.get(row["release"], {})
        row |= {"seconds": row.pop("value"), "panel": panel(series), "mark": None}
        row |= {"step": step.get("factor"), "since": step.get("from")}
    return rows


def relative_to_newest(data: Data, series: Series) -> list[Row]:
    """Return the rows of ``seconds`` with ``times``, the ratio to the newest release, and the range that quartiles allow."""
    newest = max(series["points"], key=lambda point: point["order"])
    rows = seconds(data, series)
    for row in rows:
        times = None if row["seconds"] is None else row["seconds"] / newest["value"]
        row |= {"times": times, "newest": newest["release"], **figures.ratio_range(row, newest)}
        row["in_duets"] = bool(series.get("in_duets"))
    return rows


def views(rows: Iterable[Row], field: str, key: Callable[[Sequence[Row]], float] = lambda view: 0) -> list[list[Row]]:
    """Return the rows of each view, in the order of ``key``, and give each row the ``place`` of its view.

    field: what the rows of a view have in common.
    """
    by_view: dict[str, list[Row]] = {}
    for row in rows:
        by_view.setdefault(row[field], []).append(row)
    ordered = sorted(by_view.values(), key=key)
    for place, view in enumerate(ordered):
        explain_gaps(view)
        for row in view:
            row["place"] = place
    return ordered


def explain_gaps(view: Sequence[Row]) -> None:
    """Give all rows of a release without a value the same text: which backends have none, and why."""
    for order in {row["order"] for row in view if row["absent"]}:
        gaps = [row for row in view if row["order"] == order and row["absent"]]
        by_reason: dict[str, dict[str, None]] = {}
        for row in gaps:
            by_reason.setdefault(row["absent"], {})[row["name"]] = None
        text = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in by_reason.items())
        for row in gaps:
            row["absent"] = text


def with_marked_steps(rows: Iterable[Row]) -> list[Row]:
    """Return the rows by ``panel``. The largest steps of a panel get a ``mark``: their factor as text."""
    panels = views(rows, "panel")
    for view in panels:
        _mark_steps(view)
    return list(itertools.chain(*panels))


def _mark_steps(view: Sequence[Row]) -> None:
    """Mark the largest steps of a view; no two marks stand near each other."""
    gap = len({row["order"] for row in view}) / MARKS_ACROSS
    marked: list[int] = []
    for row in sorted((row for row in view if row["step"]), key=_size_of_step, reverse=True):
        if _size_of_step(row) >= math.log(LEAST_MARKED) and all(abs(row["order"] - order) >= gap for order in marked):
            marked.append(row["order"])
            factor = max(row["step"], 1 / row["step"])
            digits = f"{factor:,.0f}" if factor >= 100 else f"{factor:.3g}"
            row["mark"] = f"{'▲' if row['step'] > 1 else '▼'} {digits}\N{MULTIPLICATION SIGN}"


def _size_of_step(row: Row) -> float:
    return abs(math.log(row["step"]))


def largest_change(view: Sequence[Row]) -> float:
    """Return the largest distance from 1 of the view's ``times``, as a logarithm."""
    return max((abs(math.log(row["times"])) for row in view if row["times"]), default=0.0)


def changes(view: Iterable[Row]) -> int:
    """Return how often any backend's value differs from its value with the release before."""
    count, last = 0, dict[str, float]()
    for row in view:
        if row["value"] is not None:
            count += last.get(row["name"], row["value"]) != row["value"]
            last[row["name"]] = row["value"]
    return count
