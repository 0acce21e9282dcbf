"""Which of several programs is faster, by the seconds of several processes each."""

import itertools
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

    For one pair of equal backends with five each, that happens once in 126 times (the exact test of Mann and Whitney, 1947).
    """
    return min(len(one), len(other)) >= FEWEST and (max(one) < min(other) or max(other) < min(one))


def places(cells: Mapping[str, Sequence[float]]) -> list[Place]:
    """Return the places of backends by the seconds of their processes: by rank, the fastest of a rank first.

    Rank 1 has every backend that does not differ from the fastest; the fastest of the others opens the next rank, and so on.
    A backend with a wide range may so stand above one whose median is shorter.
    """
    seconds = {name: statistics.median(own) for name, own in cells.items()}
    order = sorted(cells, key=lambda name: seconds[name])
    ranks: dict[str, int] = {}
    for first in order:
        if first not in ranks:
            rank, others = len(ranks) + 1, [name for name in order if name not in ranks]
            ranks |= {name: rank for name in others if not differ(cells[first], cells[name])}
    order.sort(key=ranks.__getitem__)
    tied = {name: not differ(cells[above], cells[name]) for above, name in itertools.pairwise(order)}
    return [Place(name, seconds[name], ranks[name], tied.get(name, False)) for name in order]
