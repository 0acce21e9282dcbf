"""What several charts draw: the look of a backend, axes, spread, and what luck alone would do."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from jitkernels.charts import palette

THICK, THIN = 3.5, 1.75  # pixels: the hardware's mark, and everything else
POINT = 42  # square pixels
GREY = "#8a8a8a"  # what is no backend: 3:1 on a white page and on a dark one
LIKELY = (0.0627, 1.96)  # standard errors: nine in ten errors of an unbiased estimate lie between
SETTLED = "datum.settled !== false"
STEADY = "datum.settled == null ? 'not known' : datum.settled ? 'yes' : 'no'"
DECADES = range(-12, 16)
POWER = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6"
ROOM = 1.6  # a scale 1.6 * 1.6 long holds a tick: those at 1, 2 and 5 are at most 2.5 apart
FEW_DECADES = 3.2  # up to which the ticks at 2 and 5 have labels too


def time(field: str) -> str:
    """Vega's expression for seconds with three digits and a unit: "12.3 ms"."""
    return f"replace(format({field}, '.3~s'), regexp('([a-zµ]?)$'), ' $1s')"


class Look:
    """The encodings by which backends are told apart."""

    def __init__(self, names: Sequence[str] | None = None) -> None:
        self.names = list(names or palette.names())
        self.styles = [palette.style(name) for name in self.names]

    @property
    def colour(self) -> Any:
        return self.coloured(alt.Color)

    def coloured(self, channel: Any) -> Any:
        """The colour as another channel: Fill, Stroke."""
        return channel("name:N", scale=self._scale([style.colour for style in self.styles]), legend=None)

    @property
    def dash(self) -> alt.StrokeDash:
        return alt.StrokeDash("name:N", scale=self._scale([list(style.dash) for style in self.styles]), legend=None)

    @property
    def shape(self) -> alt.Shape:
        return alt.Shape("name:N", scale=self._scale([style.shape for style in self.styles]), legend=None)

    def rows(self, field: str = "name") -> alt.Y:
        """A row for each backend, in the names' order."""
        axis = alt.Axis(labelLimit=260, grid=False, domain=False, ticks=False)
        return alt.Y(f"{field}:N", sort=self.names if field == "name" else None, title=None, axis=axis)

    def _scale(self, values: list[Any]) -> alt.Scale:
        return alt.Scale(domain=self.names, range=values)


def rows(*, timed: bool = True) -> Any:
    """The data, which is put in later; with texts for tooltips where it is of seconds."""
    chart = alt.Chart(alt.NamedData("rows"))
    if not timed:
        return chart
    return chart.transform_calculate(
        time=time("datum.seconds"),
        quartiles=f"datum.low == null ? 'not known' : {time('datum.low')} + ' to ' + {time('datum.high')}",
        steady=STEADY,
    )


def tip(*others: alt.Tooltip, timed: bool = True) -> list[alt.Tooltip]:
    """Backend, size, and what else there is to say."""
    about = [said("name", "backend"), number("size", "{size}", ",")]
    time = [said("time", "seconds"), said("quartiles"), said("steady", "settled")] if timed else []
    return [*about, *others, *time]


def said(field: str, title: str = "") -> alt.Tooltip:
    return alt.Tooltip(f"{field}:N", title=title or field)


def number(field: str, title: str = "", form: str = ".3~g") -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=title or field, format=form)


def sizes(field: str = "size", **axis: Any) -> Any:
    """The kernel's sizes, from left to right."""
    return log(alt.X, field, "{size}", label="format(datum.value, '~s')", **axis)


def seconds(channel: Any, field: str = "seconds", title: str | None = "seconds a call", **axis: Any) -> Any:
    """A logarithmic scale of seconds, with units at the ticks: "10 µs"."""
    return log(channel, field, title, label=time("datum.value"), **axis)


def log(
    channel: Any, field: str, title: str | None, label: str = "format(datum.value, '~g')", few: bool = True, **axis: Any
) -> Any:
    """A logarithmic scale: labels at powers of ten, and between them where there are few.

    few: False in charts of several views side by side, whose scales have other names than their channels'.
    """
    digits = (1, 2, 5) if few else (1,)
    name = f"'{channel.__name__.lower()}'"
    labelled = f"{POWER} || abs(log(domain({name})[1] / domain({name})[0])) / LN10 < {FEW_DECADES}" if few else POWER
    ticks = alt.Axis(
        values=[float(f"{digit}e{decade}") for decade in DECADES for digit in digits],
        labelExpr=f"{labelled} ? {label} : ''",
        gridOpacity={"condition": {"test": POWER, "value": 1}, "value": 0.4},
        labelOverlap="greedy",
        **axis,
    )
    scale = alt.Scale(type="log", nice=False, padding=10)
    return channel(f"{field}:Q", title=title, scale=scale, axis=ticks)


