"""Charts of a compiler's releases, from the content of the site's files of releases (docs/site-data.md).

The data of ``release_factors`` and ``drift`` is a compiler's, with its kernels' contents by name as ``kernels``. That of the
other charts is a kernel's. A release without a number has a row too; its ``absent`` says which backends have none, and why.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from jitkernels.charts import description, series
from jitkernels.charts.description import INTERVAL, NAME, SAMPLES, SECONDS, SETTLED, SIZE, Data, Row, chart, number, text

WITHOUT_A_CASE = {"backend": None, "interpreted": False, "size": None}
NO_RELEASE = dict.fromkeys(("release", "low", "high", "samples", "settled", "absent", "step", "since", "mark"))
RELEASE = (text("release"), text("published"), NAME)
ABSENT = text("absent", "not measured")
RATIO, TIMES = number("ratio", "over the median"), number("times", "times the newest")
LADDER_WANTED = "several releases of a compiler"


@chart(
    "Seconds by release",
    "One view for each size and kind of call, each with its own logarithmic scale. The band is the interval of the ratio to "
    "the newest release, or the quartiles where releases were not measured in turn. A ring is a step. The largest steps "
    "show their factor. A cross at the foot is a release without a number: point at it for the reason.",
    (*RELEASE, text("panel", "what"), SECONDS, *INTERVAL, SAMPLES, number("step", "step, times"), SETTLED, ABSENT),
    LADDER_WANTED,
)
def releases(data: Data) -> list[Row]:
    """Return one row for each release, backend and size, of the warm call and of the first call; ``panel``: its view."""
    return series.with_marked_steps(row for life in series.of_lives(data) for row in series.seconds(data, life))


@chart(
    "Each kernel, relative to the newest release",
    "Seconds of the warm call at the largest size, divided by those with the newest release that has a number; the ratio is "
    "that of a duet of both, if there is one. Above the line at 1 a release is slower than the newest one. The kernels that "
    "changed most come first.",
    (text("kernel"), *RELEASE, SIZE, TIMES, *description.RANGE, SECONDS, text("newest"), ABSENT),
    LADDER_WANTED,
    across=3,
)
def release_factors(data: Data) -> list[Row]:
    """Return one row for each release, kernel and backend: seconds of the warm call over those with the newest release.

    The size is the largest that the backend has. ``low`` and ``high``: what the quartiles of both allow. A duet of both
    releases comes before the chain of duets.
    """
    duets = _direct_duets(data)
    rows = (
        {**row, **duets.get((kernel, row["backend"], row["size"], row["release"], row["newest"]), {}), "kernel": kernel}
        for kernel, content in (data.get("kernels") or {}).items()
        for warm in series.of_largest_size(series.of_figures(content, "warm_seconds"))
        for row in series.relative_to_newest(content, warm)
    )
    return list(chain(*series.views(rows, "kernel", key=lambda view: -series.largest_change(view))))


def _direct_duets(data: Data) -> dict[tuple[Any, ...], Row]:
    """Return the range of ``times`` of each duet of warm calls, by kernel, backend, size, older and newer release."""
    duets, names = data.get("duets") or {"cases": ()}, [release["release"] for release in data["releases"]]
    return {
        (case["kernel"], case["backend"], case["size"], names[link["from"]], names[link["to"]]): _times(
            link, duets["between_days"]
        )
        for case in duets["cases"]
        if case["figure"] == "warm_seconds"
        for link in case["links"]
    }


def _times(link: Mapping[str, float], between_days: float) -> Row:
    """Return the older release's seconds over the newer one's."""
    ratio, days = link["ratio"], math.log(between_days)
    below, above = (math.exp(math.hypot(math.log(link[end] / ratio), days)) for end in ("low", "high"))
    return {"times": 1 / ratio, "low": 1 / ratio / above, "high": below / ratio}


@chart(
    "Where a compilation's time goes, by release",
    'Seconds of each stage of one cold compilation, stacked, by the compiler\'s own names; the rest of the time is "other".',
    (*RELEASE, SIZE, text("stage"), SECONDS, ABSENT),
    "the stages of compilations by several releases",
    named=True,
)
def release_stages(data: Data) -> list[Row]:
    """Return one row for each release and stage of each backend's cold compilation, at the size that most releases have.

    ``height``: its seconds, or 0 if the noise of the clocks made them negative.
    """
    all_stages = [stage for stage in series.of_family(data, "stages") if stage["figure"] != "stages.total"]
    rows = []
    for backend in dict.fromkeys(stage["backend"] for stage in all_stages):
        stages = [stage for stage in all_stages if stage["backend"] == backend]
        points = Counter[int | None]()
        for stage in stages:
            points[stage["size"]] += len(stage["points"])
        size = max(points, key=lambda size: (points[size], size or 0))
        view = [
            {**row, "stage": row["figure"].partition(".")[2], "place": place, "height": max(0.0, row["seconds"] or 0.0)}
            for place, stage in enumerate(stage for stage in stages if stage["size"] == size)
            for row in series.seconds(data, stage)
        ]
        rows += _without_repeated_gaps(view)
    return rows


@chart(
    "Counts of what compilers made, by release",
    "Exact counts of each release's output: the same on every run. The counts that changed most often come first. "
    "The scales need not begin at 0.",
    (text("count"), *RELEASE, SIZE, number("value"), number("moved", "changes"), ABSENT),
    "the counts of several releases",
    across=3,
)
def release_counts(data: Data) -> list[Row]:
    """Return one row for each release, backend and count; ``moved``: how often the count changed, most often first."""
    rows = (
        {**row, "count": row["figure"].partition(".")[2].replace("_", " ")}
        for name in dict.fromkeys(count["figure"] for count in series.of_family(data, "counts"))
        for count in series.of_largest_size(series.of_figures(data, name))
        for row in series.points(data, count)
    )
    views = series.views(rows, "count", key=lambda view: -series.changes(view))
    return [{**row, "moved": series.changes(view)} for view in views for row in view]


@chart(
    "Error by release",
    "The error of the answer, on a logarithmic scale. A hollow mark at the foot is an error of 0. Seeds are fixed, so the "
    "error changes only if the random numbers or the arithmetic change.",
    (*RELEASE, SIZE, number("value", "error"), number("z", "in standard errors"), number("hits"), ABSENT),
    "the accuracy of several releases",
)
def release_errors(data: Data) -> list[Row]:
    """Return one row for each release, backend and size: ``value``, the answer's error; ``z`` and ``hits`` or None."""
    others = {
        (other["figure"], other["backend"], other["size"], point["order"]): point["value"]
        for other in series.of_figures(data, "z", "hits")
        for point in other["points"]
    }
    rows = [row for error in series.in_order(series.of_figures(data, "error")) for row in series.points(data, error)]
    for row in rows:
        row |= {name: others.get((name, row["backend"], row["size"], row["order"])) for name in ("z", "hits")}
        row["panel"] = series.at_size("Error", row["size"])
    return list(chain(*series.views(rows, "panel")))


