"""Which of all stored numbers is the newest of its cell."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.version import InvalidVersion, Version

from history.store.records import Records
from history.store.results import Cell, Measured, Result
from website.read import catalogue
from website.read.catalogue import Benchmark
from website.read.commits import Commit

OLDEST = Version("0.dev0")


@dataclass(frozen=True)
class Origin:
    """Where numbers come from: one file, its commit, and what its processes said of themselves."""

    result: Result
    commit: Commit
    records: Records

    @property
    def release(self) -> str | None:
        """The environment's name, where it is one of the ladder of releases."""
        return self.result.environment if self.records.outcome else None

    def version(self, backend: str) -> Version:
        """The version of the backend's package that was installed; where nobody said, the one that was asked for."""
        told = self.records.backends.get(backend, {}).get("packages", {})
        for source in (told, self.result.requirements):
            for package in catalogue.packages(backend):
                if package in source:
                    return _version(source[package])
        return OLDEST


@dataclass(frozen=True)
class Point:
    """A cell of a benchmark in a file. ``value``: None where it failed, NaN where it was skipped or not selected."""

    benchmark: Benchmark
    cell: Cell
    value: float | None
    place: int
    measured: Measured
    origin: Origin

    @property
    def is_number(self) -> bool:
        return self.value is not None and self.value == self.value

    def column(self, name: str) -> Any:
        """What asv keeps beside the value under this name."""
        return self.measured.column(name, self.place)


class Newest:
    """For each cell of one machine the newest number, or, where there is none, the newest word on why.

    Newest is: of the newest commit in history's order; there, of the newest release of the cell's backend, so that an
    environment that is pinned to an old one never stands for "now"; there, what was measured last. The ladder's environments
    stand only where no other has a number.
    """

    def __init__(self, find: Callable[[str], Benchmark]) -> None:
        """``find``: the benchmark of a name."""
        self._find = find
        self.points: dict[tuple[str, Cell], Point] = {}
        self._complete: dict[str, tuple[tuple[Cell, ...], tuple[bool, int, float]]] = {}

    def add(self, origin: Origin) -> None:
        """Take what of one file is newer than what is known."""
        for name, measured in origin.result.benchmarks.items():
            benchmark = self._find(name)
            if not benchmark.is_of(measured.version):
                continue
            if self._has_newer(name, measured, origin):
                continue
            for place, (cell, value) in enumerate(zip(measured.cells, measured.values, strict=True)):
                key = name, cell
                known = self.points.get(key)
                if known is None or self._is_newer(value, measured, origin, known):
                    self.points[key] = Point(benchmark, cell, value, place, measured, origin)

    def _has_newer(self, name: str, measured: Measured, origin: Origin) -> bool:
        """Whether each cell has a number of a newer commit: for most of a long history the only question. Notes where this
        file gives every cell one."""
        known = self._complete.get(name)
        if known and known[0] == measured.cells and origin.commit.place < known[1]:
            return True
        if not known and not origin.release and all(value is not None and value == value for value in measured.values):
            self._complete[name] = measured.cells, origin.commit.place
        return False

    def _is_newer(self, value: float | None, measured: Measured, origin: Origin, known: Point) -> bool:
        if (value is not None and value == value) != known.is_number:
            return not known.is_number
        if not known.is_number:
            mine, other = _says(value, known, origin), _says(known.value, known, known.origin)
            if mine != other:
                return mine
        if bool(origin.release) != bool(known.origin.release):
            return not origin.release
        if origin.commit.place != known.origin.commit.place:
            return origin.commit.place > known.origin.commit.place
        backend = str(catalogue.value(known.cell[0])) if known.cell else ""
        mine, other = origin.version(backend), known.origin.version(backend)
        return (mine, measured.started) > (other, known.measured.started)


def _says(value: float | None, point: Point, origin: Origin) -> bool:
    """Whether there is a word on why this cell has no number: it failed, or its process kept a record. A cell that was not
    selected says nothing."""
    return value is None or origin.records.reason(point.benchmark.name, point.cell) is not None


def of(origin: Origin, find: Callable[[str], Benchmark]) -> Iterator[Point]:
    """Every cell of a file, but for benchmarks that are measured in another way by now."""
    for name, measured in origin.result.benchmarks.items():
        benchmark = find(name)
        if benchmark.is_of(measured.version):
            for place, (cell, value) in enumerate(zip(measured.cells, measured.values, strict=True)):
                yield Point(benchmark, cell, value, place, measured, origin)


def finder(told: Mapping[str, Any]) -> Callable[[str], Benchmark]:
    """Benchmarks by name, from asv's list of them."""
    known: dict[str, Benchmark] = {}

    def find(name: str) -> Benchmark:
        if name not in known:
            known[name] = catalogue.benchmark(name, told.get(name))
        return known[name]

    return find


def newest(origins: Iterable[Origin], find: Callable[[str], Benchmark]) -> dict[tuple[str, ...], Newest]:
    """The newest points of each machine, by what tells machines apart."""
    machines: dict[tuple[str, ...], Newest] = {}
    for origin in origins:
        machines.setdefault(origin.result.machine, Newest(find)).add(origin)
    return {machine: found for machine, found in machines.items() if found.points}


def _version(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return OLDEST
