"""Each chart as a Vega-Lite specification, built with Altair.

A specification has one named data set, "rows", which is empty: a page or a picture puts the rows in. It has no colours of
the page: text, background and grid come from ``palette.config(theme)``. The text ``{size}`` stands for the word for what a
kernel's size counts ("points"). A chart's views are ``width`` pixels wide, ``across`` of them side by side (``"columns"``);
a narrow page can replace both numbers. A specification has no legend for backends: a page has one of its own, with which
readers hide backends, and ``pictures`` adds one.

Expressions are only such as Vega's interpreter can run (``ast: true``), so a page with a Content-Security-Policy needs no
eval.
"""

from collections.abc import Callable, Sequence
from typing import Any

from jitkernels import charts
from jitkernels.charts.drawing import kernels, releases
from jitkernels.charts.drawing.marks import Look

# The function that draws a chart, by the chart's name, which is the function's too.
DRAWN: dict[str, Callable[[Look], Any]] = {
    **{name: getattr(kernels, name) for name in charts.ROWS},
    **{name: getattr(releases, name) for name in charts.LADDER_ROWS},
}


def spec(name: str, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the chart as a dict with an empty data set "rows". names: the backends in it, in order; None: all."""
    chart = charts.chart(name)
    drawn: dict[str, Any] = DRAWN[name](Look(names)).to_dict()
    drawn.pop("config", None)  # the page's
    return {**drawn, "datasets": {"rows": []}, "description": f"{chart.title}. {chart.what}"}


def specs() -> dict[str, dict[str, Any]]:
    """Return every chart's specification by name."""
    return {name: spec(name) for name in charts.CHARTS}
