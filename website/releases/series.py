"""A compiler's figures, cell by cell, from release to release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from history.store.results import Cell
from website.read import catalogue, figures, names, points, rows
from website.read.catalogue import Benchmark
from website.read.points import Point
from website.releases import drift, steps
from website.releases.outcomes import Outcome

Row = dict[str, Any]
GROUPS = {"Warm": "warm", "Interpreted": "warm", "Cold": "cold", "Stages": "stages", "Made": "counts", "Counts": "counts",
          "Fusions": "counts", "Accuracy": "accuracy", "Error": "accuracy"}  # fmt: skip
OTHER = "other"
REFERENCE_KERNEL = "c"  # its backend: measured beside each release, and no release's


@dataclass
class Series:
    """One cell. ``values``: by the place of the release in the order of versions; ``missing``: why there is none."""

    benchmark: Benchmark
    cell: Cell
    values: dict[int, Point] = field(default_factory=dict)
    missing: dict[int, Row] = field(default_factory=dict)

    @property
    def name(self) -> figures.Name:
        return figures.name(self.benchmark, self.cell)

    @property
    def group(self) -> str:
        return GROUPS.get(self.benchmark.group, OTHER)


def collect(outcomes: list[Outcome], find: Callable[[str], Benchmark]) -> tuple[list[Series], list[Mapping[str, float]]]:
    """Every cell of which some release has a number, and by release the seconds of the reference kernel by its cells' names.

    Cells of which no release has any are not there: nothing can be said of them release by release.
    """
    found: dict[tuple[str, Cell], Series] = {}
    reference: list[Mapping[str, float]] = []
    for place, outcome in enumerate(outcomes):
        beside: dict[str, float] = {}
        for point in points.of(outcome.origin, find) if outcome.is_ok and outcome.origin else ():
            if not point.is_number and not _was_asked(point):
                continue
            if figures.name(point.benchmark, point.cell).backend == REFERENCE_KERNEL:
                if point.is_number and point.value and point.benchmark.group == "Warm":
                    beside[names.cell_name(point.benchmark.name, point.cell)] = point.value
                continue
            series = found.setdefault((point.benchmark.name, point.cell), Series(point.benchmark, point.cell))
            if point.is_number:
                series.values[place] = point
            else:
                backend = figures.name(point.benchmark, point.cell).backend
                series.missing[place] = rows.why(point.benchmark.kernel, backend, point)
        reference.append(beside)
    known = [series for series in found.values() if series.values]
    return sorted(known, key=_order), reference


def told(series: Series, outcomes: list[Outcome], machine_drift: drift.Drift, sources: rows.Sources) -> Row:
    """One series for the page; times without the machine's drift."""
    name, benchmark = series.name, series.benchmark
    values = [
        _point(series.group, outcomes[place], place, rows.figure(point, name.calls, sources), machine_drift)
        for place, point in sorted(series.values.items())
    ]
    row = {
        "backend": name.backend, "size": name.size, "figure": name.figure, "group": series.group,
        "unit": benchmark.unit or ("seconds" if benchmark.type == "time" else ""), "direction": benchmark.direction,
        "exact": benchmark.exact, "interpreted": benchmark.group == "Interpreted",
        "benchmark": benchmark.name, "place": names.place_of(series.cell, benchmark.parameters),
        "history": _link(series, next(iter(series.values)), whole=True),
    }  # fmt: skip
    missing = [
        {"release": outcomes[place].release, "order": place, "status": why["status"], "reason": why["reason"]}
        for place, why in sorted(series.missing.items())
    ]
    return {**row, "points": values, "missing": missing, "steps": _steps(series, row, values, outcomes)}


def release_command(outcome: Outcome) -> str:
    """What measures a release again, with the reference before and after it."""
    line = outcome.line
    return f"make releases COMPILER={line['compiler']} ONLY={outcome.release} COMMIT={outcome.commit.hash} AGAIN=1"


def _was_asked(point: Point) -> bool:
    """Whether somebody tried: asv files cells that were not selected as it does those that were skipped."""
    return point.value is None or point.origin.records.reason(point.benchmark.name, point.cell) is not None


def _point(group: str, outcome: Outcome, place: int, figure: Row, machine_drift: drift.Drift) -> Row:
    divisor = _divisor(group, outcome, figure["measured"], machine_drift)
    corrected = {key: None if figure[key] is None else figure[key] / divisor for key in ("value", "low", "high")}
    kept = {key: figure[key] for key in ("samples", "settled", "measured", "source", "command")}
    return {"release": outcome.release, "order": place, **corrected, "raw": figure["value"], **kept}


def _divisor(group: str, outcome: Outcome, measured: str | None, machine_drift: drift.Drift) -> float:
    """By what a figure of that group is divided: the drift when it was measured, or, where that is not known, in the middle
    of its release; 1.0 for what is no time, and where nothing is known."""
    if group not in drift.OF_GROUP:
        return 1.0
    times = (measured, measured) if measured else outcome.times
    return machine_drift.at(*times)[drift.OF_GROUP[group]] or 1.0


def _steps(series: Series, row: Row, values: list[Row], outcomes: list[Outcome]) -> list[Row]:
    find = steps.exact_steps if series.benchmark.exact else steps.timed_steps
    found = []
    for before, after, old, new, low, high in find(values):
        earlier, later = outcomes[before["order"]], outcomes[after["order"]]
        found.append({
            "kind": "release", "kernel": series.benchmark.kernel,
            **{key: row[key] for key in ("backend", "size", "figure", "group", "unit", "direction", "exact", "benchmark")},
            "cell": [catalogue.value(text) for text in series.cell],
            "from": earlier.release, "to": later.release, "order": after["order"], "published": later.line.get("published"),
            "before": old, "after": new, "factor": new / old if old else None, "low": low, "high": high,
            "commits_differ": earlier.commit.hash != later.commit.hash,
            "link": _link(series, after["order"]),
        })  # fmt: skip
    return found


def _link(series: Series, place: int, whole: bool = False) -> str | None:
    """To the cell's curves in the environment of that release; whole: to those of all cells. None where asv has none."""
    benchmark = series.benchmark
    if not benchmark.listed:
        return None
    cell = None if whole else names.place_of(series.cell, benchmark.parameters)
    return names.link(benchmark.name, series.values[place].origin.result.params, cell)


def _order(series: Series) -> tuple[str, str, str, int]:
    name = series.name
    return series.benchmark.kernel, name.figure, name.backend, name.size or 0
