"""The charts: what each shows, which rows it is drawn from, and what the columns of its table are.

One description for the site's page, for ``jitkernels chart`` and for README's pictures. Reading it loads no package that
draws: ``ROWS[name](data)`` makes a chart's flat rows (``charts.rows`` says from what), ``LADDER_ROWS[name](data)`` those of
a compiler's releases (``charts.ladder_rows``), and ``fields(name)`` names their columns.
``specs()`` gives the charts as Vega-Lite and imports Altair.

A spec has one named data set, "rows", which is empty: whoever draws it puts the rows in. It says nothing of the page:
text, background and grid come from ``palette.config(theme)``. Wherever a text has ``{size}``, the word for what the
kernel's size counts stands in its place ("points"). Views are WIDTH pixels wide (``"width": WIDTH``), or as wide as the
chart's ``width`` says, and so many stand side by side as its ``across`` says (``"columns"``): a narrow page can replace
both numbers. A spec has no legend for backends: a page that lets readers hide backends has one of its own, whose entries
``palette.style`` gives, and ``pictures`` adds one to what stands alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from jitkernels.charts import rows
from jitkernels.charts.cells import Data, Row
from jitkernels.charts.described import HIGH, LOW, NAME, NARROW, SAMPLES, SETTLED, SIZE, Chart, Field
from jitkernels.charts.releases import rows as ladder_rows
from jitkernels.charts.releases.described import LADDER

WARM = (Field("seconds", "seconds a call", "seconds"), LOW, HIGH, SAMPLES, SETTLED)
EXPECTED = Field("expected", "expected error")
ERROR = Field("error", "error")

CHARTS: dict[str, Chart] = {
    chart.name: chart
    for chart in (
        Chart(
            "seconds",
            "Time of a warm call",
            "Seconds of one warm call against {size}, both on logarithmic scales; bars reach from the lower to the upper "
            "quartile, hollow points had not settled. The thick line is C, the hardware's mark.",
            (NAME, SIZE, *WARM),
            "warm calls",
        ),
        Chart(
            "error",
            "Error of the estimate",
            "The error of the estimate of pi against {size}. The line is the standard error, 1.642 / sqrt({size}), the band "
            "two of them: where a point lies within it is luck, not the compiler's merit.",
            (NAME, SIZE, ERROR, EXPECTED, Field("z", "in standard errors"), Field("shared", "the same error on", "text")),
            "an estimate's accuracy",
        ),
        Chart(
            "tradeoff",
            "What accuracy costs",
            "The error to expect, 1.642 / sqrt({size}), against the seconds of the warm call that gives it. The grey steps "
            "are the frontier: nothing measured has a smaller error in less time. The band is the article's 10^6 to 10^7.",
            (
                NAME, SIZE, *WARM[:3], EXPECTED, ERROR, Field("frontier", "on the frontier", "text"),
                Field("measured_frontier", "by the error there was", "text"), SETTLED,
            ),
            "warm calls and accuracy of an estimate",
        ),
        Chart(
            "lives",
            "The four lives of a call",
            "Seconds of the first call with empty caches (cold), with caches filled by another process (cached), with "
            "something new in a warm process (retrace), and of a warm call, on a logarithmic scale.",
            (NAME, SIZE, Field("life", "life", "text"), *WARM),
            "cold calls",
            named=True,
        ),
        Chart(
            "stages",
            "Where a compilation's time goes",
            "Each compiler's stages by its own names, as parts of one cold compilation; the time of the whole stands at the "
            "end. \"other\" is what is in no stage.",
            (
                NAME, SIZE, Field("stage", "stage", "text"), Field("seconds", "seconds", "seconds"), Field("share", "share"),
                Field("total", "all stages", "seconds"), Field("order", "order", shown=False),
                Field("start", "from", shown=False), Field("end", "to", shown=False),
            ),
            "the stages of compilations",
            named=True,
        ),
        Chart(
            "ahead_of_time",
            "Ahead of time beside just in time",
            "Seconds to build the file that a compiler writes, to load it and to call it first, beside the compiler's first "
            "call just in time, on a logarithmic scale.",
            (
                NAME, SIZE, Field("form", "form", "text"), Field("step", "step", "text"),
                Field("seconds", "seconds", "seconds"), Field("bytes", "of the file", "bytes"),
                Field("ratio", "warm, over just in time"), Field("other_shape", "takes another shape"),
                Field("file", "file", "text", shown=False),
            ),
            "files compiled ahead of time",
            named=True,
        ),
        Chart(
            "counts",
            "What compilers made",
            "Exact counts of what each compiler made or did: the same on every run of its release.",
            (NAME, SIZE, Field("count", "count", "text"), Field("value", "value")),
            "the compilers' counts",
        ),
        Chart(
            "speedup",
            "Times faster",
            "How many times faster a warm call is than NumPy's, and than that of the framework's own eager mode, against "
            "{size}; bars are what the quartiles of both allow. A bar across 1 is no difference.",
            (
                NAME, SIZE, Field("over", "than", "text"), Field("rival", "rival", "text"), Field("times", "times faster"),
                Field("low", "at least"), Field("high", "at most"), SETTLED,
            ),
            "warm calls of a backend and of its rival",
        ),
        Chart(
            "break_even",
            "When compiling has paid",
            "Warm calls after the first by which compiling and calling have taken no longer than calling NumPy, or the "
            "framework's eager mode, against {size}. Above stands how many never pay: their warm call is the slower one.",
            (
                NAME, SIZE, Field("over", "against", "text"), Field("calls", "calls"), Field("verdict", "verdict", "text"),
                Field("reason", "reason", "text"),
            ),
            "cold and warm calls of a backend and of its rival",
        ),
        Chart(
            "pi",
            "The article's eight charts, read again",
            "For each framework seconds, value_acc (1 - |error| / pi) and the error against {size}. Grey is what any right "
            "program has: the error falls as 1.642 / sqrt({size}), and where a point lies within the band is luck.",
            (
                Field("framework", "framework", "text"), NAME, SIZE, *WARM[:3], Field("value_acc", "value_acc"),
                Field("expected_acc", "expected value_acc"), ERROR, EXPECTED, SETTLED,
            ),
            "warm calls and accuracy of an estimate",
            width=NARROW,
            across=3,
        ),
        *LADDER,
    )
}  # fmt: skip
"""By name, in the order in which pages show them; the last ones are those of the releases' page."""

ROWS: Mapping[str, Callable[[Data], list[Row]]] = rows.MAKERS
"""Of the charts of one kernel's file."""

LADDER_ROWS: Mapping[str, Callable[[Data], list[Row]]] = ladder_rows.MAKERS
"""Of the charts of a compiler's releases."""


def chart(name: str) -> Chart:
    """The chart; ValueError, listing the known ones, where there is none of this name."""
    if name not in CHARTS:
        raise ValueError(f"unknown chart {name!r}; known: {', '.join(CHARTS)}")
    return CHARTS[name]


def fields(name: str) -> tuple[Field, ...]:
    """The columns of the chart's table; ValueError for an unknown chart."""
    return tuple(field for field in chart(name).fields if field.shown)


def specs() -> dict[str, dict[str, Any]]:
    """Every chart as Vega-Lite, by name."""
    from jitkernels.charts import drawing  # here: it imports Altair

    return {name: drawing.spec(name) for name in CHARTS}
