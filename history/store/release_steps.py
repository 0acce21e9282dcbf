"""The lines of ``release_steps.jsonl`` in a machine's directory, which ``make release-parts`` writes, and their reader.

They explain the steps that duets of releases show: which part of the environment carries a step (``part``), and how the
compiler's output differs (``artifacts``). ``base`` and ``release`` are the step's two releases.
"""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from history.store.lines import Line, Places, check, read
from history.store.release_duets import ReleaseRatio
from history.store.results import Unread

FILE = "release_steps.jsonl"
BOTH = Meta(min_length=2, max_length=2)  # of a list: before and after


class StepLine(Line):
    """What both kinds of line have. ``suite``: the library's commit too."""

    compiler: str
    base: str
    release: str
    began: str


class PartLine(StepLine):
    """A duet of two environments that differ in one part, by benchmark case: seconds with the part over those without it.

    ``part``: a package, whose version in ``requirements`` is the release's and in ``base_requirements`` the base's; or what
    ``variables`` turn off on the base's side alone, where both sides are the release. ``reason``: why nothing was measured,
    or None.
    """

    said: Literal["part"]
    part: str
    variables: dict[str, str]
    base_requirements: dict[str, str]
    reason: str | None
    cells: dict[str, ReleaseRatio]


class Difference(TypedDict):
    """How what a compiler made of a case differs between two releases.

    ``counts``: [before, after] by name, null where a release has no such count. ``stages``: how many lines only one of the
    two texts has, by stage, [before, after]. ``stage``: the first stage that differs in more than a few lines, else the
    first that differs, or None. ``text``: the beginning of its unified diff; ``left_out``: how many more characters there
    are.
    """

    counts: dict[str, Annotated[list[int | None], BOTH]]
    stages: dict[str, Annotated[list[int], BOTH]]
    stage: str | None
    text: str
    left_out: int


class ArtifactsLine(StepLine):
    said: Literal["artifacts"]
    cells: dict[str, Difference]


KINDS: dict[str, type[PartLine | ArtifactsLine]] = {"part": PartLine, "artifacts": ArtifactsLine}  # by ``said``


def lines(results: Places, unread: list[Unread]) -> list[PartLine | ArtifactsLine]:
    """Return the lines of all machines below directories, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(
        read(results, FILE, "make release-parts", lambda line: check(line, KINDS), unread), key=lambda line: line["at"]
    )
