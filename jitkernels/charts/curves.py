"""Charts with a line for each backend, against a size or against seconds.

Each function takes how backends look and gives an Altair chart of the rows that ``charts.rows`` makes under its name.
"""

from functools import partial
from typing import Any

import altair as alt

from jitkernels.charts import marks
from jitkernels.charts import tradeoff as choice
from jitkernels.charts.described import NARROW, WIDTH
from jitkernels.charts.estimates import FRAMEWORKS, expected_error
from jitkernels.charts.marks import GREY, Look

HEIGHT, HALF = 420, 250  # pixels
X, Y, X2, Y2 = alt.X, alt.Y, alt.X2, alt.Y2


def seconds(look: Look) -> Any:
    base, x = marks.rows(), marks.sizes()
    bars = marks.bars(base, look, x=x, y=marks.seconds(Y, "low"), y2=Y2("high:Q"))
    room = marks.room(base, marks.sizes, partial(marks.seconds, Y), "size", "seconds")
    return _sized(alt.layer(room, bars, marks.lines(base, look, marks.tip(), x=x, y=marks.seconds(Y))))


def error(look: Look) -> Any:
    base = marks.rows(timed=False)
    about = marks.tip(*_errors(), marks.number("z", "in standard errors"), marks.said("shared", "same on"), timed=False)
    at = {"x": marks.sizes(), "y": marks.log(Y, "error", "error")}
    alone, nothing = "datum.same === 1", alt.value("transparent")
    points = base.mark_point(size=90, strokeWidth=2, opacity=1).encode(
        **at,
        stroke=alt.condition(alone, look.coloured(alt.Stroke), alt.value(GREY)),
        fill=alt.condition(alone, look.coloured(alt.Fill), nothing),
        shape=alt.condition(alone, look.shape, alt.value("circle")),
        tooltip=about,
    )
    counted = base.transform_aggregate(same="max(same)", groupby=["size", "error"])
    counted = counted.transform_calculate(text="datum.same > 1 ? datum.same + ' alike' : ''").mark_text(dx=12, align="left")
    room = marks.room(base, marks.sizes, lambda field: marks.log(Y, field, "error"), "size", "error")
    return _sized(alt.layer(room, marks.luck(base, x=at["x"]), points, counted.encode(**at, text="text:N")))


def tradeoff(look: Look) -> Any:
    base, x = marks.rows(), marks.seconds(X)
    to_expect = partial(marks.log, Y, title="error to expect, 1.642 / sqrt({size})")
    y, room = to_expect("expected"), marks.room(base, partial(marks.seconds, X), to_expect, "seconds", "expected")
    best = base.transform_filter(f"datum.frontier === '{choice.ON}'")
    steps = best.mark_line(color=GREY, interpolate="step-after", strokeWidth=9, opacity=0.4, strokeJoin="round")
    bars = marks.bars(base, look, x=marks.seconds(X, "low"), x2=X2("high:Q"), y=y)
    drawn = marks.lines(base, look, marks.tip(*_errors(), marks.said("frontier", "on the frontier")), x=x, y=y)
    return _sized(alt.layer(room, *_claim(base, y), steps.encode(x=x, y=y, order="seconds:Q"), bars, drawn))


def speedup(look: Look) -> Any:
    base, x = marks.rows(timed=False), marks.sizes()
    base = base.transform_calculate(
        quartiles="datum.low == null ? 'not known' : format(datum.low, '.3~g') + ' to ' + format(datum.high, '.3~g')",
        steady=marks.STEADY,
    )
    times = partial(marks.log, Y, title="times faster")
    y, room = times("times"), marks.room(base, marks.sizes, times, "size", "times")
    tip = marks.tip(
        marks.number("times", "times faster"), marks.said("rival", "than"), marks.said("quartiles", "quartiles allow"),
        marks.said("steady", "settled"), timed=False,
    )  # fmt: skip
    level = base.mark_rule(color=GREY, strokeWidth=2).encode(y=alt.datum(1))
    bars = marks.bars(base, look, x=x, y=times("low"), y2=Y2("high:Q"))
    layers = alt.layer(room, level, bars, marks.lines(base, look, tip, x=x, y=y))
    return marks.by_rival(layers.properties(width=WIDTH, height=HALF), "than")


