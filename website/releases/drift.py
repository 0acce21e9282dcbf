"""The machine's drift: the time of the reference release when a point was measured, over the median of its times."""

import glob
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from history.store import lines as stored
from history.store.records import DRIFT
from history.store.results import Unread
from website.read.commits import moment
from website.schema import releases as schema

LIVES = {"warm": ".Warm.", "cold": ".Cold."}  # each has a drift of its own; the class in its cases' names
OF_GROUP = {"warm": "warm", "cold": "cold", "stages": "cold"}  # the life whose drift a figure of this group is divided by


class Value(TypedDict):
    value: float


class Line(TypedDict):
    """``said``: reference. The figures of a compiler's reference release, by benchmark case."""

    compiler: str
    release: str
    began: str
    at: str
    cells: dict[str, Value]


@dataclass(frozen=True)
class Turn:
    """One measurement of the reference release.

    ``at``: seconds since 1970, its middle. ``time``: its end, as the line has it. ``ratios``: by life, the median over its
    cases of time over the case's median in all turns.
    """

    at: float
    time: str
    ratios: Mapping[str, float]


@dataclass
class Drift:
    """The drift of one compiler's ladder on one machine; ``reference`` is "" where no release was measured again."""

    reference: str = ""
    turns: list[Turn] = field(default_factory=list)

    def at(self, start: str, end: str) -> schema.Drift:
        """Return each life's drift at a time, interpolated between two turns or from the nearest one; None without turns."""
        moment = middle(start, end)
        return {"warm": self._at("warm", moment), "cold": self._at("cold", moment)}

    def largest(self, life: str) -> float | None:
        """Return the largest distance of a turn's ratio from 1; None without turns."""
        return max((abs(turn.ratios[life] - 1) for turn in self.turns if life in turn.ratios), default=None)

    def _at(self, life: str, moment: float | None) -> float | None:
        known = [(turn.at, math.log(turn.ratios[life])) for turn in self.turns if life in turn.ratios]
        if not known or moment is None:
            return None
        if moment <= known[0][0]:
            return math.exp(known[0][1])
        for (before, low), (after, high) in itertools.pairwise(known):
            if moment <= after:
                return math.exp(low + (high - low) * (moment - before) / ((after - before) or 1.0))
        return math.exp(known[-1][1])


def read(results: Path, unread: list[Unread]) -> dict[str, list[Line]]:
    """Return the lines of ``drift.jsonl`` by their machine's directory, oldest first. ``unread`` gets any other line."""
    names = sorted({path.parent.name for path in results.rglob(DRIFT)})
    known = {name: stored.read(results, f"{glob.escape(name)}/{DRIFT}", "make releases", _line, unread) for name in names}
    return {name: sorted(own, key=lambda line: line["at"]) for name, own in known.items()}


def _line(line: stored.Row) -> Line:
    return stored.check(line, {"reference": Line})


def drift(lines: Iterable[Line], compiler: str) -> Drift:
    """Return a compiler's drift. lines: oldest first; where references differ, that of the last line counts."""
    own = [line for line in lines if line["compiler"] == compiler and line["cells"]]
    reference = own[-1]["release"] if own else ""
    own = [line for line in own if line["release"] == reference]
    values = [{case: one["value"] for case, one in line["cells"].items() if 0 < one["value"] < math.inf} for line in own]
    ratios = _over_median(values)
    times = [(middle(line["began"], line["at"]), line["at"]) for line in own]
    turns = [Turn(at, time, _lives(row)) for (at, time), row in zip(times, ratios, strict=True) if at is not None]
    return Drift(reference, sorted(turns, key=lambda turn: turn.at))


def over_median(values: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Return for each environment the geometric mean over its cases of the value over the case's median."""
    return [statistics.geometric_mean(row.values()) if row else None for row in _over_median(values)]


def _over_median(values: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    cases = {case for row in values for case in row}
    medians = {case: statistics.median(row[case] for row in values if case in row) for case in cases}
    return [{case: value / medians[case] for case, value in row.items()} for row in values]


def _lives(ratios: Mapping[str, float]) -> dict[str, float]:
    """Return each life's median over its cases: what moves one case alone is its process, not the machine."""
    lives = {life: [ratio for case, ratio in ratios.items() if word in case] for life, word in LIVES.items()}
    return {life: statistics.median(values) for life, values in lives.items() if values}


def middle(start: str, end: str) -> float | None:
    """Return seconds since 1970 between two ISO times; None where one is no time."""
    first, last = moment(start), moment(end)
    return None if first is None or last is None else (first + last) / 2
