"""Each chart as a Vega-Lite specification, built with Altair.

A specification has one named data set, "rows", which is empty: a page or a picture puts the rows in. It has no colours of
the page: text, background and grid come from ``palette.config(theme)``. The text ``{size}`` stands for the word for what a
kernel's size counts ("points"). A chart's views are ``width`` pixels wide, ``across`` of them side by side (``"columns"``);
a narrow page can replace both numbers. A specification has no legend for backends: a page has one of its own, with which
readers hide backends, and ``pictures`` adds one.

Expressions are only such as Vega's interpreter can run (``ast: true``), so a page with a Content-Security-Policy needs no
eval.
"""

from collections.abc import Sequence
from typing import Any

from jitkernels.charts.description import Chart
from jitkernels.charts.drawing import kernels, releases
from jitkernels.charts.drawing.marks import Look


def spec(chart: Chart, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the chart as a dict with an empty data set "rows". names: the backends in it, in order; None: all.

    The function that draws a chart has its name; AttributeError if there is none.
    """
    module = kernels if hasattr(kernels, chart.name) else releases
    drawn: dict[str, Any] = getattr(module, chart.name)(Look(names)).to_dict()
    drawn.pop("config", None)  # the page's
    return {**drawn, "datasets": {"rows": []}, "description": f"{chart.title}. {chart.what}"}
