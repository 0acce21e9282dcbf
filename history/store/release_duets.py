"""The lines of ``release_duets.jsonl`` in a machine's directory, which ``make releases`` writes, and their reader.

A duet's ratio is seconds of ``release`` over seconds of ``base``, an older release, by one library and suite.
"""

from collections.abc import Iterable
from typing import Literal, NotRequired, TypedDict

from packaging.version import Version

from history.store.lines import AnyRatio, Line, Places, Positive, Row, check, read
from history.store.results import Unread

FILE = "release_duets.jsonl"


class ReleaseRatio(AnyRatio):
    """``release``: its median in seconds. ``afresh``: True if each process compiled for itself, because the case failed with
    programs from the compiler's cache."""

    release: Positive
    afresh: NotRequired[bool]


class ReleaseDuetLine(Line):
    """A duet of two releases of a compiler, by benchmark case. ``suite``: the library's commit too.

    ``requirements``, ``base_requirements``: of both environments. ``published``, ``base_published``: days.
    """

    said: Literal["duet"]
    compiler: str
    package: str
    base: str
    base_published: str
    base_requirements: dict[str, str]
    release: str
    published: str
    began: str
    cells: dict[str, ReleaseRatio]


class End(TypedDict):
    """One of the two releases of a duet."""

    release: str
    published: str
    requirements: dict[str, str]


def ends(line: ReleaseDuetLine) -> tuple[End, End]:
    """Return the older and the newer release."""
    base: End = {"release": line["base"], "published": line["base_published"], "requirements": line["base_requirements"]}
    return base, {"release": line["release"], "published": line["published"], "requirements": line["requirements"]}


def links(lines: Iterable[ReleaseDuetLine]) -> dict[tuple[str, str], ReleaseDuetLine]:
    """Return the links of chains by case and release: the last line of its duet with the nearest older release.

    lines: of one compiler on one machine, oldest first.
    """
    nearest: dict[tuple[str, str], ReleaseDuetLine] = {}
    for line in lines:
        for case in line["cells"]:
            known = nearest.get((case, line["release"]))
            if not known or Version(known["base"]) <= Version(line["base"]):
                nearest[case, line["release"]] = line
    return nearest


def lines(results: Places, unread: list[Unread]) -> list[ReleaseDuetLine]:
    """Return the lines of all machines below directories, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(read(results, FILE, "make releases", _line, unread), key=lambda line: line["at"])


def _line(line: Row) -> ReleaseDuetLine:
    """Return a line; ValueError for one that is none."""
    duet = check(line, {"duet": ReleaseDuetLine})
    if not Version(duet["base"]) < Version(duet["release"]):
        raise ValueError(f"{duet['base']!r:.20} is no older release than {duet['release']!r:.20}")
    return duet
