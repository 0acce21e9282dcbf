"""``rankings.jsonl`` in a machine's directory: backends compared by processes of one run, and what may be concluded.

A line is a kernel, a size and a number of threads. The lines of one run have the same ``machine`` and ``began``.
docs/site-data.md describes them.
"""

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, cast, get_type_hints

from history.store import lines
from history.store.records import SCHEMA
from history.store.results import Unread

FILE, KIND = "rankings.jsonl", "ranking"
FEWEST = 5  # processes a backend that can tell two backends apart


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


class Place(NamedTuple):
    """A backend's place in a ranking. ``seconds``: the median of its processes. ``tied``: with the one above."""

    backend: str
    seconds: float
    rank: int
    tied: bool


class Agreement(NamedTuple):
    """Pairs of backends of two runs: told apart in both, told apart in one of them alone, and told apart in both, but the
    other way round."""

    both: int
    one: int
    reversed: int


Key = tuple[str, str, int, int | None]  # machine, kernel, size, threads


def differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """True if every process of one backend was faster than every process of the other, with at least five of each.

    Of five against five equal ones that happens once in 126 times (the exact test of Mann and Whitney, 1947).
    """
    return min(len(one), len(other)) >= FEWEST and (max(one) < min(other) or max(other) < min(one))


def places(cells: Mapping[str, Sequence[float]]) -> list[Place]:
    """Return the places of backends, fastest first, by the seconds of their processes.

    A backend that differs neither from the one above nor from the first of that rank shares the rank.
    """
    ranked: list[Place] = []
    for backend in sorted(cells, key=lambda name: statistics.median(cells[name])):
        above = ranked[-1] if ranked else None
        first = next((place for place in ranked if above and place.rank == above.rank), None)
        tied = above is not None and not differ(cells[above.backend], cells[backend])
        shared = first is not None and tied and not differ(cells[first.backend], cells[backend])
        rank = first.rank if first and shared else len(ranked) + 1
        ranked.append(Place(backend, statistics.median(cells[backend]), rank, tied))
    return ranked


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
