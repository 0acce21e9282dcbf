"""What changed: the steps of each series, by asv's own detection, newest first.

asv fits a piecewise constant function to each series and hands the pieces on; between two of them is a step, up or down. A
timed series' step is shown where asv would report it as a regression, or the same the other way round: by more than 5 % and
more than the scatter of both pieces. Of a figure that is exact any change of value is a step.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from history.store.results import HARDWARE, Cell
from website.read import catalogue, figures, names
from website.read.catalogue import Benchmark
from website.read.commits import Commit, History

Row = dict[str, Any]
THRESHOLD = 0.05  # asv's own: a smaller step is what machines do by themselves
MOST = 500  # steps that pages are given; how many more there are is said
PLATFORM = ("machine", "arch", "cpu", "num_cpu", "os", "ram", "branch", "python", "summary")

Piece = Sequence[float]  # left and right revision, median, least, mean deviation: as asv has it


def is_significant(before: Piece, after: Piece) -> bool:
    """Whether two neighbouring pieces differ by more than THRESHOLD and more than both scatter."""
    low, high = sorted((before[2], after[2]))
    return high - low > max(before[4], after[4]) and (high > low * (1 + THRESHOLD) if low > 0 else high > low)


def timed_steps(pieces: Sequence[Piece]) -> Iterator[tuple[int, int, float, float]]:
    """(last revision before, first after, value before, value after) of each significant step."""
    for before, after in itertools.pairwise(pieces):
        if is_significant(before, after):
            yield int(before[1]) - 1, int(after[0]), before[2], after[2]


def exact_steps(series: Iterable[tuple[int, float | None]]) -> Iterator[tuple[int, int, float, float]]:
    """The same for a figure that is exact: wherever the value is another one than before."""
    numbers = [(revision, value) for revision, value in series if value is not None and not math.isnan(value)]
    for (revision, value), (later, other) in itertools.pairwise(numbers):
        if value != other:
            yield revision, later, value, other


def steps(graph: Any, benchmark: Benchmark) -> Iterator[tuple[Cell, int | None, tuple[int, int, float, float]]]:
    """Each step of each of an asv graph's series: the cell, its place, and the step."""
    if benchmark.exact:
        data = graph.get_data()
        for place, cell in series(benchmark):
            values = [(point[0], point[1] if place is None else point[1][place]) for point in data]
            yield from ((cell, place, step) for step in exact_steps(values))
        return
    found = graph.get_steps()
    for place, cell in series(benchmark):
        yield from ((cell, place, step) for step in timed_steps(found if place is None else found[place]))


def series(benchmark: Benchmark) -> Iterator[tuple[int | None, Cell]]:
    if benchmark.parameters:
        yield from enumerate(names.cells(benchmark.parameters))
    else:
        yield None, ()


def changes(graphs: Iterable[tuple[Any, Benchmark]], revisions: Mapping[str, int], history: History) -> Row:
    """All steps, newest first, the MOST newest of them; ``left_out``: how many more there are."""
    commits = {revision: history.commit(hash_, 0.0) for hash_, revision in revisions.items()}
    found = []
    for graph, benchmark in graphs:
        for cell, place, step in steps(graph, benchmark):
            if step[0] in commits and step[1] in commits:
                found.append((step[1], abs(_logarithm(step)), (graph, benchmark, cell, place, step)))
    found.sort(key=lambda change: change[:2], reverse=True)
    told = [_told(*change, commits) for _, _, change in found[:MOST]]
    return {"changes": told, "left_out": len(found) - len(told)}


def _logarithm(step: tuple[int, int, float, float]) -> float:
    return math.log(step[3] / step[2]) if step[2] > 0 and step[3] > 0 else math.inf


def _told(
    graph: Any, benchmark: Benchmark, cell: Cell, place: int | None, step: tuple[int, int, float, float],
    commits: Mapping[int, Commit],
) -> Row:  # fmt: skip
    before, after, old, new = step
    params = {key: "" if value is None else str(value) for key, value in graph.params.items()}
    name = figures.name(benchmark, cell)
    return {
        "kind": "commit",
        "benchmark": benchmark.name,
        "kernel": benchmark.kernel,
        "backend": name.backend,
        "size": name.size,
        "figure": name.figure,
        "cell": [catalogue.value(text) for text in cell],
        "machine": [params.get(key, "") for key in HARDWARE],
        "environment": {key: value for key, value in sorted(params.items()) if key not in PLATFORM and value},
        "from": commits[before].told(),
        "to": commits[after].told(),
        "before": old,
        "after": new,
        "factor": new / old if old else None,
        "unit": benchmark.unit,
        "direction": benchmark.direction,
        "exact": benchmark.exact,
        "link": names.link(benchmark.name, params, place),
    }
