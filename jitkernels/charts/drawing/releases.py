"""Draw the charts of a compiler's releases, and that of commits.

Each function has its chart's name, takes the looks of backends, and returns an Altair chart.
"""

from typing import Any

import altair as alt

from jitkernels.charts import palette
from jitkernels.charts.description import COMMITS, HALF, KERNEL, NARROW, REFERENCE, RELEASES, WIDTH
from jitkernels.charts.drawing import marks
from jitkernels.charts.drawing.marks import Y2, Look, X, Y

TALL, TALL_BARS, FLAT, BESIDE = 170, 200, 120, 230  # pixels: heights of views
LABELS = 170  # pixels: of a release's name on the axis, which is read upwards
CROSS, RING = 15, 190  # pixels of text, square pixels
FACTOR = 15  # pixels from a mark to the factor beside it
BAND = 0.2  # opacity of an interval along a curve
LEAST = 1.06  # times: a scale reaches this far beyond its values, so that noise of a per cent looks small
STAGES = ("numpy", "numba", "jax", "triton", "tensorflow_xla", "torch_inductor", "python")  # stages have these colours
DRIFTS = {"warm calls": ("numpy", "circle"), "cold calls": ("tensorflow_xla", "square"), "warm calls of C": ("c", "diamond")}
BY_PLACE = alt.EncodingSortField("place", op="min")


def releases(look: Look) -> Any:
    base, x = look.base, _releases()
    steps = _steps(_known(base, "seconds"), look, x, _seconds("seconds"))
    return _above(alt.layer(_band(_known(base, "low"), look, x), *_curves(base, look, x, "seconds", "panel"), steps))


def release_factors(look: Look) -> Any:
    base, x = look.base, _releases("release", None)
    room, *curves = _curves(base, look, x, "times", "kernel")
    return _grid(alt.layer(room, _level(base, "kernel"), *curves), "kernel")


def release_stages(look: Look) -> Any:
    base, x = look.base, _releases()
    scale = alt.Scale(range=[palette.style(name).colour for name in STAGES])
    legend = alt.Legend(title=None, orient="top", columns=4, symbolType="square", labelLimit=170)
    colour = alt.Color("stage:N", sort=BY_PLACE, scale=scale, legend=legend)
    y = Y("height:Q", title="seconds", axis=alt.Axis(labelExpr=marks.time("datum.value"), tickCount=5))
    bars = _known(base, "stage").mark_bar(opacity=0.9).encode(x=x, y=y, color=colour, order="place:Q", tooltip=look.tip)
    view = alt.layer(bars, _gaps(base, x, "name")).properties(width=WIDTH, height=TALL_BARS)
    return marks.facet(view, "name", look.names, spacing=14).resolve_scale(y="independent")


def release_counts(look: Look) -> Any:
    base, x = look.base, _releases("release", None)
    axis = alt.Axis(labelExpr="datum.value % 1 ? '' : format(datum.value, '~s')", tickCount=4, labelOverlap="greedy")
    y = Y("value:Q", title=None, axis=axis, scale=alt.Scale(zero=False, nice=True, padding=12))
    lines = marks.lines(_known(base, "value"), look, along="order", x=x, y=y)
    return _grid(alt.layer(_gaps(base, x, "count"), lines), "count")


def release_errors(look: Look) -> Any:
    base, x = look.base, _releases()
    y = _near("value", "error", "format(datum.value, '.2~g')")
    known = _known(base, "value")
    zero = known.transform_filter("datum.value === 0").mark_point(size=marks.POINT, strokeWidth=1.5, filled=False)
    layers = alt.layer(
        _room(base.transform_filter("datum.value > 0"), "value", "panel", 2.0),
        _gaps(base, x, "panel"),
        marks.lines(known.transform_filter("datum.value > 0"), look, along="order", x=x, y=y),
        zero.encode(x=x, y=alt.value("height"), stroke=look.colour(alt.Stroke), shape=look.shape, tooltip=look.tip),
    )
    return _above(layers)


def beside(look: Look) -> Any:
    curves = _curves(look.base, look, _releases(title=None), "seconds", "side")
    return _sides(alt.layer(*curves), RELEASES, COMMITS)


def drift(look: Look) -> Any:
    base, x = look.base, _releases(title=None)
    scale = alt.Scale(zero=False, padding=12)
    y = Y("ratio:Q", title="over the median", axis=alt.Axis(format=".2f", tickCount=5), scale=scale)
    names = list(DRIFTS)
    colours = alt.Scale(domain=names, range=[palette.style(name).colour for name, _ in DRIFTS.values()])
    shapes = alt.Scale(domain=names, range=[shape for _, shape in DRIFTS.values()])
    colour = alt.Color("what:N", scale=colours, legend=marks.legend())
    shape = alt.Shape("what:N", scale=shapes, legend=marks.legend())
    line = base.mark_line(strokeWidth=marks.THIN).encode(x=x, y=y, color=colour, order="order:Q")
    points = marks.symbols(base, marks.POINT, x=x, y=y, color=colour, shape=shape, tooltip=look.tip)
    return _sides(alt.layer(_level(base, "side"), line, points), REFERENCE, KERNEL)


