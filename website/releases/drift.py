"""The machine's own drift: what the reference release took at the time of a point, over what it took in general."""

import datetime
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LIVES = {"warm": ".Warm.", "cold": ".Cold."}  # each drifts in its own way; by the class that a cell's name holds
OF_GROUP = {"warm": "warm", "cold": "cold", "stages": "cold"}  # which of them is divided out of a figure of this group


@dataclass(frozen=True)
class Turn:
    """The reference release measured once. ``at``: seconds since 1970, the middle of it. ``ratios``: by life, over the
    median of all turns, the median of its cells."""

    at: float
    told: str
    ratios: Mapping[str, float]


@dataclass
class Drift:
    """Of one compiler's ladder on one machine. ``reference``: the release; "" where nothing was measured again."""

    reference: str = ""
    turns: list[Turn] = field(default_factory=list)

    def at(self, began: str, ended: str) -> dict[str, float | None]:
        """By life, what the reference took at that time over its median: between two turns in proportion to the time, before
        the first and after the last as in that one. None where there is none."""
        moment = middle(began, ended)
        return {life: self._at(life, moment) for life in LIVES}

    def largest(self, life: str) -> float | None:
        """The largest distance of a turn's ratio from 1; None without turns."""
        distances = [abs(turn.ratios[life] - 1) for turn in self.turns if life in turn.ratios]
        return max(distances, default=None)

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
    """Of the lines of ``drift.jsonl``, those of one compiler; of several reference releases, that of the last line."""
    own = [line for line in lines if line["compiler"] == compiler and line["cells"]]
    if not own:
        return Drift()
    reference = str(own[-1].get("release", ""))
    own = [line for line in own if str(line.get("release", "")) == reference]
    values = [{cell: _value(figure) for cell, figure in line["cells"].items()} for line in own]
    medians = {
        cell: statistics.median(value for row in values if (value := row.get(cell)))
        for cell in {cell for row in values for cell, value in row.items() if value}
    }
    turns = []
    for line, row in zip(own, values, strict=True):
        at = middle(str(line.get("began") or line["at"]), str(line["at"]))
        if at is not None:
            turns.append(Turn(at, str(line["at"]), dict(_ratios(row, medians))))
    return Drift(reference, sorted(turns, key=lambda turn: turn.at))


def _ratios(row: Mapping[str, float | None], medians: Mapping[str, float]) -> Iterable[tuple[str, float]]:
    for life, word in LIVES.items():
        ratios = [value / medians[cell] for cell, value in row.items() if value and word in cell]
        if ratios:  # what moves one cell and not the others is its process, and not the machine
            yield life, statistics.median(ratios)


def over_median(values: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Of the reference kernel, whose cells each environment has: by environment, their geometric mean over the medians."""
    medians = {
        cell: statistics.median(row[cell] for row in values if cell in row)
        for cell in {cell for row in values for cell in row}
    }
    return [
        statistics.geometric_mean([value / medians[cell] for cell, value in row.items()]) if row else None for row in values
    ]


def middle(began: str, ended: str) -> float | None:
    """Seconds since 1970, between two ISO times; None where one is none."""
    try:
        times = [datetime.datetime.fromisoformat(text).timestamp() for text in (began, ended)]
    except ValueError:
        return None
    return sum(times) / 2


def _value(figure: Any) -> float | None:
    value = figure.get("value") if isinstance(figure, Mapping) else None
    return float(value) if isinstance(value, int | float) and 0 < value < math.inf else None
