"""A chart as a file of its own, with its rows, a title, a legend, and the colours of a page.

A file of HTML loads nothing from elsewhere: it contains Vega, and the rows as tables.
"""

import base64
import hashlib
import html
import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import altair as alt
import vl_convert

from jitkernels.charts import palette
from jitkernels.charts.description import ENDINGS as ENDINGS
from jitkernels.charts.description import Chart, Field, Row
from jitkernels.charts.drawing import kernels, releases
from jitkernels.charts.drawing.marks import Look, symbols
from jitkernels.files import write as write
from jitkernels.measure.words import html_table
from jitkernels.quantities import seconds

LINE = 105  # letters in a line of the subtitle: about as wide as a view and its legend
SCALE = 2  # pixels of a PNG for one of CSS: most screens have two
KEY, KEY_STEP, KEY_WIDTH = 34, 20, 170  # pixels: a legend's stroke, its rows, and all of it
PADDING = 12  # pixels around the picture
TEMPLATE = Path(__file__).with_name("picture.html")
DRAW = """
const specs = %s, configs = %s;
const dark = matchMedia("(prefers-color-scheme: dark)");
const places = document.querySelectorAll(".chart");
const draw = () => specs.forEach((spec, place) => vegaEmbed(places[place], spec, {
  mode: "vega-lite", renderer: "svg", ast: true, actions: false, config: configs[dark.matches ? "dark" : "light"],
}));
dark.addEventListener("change", draw);
draw();
"""


@dataclass(frozen=True)
class Picture:
    """A chart of some rows, with the lines above and below it."""

    chart: Chart
    rows: Sequence[Row]
    size: str  # what the kernel's sizes count
    title: str
    about: str = ""  # the line below the title
    conclusion: str = ""  # a sentence or two that follow from the rows, or ""
    theme: str = "light"  # or "dark"

    def spec(self) -> dict[str, Any]:
        """Return the chart as Vega-Lite, complete except for its config."""
        names = names_in(self.rows) if self.chart.named else names_by_speed(self.rows)
        drawn = spec(self.chart, names)
        top = {key: drawn.pop(key) for key in ("$schema", "datasets", "description")}
        subtitle = [line for text in (self.about, self.chart.what) for line in textwrap.wrap(text, LINE)]
        whole = drawn if self.chart.named else {"hconcat": [_as_first(drawn), legend(names)], "spacing": 24}
        title = {"text": self.title, "subtitle": subtitle}
        text = json.dumps({**top, **whole, "title": title, "datasets": {"rows": list(self.rows)}})
        return dict(json.loads(text.replace("{size}", json.dumps(self.size)[1:-1])))

    def draw(self, ending: str) -> bytes:
        """Return the file's content. ending: one of ``ENDINGS``."""
        if ending == "html":  # one file with the chart, and its rows as a table below
            conclusion = f"<p>{html.escape(self.conclusion)}</p>\n" if self.conclusion else ""
            return document(f"<h1 hidden>{html.escape(self.title)}</h1>", [self], conclusion, self.title)
        whole = {**self.spec(), "config": palette.config(palette.THEMES[self.theme]), "padding": PADDING}
        if ending == "svg":
            return str(vl_convert.vegalite_to_svg(whole)).encode()
        return bytes(vl_convert.vegalite_to_png(whole, scale=SCALE))


def spec(chart: Chart, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the chart as Vega-Lite with an empty data set "rows". names: the backends in it, in order; None: all.

    A function of the chart's name draws it. Raises AttributeError if there is none.
    """
    module = kernels if hasattr(kernels, chart.name) else releases
    drawn: dict[str, Any] = getattr(module, chart.name)(Look(names, chart.fields)).to_dict()
    drawn.pop("config", None)  # a page has its own
    return {**drawn, "datasets": {"rows": []}, "description": f"{chart.title}. {chart.what}"}


def names_in(rows: Sequence[Row]) -> list[str]:
    """Return the backends' shown names, in the table's order. Rows whose backend is None are left out."""
    names = {row["name"] for row in rows if row.get("backend", "") is not None}
    return [name for name in palette.names() if name in names] + sorted(names - set(palette.names()))


def names_by_speed(rows: Sequence[Row]) -> list[str]:
    """Return the backends' shown names, the slowest at its line's end first; in the table's order if there are no lines."""
    names = names_in(rows)
    if not all("seconds" in row and row.get("size") for row in rows) or any("framework" in row for row in rows):
        return names
    known = [row for row in rows if row["seconds"] is not None]
    last = {row["name"]: row["seconds"] / row["size"] for row in sorted(known, key=lambda row: row["size"])}
    return sorted(names, key=lambda name: -last.get(name, 0.0))


def _as_first(spec: dict[str, Any]) -> dict[str, Any]:
    """Return the spec for the first place in a concatenation, where Vega-Lite gives its scales other names."""
    return dict(json.loads(json.dumps(spec).replace("domain('", "domain('concat_0_")))


def legend(names: Sequence[str]) -> dict[str, Any]:
    """Return a view with each backend's stroke and symbol, which Vega's own legends cannot show together."""
    look = Look(names)
    values = [{"name": name, "place": place} for place, name in enumerate(names)]
    base = alt.Chart(alt.NamedData("names")).encode(y=alt.Y("place:O", axis=None))
    strokes = base.mark_rule(strokeWidth=2, aria=False).encode(
        x=alt.value(0), x2=alt.value(KEY), color=look.colour(), strokeDash=look.dash
    )
    keys = symbols(base, 60, x=alt.value(KEY / 2), color=look.colour(), shape=look.shape)
    text = base.mark_text(align="left").encode(x=alt.value(KEY + 8), text="name:N")
    layers = alt.layer(strokes, keys, text).properties(width=KEY_WIDTH, height=alt.Step(KEY_STEP)).to_dict()
    return {**{key: layers[key] for key in ("layer", "width", "height")}, "data": {"values": values}}


def document(top: str, pictures: Sequence[Picture], bottom: str = "", title: str = "") -> bytes:
    """Return one file of HTML with several pictures. top, bottom: HTML above and below them."""
    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
    configs = {theme: palette.config(colours) for theme, colours in palette.THEMES.items()}
    draw = DRAW % (_as_script([picture.spec() for picture in pictures]), _as_script(configs))
    policy = f"script-src {_hash(library)} {_hash(draw)}; style-src 'unsafe-inline'; img-src data:"
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=html.escape(title),
        policy=html.escape(f"default-src 'none'; {policy}"),
        light=_rules(palette.THEMES["light"]),
        dark=_rules(palette.THEMES["dark"]),
        top=top,
        pictures="\n".join(map(_section, pictures)),
        bottom=bottom,
        library=library,
        draw=draw,
    )
    return text.encode()


def _section(picture: Picture) -> str:
    """Return the HTML of a chart's place, and of its rows in a closed table."""
    columns = picture.chart.fields
    titles = (field.title.replace("{size}", picture.size) for field in columns)
    table = html_table(titles, (_texts(row, columns) for row in picture.rows), "rows")
    return f'<div class="chart"></div>\n<details><summary>The chart\'s rows</summary>\n{table}</details>'


def _as_script(value: object) -> str:
    """Return JSON whose texts cannot end the script."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _rules(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _texts(row: Row, columns: Iterable[Field]) -> Iterator[str]:
    for field in columns:
        value = row.get(field.name)
        if value is None:
            yield ""
        elif isinstance(value, bool):
            yield "yes" if value else "no"
        elif not isinstance(value, int | float):
            yield str(value)
        elif field.unit == "seconds":
            yield seconds(value)
        else:
            yield f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
