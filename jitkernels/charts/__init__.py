"""The charts: the words of each, the function that makes its rows, and the columns of its table.

One description serves the site's pages, ``jitkernels chart`` and README's pictures. Importing this package imports nothing
that draws: ``ROWS[name](data)`` makes the flat rows of a chart of one kernel, ``LADDER_ROWS[name](data)`` those of a chart
of a compiler's releases, ``COMMIT_ROWS[name](data)`` those of a chart of commits. ``charts.drawing`` makes the Vega-Lite
specifications and imports Altair.

A new chart is a function that makes its rows and a ``Chart`` beside it, its place in ``OF_A_KERNEL``, ``OF_RELEASES`` or
``OF_COMMITS`` below, and a function of its name in ``charts.drawing`` that draws it.
"""

from collections.abc import Callable, Mapping

from jitkernels.charts import commits, compilation, estimates, releases, warm
from jitkernels.charts.description import Chart, Data, Field, Row

OF_A_KERNEL = (
    warm.SECONDS,
    estimates.ERROR,
    estimates.TRADEOFF,
    compilation.LIVES,
    compilation.STAGES,
    compilation.AHEAD_OF_TIME,
    compilation.COUNTS,
    warm.SPEEDUP,
    warm.BREAK_EVEN,
    estimates.PI,
)
OF_RELEASES = (
    releases.SECONDS_BY_RELEASE,
    releases.FACTORS,
    releases.STAGES,
    releases.COUNTS,
    releases.ERRORS,
    releases.BESIDE,
    releases.DRIFT,
)
OF_COMMITS = (commits.BY_COMMIT,)

# By name, in the order in which pages show them.
CHARTS: Mapping[str, Chart] = {chart.name: chart for chart in (*OF_A_KERNEL, *OF_RELEASES, *OF_COMMITS)}
ROWS: Mapping[str, Callable[[Data], list[Row]]] = {chart.name: chart.rows for chart in OF_A_KERNEL}
LADDER_ROWS: Mapping[str, Callable[[Data], list[Row]]] = {chart.name: chart.rows for chart in OF_RELEASES}
COMMIT_ROWS: Mapping[str, Callable[[Data], list[Row]]] = {chart.name: chart.rows for chart in OF_COMMITS}


def chart(name: str) -> Chart:
    """Return the chart; ValueError, listing the known names, for an unknown name."""
    if name not in CHARTS:
        raise ValueError(f"unknown chart {name!r}; known: {', '.join(CHARTS)}")
    return CHARTS[name]


def fields(name: str) -> tuple[Field, ...]:
    """Return the columns of the chart's table; ValueError for an unknown chart."""
    return chart(name).fields
