"""What the machines' duets say: ratios along a chain of one machine's duets, whether each machine saw a step, and the tables
of a commit or release by case and machine."""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from history.store.duets import STEP_FACTOR, is_step
from history.store.lines import AnyRatio, rounded
from website.read import benchmarks
from website.schema import releases as schema

MOST = 8  # tables, the newest
NOT_MEASURED = "not measured"
Ends = tuple[str, str]  # two commits or two releases, the older one first
Place = Callable[[str], Any]  # the place of a commit or release in their order


@dataclass(frozen=True)
class Level:
    """A ratio to the beginning of a chain of duets. ``below``, ``above``: how far its interval reaches, as logarithms."""

    ratio: float = 1.0
    below: float = 0.0
    above: float = 0.0

    @property
    def low(self) -> float:
        return self.ratio * math.exp(-self.below)

    @property
    def high(self) -> float:
        return self.ratio * math.exp(self.above)

    def times(self, other: "Level") -> "Level":
        """Return the product; the errors of two duets are independent, so their squares add up."""
        return Level(self.ratio * other.ratio, math.hypot(self.below, other.below), math.hypot(self.above, other.above))

    def over(self, other: "Level") -> "Level":
        """Return the quotient."""
        return self.times(Level(1 / other.ratio, other.above, other.below))

    def widened(self, reach: float) -> "Level":
        """Return the same ratio with one more independent error, as a logarithm."""
        return Level(self.ratio, math.hypot(self.below, reach), math.hypot(self.above, reach))


def level_of(ratio: AnyRatio) -> Level:
    """Return the ratio of a duet as a level."""
    return Level(ratio["ratio"], math.log(ratio["ratio"] / ratio["low"]), math.log(ratio["high"] / ratio["ratio"]))


SpanLevel = tuple[Ends, Level]  # a span that was measured, and its ratio
Answer = tuple[schema.Seen, SpanLevel | None]


@dataclass(frozen=True)
class Evidence:
    """The duets of one benchmark case on one machine.

    ``points``: the commits or releases with a ratio. ``between``: returns the ratio of the second to the first, along the
    chain of duets. ``direct``: ratios of direct duets. ``steps``: those that the page lists. ``reasons``: why an end has no
    ratio.
    """

    points: Collection[str] = ()
    between: Callable[[str, str], Level] = lambda base, end: Level()
    direct: dict[Ends, AnyRatio] = field(default_factory=dict)
    steps: dict[Ends, AnyRatio] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def since(self, end: str, place: Place) -> SpanLevel | None:
        """Return the ratio of an end to the nearest older one that was measured; None if one of the two is missing."""
        older = [each for each in self.points if place(each) < place(end)]
        return self._ratio((max(older, key=place), end)) if end in self.points and older else None

    def around(self, ends: Ends, place: Place) -> SpanLevel | None:
        """Return the ratio over the shortest measured span that contains this one; None if there is no such span."""
        older = [each for each in self.points if place(each) <= place(ends[0])]
        newer = [each for each in self.points if place(each) >= place(ends[1])]
        return self._ratio((max(older, key=place), min(newer, key=place))) if older and newer else None

    def _ratio(self, ends: Ends) -> SpanLevel:
        return ends, level_of(self.direct[ends]) if ends in self.direct else self.between(*ends)

    def overlapping(self, ends: Ends, is_slower: bool, place: Place) -> Iterator[tuple[Ends, AnyRatio]]:
        """Yield the steps in one direction whose spans overlap this one."""
        for (base, end), ratio in self.steps.items():
            shares = place(base) < place(ends[1]) and place(ends[0]) < place(end)
            if shares and (ratio["ratio"] > 1) == is_slower:
                yield (base, end), ratio


