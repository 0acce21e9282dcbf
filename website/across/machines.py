"""Whether each machine saw a step, and the tables of a commit or release by case and machine."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from history.store.lines import rounded
from website.across.evidence import Ends, Evidence, Place, SpanLevel, answer
from website.read import benchmarks
from website.schema import releases as schema

MOST = 8  # tables, the newest
NOT_MEASURED = "not measured"


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
