"""The lines of releases in a machine's directory, and their readers.

``release_duets.jsonl``, which ``make releases`` writes: a duet's ratio is seconds of ``release`` over those of ``base``, an
older release, by one library and suite.

``release_steps.jsonl``, which ``make release-parts`` writes, explains steps of these duets: which part of the environment
carries a step (``part``), and how the compiler's output differs (``artifacts``).
"""

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta
from packaging.version import Version

from duet.statistics import estimate
from history.store.lines import AnyRatio, Line, Places, Positive, Row, check, found_cold_caches, read
from history.store.results import Unread

DUETS, STEPS = "release_duets.jsonl", "release_steps.jsonl"
BOTH = Meta(min_length=2, max_length=2)  # a list of before and after
BETWEEN_DAYS = math.log(1.04)
"""How far the 95 % interval of a ratio reaches, as a logarithm, for what differs between days (docs/releases.md). This is
beside what differs between pairs of processes, and does not grow along a chain: it is a property of the two ends."""


class ReleaseRatio(AnyRatio):
    """``release``: its median in seconds. ``afresh``: True if each process compiled for itself, because the case had
    failed with programs from the compiler's cache."""

    release: Positive
    afresh: NotRequired[bool]


class PairLine(Line):
    """The keys of lines on two releases. ``suite`` is the library's commit too."""

    compiler: str
    base: str
    release: str
    began: str


class ReleaseDuetLine(PairLine):
    """A duet of two releases of a compiler, by benchmark case.

    ``requirements``, ``base_requirements``: of both environments. ``published``, ``base_published``: days.
    """

    said: Literal["duet"]
    package: str
    base_published: str
    base_requirements: dict[str, str]
    published: str
    cells: dict[str, ReleaseRatio]


class End(TypedDict):
    """One of the two releases of a duet."""

    release: str
    published: str
    requirements: dict[str, str]


class PartLine(PairLine):
    """A duet of two environments that differ in one part, by benchmark case: seconds with the part over those without it.

    ``part`` is a package or a file in one ("numba/_helperlib"), with the release's version in ``requirements`` and the
    base's in ``base_requirements``. Or both sides are the release, and ``variables`` turn the part off on the base's side.
    ``reason``: why nothing was measured, or None.
    """

    said: Literal["part"]
    part: str
    variables: dict[str, str]
    base_requirements: dict[str, str]
    reason: str | None
    cells: dict[str, ReleaseRatio]


class Difference(TypedDict):
    """How a compiler's output for a case differs between two releases.

    ``counts``: [before, after] by name, null if a release has no such count. ``stages``: [before, after] by stage: the lines
    that only this text has. ``stage``: the first stage that differs in more than a few lines, else the first that differs,
    or None. ``text``: the beginning of its unified diff. ``left_out``: how many characters of the diff are left out.
    """

    counts: dict[str, Annotated[list[int | None], BOTH]]
    stages: dict[str, Annotated[list[int], BOTH]]
    stage: str | None
    text: str
    left_out: int


class ArtifactsLine(PairLine):
    said: Literal["artifacts"]
    cells: dict[str, Difference]


KINDS: dict[str, type[PartLine | ArtifactsLine]] = {"part": PartLine, "artifacts": ArtifactsLine}  # by ``said``


def ends(line: ReleaseDuetLine) -> tuple[End, End]:
    """Return the older and the newer release."""
    base: End = {"release": line["base"], "published": line["base_published"], "requirements": line["base_requirements"]}
    return base, {"release": line["release"], "published": line["published"], "requirements": line["requirements"]}


def exchangeable(before: Mapping[str, str], after: Mapping[str, str], files: Iterable[str]) -> list[str]:
    """Return what can be exchanged between two environments to explain a step: packages if several differ, and files in
    packages that differ. before, after: versions by package."""
    differing = [name for name in before if before[name] != after.get(name)]
    return [*(differing if len(differing) > 1 else []), *(file for file in files if package_of(file) in differing)]


def package_of(part: str) -> str:
    """Return the package of a part, which is a package itself or a file in one: "numba/_helperlib"."""
    return part.partition("/")[0]


@dataclass
class Link:
    """The duets of two releases that have a ratio of one benchmark case, oldest first."""

    case: str
    lines: list[ReleaseDuetLine] = field(default_factory=list)

    @property
    def line(self) -> ReleaseDuetLine:
        """The last duet."""
        return self.lines[-1]

    @property
    def ends(self) -> tuple[str, str]:
        """The older and the newer release."""
        return self.line["base"], self.line["release"]

    @property
    def counting(self) -> list[ReleaseDuetLine]:
        """The duets by the last one's suite, with caches as warm or cold as the last one's."""
        return [line for line in self.lines if _kind(line) == _kind(self.line)]

    @functools.cached_property
    def same_day_ratio(self) -> ReleaseRatio:
        """The ratio of the duets that count: their pairs of processes count together. Its interval has only what differs
        between pairs. Seconds are the last duet's."""
        cells = [line["cells"][self.case] for line in self.counting]
        if len(cells) == 1:
            return cells[0]
        ratios = [ratio for cell in cells for ratio in cell["ratios"]]
        ratio, low, high = estimate(ratios)
        return {**cells[-1], "ratios": ratios, "ratio": ratio, "low": low, "high": high}

    @functools.cached_property
    def ratio(self) -> ReleaseRatio:
        """``same_day_ratio`` with the interval for another day."""
        return another_day(self.same_day_ratio)


def another_day(measured: ReleaseRatio) -> ReleaseRatio:
    """Return the ratio with the interval for another day."""
    ratio, low, high = (measured[end] for end in ("ratio", "low", "high"))
    below, above = (math.exp(math.hypot(math.log(ratio / end), BETWEEN_DAYS)) for end in (low, high))
    return {**measured, "low": ratio / below, "high": ratio * above}


def _kind(line: ReleaseDuetLine) -> tuple[str, bool]:
    return line["suite"], found_cold_caches(line["began"])


def links(lines: Iterable[ReleaseDuetLine]) -> dict[str, dict[tuple[str, str], Link]]:
    """Return the links of each benchmark case by their releases. lines: of one compiler on one machine, oldest first."""
    by_case: dict[str, dict[tuple[str, str], Link]] = {}
    for line in lines:
        for case in line["cells"]:
            by_case.setdefault(case, {}).setdefault((line["base"], line["release"]), Link(case)).lines.append(line)
    return by_case


def neighbours(links: Iterable[Link]) -> dict[str, Link]:
    """Return each release's link with the nearest older one, of the links of one benchmark case."""
    return {link.line["release"]: link for link in sorted(links, key=lambda link: Version(link.line["base"]))}


def duets(results: Places, unread: list[Unread]) -> list[ReleaseDuetLine]:
    """Return the lines of all machines below directories, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(read(results, DUETS, "make releases", _line, unread), key=lambda line: line["at"])


def _line(line: Row) -> ReleaseDuetLine:
    """Return the line as its type. Raises ValueError for an invalid line."""
    duet = check(line, {"duet": ReleaseDuetLine})
    if not Version(duet["base"]) < Version(duet["release"]):
        raise ValueError(f"{duet['base']!r:.20} is no older release than {duet['release']!r:.20}")
    return duet


def steps(results: Places, unread: list[Unread]) -> list[PartLine | ArtifactsLine]:
    """Return the lines of all machines below directories, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(
        read(results, STEPS, "make release-parts", lambda line: check(line, KINDS), unread), key=lambda line: line["at"]
    )
