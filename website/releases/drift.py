"""The machine's drift: the time of the reference release when a point was measured, over the median of its times."""

import datetime
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from website.schema import releases as schema

LIVES = {"warm": ".Warm.", "cold": ".Cold."}  # each has a drift of its own; the class in its cases' names
OF_GROUP = {"warm": "warm", "cold": "cold", "stages": "cold"}  # the life whose drift a figure of this group is divided by


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


def drift(lines: Iterable[Mapping[str, Any]], compiler: str) -> Drift:
    """Return a compiler's drift from the lines of ``drift.jsonl``; where references differ, that of the last line counts."""
    own = [line for line in lines if line["compiler"] == compiler and line["cells"]]
    reference = str(own[-1].get("release", "")) if own else ""
    own = [line for line in own if str(line.get("release", "")) == reference]
    values = [{case: value for case, figure in line["cells"].items() if (value := _value(figure))} for line in own]
    ratios = _over_median(values)
    times = [(middle(str(line.get("began") or line["at"]), str(line["at"])), str(line["at"])) for line in own]
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
    try:
        times = [datetime.datetime.fromisoformat(text).timestamp() for text in (start, end)]
    except ValueError:
        return None
    return sum(times) / 2


def _value(figure: Any) -> float | None:
    value = figure.get("value") if isinstance(figure, Mapping) else None
    return float(value) if isinstance(value, int | float) and 0 < value < math.inf else None