def by_commit(look: Look) -> Any:
    base, x = look.base, _releases(title="commit, the oldest first")
    band = _band(base, look, x)
    lines = marks.lines(base, look, along="order", x=x, y=_seconds("seconds"))
    steps = _steps(base, look, x, _seconds("seconds"))
    return _above(alt.layer(_room(base, "seconds", "panel", LEAST), band, lines, steps))


def _releases(field: str = "label", title: str | None = "month of publication, release") -> Any:
    """Return the axis of releases in version order, from left to right; some names are left out if there is no room."""
    small: dict[str, Any] = {"labelFontSize": 11, "labelLimit": LABELS, "labelPadding": 4}
    axis = alt.Axis(labelAngle=-90, labelOverlap="greedy", labelSeparation=1, grid=False, **small)
    return X(f"{field}:N", sort=alt.EncodingSortField("order", op="min"), title=title, axis=axis)


def _near(field: str, title: str | None, label: str) -> Any:
    """Return a logarithmic scale for values that hardly differ, with Vega's own ticks. label: its expression for a tick."""
    axis = alt.Axis(labelExpr=label, tickCount=5, labelOverlap="greedy", labelSeparation=4)
    return Y(f"{field}:Q", title=title, axis=axis, scale=alt.Scale(type="log", nice=False, padding=20))


def _seconds(field: str) -> Any:
    return _near(field, "seconds", marks.time("datum.value"))


def _times(field: str) -> Any:
    return _near(field, None, "format(datum.value, '.3~g')")


def _known(base: Any, field: str) -> Any:
    return base.transform_filter(f"datum.{field} != null")


def _curves(base: Any, look: Look, x: Any, field: str, over: str) -> tuple[Any, ...]:
    """Return room, crosses, bars and lines of "seconds" or "times". over: the field that splits the views."""
    y = {"seconds": _seconds, "times": _times}[field]
    curves = marks.curves(_known(base, field), look, x, y, field, along="order")
    return (_room(base, field, over, LEAST), _gaps(base, x, over), *curves)


def _band(base: Any, look: Look, x: Any) -> Any:
    return base.mark_area(opacity=BAND).encode(x=x, y=_seconds("low"), y2=Y2("high:Q"), color=look.colour())


def _room(base: Any, field: str, over: str, factor: float) -> Any:
    """Return an invisible mark that makes each view's scale reach ``factor`` times beyond its values."""
    ends = _known(base, field).transform_aggregate(least=f"min({field})", most=f"max({field})", groupby=[over])
    ends = ends.transform_calculate(least=f"datum.least / {factor}", most=f"datum.most * {factor}")
    return ends.mark_rule(opacity=0, aria=False).encode(x=alt.value(0), y=Y("least:Q"), y2=alt.Y2("most:Q"))


def _level(base: Any, over: str) -> Any:
    """Return a line at 1 with the number at its end, because labels on both sides may leave no room for it on the axis."""
    once = base.transform_aggregate(rows="count()", groupby=[over])
    line = once.mark_rule(color=marks.GREY, strokeWidth=1.5).encode(y=alt.datum(1))
    return alt.layer(line, once.mark_text(text="1", align="left", dx=4).encode(x=alt.value("width"), y=alt.datum(1)))


def _gaps(base: Any, x: Any, over: str) -> Any:
    """Return a cross at the foot of a view for each release with which one of its backends has no number."""
    gaps = base.transform_filter("datum.absent != null")
    gaps = gaps.transform_aggregate(why="min(absent)", order="min(order)", groupby=["label", "release", over])
    cross = gaps.mark_text(text="\N{MULTIPLICATION SIGN}", fontSize=CROSS, fontWeight="bold", baseline="bottom", dy=2)
    return cross.encode(x=x, y=alt.value("height"), tooltip=["release:N", alt.Tooltip("why:N", title="not measured")])


def _steps(base: Any, look: Look, x: Any, y: Any) -> Any:
    """Return a ring around each step, and the factor of the largest: above a step up, below a step down."""
    ring = base.transform_filter("datum.step != null").mark_point(size=RING, strokeWidth=2, shape="circle", filled=False)
    marked = base.transform_filter("datum.mark != null")
    factors = (
        marked.transform_filter(f"datum.step {side} 1").mark_text(dy=dy, fontSize=11, fontWeight="bold")
        for side, dy in ((">", -FACTOR), ("<", FACTOR))
    )
    rings = ring.encode(x=x, y=y, stroke=look.colour(alt.Stroke), tooltip=look.tip)
    return alt.layer(rings, *(text.encode(x=x, y=y, text="mark:N") for text in factors))


def _above(layers: Any) -> Any:
    """Return views one above the other, above one axis of releases."""
    view = layers.properties(width=WIDTH, height=TALL)
    return marks.facet(view, "panel", BY_PLACE, spacing=14).resolve_scale(y="independent")


def _grid(layers: Any, field: str) -> Any:
    """Return views side by side, each with axes of its own."""
    view = layers.properties(width=NARROW, height=FLAT)
    return marks.facet(view, field, BY_PLACE, columns=3, spacing=18).resolve_scale(x="independent", y="independent")


def _sides(layers: Any, *names: str) -> Any:
    """Return two views on one scale, in the order of their names."""
    view = layers.properties(width=HALF, height=BESIDE)
    return marks.facet(view, "side", list(names), columns=2, spacing=24).resolve_scale(x="independent")
