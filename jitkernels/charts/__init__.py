"""The charts: the words of each, the function that makes its rows, and the columns of its table.

One description serves the site's pages, ``jitkernels chart`` and README's pictures. ``ROWS[name](data)`` makes the flat rows
of a chart of one kernel, ``LADDER_ROWS[name](data)`` those of a chart of a compiler's releases, ``COMMIT_ROWS[name](data)``
those of a chart of commits. ``charts.pictures`` makes Vega-Lite's specifications and imports Altair; this package does not.

To add a chart, write a function that makes its rows, decorate it with the chart's words and columns, and add it below.
Write a function of the same name in ``charts.drawing`` that draws it.
"""

from collections.abc import Mapping

from jitkernels.charts import commits, compilation, estimates, releases, warm
from jitkernels.charts.description import Chart


def _by_name(*charts: Chart) -> Mapping[str, Chart]:
    return {chart.name: chart for chart in charts}


# In the order in which pages show them.
ROWS = _by_name(
    *(warm.seconds, estimates.error, estimates.tradeoff, compilation.lives, compilation.stages, compilation.ahead_of_time),
    *(compilation.counts, warm.speedup, warm.break_even, estimates.pi, warm.roofline),
)
LADDER_ROWS = _by_name(
    *(releases.releases, releases.release_factors, releases.release_stages, releases.release_counts),
    *(releases.release_errors, releases.beside, releases.drift),
)
COMMIT_ROWS = _by_name(commits.by_commit)
CHARTS = {**ROWS, **LADDER_ROWS, **COMMIT_ROWS}


def chart(name: str) -> Chart:
    """Return the chart. Raises ValueError, with the known names, for an unknown name."""
    if name not in CHARTS:
        raise ValueError(f"unknown chart {name!r}; known: {', '.join(CHARTS)}")
    return CHARTS[name]
