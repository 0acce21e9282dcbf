"""``rankings.jsonl`` in a machine's directory: backends compared by processes of one run, and what may be concluded.

A line is a kernel, a size and a number of threads. The lines of one run have the same ``machine`` and ``began``.
docs/site-data.md describes them.
"""

import itertools
import json
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, cast

from history.store.records import SCHEMA

FILE, KIND = "rankings.jsonl", "ranking"
FEWEST = 5  # processes a backend that can tell two backends apart


class Cell(TypedDict):
    """A backend: the median sample of each of its processes, the threads that it may use, whether its calls had settled."""

    seconds: list[float]
    threads: int | None
    settled: bool | None


class Line(TypedDict):
    """``said``: ranking. ``threads``: None for as many as each backend takes by itself. ``empty``: reasons by backend."""

    machine: str
    processor: str
    cores: int
    commit: str
    python: str
    requirements: dict[str, str]
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


def newest(lines: Iterable[Line]) -> dict[Key, Line]:
    """Return the newest of the lines by machine, kernel, size and threads that have enough processes to rank by."""
    complete = (line for line in lines if any(len(cell["seconds"]) >= FEWEST for cell in line["cells"].values()))
    return {key(line): line for line in sorted(complete, key=lambda line: line["began"])}


def key(line: Line) -> Key:
    return line["machine"], line["kernel"], line["size"], line["threads"]


def read(results: Path) -> Iterator[Line]:
    """Yield the lines below a directory of results, each once. What is no such line, or only a part of one, is ignored."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in sorted(results.rglob(FILE)))
    yield from filter(None, map(_line, dict.fromkeys(itertools.chain.from_iterable(text.split("\n") for text in texts))))


def _line(text: str) -> Line | None:
    try:
        line = json.loads(text)
        if (line["said"], line["schema"]) != (KIND, SCHEMA) or not all(map(_is_cell, line["cells"].values())):
            return None
        if not (line["kernel"].isidentifier() and line["commit"].isalnum() and isinstance(line["size"], int)):
            return None
        return cast(Line, {name: line[name] for name in Line.__annotations__})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _is_cell(cell: Any) -> bool:
    return bool(cell["seconds"]) and all(isinstance(each, float) and 0 < each < float("inf") for each in cell["seconds"])
