"""The figures of a compiler's ladder as flat rows, one for each of its releases, with or without a value.

``data``: a kernel's content, with ``releases`` {"release", "order", "published", "status", "reason"} and ``series``.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from jitkernels.charts.cells import Data, Row
from jitkernels.charts.palette import shown

LIVES = {"warm_seconds": "A warm call", "cold_seconds": "The first call"}
MARKED = 1.2  # times: from here on a step has its factor beside it
APART = 8  # such factors fit side by side across a view
MEASURED = ("value", "low", "high", "samples", "settled")
MONTH = 7  # letters of an ISO date
Series = Mapping[str, Any]


def series(data: Data, *figures: str) -> list[Series]:
    """Those of one of the figures; without any, all."""
    return [one for one in data.get("series") or () if not figures or one["figure"] in figures]


def label(release: Mapping[str, Any]) -> str:
    """What stands on an axis, read upwards: the month, then the release beside the axis."""
    published = release.get("published")
    return f"{published[:MONTH]}  {release['release']}" if published else str(release["release"])


def lives(data: Data) -> list[Series]:
    """The warm calls, then the cold ones; of each the largest size first."""
    return sorted(series(data, *LIVES), key=lambda one: (list(LIVES).index(one["figure"]), -(one["size"] or 0)))


def sized(words: str, size: int | None) -> str:
    return f"{words} at {size:,} {{size}}" if size is not None else words


def panel(one: Series) -> str:
    """The name of the view that a series of seconds is drawn in."""
    figure: str = one["figure"]
    return sized(LIVES.get(figure, figure), one["size"])


def cell(one: Series) -> Row:
    interpreted = bool(one.get("interpreted"))
    name = shown(one["backend"], interpreted)
    return {
        "backend": one["backend"], "name": name, "size": one["size"], "interpreted": interpreted, "figure": one["figure"],
    }  # fmt: skip


def points(data: Data, one: Series) -> list[Row]:
    """A row for each release of the ladder; ``absent``: why it has no value."""
    found = {point["order"]: point for point in one["points"]}
    why = {gap["order"]: gap["reason"] for gap in one.get("missing") or ()}
    rows = []
    for release in data.get("releases") or ():
        point = found.get(release["order"], {})
        reason = why.get(release["order"]) or release.get("reason") or "not measured"
        rows.append({
            **cell(one), "release": release["release"], "order": release["order"], "label": label(release),
            "published": release.get("published"), **{key: point.get(key) for key in MEASURED},
            "absent": None if point else str(reason),
        })  # fmt: skip
    return rows


def seconds(data: Data, one: Series) -> list[Row]:
    """The same of a series of seconds, with the factor of the ``step`` that it takes at a release."""
    steps = {step["to"]: step["factor"] for step in one.get("steps") or ()}
    rows = points(data, one)
    for row in rows:
        row |= {"seconds": row.pop("value"), "panel": panel(one), "step": steps.get(row["release"]), "mark": None}
    return rows


def panels(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each view, which are given its ``place`` among the views."""
    views = [[row for row in rows if row["panel"] == name] for name in dict.fromkeys(row["panel"] for row in rows)]
    for place, view in enumerate(views):
        excuse(view)
        for row in view:
            row["place"] = place
    return views


def excuse(view: Sequence[Row]) -> None:
    """Give the rows of a release that have no value one text: who has none, and why."""
    for order in {row["order"] for row in view if row.get("absent")}:
        gone = [row for row in view if row["order"] == order and row.get("absent")]
        by_reason: dict[str, dict[str, None]] = {}
        for row in gone:
            by_reason.setdefault(row["absent"], {})[row["name"]] = None
        for row in gone:
            row["absent"] = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in by_reason.items())


def mark(view: Sequence[Row]) -> None:
    """Write the factor beside the largest steps of a view, and beside no two that are near each other."""
    steps = [row for row in view if row["step"] and max(row["step"], 1 / row["step"]) >= MARKED]
    gap = len({row["order"] for row in view}) / APART
    taken: list[int] = []
    for row in sorted(steps, key=lambda row: -abs(math.log(row["step"]))):
        if all(abs(row["order"] - order) >= gap for order in taken):
            taken.append(row["order"])
            more = row["step"] > 1
            row["mark"] = (
                f"{'▲' if more else '▼'} {_digits(row['step'] if more else 1 / row['step'])}\N{MULTIPLICATION SIGN}"
            )


def _digits(factor: float) -> str:
    return f"{factor:,.0f}" if factor >= 100 else f"{factor:.3g}"