@chart(
    "The same call by release and by commit",
    "The compiler's releases, and commits of this library, each measured with the release that was pinned then. Both "
    "share one logarithmic scale, which need not begin at 0.",
    (text("side", "along"), text("label", "release or commit"), NAME, SIZE, SECONDS, *description.QUARTILES),
    "the same call by releases and by commits",
    across=2,
)
def beside(data: Data) -> list[Row]:
    """Return the warm call, or else the first call, by release and by commit, at the largest size that both have; no rows
    without commits.

    A size whose releases were compared in duets comes first; its rows are ``in_duets``.
    """
    commits = data.get("commits") or ()
    by_commit = {(curve["figure"], curve["size"]) for curve in commits}
    lives = sorted(series.of_lives(data), key=lambda life: (life["figure"] != "warm_seconds", not life.get("in_duets")))
    by_release = [(life["figure"], life["size"]) for life in lives]
    shown = next((key for key in by_release if key in by_commit), by_release[0] if by_release else None)
    rows = [
        {**row, "side": description.RELEASES, "commit": None, "in_duets": bool(life.get("in_duets"))}
        for life in lives
        if (life["figure"], life["size"]) == shown
        for row in series.seconds(data, life)
    ]
    series.explain_gaps(rows)
    points = [
        _row_of_commit(curve, point)
        for curve in commits
        if (curve["figure"], curve["size"]) == shown
        for point in curve["points"]
    ]
    return rows + points if points else []


@chart(
    "Drift of the machine",
    "Seconds divided by their median: of the reference release, which was measured repeatedly, and of the C kernel, which "
    "was measured beside each release. No release changes either, so every change here is the machine's.",
    (text("side", "along"), text("name", "of"), text("what"), text("label", "turn or release"), RATIO),
    "a reference release that was measured repeatedly",
    across=2,
    named=True,
)
def drift(data: Data) -> list[Row]:
    """Return the reference's seconds at each turn over their median, and the C kernel's seconds beside each release."""
    return [*_turns(data), *_c_kernel(data)]


def _turns(data: Data) -> Iterator[Row]:
    release = data.get("reference")
    reference = {
        **WITHOUT_A_CASE,
        "name": f"{data.get('compiler')} {release}",
        "side": description.REFERENCE,
        "release": release,
    }
    for order, turn in enumerate((data.get("drift") or {}).get("turns", ())):
        at = {"order": order, "label": str(turn["at"])[:16].replace("T", " "), "at": turn["at"]}
        for life in ("warm", "cold"):
            if turn.get(life) is not None:
                yield {**reference, **at, "what": f"{life} calls", "ratio": turn[life]}


def _c_kernel(data: Data) -> Iterator[Row]:
    c = {**WITHOUT_A_CASE, "backend": "c", "name": "c", "side": description.KERNEL, "what": "warm calls of C"}
    for release in data.get("releases") or ():
        if release.get("c") is not None:
            at = {"order": release["order"], "label": series.label(release), "at": release.get("measured")}
            yield {**c, **at, "release": release["release"], "ratio": release["c"]}


def _without_repeated_gaps(view: Sequence[Row]) -> list[Row]:
    """Return the rows with a value, and one row without a stage for each release in which no stage has a value."""
    known = {row["order"] for row in view if row["seconds"] is not None}
    return [
        {**row, "stage": None if row["seconds"] is None else row["stage"]}
        for row in view
        if row["seconds"] is not None or (row["order"] not in known and row["place"] == 0)
    ]


def _row_of_commit(curve: Mapping[str, Any], point: Mapping[str, Any]) -> Row:
    date, commit = point.get("date"), point["commit"]
    label = f"{str(date or '')[:10]}  {commit[:8]}".strip()
    row = {**series.case(curve), **NO_RELEASE, "panel": series.panel(curve), "side": description.COMMITS, "in_duets": False}
    return {**row, "order": point["order"], "label": label, "published": date, "seconds": point["value"], "commit": commit}