def break_even(look: Look) -> Any:
    base, x = marks.rows(timed=False), marks.sizes()
    tip = marks.tip(marks.said("over", "against"), marks.said("verdict", "calls"), timed=False)
    paid = base.transform_filter("datum.calls != null")
    number = partial(marks.whole, Y, title="warm calls after the first")
    calls, room = number("calls"), marks.room(paid, marks.sizes, number, "size", "calls")
    never = base.transform_filter("datum.verdict === 'never'").transform_aggregate(count="count()", groupby=["size", "over"])
    never = never.transform_calculate(text="datum.count + ' never'").mark_text(baseline="bottom", dy=-3, fontSize=11)
    layers = alt.layer(room, marks.lines(paid, look, tip, x=x, y=calls), never.encode(x=x, y=alt.value(0), text="text:N"))
    return marks.by_rival(layers.properties(width=WIDTH, height=HALF), "against")


def pi(look: Look) -> Any:
    base, x = marks.rows(), marks.sizes(few=False)
    tip = marks.tip(marks.number("value_acc", form=".6~g"), *_errors())
    bars = marks.bars(base, look, x=x, y=marks.seconds(Y, "low", None, few=False), y2=Y2("high:Q"))
    lines = marks.lines(base, look, tip, fades=False, x=x, y=marks.seconds(Y, title=None, few=False))
    scale, axis = alt.Scale(zero=False, nice=False, padding=12), alt.Axis(format=".3~f", tickCount=4)
    accuracy = Y("value_acc:Q", title=None, scale=scale, axis=axis)
    error = marks.log(Y, "error", None, few=False)
    views = {
        "seconds a call": alt.layer(bars, lines),
        "value_acc": alt.layer(*_likely_accuracy(base, x), _points(base, look, tip, x=x, y=accuracy)),
        "error": alt.layer(marks.luck(base, None, few=False, x=x), _points(base, look, tip, x=x, y=error)),
    }
    return alt.concat(*(_by_framework(view, title) for title, view in views.items()), columns=len(views))


def _sized(chart: Any) -> Any:
    return chart.properties(width=WIDTH, height=HEIGHT)


def _by_framework(view: Any, title: str) -> Any:
    header = marks.header(f"datum.value + ': {title}'")
    row = alt.Row("framework:N", sort=list(FRAMEWORKS), title=None, header=header)
    return view.properties(width=NARROW, height=130).facet(row=row)


def _points(base: Any, look: Look, tooltip: list[alt.Tooltip], **encoded: Any) -> Any:
    points = base.mark_point(filled=True, size=marks.POINT, opacity=1)
    return points.encode(**encoded, color=look.colour, shape=look.shape, tooltip=tooltip)


def _errors() -> tuple[alt.Tooltip, alt.Tooltip]:
    return marks.number("error", form=".3~e"), marks.number("expected", "expected error", ".3~e")


def _likely_accuracy(base: Any, x: Any) -> tuple[Any, Any]:
    """value_acc at one standard error, and the band above it at the most that ``marks.LIKELY`` has."""
    likely = base.transform_calculate(worst=f"1 - {marks.LIKELY[1]} * (1 - datum.expected_acc)", best="1")
    band = likely.mark_area(color=GREY, opacity=0.18).encode(x=x, y=Y("worst:Q", title=None), y2="best:Q")
    return band, base.mark_line(color=GREY, strokeWidth=1.5).encode(x=x, y=Y("expected_acc:Q", title=None))


def _claim(base: Any, y: Any) -> tuple[Any, Any]:
    """The article's "best between 10^6 and 10^7 points", as a band of the errors to expect."""
    most, least = (str(expected_error(points)) for points in choice.CLAIM)
    once = base.transform_aggregate(rows="count()").transform_calculate(expected=most, least=least)
    band = once.mark_rect(color=GREY, opacity=0.18).encode(y=y, y2="least:Q")
    text = once.mark_text(align="left", baseline="top", dx=4, dy=4, text="10^6 to 10^7 points")
    return band, text.encode(x=alt.value(0), y=y)
