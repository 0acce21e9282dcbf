"""A machine's curves over commits: each commit's ratio to an anchor, along the chain of anchors.

The first anchor has ratio 1. An anchor that replaced it has the ratio of its own duet against it, and so on. A curve has the
commits of one such chain, because a ratio across two chains would compare seconds of different hours.
"""

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from history.store.duets import ANCHOR, DuetLine, ExactLine, Ratio

Line = DuetLine | ExactLine


@dataclass(frozen=True)
class Level:
    """A ratio to the first anchor. ``below`` and ``above``: how far its interval reaches, as logarithms."""

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


@dataclass
class Curve:
    """A benchmark case's duets against anchors. ``duets``: the last one of each commit. ``anchors``: every base so far."""

    duets: dict[str, tuple[DuetLine, Ratio]] = field(default_factory=dict)
    anchors: set[str] = field(default_factory=set)

    def add(self, line: DuetLine, ratio: Ratio) -> None:
        """Take a duet in the order of time. It replaces an earlier one, unless the commit is an anchor already."""
        commit, base = line["commit"], line["base"]
        known = self.duets.get(commit)
        self.anchors.add(base)
        if commit not in self.anchors or (known and known[0]["base"] == base):
            self.duets[commit] = line, ratio

    def chain(self, commit: str) -> tuple[str, Level]:
        """Return the first anchor of the commit's chain, and the commit's level against it."""
        level = Level()
        while commit in self.duets:
            line, ratio = self.duets[commit]
            own = Level(ratio["ratio"], math.log(ratio["ratio"] / ratio["low"]), math.log(ratio["high"] / ratio["ratio"]))
            level, commit = level.times(own), line["base"]
        return commit, level

    @property
    def anchor(self) -> str:
        """The first anchor of the chain that the newest duet belongs to."""
        return self.chain(max(self.duets, key=lambda commit: self.duets[commit][0]["at"]))[0]

    def seconds(self) -> float:
        """Return the anchor's time: the median over all duets against it."""
        anchor = self.anchor
        return statistics.median(ratio["base"] for line, ratio in self.duets.values() if line["base"] == anchor)

    def levels(self) -> dict[str, tuple[Level, DuetLine, Ratio | None]]:
        """Return the level and the duet of each commit of the anchor's chain; for the anchor, the newest line against it."""
        anchor, chains = self.anchor, {commit: self.chain(commit) for commit in self.duets}
        own = {commit: (level, *self.duets[commit]) for commit, (first, level) in chains.items() if first == anchor}
        against = [line for line, _ in self.duets.values() if line["base"] == anchor]
        return {anchor: (Level(), max(against, key=lambda line: line["at"]), None), **own}


def curves(lines: Iterable[Line]) -> Mapping[str, Curve]:
    """Return the curve of each benchmark case. ``lines``: a machine's, oldest first."""
    known: dict[str, Curve] = {}
    for line in lines:
        if line["said"] == "duet" and line["role"] == ANCHOR:
            for case, ratio in line["cells"].items():
                known.setdefault(case, Curve()).add(line, ratio)
    return {case: curve for case, curve in known.items() if curve.duets}


def gaps(lines: Iterable[Line]) -> dict[tuple[str, str], str]:
    """Return why a commit has no figure of a case, by case and commit. ``lines``: a machine's, oldest first."""
    reasons: dict[tuple[str, str], str] = {}
    measured: set[tuple[str, str]] = set()
    for line in lines:
        if line["said"] == "exact" or line["role"] == ANCHOR:
            reasons |= {(case, line["commit"]): reason for case, reason in line["empty"].items()}
            measured |= {(case, line["commit"]) for case in line["cells"]}
    return {key: reason for key, reason in reasons.items() if key not in measured}
