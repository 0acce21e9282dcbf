"""Charts in one file of HTML that loads nothing from elsewhere: it contains Vega, and the rows as tables."""

import base64
import hashlib
import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

import vl_convert

from jitkernels.charts import palette
from jitkernels.charts.description import Field, Row
from jitkernels.quantities import seconds

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


def document(top: str, specs: Sequence[Mapping[str, Any]], sections: Iterable[str], bottom: str, title: str) -> bytes:
    """Return the file. specs: the charts as Vega-Lite. sections: each chart's ``section``. top, bottom: HTML around them."""
    library = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
    configs = {theme: palette.config(theme) for theme in palette.THEMES}
    draw = DRAW % (_as_script(specs), _as_script(configs))
    policy = f"script-src {_hash(library)} {_hash(draw)}; style-src 'unsafe-inline'; img-src data:"
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=html.escape(title),
        policy=html.escape(f"default-src 'none'; {policy}"),
        light=_rules(palette.THEMES["light"]),
        dark=_rules(palette.THEMES["dark"]),
        top=top,
        pictures="\n".join(sections),
        bottom=bottom,
        library=library,
        draw=draw,
    )
    return text.encode()


def section(columns: Sequence[Field], rows: Iterable[Row], size: str) -> str:
    """Return the HTML of a chart's place, and of its rows in a closed table. size: what the kernel's sizes count."""
    heads = _table_cells("th scope=col", (field.title.replace("{size}", size) for field in columns))
    lines = "\n".join(f"<tr>{_table_cells('td', _texts(row, columns))}</tr>" for row in rows)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>"
    return (
        '<div class="chart"></div>\n<details><summary>The chart\'s rows</summary>\n'
        f"<div class=rows tabindex=0 role=region aria-label=rows>{table}</div></details>"
    )


def _as_script(value: object) -> str:
    """Return JSON whose texts cannot end the script."""
    return json.dumps(value, allow_nan=False).replace("<", "\\u003c")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _rules(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _table_cells(tag: str, texts: Iterable[str]) -> str:
    return "".join(f"<{tag}>{html.escape(text)}</{tag.partition(' ')[0]}>" for text in texts)


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
