"""The lines of ``duets.jsonl`` in a machine's directory, which ``make history`` writes, and their reader.

A duet's ratio is seconds of ``commit`` over seconds of ``base``. With the role ANCHOR, ``base`` is the machine's anchor, and
``commit`` is a point of a curve or the next anchor. With the role STEP, both are measured commits with none between them,
and the line confirms or refutes a step.
"""

from pathlib import Path
from typing import Literal, NotRequired

from history.store.lines import AnyRatio, Conditions, NotNegative, Positive, check, read
from history.store.results import Unread

FILE = "duets.jsonl"
ANCHOR, STEP = "anchor", "step"  # roles of a duet
STEP_FACTOR = 1.05  # asv's own threshold, either way: a smaller step is neither looked for nor listed


class Ratio(AnyRatio):
    """``commit``: its median in seconds."""

    commit: Positive


class Line(Conditions):
    """What both kinds of line have. Commits are whole hashes; ``suite``: that of the benchmarks. ``empty``: reasons by
    benchmark case."""

    schema: int
    suite: str
    commit: str
    at: str
    empty: dict[str, str]


class DuetLine(Line):
    """A duet of two commits, by benchmark case. An anchor is measured with itself too, which shows the noise.

    ``is_anchor``: the commit is the anchor from here on. ``base_requirements``: of the base's environment, if it is another.
    """

    said: Literal["duet"]
    role: Literal["anchor", "step"]
    base: str
    base_requirements: NotRequired[dict[str, str]]
    is_anchor: NotRequired[bool]
    began: str
    cells: dict[str, Ratio]


class ExactLine(Line):
    """Exact figures of a commit, by benchmark case."""

    said: Literal["exact"]
    cells: dict[str, NotNegative]


KINDS: dict[str, type[DuetLine | ExactLine]] = {"duet": DuetLine, "exact": ExactLine}  # by ``said``


def lines(results: Path, unread: list[Unread]) -> list[DuetLine | ExactLine]:
    """Return the lines of all machines below a directory, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(read(results, FILE, "make history", lambda line: check(line, KINDS), unread), key=lambda line: line["at"])


def is_step(ratio: float, low: float, high: float, factor: float = STEP_FACTOR) -> bool:
    """True if a ratio is the factor or more, either way, and its interval does not hold 1."""
    return not low <= 1 <= high and not 1 / factor < ratio < factor
