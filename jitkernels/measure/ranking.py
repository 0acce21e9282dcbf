"""Which of several programs is faster, by the seconds of several processes each."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

FEWEST = 5  # processes a program that can tell two programs apart


class Place(NamedTuple):
    """A backend's place in a ranking. ``seconds``: the median of its processes. ``tied``: with the one above."""

    backend: str
    seconds: float
    rank: int
    tied: bool


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
