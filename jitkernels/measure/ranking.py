"""Rank programs by the seconds of several processes each."""

import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

FEWEST = 5  # processes a program: with fewer, two programs cannot be told apart
MOST = 100  # processes a program: stops a typing error that would run for days


class Place(NamedTuple):
    """A backend's place in a ranking. ``seconds``: the median of its processes. ``tied``: with the place above."""

    backend: str
    seconds: float
    rank: int
    tied: bool


def differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """True if every process of one backend was faster than every process of the other, with at least five of each.

    For two equal backends with five processes each, this happens once in 126 times (exact test of Mann and Whitney, 1947).
    """
    return min(len(one), len(other)) >= FEWEST and (max(one) < min(other) or max(other) < min(one))


def places(cells: Mapping[str, Sequence[float]]) -> list[Place]:
    """Return the places of backends by the seconds of their processes, sorted by rank, then by median.

    Rank 1 has every backend that does not differ from the fastest. The fastest of the others begins the next rank, and so
    on. So a backend with a wide range may stand above one with a shorter median.
    """
    seconds = {name: statistics.median(processes) for name, processes in cells.items()}
    order = sorted(cells, key=lambda name: seconds[name])
    ranks: dict[str, int] = {}
    for first in order:
        if first not in ranks:
            rank, others = len(ranks) + 1, [name for name in order if name not in ranks]
            ranks |= {name: rank for name in others if not differ(cells[first], cells[name])}
    order.sort(key=ranks.__getitem__)
    tied = {name: not differ(cells[above], cells[name]) for above, name in itertools.pairwise(order)}
    return [Place(name, seconds[name], ranks[name], tied.get(name, False)) for name in order]
