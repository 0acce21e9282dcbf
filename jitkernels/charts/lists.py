"""Charts with a row for each backend, file or count.

Each function takes how backends look and gives an Altair chart of the rows that ``charts.rows`` makes under its name.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt

from jitkernels.charts import marks
from jitkernels.charts.described import WIDTH
from jitkernels.charts.marks import Look
from jitkernels.charts.rows import LIVES

STEP = 24  # pixels: of a row
STEPS = ("build", "load", "first call", "just in time")
SYMBOLS = ("square", "diamond", "triangle-up", "circle")
LETTER = 6.3  # pixels: of a stage's name in its bar
END = alt.value("width")  # of the row, whatever the page makes of it
X, Y = alt.X, alt.Y


def lives(look: Look) -> Any:
    base, y = marks.rows(), look.rows()
    title = "seconds of the call"
    ends = base.transform_aggregate(least="min(seconds)", most="max(seconds)", groupby=["name"])
    reach = ends.mark_rule(strokeWidth=1.5, opacity=0.6)
    calls = base.mark_point(filled=True, size=90, opacity=1)
    return _listed(
        reach.encode(x=marks.seconds(X, "least", title), x2="most:Q", y=y, color=look.colour),
        calls.encode(
            x=marks.seconds(X, title=title), y=y, color=look.colour, shape=_shape("life", LIVES),
            tooltip=marks.tip(marks.said("life")),
        ),
    )  # fmt: skip


def stages(look: Look) -> Any:
    base, y = marks.rows(), look.rows()
    base = base.transform_calculate(whole=marks.time("datum.total"), middle="(datum.start + datum.end) / 2")
    part = alt.Axis(format="%", tickCount=5)
    parts = base.mark_bar(strokeWidth=1.25, height=STEP - 6).encode(
        x=X("start:Q", title="part of the compilation", scale=alt.Scale(domain=[0, 1]), axis=part),
        x2="end:Q",
        y=y,
        fill=look.coloured(alt.Fill),
        stroke=look.coloured(alt.Stroke),
        fillOpacity=alt.condition("datum.stage === 'other'", alt.value(0.08), alt.value(0.35)),
        tooltip=marks.tip(
            marks.said("stage"), marks.said("time", "seconds"), marks.number("share", form=".1%"),
            marks.said("whole", "all stages"), timed=False,
        ),
    )  # fmt: skip
    fits = f"datum.share * width > {LETTER} * length(datum.stage) + 6"
    words = base.transform_filter(fits).mark_text(fontSize=11)
    total = base.transform_filter("datum.order === 0").mark_text(align="left", dx=8)
    return _listed(
        parts, words.encode(x=X("middle:Q"), y=y, text="stage:N"), total.encode(x=END, y=y, text="whole:N")
    )  # fmt: skip


def ahead_of_time(look: Look) -> Any:
    base, y = marks.rows(), look.rows("file")
    tip = [marks.said("form"), marks.said("step"), marks.said("time", "seconds"), marks.number("bytes", form=",.0f")]
    steps = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=marks.seconds(X, title="seconds"), y=y, color=look.colour, shape=_shape("step", STEPS),
        tooltip=marks.tip(*tip, timed=False),
    )  # fmt: skip
    files = base.transform_filter("datum.bytes != null").transform_aggregate(bytes="max(bytes)", groupby=["file"])
    files = files.transform_calculate(text="replace(format(datum.bytes, '.3~s'), regexp('([a-zA-Z]?)$'), ' $1B')")
    return _listed(steps, files.mark_text(align="left", dx=8).encode(x=END, y=y, text="text:N"))


def counts(look: Look) -> Any:
    axis = alt.Axis(labelLimit=260, domain=False, ticks=False)
    points = marks.rows(timed=False).mark_point(filled=True, size=80, opacity=0.9)
    return _listed(
        points.encode(
            x=marks.whole(X, "value", "count, in its own unit"),
            y=Y("count:N", title=None, axis=axis),
            color=look.colour,
            shape=look.shape,
            tooltip=marks.tip(marks.said("count"), marks.number("value", form=","), timed=False),
        )
    )


def _listed(*layers: Any) -> Any:
    return alt.layer(*layers).properties(width=WIDTH, height=alt.Step(STEP))


def _shape(field: str, domain: Sequence[str]) -> alt.Shape:
    scale = alt.Scale(domain=list(domain), range=list(SYMBOLS[: len(domain)]))
    return alt.Shape(f"{field}:N", scale=scale, legend=marks.legend())
