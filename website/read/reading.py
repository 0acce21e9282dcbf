"""As much of a history as it takes: newest first, until nothing older could still be the newest of its cell."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from history.store import records
from history.store import results as stored
from history.store.results import HARDWARE, Cell, Result, Unread, UnreadableError
from website.read.catalogue import Benchmark
from website.read.commits import History
from website.read.environments import Environments
from website.read.points import Origin

Needed = set[tuple[tuple[str, ...], str, Cell]]  # machine, benchmark and cell


def needed(graphs: Iterable[tuple[Any, Benchmark]]) -> Needed:
    """The cells that have a number anywhere in asv's graphs, which hold the history of what is checked out."""
    found: Needed = set()
    for graph, benchmark in graphs:
        machine = tuple(str(graph.params.get(key) or "") for key in HARDWARE)
        cells = benchmark.cells()
        places: set[int] = set()
        for values in (values for measured in graph.data_points.values() for values in measured):
            if len(places) == len(values):
                break
            places.update(place for place, value in enumerate(values) if value is not None and value == value)
        found.update((machine, benchmark.name, cells[place]) for place in places if place < len(cells))
    return found


def origins(
    results: Path, history: History, environments: Environments, unread: list[Unread], find: Callable[[str], Benchmark],
    wanted: Needed | None = None, progress: Callable[[], None] = lambda: None,
) -> Iterator[Origin]:  # fmt: skip
    """Every result, newest first, and what its processes said.

    wanted: cells that have a number somewhere. Once all were met, of the history of what is checked out only files of an
    environment that has not been met are opened: the others are counted. Files of other commits are, all. Without it,
    everything is read.
    """
    met: dict[tuple[Path, str], Result] = {}
    remaining, last = set(wanted or ()), None
    for path in sorted(stored.files(results), key=lambda path: history.about(path.name[:8]), reverse=True):
        short = path.name[:8]
        if short != last:  # all of one commit's files are read, or none
            enough, last = wanted is not None and not remaining and history.about(short)[0], short
        known = met.get((path.parent, path.name[9:]))
        if enough and known:
            environments.count(known)
            continue
        try:
            result, problems = stored.load(path, results)
        except UnreadableError as reason:
            unread.append(Unread(path.relative_to(results).as_posix(), str(reason)))
            continue
        progress()
        unread.extend(problems)
        met.setdefault((path.parent, path.name[9:]), result)
        said = records.read(results, result.file, unread)
        origin = Origin(result, history.commit(result.commit, result.date / 1000), said)
        remaining -= _numbers(result, find) if remaining and not origin.release else set()
        environments.add(origin)
        yield origin


def _numbers(result: Result, find: Callable[[str], Benchmark]) -> Needed:
    """The cells of a file that have a number under today's definition of their benchmark."""
    return {
        (result.machine, name, cell)
        for name, measured in result.benchmarks.items()
        if find(name).is_of(measured.version)
        for cell, value in zip(measured.cells, measured.values, strict=True)
        if value is not None and value == value
    }
