"""A compiler's figures from release to release, one series for each benchmark case."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from history.store.duets import STEP_FACTOR
from history.store.release_lines import ReleaseDuetLine, ends
from website.read import changes, figures
from website.read.benchmarks import BenchmarkCase, Find, find_case
from website.read.commits import History
from website.read.figures import Sources
from website.read.points import Point
from website.releases import chain, drift
from website.releases.chain import CaseChain
from website.releases.outcomes import Outcome
from website.schema.kernels import Figure, Missing
from website.schema.releases import Group, Interval, MissingRelease, ReleasePoint, ReleaseSeries, ReleaseStep
from website.schema.values import SampledValue, only

GROUPS: dict[str, Group] = {
    "Warm": "warm",
    "Interpreted": "warm",
    "Cold": "cold",
    "Stages": "stages",
    "Made": "counts",
    "Counts": "counts",
    "Fusions": "counts",
    "Instructions": "counts",
    "Accuracy": "accuracy",
    "Error": "accuracy",
}  # by the benchmark's class


@dataclass
class Series:
    """One benchmark case. ``values``, ``missing``: numbers, and reasons why there is none, by the release's place in version
    order. ``chain``: of its duets; it counts instead of ``values``."""

    case: BenchmarkCase
    values: dict[int, Point] = field(default_factory=dict)
    missing: dict[int, Missing] = field(default_factory=dict)
    chain: CaseChain | None = None

    @property
    def group(self) -> Group:
        return GROUPS.get(self.case.benchmark.group, "other")


def collect(outcomes: Sequence[Outcome], duets: Sequence[ReleaseDuetLine], find: Find) -> list[Series]:
    """Return every case with a number in some release. duets: of the compiler on the machine, oldest first."""
    series: dict[BenchmarkCase, Series] = {}
    for place, outcome in enumerate(outcomes):
        for point in outcome.points(find):
            if point.case.backend == chain.CONTROL:
                continue
            own = series.setdefault(point.case, Series(point.case))
            if point.is_number:
                own.values[place] = point
            elif point.was_tried:
                own.missing[place] = figures.missing(point)
    for name, case_chain in chain.chains(duets).items():
        if not chain.is_control(name):
            case = find_case(name, find)
            own = series.setdefault(case, Series(case))
            own.chain, gaps = case_chain, case_chain.gaps(name, duets)
            own.missing = {
                place: Missing(status="failed", reason=gaps[outcome.release], benchmark=name)
                for place, outcome in enumerate(outcomes)
                if outcome.release in gaps
            }
    return sorted((each for each in series.values() if each.values or each.chain), key=_order)


def control_ratios(outcomes: Iterable[Outcome], find: Find) -> list[float | None]:
    """Return for each release the control's time beside it, over its median; None if it was not measured."""
    times: list[dict[str, float]] = []
    for outcome in outcomes:
        control = (point for point in outcome.points(find) if point.case.backend == chain.CONTROL)
        warm = (point for point in control if point.case.benchmark.group == "Warm")
        times.append({point.case.name: point.value for point in warm if point.is_number and point.value})
    return drift.over_median(times)


def row(
    series: Series, outcomes: Sequence[Outcome], drifts: drift.Drift, sources: Sources, history: History
) -> ReleaseSeries:
    """Return one series for the page: the chain of its duets, or else asv's figures, with times divided by the drift."""
    case, group = series.case, series.group
    values: list[ReleasePoint] = []
    if series.chain:
        places = {outcome.release: place for place, outcome in enumerate(outcomes)}
        values = _points_of_chain(series.chain, places, case.calls, sources, history)
    else:
        for place, point in sorted(series.values.items()):
            figure = figures.figure(point, sources)
            divisor = _divisor(group, outcomes[place], figure["measured"], drifts)
            values.append(_point(outcomes[place].release, place, figure, divisor))
    missing: list[MissingRelease] = [
        {"release": outcomes[place].release, "order": place, "status": each["status"], "reason": each["reason"]}
        for place, each in sorted(series.missing.items())
    ]
    return {
        **changes.benchmark_fields(case),
        "group": group,
        "interpreted": case.benchmark.is_interpreted,
        "in_duets": series.chain is not None,
        "scatter": series.chain.scatter() if series.chain else None,
        "points": values,
        "missing": missing,
        "steps": list(_steps(series, outcomes, values)),
    }


