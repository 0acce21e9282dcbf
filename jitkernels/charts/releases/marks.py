"""What the charts by release draw in common: the axis of releases, the crosses of those without a number, the scales."""

from typing import Any

import altair as alt

from jitkernels.charts import marks
from jitkernels.charts.marks import Look

LABELS = 170  # pixels: of a release's name on the axis, which is read upwards
CROSS, RING = 15, 190  # pixels of text, square pixels
FACTOR = 15  # pixels from a mark to the factor beside it
X, Y = alt.X, alt.Y


def releases(field: str = "label", title: str | None = "release, after the month it was published in") -> Any:
    """The releases in version order, from left to right; where there is no room for all names some are left out."""
    small: dict[str, Any] = {"labelFontSize": 11, "labelLimit": LABELS, "labelPadding": 4}
    axis = alt.Axis(labelAngle=-90, labelOverlap="greedy", labelSeparation=1, grid=False, **small)
    return X(f"{field}:N", sort=alt.EncodingSortField("order", op="min"), title=title, axis=axis)


def near(field: str, title: str | None, label: str) -> Any:
    """A logarithmic scale of what hardly differs; the ticks are what Vega finds for it. label: its expression for a tick."""
    axis = alt.Axis(labelExpr=label, tickCount=5, labelOverlap="greedy", labelSeparation=4)
    return Y(f"{field}:Q", title=title, axis=axis, scale=alt.Scale(type="log", nice=False, padding=20))


def seconds(field: str = "seconds", title: str | None = "seconds") -> Any:
    return near(field, title, marks.time("datum.value"))


def known(base: Any, field: str) -> Any:
    return base.transform_filter(f"datum.{field} != null")


def room(base: Any, field: str, over: str, factor: float) -> Any:
    """Nothing to see: each view's scale reaches so many times beyond its values. over: the field of the views."""
    ends = known(base, field).transform_aggregate(least=f"min({field})", most=f"max({field})", groupby=[over])
    ends = ends.transform_calculate(least=f"datum.least / {factor}", most=f"datum.most * {factor}")
    return ends.mark_rule(opacity=0, aria=False).encode(x=alt.value(0), y=Y("least:Q"), y2=alt.Y2("most:Q"))


def level(base: Any, over: str) -> Any:
    """A line at 1, with its number at its end: the axis has no room for it where there are labels on both sides."""
    once = base.transform_aggregate(rows="count()", groupby=[over])
    line = once.mark_rule(color=marks.GREY, strokeWidth=1.5).encode(y=alt.datum(1))
    return alt.layer(line, once.mark_text(text="1", align="left", dx=4).encode(x=alt.value("width"), y=alt.datum(1)))


def absent(base: Any, x: Any, over: str) -> Any:
    """A cross at the foot of each view for each release of which somebody has no number there."""
    gone = base.transform_filter("datum.absent != null")
    gone = gone.transform_aggregate(why="min(absent)", order="min(order)", groupby=["label", "release", over])
    cross = gone.mark_text(text="\N{MULTIPLICATION SIGN}", fontSize=CROSS, fontWeight="bold", baseline="bottom", dy=2)
    return cross.encode(x=x, y=alt.value("height"), tooltip=[marks.said("release"), marks.said("why", "not measured")])


def steps(base: Any, look: Look, tooltip: list[alt.Tooltip], x: Any, y: Any) -> Any:
    """A ring around each step, and the factor of the largest ones: above where it goes up, below where it goes down."""
    ring = base.transform_filter("datum.step != null").mark_point(size=RING, strokeWidth=2, shape="circle", filled=False)
    rings = ring.encode(x=x, y=y, stroke=look.coloured(alt.Stroke), tooltip=tooltip)
    marked = base.transform_filter("datum.mark != null")
    up = marked.transform_filter("datum.step > 1").mark_text(dy=-FACTOR, fontSize=11, fontWeight="bold")
    down = marked.transform_filter("datum.step < 1").mark_text(dy=FACTOR, fontSize=11, fontWeight="bold")
    return alt.layer(rings, *(text.encode(x=x, y=y, text="mark:N") for text in (up, down)))


def by(field: str) -> Any:
    """The order of views: that of their places."""
    return alt.EncodingSortField(field, op="min")


def tip(*others: alt.Tooltip) -> list[alt.Tooltip]:
    """Backend, size, release, and what else there is to say."""
    return marks.tip(marks.said("release"), marks.said("published"), *others, timed=False)
