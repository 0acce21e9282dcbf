"""Draw the charts of one kernel: curves against a size or seconds, and lists with a row for each backend, file or count.

Each function has its chart's name, takes the looks of backends, and returns an Altair chart.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt

from jitkernels.charts import tradeoff as choice
from jitkernels.charts.description import FRAMEWORKS, LIVES, NARROW, WIDTH
from jitkernels.charts.drawing import marks
from jitkernels.charts.drawing.marks import GREY, X2, Look, X, Y

HEIGHT, HALF, FLAT = 420, 250, 130  # pixels: heights of a single view, of one of two, and of one of five
STEP = 24  # pixels: of a row
STEPS = ("build", "load", "first call", "just in time")
SYMBOLS = ("square", "diamond", "triangle-up", "circle")
SYMBOL = 90  # square pixels
LETTER = 6.3  # pixels: of a stage's name in its bar
END = alt.value("width")  # of the row, also if a page changes its width


def seconds(look: Look) -> Any:
    base, y = look.base, partial(marks.seconds, Y)
    room = marks.room(base, marks.sizes, y, "size", "seconds")
    return _view(WIDTH, HEIGHT, room, *marks.curves(base, look, marks.sizes(), y, "seconds"))


def error(look: Look) -> Any:
    base, x, y = look.base, marks.sizes(), partial(marks.log, Y, title="error")
    is_alone, nothing = "datum.same === 1", alt.value("transparent")
    points = base.mark_point(size=SYMBOL, strokeWidth=2, opacity=1).encode(
        x=x,
        y=y("error"),
        stroke=alt.condition(is_alone, look.colour(alt.Stroke), alt.value(GREY)),
        fill=alt.condition(is_alone, look.colour(alt.Fill), nothing),
        shape=alt.condition(is_alone, look.shape, alt.value("circle")),
        tooltip=look.tip,
    )
    counted = base.transform_aggregate(same="max(same)", groupby=["size", "error"])
    counted = counted.transform_calculate(text="datum.same > 1 ? datum.same + ' alike' : ''").mark_text(dx=12, align="left")
    room = marks.room(base, marks.sizes, y, "size", "error")
    return _view(WIDTH, HEIGHT, room, marks.luck(base, x), points, counted.encode(x=x, y=y("error"), text="text:N"))


def tradeoff(look: Look) -> Any:
    base, x = look.base, marks.seconds(X)
    to_expect = partial(marks.log, Y, title="expected error, 1.642 / sqrt({size})")
    y, room = to_expect("expected"), marks.room(base, partial(marks.seconds, X), to_expect, "seconds", "expected")
    best = base.transform_filter(f"datum.frontier === '{choice.ON}'")
    steps = best.mark_line(color=GREY, interpolate="step-after", strokeWidth=9, opacity=0.4, strokeJoin="round")
    bars = marks.bars(base, look, x=marks.seconds(X, "low"), x2=X2("high:Q"), y=y)
    frontier, lines = steps.encode(x=x, y=y, order="seconds:Q"), marks.lines(base, look, x=x, y=y)
    return _view(WIDTH, HEIGHT, room, *_claim(base, y), frontier, bars, lines)


def speedup(look: Look) -> Any:
    base, y = look.base, partial(marks.log, Y, title="times faster")
    room = marks.room(base, marks.sizes, y, "size", "times")
    level = base.mark_rule(color=GREY, strokeWidth=2).encode(y=alt.datum(1))
    return _by_rival("than", room, level, *marks.curves(base, look, marks.sizes(), y, "times"))


def break_even(look: Look) -> Any:
    base, x = look.base, marks.sizes()
    paid = base.transform_filter("datum.calls != null")
    calls = partial(marks.whole, Y, title="warm calls after the first")
    room = marks.room(paid, marks.sizes, calls, "size", "calls")
    never = base.transform_filter("datum.verdict === 'never' || datum.verdict === 'took longer'")
    never = never.transform_aggregate(count="count()", groupby=["size", "over"])
    never = never.transform_calculate(text="datum.count + ' took longer'").mark_text(baseline="bottom", dy=-3, fontSize=11)
    never = never.encode(x=x, y=alt.value(0), text="text:N")
    return _by_rival("against", room, marks.lines(paid, look, x=x, y=calls("calls")), never)


def roofline(look: Look) -> Any:
    base, x = look.base, marks.log(X, "intensity", "operations per byte")
    place = {"x": x, "y": marks.log(Y, "flop_per_second", "operations per second", "format(datum.value, '~s')")}
    roofs = base.transform_filter("datum.backend == null")
    lines = roofs.mark_line(color=GREY, strokeWidth=2).encode(**place, detail="name:N", order="intensity:Q")
    ends = roofs.transform_filter("datum.end").mark_text(align="right", baseline="bottom", dx=-2, dy=-4)
    calls = base.transform_filter("datum.backend != null")
    points = marks.symbols(calls, SYMBOL, 0.8, **place, color=look.colour(), shape=look.shape, tooltip=look.tip)
    view = _view(WIDTH, HEIGHT, lines, ends.encode(**place, text="name:N"), points)
    return marks.facet(view, "size", None, "format(datum.value, ',') + ' {size}'")


def pi(look: Look) -> Any:
    base, x = look.base, marks.sizes(few=False)
    y = partial(marks.seconds, Y, title=None, few=False)
    scale, axis = alt.Scale(zero=False, nice=False, padding=12), alt.Axis(format=".3~f", tickCount=4)
    accuracy = Y("value_acc:Q", title=None, scale=scale, axis=axis)
    points = partial(marks.symbols, base, marks.POINT, x=x, color=look.colour(), shape=look.shape, tooltip=look.tip)
    views = {
        "seconds a call": marks.curves(base, look, x, y, "seconds", fades=False),
        "value_acc": (*_likely_accuracy(base, x), points(y=accuracy)),
        "error": (marks.luck(base, x, None, few=False), points(y=marks.log(Y, "error", None, few=False))),
    }
    rows = (
        marks.facet(_view(NARROW, FLAT, *layers), "framework", list(FRAMEWORKS), f"datum.value + ': {title}'")
        for title, layers in views.items()
    )
    return alt.concat(*rows, columns=len(views))


def lives(look: Look) -> Any:
    base, y = look.base, look.rows()
    x = partial(marks.seconds, X, title="seconds of the call")
    ends = base.transform_aggregate(least="min(seconds)", most="max(seconds)", groupby=["name"])
    reach = ends.mark_rule(strokeWidth=1.5, opacity=0.6)
    reach = reach.encode(x=x("least"), x2="most:Q", y=y, color=look.colour())
    at = {"x": x("seconds"), "y": y, "tooltip": look.tip}
    calls = marks.symbols(base, SYMBOL, **at, color=look.colour(), shape=_shape("life", LIVES))
    return _view(WIDTH, alt.Step(STEP), reach, calls)


def stages(look: Look) -> Any:
    base, y = look.base, look.rows()
    base = base.transform_calculate(middle="(datum.start + datum.end) / 2")
    axis = alt.Axis(format="%", tickCount=5)
    parts = base.mark_bar(strokeWidth=1.25, height=STEP - 6).encode(
        x=X("start:Q", title="part of the compilation", scale=alt.Scale(domain=[0, 1]), axis=axis),
        x2="end:Q",
        y=y,
        fill=look.colour(alt.Fill),
        stroke=look.colour(alt.Stroke),
        fillOpacity=alt.condition("datum.stage === 'other'", alt.value(0.08), alt.value(0.35)),
        tooltip=look.tip,
    )
    fits = f"datum.share * width > {LETTER} * length(datum.stage) + 6"
    words = base.transform_filter(fits).mark_text(fontSize=11).encode(x=X("middle:Q"), y=y, text="stage:N")
    total = base.transform_filter("datum.order === 0").mark_text(align="left", dx=8)
    return _view(WIDTH, alt.Step(STEP), parts, words, total.encode(x=END, y=y, text="text_total:N"))


def ahead_of_time(look: Look) -> Any:
    base, y = look.base, look.rows("file")
    at = {"x": marks.seconds(X, title="seconds"), "y": y, "tooltip": look.tip}
    steps = marks.symbols(base, SYMBOL, **at, color=look.colour(), shape=_shape("step", STEPS))
    files = base.transform_filter("datum.bytes != null").transform_aggregate(bytes="max(bytes)", groupby=["file"])
    files = files.transform_calculate(text="replace(format(datum.bytes, '.3~s'), regexp('([a-zA-Z]?)$'), ' $1B')")
    return _view(WIDTH, alt.Step(STEP), steps, files.mark_text(align="left", dx=8).encode(x=END, y=y, text="text:N"))


def counts(look: Look) -> Any:
    y = Y("count:N", title=None, axis=alt.Axis(labelLimit=260, domain=False, ticks=False))
    at = {"x": marks.whole(X, "value", "count, in its own unit"), "y": y}
    points = marks.symbols(look.base, 80, 0.9, **at, color=look.colour(), shape=look.shape, tooltip=look.tip)
    return _view(WIDTH, alt.Step(STEP), points)


def _view(width: int, height: Any, *layers: Any) -> Any:
    return alt.layer(*layers).properties(width=width, height=height)


def _by_rival(verb: str, *layers: Any) -> Any:
    """Return two views, one above the other: with NumPy as the rival, and with the framework's own eager mode."""
    label = f"'{verb} ' + (datum.value === 'numpy' ? 'NumPy' : 'its own eager mode')"
    return marks.facet(_view(WIDTH, HALF, *layers), "over", ["numpy", "eager mode"], label)