def command(outcome: Outcome, duets: Sequence[ReleaseDuetLine], history: History) -> str:
    """Return the command that measures a release again: in its duet with the nearest release, or between two turns of the
    reference. duets: of the compiler on the machine, oldest first."""
    line = outcome.line
    if outcome.is_in_duets:
        nearest = chain.nearest(outcome.release, duets)
        return chain.command(nearest, history.commit(nearest["suite"]))
    return f"make releases COMPILER={line['compiler']} ONLY={outcome.release}{outcome.commit.for_make} AGAIN=1"


def _points_of_chain(
    own: CaseChain, places: Mapping[str, int], calls: int, sources: Sources, history: History
) -> list[ReleasePoint]:
    """Return a point for each release of the chain: the newest release's median times the release's ratio to it.

    places: of releases in version order. calls: the number in a sample, by which its seconds are divided.
    """
    seconds = own.seconds() / calls
    chained: list[ReleasePoint] = []
    for release, (level, link) in reversed(own.levels().items()):
        line, ratio = link.line, link.ratio
        suite = history.commit(line["suite"])
        end = next(each for each in ends(line) if each["release"] == release)
        chained.append(
            {
                "release": release,
                "order": places[release],
                "value": level.ratio * seconds,
                "low": level.low * seconds,
                "high": level.high * seconds,
                "raw": ratio["release" if release == line["release"] else "base"] / calls,
                "samples": None,
                "pairs": len(ratio["ratios"]),
                "afresh": ratio.get("afresh", False),
                "settled": None,
                "measured": line["at"],
                "source": sources.place_duet(line, end, suite),
                "command": chain.command(line, suite),
            }
        )
    return chained


def _point(release: str, place: int, figure: Figure, divisor: float) -> ReleasePoint:
    return {
        **only(SampledValue, figure),
        "release": release,
        "order": place,
        "value": figure["value"] / divisor,
        "low": None if figure["low"] is None else figure["low"] / divisor,
        "high": None if figure["high"] is None else figure["high"] / divisor,
        "raw": figure["value"],
        "pairs": None,
        "afresh": False,
        "command": figure["command"],
    }


def _divisor(group: str, outcome: Outcome, measured: str | None, drifts: drift.Drift) -> float:
    """Return the drift when the figure was measured, or in the middle of its release's measurement.

    It is 1.0 for a figure that is not a time, and if the drift is unknown.
    """
    times = (measured, measured) if measured else outcome.times
    life = drift.OF_GROUP.get(group)
    return (life and drifts.at(*times)[life]) or 1.0  # type: ignore[literal-required]


def _steps(series: Series, outcomes: Sequence[Outcome], values: Sequence[ReleasePoint]) -> Iterator[ReleaseStep]:
    """Yield the steps of the chain, of a count, or of an error. Seconds of different hours are not compared."""
    benchmark = series.case.benchmark
    if series.chain:
        by_release = {point["release"]: point for point in values}
        for link in series.chain.steps():
            before, after = (by_release[end] for end in link.ends)
            ratio = link.ratio
            yield {
                **_step(series, outcomes, before, after),
                "before": ratio["base"] / series.case.calls,
                "after": ratio["release"] / series.case.calls,
                "factor": ratio["ratio"],
                **only(Interval, ratio),
            }
    elif benchmark.is_counted or series.group == "accuracy":
        tolerance = benchmark.tolerance if benchmark.is_counted else STEP_FACTOR - 1
        for before, after in changes.exact_steps(((point, point["value"]) for point in values), tolerance):
            yield _step(series, outcomes, before, after)


def _step(series: Series, outcomes: Sequence[Outcome], before: ReleasePoint, after: ReleasePoint) -> ReleaseStep:
    earlier, later = outcomes[before["order"]], outcomes[after["order"]]
    return {
        **changes.step("release", series.case, before["value"], after["value"]),
        "group": series.group,
        "from": earlier.release,
        "to": later.release,
        "order": after["order"],
        "published": later.line.get("published"),
        "commits_differ": not series.chain and earlier.commit.hash != later.commit.hash,
    }


def _order(series: Series) -> tuple[str, str, str, int]:
    case = series.case
    return case.benchmark.kernel, case.figure, case.backend, case.size or 0
