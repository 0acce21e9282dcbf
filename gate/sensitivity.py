"""Which slowdowns of which cell would be found, worked out from the pairs that calibration measured.

A slowdown is the same factor for every pair of a cell, so it can be put into ratios that were measured without one, and the
gate's own judgement asked: the first look has one run's pairs, the second as many as a suspect gets, drawn from the pairs of
the other runs. What no run was slowed for can be said so, of every cell; that a real slowdown does the same is what the runs
with one are for. A process of the second look has twice the samples, which is left out of account.
"""

import random
import statistics
from collections.abc import Iterable
from typing import Any

from gate import judge

DRAWS = 40  # of the second look, for each run whose first look suspects the cell
RUNS = 3  # with fewer there are not enough pairs to draw from
Line = dict[str, Any]


def found(runs: list[list[float]], slower: float) -> float:
    """The share of verdicts that find a slowdown. runs: ratios, head over base, of pairs of the same code, by run; RUNS at
    least, of seven pairs each. slower: as a fraction."""
    lot, needed = random.Random(len(runs)), judge.pairs_needed(1)
    shares = []
    for number, first in enumerate(runs):
        if not judge.is_suspect(_seen(first, slower), 0.0):
            shares.append(0.0)
            continue
        others = [ratio for other, ratios in enumerate(runs) if other != number for ratio in ratios]
        again = [_seen(lot.sample(others, needed), slower) for _ in range(DRAWS)]
        shares.append(statistics.mean(judge.confirmed({"": seen}, {})[""] for seen in again))
    return statistics.mean(shares)


def of_cells(lines: Iterable[Line], slowdowns: Iterable[float], least: float) -> dict[str, dict[float, float]]:
    """By cell: the share by slowdown. Of those whose call takes ``least`` seconds or more, and that RUNS runs measured with
    nothing done to them."""
    runs: dict[str, list[list[float]]] = {}
    seconds: dict[str, list[float]] = {}
    for line in lines:
        for cell, ratios in line["pairs"].items():
            if cell not in line["injected"] and len(ratios) >= judge.LEAST:
                runs.setdefault(cell, []).append(ratios)
                seconds.setdefault(cell, []).append(line["cells"][cell][0])
    sizes = list(slowdowns)
    return {
        cell: {slower: found(ratios, slower) for slower in sizes}
        for cell, ratios in sorted(runs.items())
        if len(ratios) >= RUNS and statistics.median(seconds[cell]) >= least
    }


def _seen(ratios: list[float], slower: float) -> judge.Comparison:
    return judge.compare([1.0] * len(ratios), [ratio * (1 + slower) for ratio in ratios])
