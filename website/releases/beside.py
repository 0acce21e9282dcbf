"""The same cells by commit of this library, from what asv publishes: what stands beside the releases."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from history.store.results import HARDWARE, Cell
from website.read import changes, figures
from website.read.catalogue import Benchmark
from website.read.commits import History
from website.releases.outcomes import Environments, Machine

Row = dict[str, Any]
RULER = "pip+asv_runner"
MOST = 60  # commits, the newest of those that were measured
Curves = dict[tuple[Machine, str, Cell], Row]


def curves(
    graphs: Iterable[tuple[Any, Benchmark]], revisions: Mapping[str, int], history: History,
    ladder: Environments,
) -> Curves:  # fmt: skip
    """By machine, benchmark and cell: its values by commit, oldest first, in the environment that has most of them and is
    none of the ladder's (``Ladder.environments``)."""
    if not ladder:
        return {}
    commits = {revision: history.commit(hash_, 0.0) for hash_, revision in revisions.items()}
    found: Curves = {}
    for graph, benchmark in graphs:
        machine = tuple(str(graph.params.get(key) or "") for key in HARDWARE)
        if (machine, asked(graph.params)) in ladder:
            continue
        for cell, values in _cells(graph, benchmark):
            points = [(revision, value) for revision, value in values if revision in commits][-MOST:]
            known = found.get((machine, benchmark.name, cell))
            if points and (known is None or len(points) > len(known["points"])):
                found[machine, benchmark.name, cell] = _curve(benchmark, cell, points, commits)
    return found


def asked(params: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """The packages that an environment was asked for, but for the ruler, which all have."""
    packages = {key: str(value) for key, value in params.items() if key not in changes.PLATFORM and value}
    return frozenset((key, value) for key, value in packages.items() if key != RULER)


def _curve(benchmark: Benchmark, cell: Cell, points: list[tuple[int, float]], commits: Mapping[int, Any]) -> Row:
    name = figures.name(benchmark, cell)
    return {
        "backend": name.backend, "size": name.size, "figure": name.figure,
        "unit": benchmark.unit or ("seconds" if benchmark.type == "time" else ""),
        "points": [
            {"order": order, **_commit(commits[revision].told()), "value": value / name.calls}
            for order, (revision, value) in enumerate(points)
        ],
    }  # fmt: skip


def _commit(told: Row) -> Row:
    return {"commit": told["short"], "date": told["date"], "subject": told["subject"]}


def _cells(graph: Any, benchmark: Benchmark) -> Iterator[tuple[Cell, list[tuple[int, float]]]]:
    data = graph.get_data()
    for place, cell in changes.series(benchmark):
        values = [(point[0], point[1] if place is None else point[1][place]) for point in data]
        yield cell, [(revision, value) for revision, value in values if value is not None and value == value]
