"""Charts by release that are no lines of backends alone: stages, commits beside releases, and the machine's drift.

Each function takes how backends look and gives an Altair chart of the rows that ``charts.ladder_rows`` makes under its name.
"""

from typing import Any

import altair as alt

from jitkernels.charts import marks
from jitkernels.charts.described import WIDTH
from jitkernels.charts.marks import Look
from jitkernels.charts.palette import COLOURS
from jitkernels.charts.releases import marks as ladder_marks
from jitkernels.charts.releases.described import SIDE
from jitkernels.charts.releases.marks import by
from jitkernels.charts.releases.sides import COMMITS, KERNEL, REFERENCE, RELEASES

TALL, HALF = 200, 230  # pixels
LEAST = 1.06  # see ladder_curves
STAGES = [COLOURS[dialect] for dialect in ("numpy", "numba", "jax", "triton", "tensorflow", "torch", "python")]
DRIFTS = {"warm calls": ("numpy", "circle"), "cold calls": ("tensorflow", "square"), "warm calls of C": ("c", "diamond")}
X, Y, Y2 = alt.X, alt.Y, alt.Y2


def release_stages(look: Look) -> Any:
    base, x = marks.rows(), ladder_marks.releases()
    about = ladder_marks.tip(marks.said("stage"), marks.said("time", "seconds"))
    colour = alt.Color(
        "stage:N", sort=by("place"), scale=alt.Scale(range=STAGES),
        legend=alt.Legend(title=None, orient="top", columns=4, symbolType="square", labelLimit=170),
    )  # fmt: skip
    axis = alt.Axis(labelExpr=marks.time("datum.value"), tickCount=5)
    bars = ladder_marks.known(base, "stage").mark_bar(opacity=0.9)
    parts = bars.encode(x=x, y=Y("height:Q", title="seconds", axis=axis), color=colour, order="place:Q", tooltip=about)
    layers = alt.layer(parts, ladder_marks.absent(base, x, "name"))
    row = alt.Row("name:N", sort=look.names, title=None, header=marks.header("datum.value"))
    return layers.properties(width=WIDTH, height=TALL).facet(row=row, spacing=14).resolve_scale(y="independent")


def beside(look: Look) -> Any:
    base, x, y = marks.rows(), ladder_marks.releases(title=None), ladder_marks.seconds()
    known = ladder_marks.known(base, "seconds")
    label = marks.said("label", "release or commit")
    about = marks.tip(label, marks.said("time", "seconds"), marks.said("quartiles"), timed=False)
    layers = alt.layer(
        ladder_marks.room(base, "seconds", "side", LEAST),
        ladder_marks.absent(base, x, "side"),
        marks.bars(known, look, x=x, y=ladder_marks.seconds("low"), y2=Y2("high:Q")),
        marks.lines(known, look, about, along="order", x=x, y=y),
    )
    return _sides(layers, RELEASES, COMMITS).resolve_scale(x="independent")


def drift(look: Look) -> Any:
    base, x = marks.rows(timed=False), ladder_marks.releases(title=None)
    axis = alt.Axis(format=".2f", tickCount=5)
    y = Y("ratio:Q", title="over the median", axis=axis, scale=alt.Scale(zero=False, padding=12))
    names = list(DRIFTS)
    colours = alt.Scale(domain=names, range=[COLOURS[dialect] for dialect, _ in DRIFTS.values()])
    shapes = alt.Scale(domain=names, range=[shape for _, shape in DRIFTS.values()])
    shown = {
        "color": alt.Color("what:N", scale=colours, legend=marks.legend()),
        "shape": alt.Shape("what:N", scale=shapes, legend=marks.legend()),
    }
    about = [
        marks.said("name", "of"), marks.said("what"), marks.said("label", "turn or release"),
        marks.number("ratio", "over the median", ".4~g"),
    ]  # fmt: skip
    line = base.mark_line(strokeWidth=marks.THIN).encode(x=x, y=y, color=shown["color"], order="order:Q")
    points = base.mark_point(filled=True, size=marks.POINT, opacity=1).encode(x=x, y=y, **shown, tooltip=about)
    return _sides(alt.layer(ladder_marks.level(base, "side"), line, points), REFERENCE, KERNEL).resolve_scale(
        x="independent"
    )


def _sides(layers: Any, *names: str) -> Any:
    """Two views on one scale, in the order of their names."""
    facet = alt.Facet("side:N", sort=list(names), title=None, header=marks.header("datum.value"))
    return layers.properties(width=SIDE, height=HALF).facet(facet=facet, columns=2, spacing=24)
