"""A machine's curves over commits: each commit's ratio to an anchor, along the chain of anchors.

The first anchor has ratio 1. Each later anchor is measured against the one before it, and the ratios are multiplied. A curve
has the commits of one such chain, because a ratio across two chains would compare seconds of different hours.
"""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from history.store.duets import ANCHOR, DuetLine, ExactLine, Ratio
from website.across.evidence import Level, level_of

Line = DuetLine | ExactLine
Duet = tuple[DuetLine, Ratio]
Side = tuple[str, str]  # a commit and its environment's requirements: with new pins a commit is another anchor


@dataclass
class Curve:
    """A benchmark case's duets with anchors. ``duets``: the last one of each commit. ``itself``: an anchor's duet with
    itself, which has level 1 and the noise as its interval. ``anchors``: every base so far."""

    duets: dict[Side, Duet] = field(default_factory=dict)
    itself: dict[Side, Duet] = field(default_factory=dict)
    anchors: set[Side] = field(default_factory=set)

    def add(self, line: DuetLine, ratio: Ratio) -> None:
        """Add a duet, in the order of time. It replaces the commit's last one; an anchor's only if the base is the same."""
        base, commit = sides(line)
        self.anchors.add(base)
        known = self.duets.get(commit)
        if commit == base:
            self.itself[commit] = line, ratio
        elif commit not in self.anchors or (known and sides(known[0])[0] == base):
            self.duets[commit] = line, ratio

    def _chain(self, side: Side) -> tuple[Side, Level]:
        level = Level()
        while side in self.duets:
            line, ratio = self.duets[side]
            level, side = level.times(level_of(ratio)), sides(line)[0]
        return side, level

    @property
    def anchor(self) -> str:
        """The first anchor of the chain that the newest duet belongs to."""
        return self._anchor[0]

    @property
    def _anchor(self) -> Side:
        known = self.duets or self.itself
        return self._chain(max(known, key=lambda side: known[side][0]["at"]))[0]

    def seconds(self) -> float:
        """Return the anchor's time: the median of all duets with it."""
        anchor, known = self._anchor, [*self.duets.values(), *self.itself.values()]
        return statistics.median(ratio["base"] for line, ratio in known if sides(line)[0] == anchor)

    def levels(self) -> dict[str, tuple[Level, DuetLine, Ratio | None]]:
        """Return the level and the duet of each commit in the anchor's chain. The anchor has its duet with itself, or else
        the newest duet against it."""
        anchor = self._anchor
        chains = {side: self._chain(side) for side in self.duets}
        own = {side[0]: (level, *self.duets[side]) for side, (first, level) in chains.items() if first == anchor}
        if anchor in self.itself:
            line, ratio = self.itself[anchor]
            noise = level_of(ratio)
            return {anchor[0]: (Level(1.0, noise.below, noise.above), line, ratio), **own}
        against = [line for line, _ in self.duets.values() if sides(line)[0] == anchor]
        return {anchor[0]: (Level(), max(against, key=lambda line: line["at"]), None), **own}


def sides(line: DuetLine) -> tuple[Side, Side]:
    """Return the base and the commit of a duet, each with its environment."""
    environment = json.dumps(line["requirements"], sort_keys=True)
    before = json.dumps(line.get("base_requirements", line["requirements"]), sort_keys=True)
    return (line["base"], before), (line["commit"], environment)


def curves(lines: Iterable[Line]) -> Mapping[str, Curve]:
    """Return the curve of each benchmark case. ``lines``: a machine's, oldest first."""
    known: dict[str, Curve] = {}
    for line in lines:
        if line["said"] == "duet" and line["role"] == ANCHOR:
            for case, ratio in line["cells"].items():
                known.setdefault(case, Curve()).add(line, ratio)
    return known


def gaps(lines: Iterable[Line]) -> dict[tuple[str, str], str]:
    """Return why a commit has no figure of a case, by case and commit. ``lines``: a machine's, oldest first."""
    reasons: dict[tuple[str, str], str] = {}
    measured: set[tuple[str, str]] = set()
    for line in lines:
        if line["said"] == "exact" or line["role"] == ANCHOR:
            reasons |= {(case, line["commit"]): reason for case, reason in line["empty"].items()}
            measured |= {(case, line["commit"]) for case in line["cells"]}
    return {key: reason for key, reason in reasons.items() if key not in measured}
