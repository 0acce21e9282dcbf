"""A chart as a file that stands alone: with its rows, a title, a legend, and the colours of a page."""

import base64
import hashlib
import html
import json
import os
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from jitkernels.charts import chart, drawing, fields, palette
from jitkernels.charts.cells import Row
from jitkernels.charts.described import Field
from jitkernels.quantities import seconds

LINE = 105  # letters of a subtitle's line: about as wide as a view and its legend
SCALE = 2  # of a PNG: for one of CSS, as most screens have them now
KEY, KEY_STEP, KEY_WIDTH = 34, 20, 170  # pixels: a legend's stroke, its rows, and all of it

SYMBOL: dict[str, Any] = {"filled": True, "size": 60, "opacity": 1, "aria": False}


@dataclass(frozen=True)
class Picture:
    """What is drawn. name: the chart's. rows: its flat rows. size: what the kernel's sizes count. title, about: lines above
    it. said: what can be said in words of these rows, or "". theme: "light" or "dark"."""

    name: str
    rows: Sequence[Row]
    size: str
    title: str
    about: str = ""
    said: str = ""
    theme: str = "light"

    def spec(self) -> dict[str, Any]:
        """Vega-Lite, complete but for its config."""
        names = present(self.rows) if chart(self.name).named else ordered(self.rows)
        made = drawing.spec(self.name, names)
        top = {key: made.pop(key) for key in ("$schema", "datasets", "description")}
        subtitle = [line for text in (self.about, chart(self.name).what) for line in textwrap.wrap(text, LINE)]
        whole = made if chart(self.name).named else {"hconcat": [_within(made), legend(names)], "spacing": 24}
        title = {"text": self.title, "subtitle": subtitle}
        text = json.dumps({**top, **whole, "title": title, "datasets": {"rows": list(self.rows)}})
        filled: dict[str, Any] = json.loads(text.replace("{size}", json.dumps(self.size)[1:-1]))
        return filled

    def draw(self, ending: str) -> bytes:
        """The file's content, by its ending (one of ``ENDINGS``)."""
        return ENDINGS[ending](self)


def present(rows: Sequence[Row]) -> list[str]:
    """The backends' shown names, in the table's order."""
    names = {row["name"] for row in rows}
    return [name for name in palette.names() if name in names] + sorted(names - set(palette.names()))


def ordered(rows: Sequence[Row]) -> list[str]:
    """The backends' shown names as their lines end, the slowest a size first; without lines in the table's order."""
    names = present(rows)
    if not all("seconds" in row and row.get("size") for row in rows) or any("framework" in row for row in rows):
        return names
    known = [row for row in rows if row["seconds"] is not None]
    last = {row["name"]: row["seconds"] / row["size"] for row in sorted(known, key=lambda row: row["size"])}
    return sorted(names, key=lambda name: -last.get(name, 0.0))


def _within(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec as the first of several: Vega-Lite calls its scales otherwise then."""
    made: dict[str, Any] = json.loads(json.dumps(spec).replace("domain('", "domain('concat_0_"))
    return made


def legend(names: Sequence[str]) -> dict[str, Any]:
    """Of backends: each with its stroke and its symbol, which Vega's own legends can't show together."""
    values = [{"name": name, "place": place} for place, name in enumerate(names)]
    base = alt.Chart(alt.InlineData(values=values)).encode(y=alt.Y("place:O", axis=None))
    layers = []
    for row in values:
        style, own = palette.style(str(row["name"])), base.transform_filter(f"datum.place === {row['place']}")
        rule = own.mark_rule(color=style.colour, strokeDash=list(style.dash), strokeWidth=2, aria=False)
        layers += [
            rule.encode(x=alt.value(0), x2=alt.value(KEY)),
            own.mark_point(color=style.colour, shape=style.shape, filled=True, size=60, opacity=1).encode(
                x=alt.value(KEY / 2)
            ),
        ]
    text = base.mark_text(align="left").encode(x=alt.value(KEY + 8), text="name:N")
    made: dict[str, Any] = alt.layer(*layers, text).properties(width=KEY_WIDTH, height=alt.Step(KEY_STEP)).to_dict()
    data = made.pop("datasets", {})
    for part in ("config", "$schema"):
        made.pop(part, None)
    return {**made, "data": {"values": next(iter(data.values()), values)}}


def svg(picture: Picture) -> bytes:
    text: str = vl_convert.vegalite_to_svg(_dressed(picture))
    return text.encode()


def png(picture: Picture) -> bytes:
    image: bytes = vl_convert.vegalite_to_png(_dressed(picture), scale=SCALE)
    return image


def page(picture: Picture) -> bytes:
    """One file of HTML with Vega in it, which asks for nothing from elsewhere; the rows as a table beneath."""
    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
    configs = {theme: palette.config(theme) for theme in palette.THEMES}
    draw = DRAW % (_in_script(picture.spec()), _in_script(configs))
    scripts = [library, draw]
    policy = f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src 'unsafe-inline'; img-src data:"
    said = f"<p>{html.escape(picture.said)}</p>\n" if picture.said else ""
    return PAGE.format(
        title=html.escape(picture.title),
        policy=html.escape(policy),
        light=_rules(palette.THEMES["light"]),
        dark=_rules(palette.THEMES["dark"]),
        said=said + _table(picture),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    ).encode()


ENDINGS: dict[str, Callable[[Picture], bytes]] = {"svg": svg, "png": png, "html": page}

DRAW = """
const spec = %s, configs = %s;
const dark = matchMedia("(prefers-color-scheme: dark)");
const draw = () => vegaEmbed("#chart", spec, {
  mode: "vega-lite", renderer: "svg", ast: true, actions: false, config: configs[dark.matches ? "dark" : "light"],
});
dark.addEventListener("change", draw);
draw();
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ background: var(--background); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem; }}
#chart, .rows {{ overflow-x: auto; }}
p {{ max-width: 46rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ border-bottom: 1px solid var(--grid); padding: 0.15rem 0.6rem; text-align: left; white-space: nowrap; }}
</style>
</head>
<body>
<main>
<h1 hidden>{title}</h1>
<div id="chart"></div>
{said}
</main>
{scripts}
</body>
</html>
"""


def write(path: Path, content: bytes) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _dressed(picture: Picture) -> dict[str, Any]:
    return {**picture.spec(), "config": palette.config(picture.theme), "padding": 12}


def _in_script(value: object) -> str:
    """JSON that no text can end the script from."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _rules(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _table(picture: Picture) -> str:
    columns = fields(picture.name)
    heads = "".join(f"<th scope=col>{html.escape(field.title.replace('{size}', picture.size))}</th>" for field in columns)
    lines = [
        "<tr>" + "".join(f"<td>{html.escape(_cell(row.get(field.name), field))}</td>" for field in columns) + "</tr>"
        for row in picture.rows
    ]
    body = "\n".join(lines)
    return (
        f"<details><summary>The chart's rows</summary>\n<div class=rows tabindex=0 role=region aria-label=rows>"
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div></details>"
    )


def _cell(value: object, field: Field) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if field.unit == "seconds":
        return seconds(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
