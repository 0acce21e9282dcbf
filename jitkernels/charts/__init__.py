"""The charts: the words of each, the function that makes its rows, and the columns of its table.

One description serves the site's pages, ``jitkernels chart`` and README's pictures. ``ROWS[name](data)`` makes the flat rows
of a chart of one kernel, ``LADDER_ROWS[name](data)`` those of a chart of a compiler's releases, ``COMMIT_ROWS[name](data)``
those of a chart of commits. ``charts.pictures`` makes Vega-Lite's specifications and imports Altair; this package does not.

To add a chart, write a function that makes its rows, and decorate it with the chart's words and columns. Write a function of
the same name in ``charts.drawing`` that draws it. If it is a chart of one kernel, add its name to ``OF_A_KERNEL`` below.
"""

from collections.abc import Mapping
from types import ModuleType

from jitkernels.charts import commits, compilation, description, estimates, releases, roofline, warm
from jitkernels.charts.description import Chart, Field, Rows

__all__ = [
    "CHARTS",
    "COMMIT_ROWS",
    "LADDER_ROWS",
    "ROWS",
    "chart",
    "commits",
    "compilation",
    "estimates",
    "fields",
    "releases",
    "roofline",
    "warm",
]

OF_A_KERNEL = (
    *("seconds", "error", "tradeoff", "lives", "stages", "ahead_of_time", "counts", "speedup", "break_even", "pi"),
    "roofline",
)


def _of(module: ModuleType) -> Mapping[str, Rows]:
    return {name: chart.rows for name, chart in description.CHARTS.items() if chart.rows.__module__ == module.__name__}


# By name, in the order in which pages show them.
ROWS: Mapping[str, Rows] = {name: description.CHARTS[name].rows for name in OF_A_KERNEL}
LADDER_ROWS, COMMIT_ROWS = _of(releases), _of(commits)
CHARTS: Mapping[str, Chart] = {name: description.CHARTS[name] for name in (*ROWS, *LADDER_ROWS, *COMMIT_ROWS)}


def chart(name: str) -> Chart:
    """Return the chart. Raises ValueError, with the known names, for an unknown name."""
    if name not in CHARTS:
        raise ValueError(f"unknown chart {name!r}; known: {', '.join(CHARTS)}")
    return CHARTS[name]


def fields(name: str) -> tuple[Field, ...]:
    """Return the columns of the chart's table. Raises ValueError for an unknown chart."""
    return chart(name).fields
