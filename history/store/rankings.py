"""``rankings.jsonl`` in a machine's directory: backends compared by processes of one run, and what may be concluded.

A line is a kernel, a size and a number of threads. The lines of one run have the same ``machine`` and ``began``.
docs/site-data.md describes them.
"""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

import msgspec

from history.store import lines
from history.store.results import Unread
from jitkernels.measure.ranking import FEWEST, differ

FILE, KIND = "rankings.jsonl", "ranking"
Name = Annotated[str, msgspec.Meta(pattern=r"\A[^\W\d]\w*\Z")]  # of a kernel
Hash = Annotated[str, msgspec.Meta(pattern=r"\A[^\W_]+\Z")]  # of a commit, whole or its first digits


class Roof(TypedDict):
    """The roof of a call, as jitkernels.measure.roof has it."""

    by: Literal["flop", "bytes"]
    seconds: lines.Positive
    flop: lines.Positive
    bytes: lines.Positive
    flop_per_second: lines.Positive
    bytes_per_second: lines.Positive


class Cell(TypedDict):
    """A backend: the median sample of each of its processes, the threads that it may use, whether its calls had settled, and
    the roof of a call on so many threads."""

    seconds: Annotated[list[lines.Positive], msgspec.Meta(min_length=1)]
    threads: int | None
    settled: bool | None
    roof: NotRequired[Roof]


class Line(lines.Conditions):
    """``said``: ranking. ``threads``: None for as many as each backend takes by itself. ``empty``: reasons by backend."""

    commit: Hash
    began: str
    at: str
    kernel: Name
    size: int
    threads: int | None
    cells: dict[str, Cell]
    empty: dict[str, str]


class Agreement(NamedTuple):
    """Pairs of backends of two runs: told apart in both, told apart in one of them alone, and told apart in both, but the
    other way round."""

    both: int
    one: int
    reversed: int


Key = tuple[str, str, int, int | None]  # machine, kernel, size, threads


def agreement(runs: Iterable[tuple[Line, Line]]) -> Agreement:
    """Compare the orders of two runs. runs: their lines of the same kernel, size and threads."""
    both = one = reversed_ = 0
    for first, second in runs:
        for pair in itertools.combinations(first["cells"].keys() & second["cells"].keys(), 2):
            signs = [_sign(*(line["cells"][backend]["seconds"] for backend in pair)) for line in (first, second)]
            both += all(signs)
            one += any(signs) and not all(signs)
            reversed_ += signs[0] * signs[1] < 0
    return Agreement(both, one, reversed_)


def _sign(one: Sequence[float], other: Sequence[float]) -> int:
    """Return 0 for two backends that are not told apart, else which of them is the slower one."""
    return (1 if min(one) > max(other) else -1) if differ(one, other) else 0


def newest(ranked: Iterable[Line]) -> dict[Key, Line]:
    """Return the newest of the lines by machine, kernel, size and threads that have enough processes to rank by."""
    complete = (line for line in ranked if any(len(cell["seconds"]) >= FEWEST for cell in line["cells"].values()))
    return {key(line): line for line in sorted(complete, key=lambda line: line["began"])}


def key(line: Line) -> Key:
    return line["machine"], line["kernel"], line["size"], line["threads"]


def read(results: Path, unread: list[Unread]) -> list[Line]:
    """Return the lines of all machines below a directory. ``unread`` gets each line that cannot be read."""
    ranked = lines.read(results, FILE, "make ranking", lambda line: lines.check(line, {KIND: Line}), unread)
    return [msgspec.convert(line, Line) for line in ranked]  # without other keys
