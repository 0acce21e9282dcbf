"""``rankings.jsonl`` in a machine's directory: backends compared by the processes of one run.

A line has a kernel, a size and a number of threads. All lines of a run have the same ``machine`` and ``began``.
docs/site-data.md describes them.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, TypedDict

import msgspec

from history.store import lines
from history.store.results import Unread
from jitkernels.measure.ranking import FEWEST, places

FILE, KIND = "rankings.jsonl", "ranking"
Name = Annotated[str, msgspec.Meta(pattern=r"\A[^\W\d]\w*\Z")]  # of a kernel
Hash = Annotated[str, msgspec.Meta(pattern=r"\A[^\W_]+\Z")]  # of a commit, whole or its first digits


class Roof(TypedDict):
    """The roof of a call (jitkernels.measure.roof)."""

    by: Literal["flop", "bytes"]
    seconds: lines.Positive
    flop: lines.Positive
    bytes: lines.Positive
    flop_per_second: lines.Positive
    bytes_per_second: lines.Positive


class Cell(TypedDict):
    """A backend: the median sample of each of its processes, the threads that it may use, whether its calls had settled,
    and the roof of a call on that many threads."""

    seconds: Annotated[list[lines.Positive], msgspec.Meta(min_length=1)]
    threads: int | None
    settled: bool | None
    roof: NotRequired[Roof]


class Line(lines.Conditions):
    """``said``: ranking. ``threads``: None for each backend's own number. ``empty``: reasons by backend. ``command``:
    repeats it; without it, ``make ranking KERNEL=kernel`` does."""

    commit: Hash
    began: str
    at: str
    kernel: Name
    size: int
    threads: int | None
    cells: dict[str, Cell]
    empty: dict[str, str]
    command: NotRequired[str]


Key = tuple[str, str, int, int | None]  # machine, kernel, size, threads


def can_rank(line: Line) -> bool:
    """True if at least one backend has enough processes to be told apart from another."""
    return any(len(cell["seconds"]) >= FEWEST for cell in line["cells"].values())


def newest(ranked: Iterable[Line]) -> dict[Key, Line]:
    """Return the newest line by machine, kernel, size and threads. One with too few processes to rank counts only where no
    other one is, and one with ``command``, by another Python's packages, only where there is none with the pinned ones."""
    timed = (line for line in ranked if line["cells"])
    ordered = sorted(timed, key=lambda line: (can_rank(line), "command" not in line, line["began"]))
    return {(line["machine"], line["kernel"], line["size"], line["threads"]): line for line in ordered}


def in_words(line: Line) -> str:
    """Return a line's ranking in one line of text."""
    ranked = places({backend: cell["seconds"] for backend, cell in line["cells"].items()})
    words = (f"{'=' if place.tied else place.rank} {place.backend} {place.seconds * 1e3:.4g}" for place in ranked)
    threads = ", one thread" if line["threads"] else ""
    return f"{line['kernel']} at {line['size']:,}{threads}, ms: {', '.join(words)}"


def read(results: lines.Places, unread: list[Unread]) -> list[Line]:
    """Return the lines of all machines below directories. ``unread`` gets each line that cannot be read."""
    return lines.read(results, FILE, "make ranking", lambda line: lines.check(line, {KIND: Line}), unread)
