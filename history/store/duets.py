"""The lines of ``duets.jsonl`` in a machine's directory, which ``make history`` writes, and their reader.

A duet's ratio is seconds of ``commit`` over seconds of ``base``. With the role ANCHOR, ``base`` is the machine's anchor, and
``commit`` is a point of a curve or the next anchor. With the role STEP, both are measured commits with none between them,
and the line confirms or refutes a step.
"""

from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

from history.store.lines import Conditions, read
from history.store.results import Unread, number

FILE = "duets.jsonl"
SCHEMA = 1  # of a line
ANCHOR, STEP = "anchor", "step"  # roles of a duet
STEP_FACTOR = 1.05  # asv's own threshold, either way: a smaller step is neither looked for nor listed
NUMBERS = ("ratio", "low", "high", "base", "commit")  # of a benchmark case, beside the ratios


class Ratio(TypedDict):
    """The duet of one benchmark case: the ratio of each pair of processes, their median with its 95 % interval, and the
    medians of both sides in seconds."""

    ratios: list[float]
    ratio: float
    low: float
    high: float
    base: float
    commit: float


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
    cells: dict[str, float]


def lines(results: Path, unread: list[Unread]) -> list[DuetLine | ExactLine]:
    """Return the lines of all machines below a directory, oldest first. ``unread`` gets each line that cannot be read."""
    return sorted(read(results, FILE, "make history", _line, unread), key=lambda line: line["at"])


def _line(line: dict[str, Any]) -> DuetLine | ExactLine:
    """Return a line; ValueError, KeyError, TypeError or AttributeError for one that is none."""
    if line["schema"] != SCHEMA:
        raise ValueError(f"schema {line['schema']!r:.20}")
    is_duet = line["said"] == "duet"
    if not is_duet and line["said"] != "exact":
        raise ValueError(f"neither a duet nor exact figures: {line['said']!r:.20}")
    if is_duet and line["role"] not in (ANCHOR, STEP):
        raise ValueError(f"role {line['role']!r:.20}")
    texts = ("commit", "suite", "machine", "processor", "python", "at", *(("base", "began") if is_duet else ()))
    if wrong := [key for key in texts if not isinstance(line[key], str)]:
        raise TypeError(f"no text: {', '.join(wrong)}")
    for values in (line["requirements"], line["empty"]):
        if not all(isinstance(value, str) for value in values.values()):
            raise TypeError("no texts by name")
    for case, value in line["cells"].items():
        numbers = [*value["ratios"], *(value[key] for key in NUMBERS)] if is_duet else [value]
        if any(number(each) is None or not (each > 0 or (each == 0 and not is_duet)) for each in numbers):
            raise ValueError(f"a number that cannot have been measured: {case!r:.80}")
    return cast(DuetLine | ExactLine, line)