def room(base: Any, x: Callable[[str], Any], y: Callable[[str], Any], across: str, up: str) -> Any:
    """Nothing to see, and so much more on each side that a tick is in it, were there one size or one backend alone.

    x, y: a field's channel. across, up: the fields that are drawn.
    """
    ends = base.transform_aggregate(left=f"min({across})", right=f"max({across})", low=f"min({up})", high=f"max({up})")
    ends = ends.transform_calculate(
        left=f"datum.left / {ROOM}", right=f"datum.right * {ROOM}", low=f"datum.low / {ROOM}", high=f"datum.high * {ROOM}"
    )
    return ends.mark_rule(opacity=0, aria=False).encode(x=x("left"), x2="right:Q", y=y("low"), y2="high:Q")


def whole(channel: Any, field: str, title: str) -> Any:
    """A logarithmic scale of whole numbers, 0 among them."""
    values = [0, *(10**power for power in range(13))]
    scale = alt.Scale(type="symlog", domainMin=0, nice=True)
    return channel(
        f"{field}:Q", title=title, scale=scale, axis=alt.Axis(values=values, labelExpr="format(datum.value, '~s')")
    )


def lines(base: Any, look: Look, tooltip: list[alt.Tooltip], fades: bool = True, along: str = "size", **encoded: Any) -> Any:
    """A line for each backend with its points, hollow where calls had not settled.

    fades: whether the others fade when the pointer is over one. along: the field by which a line goes on.
    """
    hover = alt.selection_point(name="hover", fields=["name"], on="pointerover", clear="pointerout", empty=True)
    shown = {**encoded, "color": look.colour}
    if fades:
        shown["opacity"] = alt.condition(hover, alt.value(1.0), alt.value(0.15))
    width = alt.condition("datum.backend === 'c'", alt.value(THICK), alt.value(THIN))
    line = base.mark_line().encode(**shown, strokeDash=look.dash, strokeWidth=width, order=f"{along}:Q")
    inside = alt.condition(SETTLED, look.coloured(alt.Fill), alt.value("transparent"))
    points = base.mark_point(size=POINT, strokeWidth=1.5, opacity=1).encode(
        **{**shown, "color": alt.Undefined}, stroke=look.coloured(alt.Stroke), fill=inside, shape=look.shape, tooltip=tooltip
    )
    return alt.layer(line, points.add_params(hover) if fades else points)


def bars(base: Any, look: Look, **encoded: Any) -> Any:
    """From the lower to the upper quartile; none where they are not known."""
    known = base.transform_filter("datum.low != null && datum.high != null")
    return known.mark_rule(strokeWidth=1.25).encode(**encoded, color=look.colour)


def luck(base: Any, title: str | None = "error", few: bool = True, **encoded: Any) -> Any:
    """What an estimate's error is worth: 1.642 / sqrt(size), and the band of nine in ten errors of any right program."""
    least, most = LIKELY
    spread = base.transform_calculate(least=f"{least} * datum.expected", most=f"{most} * datum.expected")
    band = spread.mark_area(color=GREY, opacity=0.18).encode(y=log(alt.Y, "least", title, few=few), y2="most:Q", **encoded)
    line = base.mark_line(color=GREY, strokeWidth=1.5).encode(y=log(alt.Y, "expected", title, few=few), **encoded)
    return alt.layer(band, line)


def legend() -> alt.Legend:
    """Of what is no backend, above the chart."""
    return alt.Legend(title=None, orient="top", symbolFillColor=GREY, symbolStrokeColor=GREY)


def header(label: str) -> alt.Header:
    """Above each of several views; ``label`` is Vega's expression for it."""
    return alt.Header(labelExpr=label, labelOrient="top", labelAnchor="start", title=None)


def by_rival(layers: Any, verb: str) -> Any:
    """A view for NumPy as the rival and one for the own eager mode, one above the other."""
    label = header(f"'{verb} ' + (datum.value === 'numpy' ? 'NumPy' : 'the own eager mode')")
    return layers.facet(row=alt.Row("over:N", sort=["numpy", "eager mode"], title=None, header=label))
