"""Flat rows of the charts whose axis is a compiler's release, from the content of the ladder's files (docs/site-data.md).

A function takes a kernel's content, with ``releases`` {"release", "order", "published", "status", "reason"} and ``series``;
``release_factors`` and ``drift`` take a compiler's, with its kernels' contents by name as ``kernels``. Times are those that
are free of the machine's drift. A release without a number has a row too, whose ``absent`` says who has none and why.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from jitkernels.charts.cells import Data, Row
from jitkernels.charts.releases import cells as by_release
from jitkernels.charts.releases.cells import Series
from jitkernels.charts.releases.sides import beside, drift


def releases(data: Data) -> list[Row]:
    """One row for each release, backend and size of the warm and the cold call; ``panel``: the view that it is drawn in."""
    rows = [row for one in by_release.lives(data) for row in by_release.seconds(data, one)]
    for view in by_release.panels(rows):
        by_release.mark(view)
    return rows


def release_factors(data: Data) -> list[Row]:
    """One row for each release, kernel and backend: seconds of the warm call, at the largest size that the backend has, over
    those with the newest release. ``low`` and ``high``: what the quartiles of both allow."""
    found: dict[str, list[Row]] = {}
    for kernel, content in (data.get("kernels") or {}).items():
        for one in _largest(by_release.series(content, "warm_seconds")) if isinstance(content, Mapping) else ():
            found.setdefault(kernel, []).extend({**row, "kernel": kernel} for row in _factors(content, one))
    rows = []
    for place, view in enumerate(sorted(found.values(), key=_farthest, reverse=True)):
        by_release.excuse(view)
        rows += [{**row, "place": place} for row in view]
    return rows


def release_stages(data: Data) -> list[Row]:
    """One row for each release and stage of each backend's cold compilation, at the size that most releases have.

    ``height``: its seconds, or 0 where the clocks' noise made them negative.
    """
    every = [one for one in by_release.series(data) if one["figure"].startswith("stages.")]
    parts = [one for one in every if one["figure"] != "stages.total"]
    rows = []
    for backend in dict.fromkeys(one["backend"] for one in parts):
        own = [one for one in parts if one["backend"] == backend]
        count = {one["size"]: sum(len(other["points"]) for other in own if other["size"] == one["size"]) for one in own}
        size = max(count, key=lambda size: (count[size], size or 0))
        view = []
        for place, one in enumerate(one for one in own if one["size"] == size):
            stage = {"stage": one["figure"].partition(".")[2], "place": place}
            view += [{**row, **stage, "height": max(0.0, row["seconds"] or 0.0)} for row in by_release.seconds(data, one)]
        rows += _once(view)
    return rows


def release_counts(data: Data) -> list[Row]:
    """One row for each release, backend and count; first those that some release changed, and of them those that changed
    most often. ``moved``: how often."""
    found: dict[str, list[Row]] = {}
    names = dict.fromkeys(one["figure"] for one in by_release.series(data) if one["figure"].startswith("counts."))
    for figure in names:
        name = figure.partition(".")[2].replace("_", " ")
        for one in _largest(by_release.series(data, figure)):
            found.setdefault(name, []).extend({**row, "count": name} for row in by_release.points(data, one))
    for view in found.values():
        by_release.excuse(view)
        moved = _moves(view)
        for row in view:
            row["moved"] = moved
    ordered = sorted(found.values(), key=lambda view: -view[0]["moved"])
    return [{**row, "place": place} for place, view in enumerate(ordered) for row in view]


def release_errors(data: Data) -> list[Row]:
    """One row for each release, backend and size: ``value`` is the answer's error; ``z`` and ``hits`` where it has them."""
    more = {name: _values(data, name) for name in ("z", "hits")}
    own = sorted(by_release.series(data, "error"), key=lambda one: -(one["size"] or 0))
    rows = [row for one in own for row in by_release.points(data, one)]
    for row in rows:
        row |= {name: values.get(_key(row)) for name, values in more.items()}
        row["panel"] = by_release.sized("Error", row["size"])
    by_release.panels(rows)
    return rows


def _factors(data: Data, one: Series) -> list[Row]:
    newest = max(one["points"], key=lambda point: point["order"])
    rows = []
    for row in by_release.seconds(data, one):
        ends = (row["low"], row["high"], newest["low"], newest["high"])
        spread = (row["low"] / newest["high"], row["high"] / newest["low"]) if all(ends) else (None, None)
        times = None if row["seconds"] is None else row["seconds"] / newest["value"]
        rows.append({**row, "times": times, "low": spread[0], "high": spread[1], "newest": newest["release"]})
    return rows


def _largest(series: Iterable[Series]) -> list[Series]:
    """Of each backend the series of the largest size."""
    best: dict[str, Series] = {}
    for one in series:
        known = best.get(one["backend"])
        if one["points"] and (known is None or (one["size"] or 0) > (known["size"] or 0)):
            best[one["backend"]] = one
    return list(best.values())


def _values(data: Data, figure: str) -> dict[tuple[object, ...], float]:
    return {
        (one["backend"], one["size"], point["order"]): point["value"]
        for one in by_release.series(data, figure)
        for point in one["points"]
    }


def _key(row: Row) -> tuple[object, ...]:
    return row["backend"], row["size"], row["order"]


def _farthest(view: Sequence[Row]) -> float:
    return max((abs(math.log(row["times"])) for row in view if row["times"]), default=0.0)


def _moves(view: Sequence[Row]) -> int:
    """How often any backend's value is another one than the release's before."""
    moves, last = 0, dict[str, float]()
    for row in view:
        if row["value"] is not None:
            moves += last.get(row["name"], row["value"]) != row["value"]
            last[row["name"]] = row["value"]
    return moves


def _once(view: list[Row]) -> list[Row]:
    """A backend without any stage of a release says so once."""
    there = {row["order"] for row in view if row["seconds"] is not None}
    kept = [row for row in view if row["seconds"] is not None or (row["order"] not in there and row["place"] == 0)]
    for row in kept:
        row["stage"] = None if row["seconds"] is None else row["stage"]
    return kept


MAKERS: dict[str, Callable[[Data], list[Row]]] = {
    maker.__name__: maker
    for maker in (releases, release_factors, release_stages, release_counts, release_errors, beside, drift)
}
"""By the chart's name."""
