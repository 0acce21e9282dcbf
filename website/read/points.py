"""The stored numbers: every benchmark case of every result, and the newest of each case."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from history.store import records
from history.store.clean import ResultFile
from history.store.results import Measured, Result
from jitkernels.backends.table import BACKENDS
from website.read import benchmarks
from website.read.benchmarks import BenchmarkCase, Find
from website.read.commits import Commit, History
from website.read.names import Machine

OLDEST = Version("0.dev0")


@dataclass(frozen=True)
class Origin:
    """A file of results with its commit, and the records that its processes wrote."""

    result: Result
    commit: Commit
    records: records.Records

    @property
    def release(self) -> str | None:
        """The environment's name if it belongs to the ladder of releases, else None."""
        return self.result.environment if self.records.outcome else None

    def version(self, backend: str) -> Version:
        """Return the installed version of the backend's package, or the required one if no record names it.

        Of several packages whose versions tell two releases apart, the first that is known decides.
        """
        line = BACKENDS.get(backend)
        packages = (line.framework.distributions or (line.dialect,)) if line else ()
        installed = self.records.backends.get(backend, {}).get("packages", {})
        for versions in (installed, self.result.requirements):
            for package in packages:
                if package in versions:
                    return parse_version(versions[package])
        return OLDEST


@dataclass(frozen=True)
class Point:
    """A benchmark case in a file of results. ``value``: None if it failed, NaN if it was skipped or not selected."""

    case: BenchmarkCase
    value: float | None
    place: int
    measured: Measured
    origin: Origin

    @property
    def is_number(self) -> bool:
        return self.value is not None and self.value == self.value

    @property
    def reason(self) -> records.Reason | None:
        """The status and the reason that a process recorded for this case; None if it recorded none."""
        return self.origin.records.reason(self.case.benchmark.name, self.case.parameters)

    @property
    def was_tried(self) -> bool:
        """True if the case failed or has a recorded reason. asv stores a skipped case like one that was not selected."""
        return self.value is None or self.reason is not None


Points = dict[BenchmarkCase, Point]


def origins(files: Iterable[ResultFile], history: History) -> list[Origin]:
    """Return the files' origins, newest commit first. Of one commit, those of releases come last."""
    known = [
        Origin(file.result, history.commit(file.result.commit, file.result.date / 1000), file.records) for file in files
    ]
    return sorted(known, key=lambda origin: (origin.commit.place, not origin.release), reverse=True)


def points(origin: Origin, find: Find) -> Iterator[Point]:
    """Yield every benchmark case of a file. Benchmarks whose version has changed since are left out."""
    for name, measured in origin.result.benchmarks.items():
        benchmark = find(name)
        if not benchmark.listed or measured.version in (None, benchmark.version):
            for place, (parameters, value) in enumerate(zip(measured.cells, measured.values, strict=True)):
                yield Point(benchmarks.case(benchmark, parameters), value, place, measured, origin)


def newest(origins: Iterable[Origin], find: Find) -> dict[Machine, Points]:
    """Return the newest point of each case, by machine. origins: newest commit first.

    A benchmark that is no longer in asv's list counts only in the newest file of its environment.
    """
    by_machine: dict[Machine, Points] = {}
    environments: set[tuple[Machine, str]] = set()  # those of newer files
    for origin in origins:
        environment = origin.result.machine, origin.result.environment
        chosen = by_machine.setdefault(origin.result.machine, {})
        for point in points(origin, find):
            if point.case.benchmark.listed or environment not in environments:
                known = chosen.get(point.case)
                if known is None or _is_newer(point, known):
                    chosen[point.case] = point
        environments.add(environment)
    return by_machine


def _is_newer(point: Point, known: Point) -> bool:
    """True if ``point`` replaces ``known``.

    A number replaces a missing one. A failure or a recorded reason replaces a gap without a reason. An environment of a
    release counts only if no other environment has a number. Otherwise the newer commit counts, then the newer version of
    the backend's package, then the later measurement.
    """
    if point.is_number != known.is_number:
        return point.is_number
    if not point.is_number and point.was_tried != known.was_tried:
        return point.was_tried
    mine, other = point.origin, known.origin
    order, known_order = (not mine.release, mine.commit.place), (not other.release, other.commit.place)
    if order != known_order:
        return order > known_order
    backend = known.case.backend
    return (mine.version(backend), point.measured.started) > (other.version(backend), known.measured.started)


def parse_version(text: str) -> Version:
    """Return a version; OLDEST if the text is not one."""
    try:
        return Version(text)
    except InvalidVersion:
        return OLDEST
