"""Each chart as a Vega-Lite specification, built with Altair.

Only expressions that Vega's interpreter can run (``ast: true``): a page with a Content-Security-Policy needs no eval.
"""

from collections.abc import Callable, Sequence
from typing import Any

from jitkernels.charts import CHARTS, curves, lists
from jitkernels.charts.marks import Look
from jitkernels.charts.releases import curves as ladder_curves
from jitkernels.charts.releases import views as ladder_views

DRAWN: dict[str, Callable[[Look], Any]] = {
    draw.__name__: draw
    for draw in (
        curves.seconds, curves.error, curves.tradeoff, curves.speedup, curves.break_even, curves.pi,
        lists.lives, lists.stages, lists.ahead_of_time, lists.counts,
        ladder_curves.releases, ladder_curves.release_factors, ladder_views.release_stages, ladder_curves.release_counts,
        ladder_curves.release_errors, ladder_views.beside, ladder_views.drift,
    )
}  # fmt: skip
"""By the chart's name."""


def spec(name: str, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The chart as a dict with an empty data set "rows". names: of the backends in it, in order; without them, all."""
    made: dict[str, Any] = DRAWN[name](Look(names)).to_dict()
    made.pop("config", None)  # the page's
    return {**made, "datasets": {"rows": []}, "description": f"{CHARTS[name].title}. {CHARTS[name].what}"}
