"""What steps between commits and between releases have in common, and each case's values by commit.

An exact figure has a step wherever its value changes. asv measures the times of two commits at different hours. On a shared
machine the same code then differs by a third and more, so a difference of these times is not listed as a step.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import TypeVar

from website.read import benchmarks, points
from website.read.benchmarks import BenchmarkCase, Find
from website.read.commits import Commit
from website.read.names import Machine
from website.schema.releases import CommitPoint, CommitSeries, Described, Kind, Series, Step

MOST = 500  # steps on the pages, which say how many more there are
MOST_POINTS = 60  # commits of a curve: the newest that were measured

T = TypeVar("T")


def named(case: BenchmarkCase) -> Series:
    """Return the fields that name a case and its figure."""
    unit = case.benchmark.unit or ("seconds" if case.benchmark.type == "time" else "")
    return {**case.row(), "unit": unit}


def described(case: BenchmarkCase) -> Described:
    """Return the fields of a case that steps and series share."""
    benchmark = case.benchmark
    return {**named(case), "direction": benchmark.direction, "exact": benchmark.exact, "benchmark": benchmark.name}


def step(kind: Kind, case: BenchmarkCase, before: float, after: float) -> Step:
    """Return the fields that a step between commits and a step between releases share."""
    return {
        **described(case),
        "kind": kind,
        "kernel": case.benchmark.kernel,
        "cell": [benchmarks.value(text) for text in case.parameters],
        "before": before,
        "after": after,
        "factor": after / before if before else None,
        "low": None,
        "high": None,
        "link": None,
    }


def exact_steps(
    series: Iterable[tuple[T, float | None]], tolerance: float | None = None
) -> Iterator[tuple[T, T, float, float]]:
    """Yield (last place before, first place after, value before, value after) for each change by more than the fraction."""
    numbers = [(place, value) for place, value in series if value is not None and not math.isnan(value)]
    for (place, value), (later, other) in itertools.pairwise(numbers):
        if not math.isclose(value, other, rel_tol=tolerance or 0.0):
            yield place, later, value, other


class Curves:
    """The values of each case by commit of HEAD's history, in the environment with the most values.

    Environments of releases are left out.
    """

    def __init__(self) -> None:
        self._values: dict[tuple[Machine, BenchmarkCase], dict[str, dict[Commit, float]]] = {}

    def add(self, origin: points.Origin, find: Find) -> None:
        """Add a file's numbers, if its commit is in HEAD's history and its environment is not a release's."""
        if origin.release or not origin.commit.place[0]:
            return
        for point in points.points(origin, find):
            if point.is_number:
                environments = self._values.setdefault((origin.result.machine, point.case), {})
                environments.setdefault(origin.result.environment, {})[origin.commit] = point.value or 0.0

    def of(self, machine: Machine, case: BenchmarkCase) -> CommitSeries | None:
        """Return the curve of a case, oldest commit first; None without a value."""
        longest = max(self._values.get((machine, case), {}).values(), key=len, default=None)
        if longest is None:
            return None
        newest = sorted(longest, key=lambda commit: commit.place)[-MOST_POINTS:]
        values = [_point(order, commit, longest[commit] / case.calls) for order, commit in enumerate(newest)]
        return {**named(case), "points": values}


def _point(order: int, commit: Commit, value: float) -> CommitPoint:
    row = commit.row()
    return {"order": order, "commit": row["short"], "date": row["date"], "subject": row["subject"], "value": value}
