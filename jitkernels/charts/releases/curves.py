"""Charts with a line for each backend from release to release.

Each function takes how backends look and gives an Altair chart of the rows that ``charts.ladder_rows`` makes under its name.
"""

from typing import Any

import altair as alt

from jitkernels.charts import marks
from jitkernels.charts.described import NARROW, WIDTH
from jitkernels.charts.marks import Look
from jitkernels.charts.releases import marks as ladder_marks
from jitkernels.charts.releases.marks import by

TALL, FLAT = 170, 120  # pixels
LEAST = 1.06  # so many times beyond its values a scale reaches at least: noise of a per cent is to look like it
Y, Y2 = alt.Y, alt.Y2


def releases(look: Look) -> Any:
    base, x, y = marks.rows(), ladder_marks.releases(), ladder_marks.seconds()
    known = ladder_marks.known(base, "seconds")
    about = ladder_marks.tip(
        marks.said("time", "seconds"), marks.said("quartiles"), marks.number("samples"), marks.number("step", "step, times"),
        marks.said("steady", "settled"),
    )  # fmt: skip
    layers = alt.layer(
        ladder_marks.room(base, "seconds", "panel", LEAST),
        ladder_marks.absent(base, x, "panel"),
        marks.bars(known, look, x=x, y=ladder_marks.seconds("low"), y2=Y2("high:Q")),
        marks.lines(known, look, about, along="order", x=x, y=y),
        ladder_marks.steps(known, look, about, x, y),
    )
    return _rows(layers, "panel")


def release_factors(look: Look) -> Any:
    base, x = marks.rows(), ladder_marks.releases("release", None)
    known = ladder_marks.known(base, "times")
    about = ladder_marks.tip(
        marks.said("kernel"), marks.number("times", "times the newest"), marks.number("low", "at least"),
        marks.number("high", "at most"), marks.said("newest"),
    )  # fmt: skip
    layers = alt.layer(
        ladder_marks.room(base, "times", "kernel", LEAST),
        ladder_marks.level(base, "kernel"),
        ladder_marks.absent(base, x, "kernel"),
        marks.bars(known, look, x=x, y=_times("low"), y2=Y2("high:Q")),
        marks.lines(known, look, about, along="order", x=x, y=_times("times")),
    )
    return _grid(layers, "kernel")


def release_counts(look: Look) -> Any:
    base, x = marks.rows(timed=False), ladder_marks.releases("release", None)
    axis = alt.Axis(labelExpr="datum.value % 1 ? '' : format(datum.value, '~s')", tickCount=4, labelOverlap="greedy")
    y = Y("value:Q", title=None, axis=axis, scale=alt.Scale(zero=False, nice=True, padding=12))
    about = ladder_marks.tip(marks.said("count"), marks.number("value", form=","))
    known = ladder_marks.known(base, "value")
    layers = alt.layer(ladder_marks.absent(base, x, "count"), marks.lines(known, look, about, along="order", x=x, y=y))
    return _grid(layers, "count")


def release_errors(look: Look) -> Any:
    base, x = marks.rows(timed=False), ladder_marks.releases()
    y = ladder_marks.near("value", "error", "format(datum.value, '.2~g')")
    about = ladder_marks.tip(
        marks.number("value", "error", ".3~e"), marks.number("z", "in standard errors"), marks.number("hits", form=",")
    )
    known = ladder_marks.known(base, "value")
    zero = known.transform_filter("datum.value === 0").mark_point(size=marks.POINT, strokeWidth=1.5, filled=False)
    layers = alt.layer(
        ladder_marks.room(base.transform_filter("datum.value > 0"), "value", "panel", 2.0),
        ladder_marks.absent(base, x, "panel"),
        marks.lines(known.transform_filter("datum.value > 0"), look, about, along="order", x=x, y=y),
        zero.encode(x=x, y=alt.value("height"), stroke=look.coloured(alt.Stroke), shape=look.shape, tooltip=about),
    )
    return _rows(layers, "panel")


def _times(field: str) -> Any:
    return ladder_marks.near(field, None, "format(datum.value, '.3~g')")


def _rows(layers: Any, field: str) -> Any:
    """Views one above the other, above one axis of releases."""
    row = alt.Row(f"{field}:N", sort=by("place"), title=None, header=marks.header("datum.value"))
    return layers.properties(width=WIDTH, height=TALL).facet(row=row, spacing=14).resolve_scale(y="independent")


def _grid(layers: Any, field: str) -> Any:
    """Views side by side, each with axes of its own."""
    facet = alt.Facet(f"{field}:N", sort=by("place"), title=None, header=marks.header("datum.value"))
    views = layers.properties(width=NARROW, height=FLAT).facet(facet=facet, columns=3, spacing=18)
    return views.resolve_scale(x="independent", y="independent")