def _shape(field: str, domain: Sequence[str]) -> alt.Shape:
    scale = alt.Scale(domain=list(domain), range=list(SYMBOLS[: len(domain)]))
    return alt.Shape(f"{field}:N", scale=scale, legend=marks.legend())


def _likely_accuracy(base: Any, x: Any) -> tuple[Any, Any]:
    """Return the band of value_acc up to the largest error in ``marks.LIKELY``, and the line at one standard error."""
    likely = base.transform_calculate(worst=f"1 - {marks.LIKELY[1]} * (1 - datum.expected_acc)", best="1")
    band = likely.mark_area(color=GREY, opacity=0.18).encode(x=x, y=Y("worst:Q", title=None), y2="best:Q")
    return band, base.mark_line(color=GREY, strokeWidth=1.5).encode(x=x, y=Y("expected_acc:Q", title=None))


def _claim(base: Any, y: Any) -> tuple[Any, Any]:
    """Return the article's claim, "best between 10^6 and 10^7 points", as a band of expected errors, and its text."""
    most, least = (str(choice.expected_error(points)) for points in choice.CLAIM)
    once = base.transform_aggregate(rows="count()").transform_calculate(expected=most, least=least)
    band = once.mark_rect(color=GREY, opacity=0.18).encode(y=y, y2="least:Q")
    text = once.mark_text(align="left", baseline="top", dx=4, dy=4, text="10^6 to 10^7 points")
    return band, text.encode(x=alt.value(0), y=y)