def answer(ends: Ends, factor: float, own: Evidence, everyone: Iterable[Evidence], place: Place) -> Answer:
    """Return whether a machine saw another machine's step, and the ratio that shows it.

    seen: a direct duet confirms a step in the same direction, and its span overlaps the step's. unmeasured: no measured span
    contains the step. Otherwise the ratio over the shortest such span decides. absent: its interval excludes a step of
    STEP_FACTOR in that direction. unclear: it does not; or the span is longer than the step's and a change in the other
    direction could hide the step. Such a change is the ratio itself, or a step of any machine that overlaps the span.

    everyone: the evidence of all machines for this case.
    """
    is_slower = factor > 1
    around = own.around(ends, place)
    if shared := list(own.overlapping(ends, is_slower, place)):
        span, ratio = max(shared, key=lambda step: step[0] == ends)
        return "seen", (span, level_of(ratio))
    if around is None:
        return "unmeasured", None
    span, level = around
    direct = own.direct.get(span)
    if direct and is_step(direct) and (level.ratio > 1) == is_slower:
        return "seen", around
    excludes = level.high < STEP_FACTOR if is_slower else level.low > 1 / STEP_FACTOR
    is_opposite = level.high < 1 if is_slower else level.low > 1
    has_opposite = is_opposite or any(any(each.overlapping(span, not is_slower, place)) for each in everyone)
    return "absent" if excludes and not (span != ends and has_opposite) else "unclear", around


@dataclass(frozen=True)
class Machines:
    """The duets of all machines. ``cases``: by the machine's directory and the case. ``place``: of a commit or release in
    their order. ``row``: what pages show of it. ``label``: its short name."""

    cases: Mapping[str, Mapping[str, Evidence]]
    place: Place
    row: Callable[[str], schema.End]
    label: Callable[[str], str] = str

    def of_step(self, case: str, ends: Ends, factor: float) -> list[schema.OnMachine]:
        """Return whether each machine saw a step."""
        everyone = {machine: own.get(case, Evidence()) for machine, own in self.cases.items()}
        rows: list[schema.OnMachine] = []
        for machine, own in everyone.items():
            seen, measured = answer(ends, factor, own, everyone.values(), self.place)
            rows.append({"machine": machine, "answer": seen, "measured": self._span(measured) if measured else None})
        return rows

    def tables(self, find: benchmarks.Find) -> list[schema.ByMachine]:
        """Return a table for each of the newest commits or releases with a step and a ratio, newest first; none for a single
        machine."""
        if len(self.cases) < 2:
            return []
        steps = {end for own in self.cases.values() for evidence in own.values() for _, end in evidence.steps}
        newest = ((end, self._rows(end, find)) for end in sorted(steps, key=self.place, reverse=True))
        shown = itertools.islice(((end, rows) for end, rows in newest if rows), MOST)
        return [{"to": self.row(end), "machines": list(self.cases), "rows": rows} for end, rows in shown]

    def _rows(self, end: str, find: benchmarks.Find) -> list[schema.CaseByMachine]:
        """Return the cases that some machine measured, the largest change first."""
        rows: list[schema.CaseByMachine] = []
        for name in dict.fromkeys(name for own in self.cases.values() for name in own):
            case = benchmarks.find_case(name, find)
            cells = [self._cell(own.get(name, Evidence()), end) for own in self.cases.values()]
            if not all(isinstance(cell, str) for cell in cells):
                rows.append({**case.row(), "unit": "seconds", "kernel": case.benchmark.kernel, "cells": cells})
        return sorted(rows, key=lambda row: _largest(row["cells"]), reverse=True)

    def _cell(self, own: Evidence, end: str) -> schema.Span | str:
        measured = own.since(end, self.place)
        return self._span(measured) if measured else own.reasons.get(end, NOT_MEASURED)

    def _span(self, measured: SpanLevel) -> schema.Span:
        (base, end), level = measured
        numbers = {"factor": level.ratio, "low": level.low, "high": level.high}
        shown = {name: rounded(value) for name, value in numbers.items()}
        return {"from": self.label(base), "to": self.label(end), **shown}  # type: ignore[typeddict-item]


def _largest(cells: Iterable[schema.Span | str]) -> float:
    """Return the largest logarithm of a ratio whose interval excludes 1; 0.0 without any."""
    spans = [cell for cell in cells if not isinstance(cell, str)]
    apart = [abs(math.log(span["factor"])) for span in spans if span["low"] > 1 or span["high"] < 1]
    return max(apart, default=0.0)
