"""The lines of releases in a machine's directory, and their readers.

``release_duets.jsonl``, which ``make releases`` writes: a duet's ratio is seconds of ``release`` over those of ``base``, an
older release, by one library and suite.

``release_steps.jsonl``, which ``make release-parts`` writes, explains steps of these duets: which part of the environment
carries a step (``part``), and how the compiler's output differs (``artifacts``).
"""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta
from packaging.version import Version

from history.store.lines import AnyRatio, Line, Places, Positive, Row, check, read
from history.store.results import Unread

DUETS, STEPS = "release_duets.jsonl", "release_steps.jsonl"
BOTH = Meta(min_length=2, max_length=2)  # a list of before and after


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

    ``part`` is a package, with the release's version in ``requirements`` and the base's in ``base_requirements``. Or both
    sides are the release, and ``variables`` turn the part off on the base's side. ``reason``: why nothing was measured, or
    None.
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


def links(lines: Iterable[ReleaseDuetLine]) -> dict[tuple[str, str], ReleaseDuetLine]:
    """Return the links of chains by case and release: the duet with the nearest older release, or the one of several
    that counts.

    lines: of one compiler on one machine, oldest first.
    """
    nearest: dict[tuple[str, str], ReleaseDuetLine] = {}
    for line in lines:
        base = Version(line["base"])
        for case, ratio in line["cells"].items():
            known = nearest.get((case, line["release"]))
            is_same = known is not None and known["base"] == line["base"]
            if not known or (counts(ratio, known["cells"][case]) if is_same else base > Version(known["base"])):
                nearest[case, line["release"]] = line
    return nearest


def counts(newer: AnyRatio, older: AnyRatio) -> bool:
    """True if the newer of two duets of the same releases counts, because its interval is not wider."""
    return newer["high"] / newer["low"] <= older["high"] / older["low"]


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
