"""What steps between commits and between releases have in common.

An exact figure has a step wherever its value changes. asv measures the times of two commits at different hours. On a shared
machine the same code then differs by a third and more, so a difference of these times is not listed as a step.
"""

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator
from typing import TypeVar

from website.read import benchmarks
from website.read.benchmarks import BenchmarkCase
from website.schema.releases import Change, Described, Kind, Series, Step

MOST = 500  # steps of counts and errors on the pages, which say how many more there are

T = TypeVar("T")
Listed = TypeVar("Listed", bound=Change)


def case_fields(case: BenchmarkCase) -> Series:
    """Return the fields that name a case and its figure."""
    unit = case.benchmark.unit or ("seconds" if case.benchmark.type == "time" else "")
    return {**case.row(), "unit": unit}


def benchmark_fields(case: BenchmarkCase) -> Described:
    """Return the fields of a case and its benchmark that steps and series share."""
    benchmark = case.benchmark
    return {**case_fields(case), "direction": benchmark.direction, "exact": benchmark.exact, "benchmark": benchmark.name}


def step(kind: Kind, case: BenchmarkCase, before: float, after: float) -> Step:
    """Return the fields that a step between commits and a step between releases share."""
    return {
        **benchmark_fields(case),
        "kind": kind,
        "kernel": case.benchmark.kernel,
        "cell": [benchmarks.value(text) for text in case.parameters],
        "before": before,
        "after": after,
        "factor": after / before if before else None,
        "low": None,
        "high": None,
    }


def exact_steps(series: Iterable[tuple[T, float]], tolerance: float | None = None) -> Iterator[tuple[T, T]]:
    """Yield the last place before and the first place after each change by more than the fraction."""
    for (place, value), (later, other) in itertools.pairwise(series):
        if not math.isclose(value, other, rel_tol=tolerance or 0.0):
            yield place, later


def newest(*steps: Iterable[Listed]) -> tuple[list[Listed], int]:
    """Return the steps of several lists, newest first, and how many are left out. Each list is newest first.

    All steps in time are listed, and the newest MOST of the others.
    """
    merged = list(heapq.merge(*steps, key=date, reverse=True))
    left_out = set([place for place, step in enumerate(merged) if not is_timed(step)][MOST:])
    return [step for place, step in enumerate(merged) if place not in left_out], len(left_out)


def is_timed(step: Change) -> bool:
    """True for a step in time: a duet confirmed it, so it has an interval."""
    return step["low"] is not None


def date(step: Change) -> str:
    """Return the date of the commit or release after a step; "" if it is not known."""
    return step["to"]["date"] or ""
