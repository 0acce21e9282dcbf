"""``rankings.jsonl`` in a machine's directory: backends compared by processes of one run, and what may be concluded.

A line is a kernel, a size and a number of threads. The lines of one run have the same ``machine`` and ``began``.
docs/site-data.md describes them.
"""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, cast, get_type_hints

from history.store import lines
from history.store.records import SCHEMA
from history.store.results import Unread
from jitkernels.measure.ranking import FEWEST, differ

FILE, KIND = "rankings.jsonl", "ranking"


class Cell(TypedDict):
    """A backend: the median sample of each of its processes, the threads that it may use, whether its calls had settled."""

    seconds: list[float]
    threads: int | None
    settled: bool | None


class Line(lines.Conditions):
    """``said``: ranking. ``threads``: None for as many as each backend takes by itself. ``empty``: reasons by backend."""

    commit: str
    began: str
    at: str
    kernel: str
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
    return lines.read(results, FILE, "make ranking", _line, unread)


def _line(line: dict[str, Any]) -> Line:
    """Return a line; ValueError, KeyError, TypeError or AttributeError for one that is none."""
    if (line["said"], line["schema"]) != (KIND, SCHEMA):
        raise ValueError(f"no ranking of schema {SCHEMA}")
    if not all(map(_is_cell, line["cells"].values())):
        raise ValueError("a number that cannot have been measured")
    if not (line["kernel"].isidentifier() and line["commit"].isalnum() and isinstance(line["size"], int)):
        raise ValueError("a name that no kernel, or no commit, has")
    return cast(Line, {name: line[name] for name in get_type_hints(Line)})


def _is_cell(cell: Any) -> bool:
    return bool(cell["seconds"]) and all(isinstance(each, float) and 0 < each < float("inf") for each in cell["seconds"])
