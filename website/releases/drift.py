"""The machine's drift: the reference release's time when a point was measured, over the median of all its times."""

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
from website.read.commits import as_seconds
from website.schema import releases as schema

LIVES = {"warm": ".Warm.", "cold": ".Cold."}  # each life has its own drift; its benchmarks' class, as in case names
OF_GROUP = {"warm": "warm", "cold": "cold", "stages": "cold"}  # by group: its figures are divided by this life's drift


class Value(TypedDict):
    value: float


class Line(TypedDict):
    """A line whose ``said`` is "reference": the figures of a compiler's reference release, by benchmark case."""

    compiler: str
    release: str
    began: str
    at: str
    cells: dict[str, Value]


@dataclass(frozen=True)
class Turn:
    """One measurement of the reference release.

    ``at``: its middle in seconds since 1970. ``time``: its end, as stored. ``ratios``: by life. Each case's time is divided
    by the case's median of all turns; the ratio is the median of the life's cases.
    """

    at: float
    time: str
    ratios: Mapping[str, float]


@dataclass
class Drift:
    """The drift of one compiler's ladder on one machine. ``reference``: "" if no release was measured repeatedly."""

    reference: str = ""
    turns: list[Turn] = field(default_factory=list)

    def at(self, start: str, end: str) -> schema.Drift:
        """Return each life's drift midway between two times, interpolated or from the nearest turn; None without turns."""
        moment = middle(start, end)
        return {"warm": self._at("warm", moment), "cold": self._at("cold", moment)}

    def largest(self, life: str) -> float | None:
        """Return the largest distance of a turn's ratio from 1; None without turns."""
        return max((abs(turn.ratios[life] - 1) for turn in self.turns if life in turn.ratios), default=None)

    def _at(self, life: str, moment: float | None) -> float | None:
        known = [(turn.at, math.log(turn.ratios[life])) for turn in self.turns if life in turn.ratios]
        if not known or moment is None:
            return None
        for (before, low), (after, high) in itertools.pairwise([known[0], *known]):  # the first pair: before all turns
            if moment <= after:
                return math.exp(low + (high - low) * (moment - before) / ((after - before) or 1.0))
        return math.exp(known[-1][1])


def read(places: Sequence[Path], unread: list[Unread]) -> dict[str, list[Line]]:
    """Return the lines of ``drift.jsonl`` by their machine's directory, oldest first. ``unread`` gets any other line."""
    known: dict[str, list[Line]] = {}
    for name in sorted({path.parent.name for place in places for path in place.rglob(DRIFT)}):
        file = f"{glob.escape(name)}/{DRIFT}"
        own = stored.read(places, file, "make releases", lambda line: stored.check(line, {"reference": Line}), unread)
        known[name] = sorted(own, key=lambda line: line["at"])
    return known


def drift(lines: Iterable[Line], compiler: str) -> Drift:
    """Return a compiler's drift. lines: oldest first. If their references differ, the last line's counts."""
    own = [line for line in lines if line["compiler"] == compiler and line["cells"]]
    reference = own[-1]["release"] if own else ""
    own = [line for line in own if line["release"] == reference]
    values = [{case: one["value"] for case, one in line["cells"].items() if 0 < one["value"] < math.inf} for line in own]
    ratios = _over_median(values)
    times = [(middle(line["began"], line["at"]), line["at"]) for line in own]
    turns = [Turn(at, time, _lives(row)) for (at, time), row in zip(times, ratios, strict=True) if at is not None]
    return Drift(reference, sorted(turns, key=lambda turn: turn.at))


def over_median(values: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Divide values by their case's median, and return the geometric mean of each environment; None without values."""
    return [statistics.geometric_mean(row.values()) if row else None for row in _over_median(values)]


def _over_median(values: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    cases = {case for row in values for case in row}
    medians = {case: statistics.median(row[case] for row in values if case in row) for case in cases}
    return [{case: value / medians[case] for case, value in row.items()} for row in values]


def _lives(ratios: Mapping[str, float]) -> dict[str, float]:
    """Return the median of each life's cases, because a change of one case alone is its process's, not the machine's."""
    lives = {life: [ratio for case, ratio in ratios.items() if word in case] for life, word in LIVES.items()}
    return {life: statistics.median(values) for life, values in lives.items() if values}


def middle(start: str, end: str) -> float | None:
    """Return the middle between two ISO times in seconds since 1970; None if one is not a time."""
    first, last = as_seconds(start), as_seconds(end)
    return None if first is None or last is None else (first + last) / 2
