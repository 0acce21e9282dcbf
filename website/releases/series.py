"""A compiler's figures from release to release, one series for each benchmark case."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from website.read import benchmarks, changes, names, points, rows
from website.read.benchmarks import Benchmark, Case, Find
from website.read.points import Point
from website.releases import drift, steps
from website.releases.outcomes import Outcome
from website.schema.kernels import Figure, Missing
from website.schema.releases import MissingRelease, ReleasePoint, ReleaseSeries, ReleaseStep

GROUPS = {
    "Warm": "warm",
    "Interpreted": "warm",
    "Cold": "cold",
    "Stages": "stages",
    "Made": "counts",
    "Counts": "counts",
    "Fusions": "counts",
    "Accuracy": "accuracy",
    "Error": "accuracy",
}  # by the benchmark's class
OTHER = "other"
REFERENCE_KERNEL = "c"  # its backend, which is measured in every release's environment and belongs to no release


@dataclass
class Series:
    """One benchmark case. ``values``: by the release's place in version order. ``missing``: why there is none."""

    benchmark: Benchmark
    case: Case
    values: dict[int, Point] = field(default_factory=dict)
    missing: dict[int, Missing] = field(default_factory=dict)

    @property
    def backend(self) -> str:
        return benchmarks.name(self.benchmark, self.case).backend

    @property
    def group(self) -> str:
        return GROUPS.get(self.benchmark.group, OTHER)


def collect(outcomes: Sequence[Outcome], find: Find) -> tuple[list[Series], list[float | None]]:
    """Return every case with a number in some release, and by release the reference kernel's time over its median."""
    series: dict[tuple[str, Case], Series] = {}
    reference: list[dict[str, float]] = [{} for _ in outcomes]
    for place, outcome in enumerate(outcomes):
        for point in points.points(outcome.origin, find) if outcome.is_ok and outcome.origin else ():
            benchmark, case = point.benchmark, point.case
            if point.name.backend == REFERENCE_KERNEL:
                if point.is_number and point.value and benchmark.group == "Warm":
                    reference[place][names.case_name(benchmark.name, case)] = point.value
                continue
            own = series.setdefault((benchmark.name, case), Series(benchmark, case))
            if point.is_number:
                own.values[place] = point
            elif point.was_tried:
                own.missing[place] = rows.missing(benchmark.kernel, point)
    return sorted((each for each in series.values() if each.values), key=_order), drift.over_median(reference)


def row(series: Series, outcomes: Sequence[Outcome], drifts: drift.Drift, sources: rows.Sources) -> ReleaseSeries:
    """Return one series for the page; its times are divided by the machine's drift."""
    benchmark, case, group = series.benchmark, series.case, series.group
    values: list[ReleasePoint] = []
    for place, point in sorted(series.values.items()):
        figure = rows.figure(point, sources)
        divisor = _divisor(group, outcomes[place], figure["measured"], drifts)
        values.append(_point(outcomes[place].release, place, figure, divisor))
    missing = [_missing(outcomes[place].release, place, each) for place, each in sorted(series.missing.items())]
    return {
        **changes.described(benchmark, case),
        "group": group,
        "interpreted": benchmark.group == "Interpreted",
        "place": benchmark.place(case),
        "history": None,
        "points": values,
        "missing": missing,
        "steps": _steps(series, values, outcomes),
    }


def command(outcome: Outcome) -> str:
    """Return the command that measures a release again, with the reference before and after it."""
    line = outcome.line
    return f"make releases COMPILER={line['compiler']} ONLY={outcome.release} COMMIT={outcome.commit.hash} AGAIN=1"


def _point(release: str, place: int, figure: Figure, divisor: float) -> ReleasePoint:
    return {
        "release": release,
        "order": place,
        "value": figure["value"] / divisor,
        "low": None if figure["low"] is None else figure["low"] / divisor,
        "high": None if figure["high"] is None else figure["high"] / divisor,
        "raw": figure["value"],
        "samples": figure["samples"],
        "settled": figure["settled"],
        "measured": figure["measured"],
        "source": figure["source"],
        "command": figure["command"],
    }


def _missing(release: str, place: int, missing: Missing) -> MissingRelease:
    return {"release": release, "order": place, "status": missing["status"], "reason": missing["reason"]}


def _divisor(group: str, outcome: Outcome, measured: str | None, drifts: drift.Drift) -> float:
    """Return the drift when the figure was measured, or in the middle of its release.

    1.0 for a figure that is no time, and where the drift is unknown.
    """
    times = (measured, measured) if measured else outcome.times
    life = drift.OF_GROUP.get(group)
    return (life and drifts.at(*times)[life]) or 1.0  # type: ignore[literal-required]


def _steps(series: Series, values: Sequence[ReleasePoint], outcomes: Sequence[Outcome]) -> list[ReleaseStep]:
    if series.benchmark.exact:
        exact = changes.exact_steps((point, point["value"]) for point in values)
        return [_step(series, outcomes, (*each, None, None)) for each in exact]
    return [_step(series, outcomes, each) for each in steps.timed_steps(values)]


def _step(series: Series, outcomes: Sequence[Outcome], step: steps.Step) -> ReleaseStep:
    before, after, old, new, low, high = step
    earlier, later, place = outcomes[before["order"]], outcomes[after["order"]], after["order"]
    return {
        **changes.step("release", series.benchmark, series.case, old, new, None),
        "group": series.group,
        "from": earlier.release,
        "to": later.release,
        "order": place,
        "published": later.line.get("published"),
        "low": low,
        "high": high,
        "commits_differ": earlier.commit.hash != later.commit.hash,
    }


def _order(series: Series) -> tuple[str, str, str, int]:
    name = benchmarks.name(series.benchmark, series.case)
    return series.benchmark.kernel, name.figure, name.backend, name.size or 0
