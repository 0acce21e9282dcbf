"""The parts that several charts draw: the look of a backend, axes, tooltips, lines with their spread, views."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from jitkernels.charts import palette
from jitkernels.charts.description import Field

THICK, THIN = 3.5, 1.75  # pixels: the line of C, the mark of the hardware; all other lines
POINT = 42  # square pixels
GREY = "#8a8a8a"  # of marks that are not a backend's: 3:1 on a white page and on a dark one
LIKELY = (0.0627, 1.96)  # standard errors: nine in ten errors of an unbiased estimate lie between
SETTLED = "datum.settled !== false"
DECADES = range(-12, 16)
POWER = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6"
ROOM = 1.6  # a scale 1.6 * 1.6 long has a tick, because those at 1, 2 and 5 are at most 2.5 times apart
SEPARATION = 6  # pixels: the least distance of two labels of an axis
FEW_DECADES = 3.2  # a scale up to this long also has labels at 2 and 5
X, Y, X2, Y2 = alt.X, alt.Y, alt.X2, alt.Y2


class Look:
    """The encodings by which backends are told apart, and a chart's rows with their tooltip.

    names: the backends' shown names, in order; None: all. fields: the chart's columns, each a line of the tooltip.
    """

    def __init__(self, names: Sequence[str] | None = None, fields: Sequence[Field] = ()) -> None:
        self.names = list(names or palette.names())
        self.styles = [palette.style(name) for name in self.names]
        self.dash = self._encode(alt.StrokeDash, [list(style.dash) for style in self.styles])
        self.shape = self._encode(alt.Shape, [style.shape for style in self.styles])
        self.tip = [alt.Tooltip(f"text_{field.name}:N", title=field.title) for field in fields]
        texts = {f"text_{field.name}": _text(field) for field in fields}
        self.base = alt.Chart(alt.NamedData("rows")).transform_calculate(**texts)

    def colour(self, channel: Any = alt.Color) -> Any:
        """Return the colours of the backends. channel: Color, Fill or Stroke."""
        return self._encode(channel, [style.colour for style in self.styles])

    def rows(self, field: str = "name") -> alt.Y:
        """Return an axis with a row for each backend, in the names' order."""
        axis = alt.Axis(labelLimit=260, grid=False, domain=False, ticks=False)
        return Y(f"{field}:N", sort=self.names if field == "name" else None, title=None, axis=axis)

    def _encode(self, channel: Any, values: list[Any]) -> Any:
        return channel("name:N", scale=alt.Scale(domain=self.names, range=values), legend=None)


def time(field: str) -> str:
    """Return Vega's expression for seconds with three digits and a unit: "12.3 ms"."""
    return f"replace(format({field}, '.3~s'), regexp('([a-zµ]?)$'), ' $1s')"


def _text(field: Field) -> str:
    """Return Vega's expression for a value's text: "" for null."""
    value = f"datum.{field.name}"
    number = f"isBoolean({value}) ? ({value} ? 'yes' : 'no') : format({value}, {value} % 1 ? '.4~g' : ',')"
    of_unit = {"text": value, "seconds": time(value), "bytes": f"format({value}, ',') + ' bytes'"}
    return f"{value} == null ? '' : {of_unit.get(field.unit, number)}"


def sizes(field: str = "size", few: bool = True) -> Any:
    """Return the axis of the kernel's sizes, from left to right."""
    return log(X, field, "{size}", label="format(datum.value, '~s')", few=few)


def seconds(channel: Any, field: str = "seconds", title: str | None = "seconds a call", few: bool = True) -> Any:
    """Return a logarithmic scale of seconds, with units at the ticks: "10 µs"."""
    return log(channel, field, title, label=time("datum.value"), few=few)


def log(channel: Any, field: str, title: str | None, label: str = "format(datum.value, '~g')", few: bool = True) -> Any:
    """Return a logarithmic scale with labels at powers of ten, and between them if there are few.

    few: False for views side by side, because the names of their scales are not those of the channels.
    """
    digits = (1, 2, 5) if few else (1,)
    name = f"'{channel.__name__.lower()}'"
    labelled = f"{POWER} || abs(log(domain({name})[1] / domain({name})[0])) / LN10 < {FEW_DECADES}" if few else POWER
    ticks = alt.Axis(
        values=[float(f"{digit}e{decade}") for decade in DECADES for digit in digits],
        labelExpr=f"{labelled} ? {label} : ''",
        gridOpacity={"condition": {"test": POWER, "value": 1}, "value": 0.4},
        labelOverlap="greedy",
        labelSeparation=SEPARATION,
    )
    return channel(f"{field}:Q", title=title, scale=alt.Scale(type="log", nice=False, padding=10), axis=ticks)


