"""The steps of exact figures from commit to commit, and each case's values by commit.

An exact figure takes a step wherever its value changes. Times of two commits are measured at different hours, in which the
same code differs by a third and more on a shared machine: their difference is no step and is not listed.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from website.read import benchmarks, names
from website.read.benchmarks import Benchmark, Case
from website.read.commits import Commit
from website.read.names import Machine
from website.schema.releases import Change, CommitPoint, CommitSeries, Described, Kind, Series, Step

MOST = 500  # steps on the pages, which say how many more there are
MOST_POINTS = 60  # commits of a curve, the newest of those that were measured
PLATFORM = ("machine", "arch", "cpu", "num_cpu", "os", "ram", "branch", "python", "summary")
RULER = "pip+asv_runner"  # every environment has it

T = TypeVar("T")
Requirements = frozenset[tuple[str, str]]
Curves = dict[tuple[Machine, str, Case], CommitSeries]


class Graph(Protocol):
    """asv's series of one benchmark in one environment; a value for each case at each revision."""

    params: Mapping[str, str | None]

    def get_data(self) -> Iterable[Sequence[Any]]: ...


@dataclass(frozen=True)
class Published:
    """asv's graphs, each with its benchmark, and the commit of each revision."""

    graphs: Sequence[tuple[Graph, Benchmark]] = ()
    commits: Mapping[int, Commit] = field(default_factory=dict)


class CommitStep(NamedTuple):
    """A step between two revisions."""

    graph: Graph
    benchmark: Benchmark
    case: Case
    place: int | None
    before: int
    after: int
    old: float
    new: float


def named(benchmark: Benchmark, case: Case) -> Series:
    """Return what names a case and its figure."""
    name, unit = benchmarks.name(benchmark, case), benchmark.unit or ("seconds" if benchmark.type == "time" else "")
    return {"backend": name.backend, "size": name.size, "figure": name.figure, "unit": unit}


def described(benchmark: Benchmark, case: Case) -> Described:
    """Return what a step and a series say of their case."""
    return {
        **named(benchmark, case),
        "direction": benchmark.direction,
        "exact": benchmark.exact,
        "benchmark": benchmark.name,
    }


def step(kind: Kind, benchmark: Benchmark, case: Case, before: float, after: float, link: str | None) -> Step:
    """Return what a step between commits and one between releases have in common."""
    return {
        **described(benchmark, case),
        "kind": kind,
        "kernel": benchmark.kernel,
        "cell": [benchmarks.value(text) for text in case],
        "before": before,
        "after": after,
        "factor": after / before if before else None,
        "low": None,
        "high": None,
        "link": link,
    }


def exact_steps(
    series: Iterable[tuple[T, float | None]], tolerance: float | None = None
) -> Iterator[tuple[T, T, float, float]]:
    """Yield (last before, first after, value before, value after) wherever the value changes, by more than that fraction."""
    numbers = [(place, value) for place, value in series if value is not None and not math.isnan(value)]
    for (place, value), (later, other) in itertools.pairwise(numbers):
        if not math.isclose(value, other, rel_tol=tolerance or 0.0):
            yield place, later, value, other


def changes(published: Published, ids: Mapping[Machine, str]) -> tuple[list[Change], int]:
    """Return the MOST newest steps, newest and largest first, and how many more there are."""
    commits = published.commits
    steps = [each for graph in published.graphs for each in _steps(*graph)]
    known = [each for each in steps if each.before in commits and each.after in commits]
    known.sort(key=lambda each: (each.after, _size(each)), reverse=True)
    return [_change(each, commits, ids) for each in known[:MOST]], len(known[MOST:])


def curves(published: Published, ladder: set[tuple[Machine, Requirements]]) -> Curves:
    """Return the values of each case by commit, oldest first, in the environment that has most of them.

    ``ladder``: machines and requirements of the ladder's environments, which are left out. Without a ladder the result is
    empty.
    """
    longest: Curves = {}
    commits = published.commits
    for graph, benchmark in published.graphs if ladder else ():
        machine = _machine(graph)
        if (machine, _requirements(graph)) in ladder:
            continue
        for _, case, values in _series(graph, benchmark):
            points = [(commits[revision], value) for revision, value in values if revision in commits][-MOST_POINTS:]
            known = longest.get((machine, benchmark.name, case))
            if points and (known is None or len(points) > len(known["points"])):
                longest[machine, benchmark.name, case] = _curve(benchmark, case, points)
    return longest


def _series(graph: Graph, benchmark: Benchmark) -> Iterator[tuple[int | None, Case, list[tuple[int, float]]]]:
    """Yield each case of a graph: its place, None where the benchmark has no parameters, and its values by revision."""
    data = graph.get_data()
    for place, case in enumerate(benchmark.cases()):
        values = [(point[0], point[1][place] if benchmark.parameters else point[1]) for point in data]
        numbers = [(revision, value) for revision, value in values if value is not None and value == value]
        yield place if benchmark.parameters else None, case, numbers


def _steps(graph: Graph, benchmark: Benchmark) -> Iterator[CommitStep]:
    for place, case, values in _series(graph, benchmark) if benchmark.is_counted else ():
        for each in exact_steps(values, benchmark.tolerance):
            yield CommitStep(graph, benchmark, case, place, *each)


def _size(step: CommitStep) -> float:
    return abs(math.log(step.new / step.old)) if step.old > 0 and step.new > 0 else math.inf


def _change(each: CommitStep, commits: Mapping[int, Commit], ids: Mapping[Machine, str]) -> Change:
    params = {key: "" if value is None else str(value) for key, value in each.graph.params.items()}
    machine = _machine(each.graph)
    return {
        **step("commit", each.benchmark, each.case, each.old, each.new, names.link(each.benchmark.name, params, each.place)),
        "machine": ids.get(machine, machine),
        "environment": {key: value for key, value in sorted(params.items()) if key not in PLATFORM and value},
        "from": commits[each.before].row(),
        "to": commits[each.after].row(),
    }


def _curve(benchmark: Benchmark, case: Case, values: Sequence[tuple[Commit, float]]) -> CommitSeries:
    calls = benchmarks.name(benchmark, case).calls
    points = [_point(order, commit, value / calls) for order, (commit, value) in enumerate(values)]
    return {**named(benchmark, case), "points": points}


def _point(order: int, commit: Commit, value: float) -> CommitPoint:
    row = commit.row()
    return {"order": order, "commit": row["short"], "date": row["date"], "subject": row["subject"], "value": value}


def _machine(graph: Graph) -> Machine:
    return str(graph.params.get("machine") or "")


def _requirements(graph: Graph) -> Requirements:
    """Return the packages that the graph's environment requires."""
    packages = {key: str(value) for key, value in graph.params.items() if key not in PLATFORM and value}
    return frozenset((key, value) for key, value in packages.items() if key != RULER)
