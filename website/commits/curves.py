"""A machine's curves over commits: each commit's ratio to an anchor, along the chain of anchors.

The first anchor has ratio 1. Each later anchor is measured against the one before it, and the ratios are multiplied. A curve
has the commits of one such chain, because a ratio across two chains would compare seconds of different hours.
"""

import functools
import json
import statistics
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from history.store.duets import ANCHOR, CommitLine, DuetLine, Ratio
from website.across.machines import Level, level_of

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

    def _path(self, side: Side) -> list[Side]:
        """Return a side, its anchor, the anchor of that one, and so on."""
        path = [side]
        while path[-1] in self.duets:
            path.append(sides(self.duets[path[-1]][0])[0])
        return path

    @property
    def anchor(self) -> str:
        """The first anchor of the chain that the newest duet belongs to."""
        return self._anchor[0]

    @property
    def _anchor(self) -> Side:
        known = self.duets or self.itself
        return self._path(max(known, key=lambda side: known[side][0]["at"]))[-1]

    @functools.cached_property
    def paths(self) -> dict[str, list[Side]]:
        """The path to the anchor of each commit in its chain."""
        anchor, paths = self._anchor, map(self._path, self.duets)
        return {anchor[0]: [anchor], **{path[0][0]: path for path in paths if path[-1] == anchor}}

    def seconds(self) -> float:
        """Return the anchor's time: the median of all duets with it."""
        anchor, known = self._anchor, [*self.duets.values(), *self.itself.values()]
        return statistics.median(ratio["base"] for line, ratio in known if sides(line)[0] == anchor)

    def levels(self) -> dict[str, tuple[Level, DuetLine, Ratio | None]]:
        """Return the level and the duet of each commit in the anchor's chain. The anchor has its duet with itself, or else
        the newest duet against it."""
        return {commit: (self._level(path), *self._duet(path[0])) for commit, path in self.paths.items()}

    def between(self, base: str, commit: str) -> Level:
        """Return the ratio of the second commit to the first. Duets in the paths of both cancel out, with their errors."""
        paths = self.paths[base], self.paths[commit]
        shared = set(paths[0]) & set(paths[1])
        before, after = (self._level(path, shared) for path in paths)
        return after.over(before)

    def _level(self, path: Sequence[Side], left_out: Container[Side] = ()) -> Level:
        """Return the product of a path's duets. An anchor alone has the noise as its interval, unless the other path ends
        there too: then its duet with the anchor has that noise."""
        if len(path) == 1 and path[0] in self.itself and path[0] not in left_out:
            noise = level_of(self.itself[path[0]][1])
            return Level(1.0, noise.below, noise.above)
        level = Level()
        for side in path[:-1]:
            if side not in left_out:
                level = level.times(level_of(self.duets[side][1]))
        return level

    def _duet(self, side: Side) -> tuple[DuetLine, Ratio | None]:
        if known := self.duets.get(side) or self.itself.get(side):
            return known
        against = [line for line, _ in self.duets.values() if sides(line)[0] == side]
        return max(against, key=lambda line: line["at"]), None


def sides(line: DuetLine) -> tuple[Side, Side]:
    """Return the base and the commit of a duet, each with its environment."""
    environment = json.dumps(line["requirements"], sort_keys=True)
    before = json.dumps(line.get("base_requirements", line["requirements"]), sort_keys=True)
    return (line["base"], before), (line["commit"], environment)


def curves(lines: Iterable[CommitLine]) -> Mapping[str, Curve]:
    """Return the curve of each benchmark case. ``lines``: a machine's, oldest first."""
    known: dict[str, Curve] = {}
    for line in lines:
        if line["said"] == "duet" and line["role"] == ANCHOR:
            for case, ratio in line["cells"].items():
                known.setdefault(case, Curve()).add(line, ratio)
    return known


def gaps(lines: Iterable[CommitLine]) -> dict[tuple[str, str], str]:
    """Return why a commit has no figure of a case, by case and commit. ``lines``: a machine's, oldest first."""
    reasons: dict[tuple[str, str], str] = {}
    measured: set[tuple[str, str]] = set()
    for line in lines:
        if line["said"] == "exact" or line["role"] == ANCHOR:
            reasons |= {(case, line["commit"]): reason for case, reason in line["empty"].items()}
            measured |= {(case, line["commit"]) for case in line["cells"]}
    return {key: reason for key, reason in reasons.items() if key not in measured}