def whole(channel: Any, field: str, title: str) -> Any:
    """Return a logarithmic scale of whole numbers that begins at 0."""
    axis = alt.Axis(values=[0, *(10**power for power in range(13))], labelExpr="format(datum.value, '~s')")
    return channel(f"{field}:Q", title=title, scale=alt.Scale(type="symlog", domainMin=0, nice=True), axis=axis)


def room(base: Any, x: Callable[[str], Any], y: Callable[[str], Any], across: str, up: str) -> Any:
    """Return an invisible mark that makes both scales long enough for a tick, even around a single point.

    x, y: a field's channel. across, up: the fields that are drawn.
    """
    ends = base.transform_aggregate(left=f"min({across})", right=f"max({across})", low=f"min({up})", high=f"max({up})")
    ends = ends.transform_calculate(
        left=f"datum.left / {ROOM}", right=f"datum.right * {ROOM}", low=f"datum.low / {ROOM}", high=f"datum.high * {ROOM}"
    )
    return ends.mark_rule(opacity=0, aria=False).encode(x=x("left"), x2="right:Q", y=y("low"), y2="high:Q")


def lines(base: Any, look: Look, fades: bool = True, along: str = "size", **encoded: Any) -> Any:
    """Return a line for each backend with its points, hollow where calls had not settled.

    fades: True makes the others fade while the pointer is over one. along: the field that orders a line's points.
    """
    hover = alt.selection_point(name="hover", fields=["name"], on="pointerover", clear="pointerout", empty=True)
    if fades:
        encoded["opacity"] = alt.condition(hover, alt.value(1.0), alt.value(0.15))
    width = alt.condition("datum.backend === 'c'", alt.value(THICK), alt.value(THIN))
    line = base.mark_line().encode(
        **encoded, color=look.colour(), strokeDash=look.dash, strokeWidth=width, order=f"{along}:Q"
    )
    inside = alt.condition(SETTLED, look.colour(alt.Fill), alt.value("transparent"))
    points = base.mark_point(size=POINT, strokeWidth=1.5, opacity=1).encode(
        **encoded, stroke=look.colour(alt.Stroke), fill=inside, shape=look.shape, tooltip=look.tip
    )
    return alt.layer(line, points.add_params(hover) if fades else points)


def bars(base: Any, look: Look, **encoded: Any) -> Any:
    """Return bars from the lower to the upper quartile; none if they are not known."""
    known = base.transform_filter("datum.low != null && datum.high != null")
    return known.mark_rule(strokeWidth=1.25).encode(**encoded, color=look.colour())


def curves(base: Any, look: Look, x: Any, y: Callable[[str], Any], field: str, **how: Any) -> tuple[Any, Any]:
    """Return bars, and lines of the field. y: a field's channel. how: for ``lines``."""
    return bars(base, look, x=x, y=y("low"), y2=Y2("high:Q")), lines(base, look, x=x, y=y(field), **how)


def symbols(base: Any, size: int, opacity: float = 1, **encoded: Any) -> Any:
    """Return filled symbols. size: in square pixels."""
    return base.mark_point(filled=True, size=size, opacity=opacity).encode(**encoded)


def luck(base: Any, x: Any, title: str | None = "error", few: bool = True) -> Any:
    """Return the line 1.642 / sqrt(size), and the band that contains nine in ten errors of any right program."""
    least, most = LIKELY
    spread = base.transform_calculate(least=f"{least} * datum.expected", most=f"{most} * datum.expected")
    band = spread.mark_area(color=GREY, opacity=0.18).encode(x=x, y=log(Y, "least", title, few=few), y2="most:Q")
    line = base.mark_line(color=GREY, strokeWidth=1.5).encode(x=x, y=log(Y, "expected", title, few=few))
    return alt.layer(band, line)


def legend() -> alt.Legend:
    """Return a legend above the chart, for anything but backends."""
    return alt.Legend(title=None, orient="top", symbolFillColor=GREY, symbolStrokeColor=GREY)


def facet(view: Any, field: str, sort: Any, label: str = "datum.value", **how: Any) -> Any:
    """Return a view for each value of the field, one above the other, or side by side in ``columns``.

    label: Vega's expression for the text above each view. how: ``columns`` and ``spacing``.
    """
    channel, key = (alt.Facet, "facet") if "columns" in how else (alt.Row, "row")
    header = alt.Header(labelExpr=label, labelOrient="top", labelAnchor="start", title=None)
    return view.facet(**{key: channel(f"{field}:N", sort=sort, title=None, header=header)}, **how)
