"""The chart of a kernel's times over commits, from the content of the kernel's file of commits (docs/site-data.md)."""

from jitkernels.charts import series
from jitkernels.charts.description import INTERVAL, NAME, SECONDS, Data, Row, chart, number, text

COMMIT = (text("commit"), text("date"), text("subject"))
DUET = (number("ratio", "ratio to the anchor"), number("pairs", "pairs of processes"), number("step", "step, times"))


@chart(
    "Seconds by commit",
    "One view for each size and kind of call, each with its own logarithmic scale. The band is the 95 % interval of the "
    "duets against the anchor. A ring is a step that a direct duet of two commits confirmed. The largest show their factor.",
    (*COMMIT, NAME, text("panel", "what"), SECONDS, *INTERVAL, *DUET),
    "duets of several commits",
)
def by_commit(data: Data) -> list[Row]:
    """Return one row for each commit, backend, size and figure; ``panel``: its view, ``step``: the factor of its step."""
    rows = (
        {
            **series.case(curve),
            "panel": series.panel(curve),
            "order": point["order"],
            "commit": commit["short"],
            "label": commit["short"],
            "subject": commit["subject"],
            "date": commit["date"][:10],
            "seconds": point["value"],
            **{key: point[key] for key in ("low", "high", "ratio", "pairs", "step")},
            "absent": None,
            "mark": None,
        }
        for curve in series.in_order(series.of_figures(data))
        for point in curve["points"]
        for commit in [data["commits"][point["order"]]]
    )
    return series.with_marked_steps(rows)
