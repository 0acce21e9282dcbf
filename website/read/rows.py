"""The rows of one kernel on one machine, one for each backend and size, and the source of each figure."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, cast

from packaging.version import InvalidVersion, Version

from history.store import release_lines
from history.store.records import BackendLine
from history.store.release_lines import End, ReleaseDuetLine
from jitkernels.backends.table import BACKENDS
from website.read import catalogue, names
from website.read.commits import Commit, iso
from website.read.points import Origin, Point
from website.schema import kernels as schema
from website.schema.kernels import Figure, Missing, Row
from website.schema.values import Mismatch, Reason, Source

NO_RECORD = "it was skipped or not selected: no record says which"
FAILED = "it failed or took too long: no record says which"
CHECKS = ("error", "hits", "z")  # figures that exist only if the answer is right
WARM = "warm_seconds"
CHECKED_SUITES = (".Warm.time_call", ".Interpreted.time_call")  # these check the answer before they time the call

T = TypeVar("T")


class SourceList(Generic[T]):
    """The sources of figures. A figure names its source by its place in ``rows``."""

    def __init__(self) -> None:
        self.rows: list[T] = []
        self._places: dict[str, int] = {}

    def add(self, key: str, build: Callable[[], T]) -> int:
        """Return the place of the row with this key. Add the row if the key is new."""
        if key not in self._places:
            self._places[key] = len(self.rows)
            self.rows.append(build())
        return self._places[key]


class Sources(SourceList[Source]):
    """The files that a page's figures come from."""

    def place(self, origin: Origin) -> int:
        """Return the place of a file of results."""
        return self.add(origin.result.file, lambda: source(origin))

    def place_duet(self, line: ReleaseDuetLine, end: End, commit: Commit) -> int:
        """Return the place of a release in a duet."""
        file = f"{line['machine']}/{release_lines.DUETS}"
        return self.add(
            f"{file} {line['at']} {end['release']}",
            lambda: {
                **commit.row(),
                "environment": "",
                "python": line["python"],
                "requirements": end["requirements"],
                "installed": {},
                "mismatches": [],
                "processor": line["processor"],
                "cores": line["cores"],
                "threads": {},
                "device": None,
                "library": None,
                "file": file,
            },
        )


def source(origin: Origin) -> Source:
    """Return the commit, the requirements and the installed packages of a file of results."""
    result, backends = origin.result, origin.records.backends
    first = next(iter(backends.values()), BackendLine())
    cores = result.params.get("num_cpu")
    installed = origin.records.installed()
    return {
        **origin.commit.row(),
        "environment": result.environment,
        "python": first.get("python") or result.python,
        "requirements": dict(result.requirements),
        "installed": installed,
        "mismatches": mismatches(result.requirements, installed),
        "processor": first.get("processor") or result.params.get("cpu") or None,
        "cores": first.get("cores") or (int(cores) if cores and cores.isdecimal() else None),
        "threads": {backend: line.get("threads") for backend, line in backends.items()},
        "device": first.get("device"),
        "library": first.get("library"),
        "file": result.file,
    }


def mismatches(required: Mapping[str, str], installed: Mapping[str, Mapping[str, str]]) -> list[Mismatch]:
    """Return packages whose installed version is not the required one. A local part (``+cpu``) counts only if required."""
    pairs = dict.fromkeys(pair for versions in installed.values() for pair in versions.items())
    return [
        {"package": package, "asked": required[package], "installed": version}
        for package, version in pairs
        if required.get(package) and not _is_same(required[package], version)
    ]


def rows(kernel: str, points: Iterable[Point], sources: Sources) -> list[Row]:
    """Return a row for each backend and size, in the table's order of backends. ``size`` is None if there is none."""
    table: dict[tuple[str, int | None], Row] = {}
    chosen: dict[tuple[str, int | None, str], Point] = {}
    for point in points:
        case = point.case
        key = case.backend, case.size, case.figure
        known = chosen.get(key)
        if known is not None and not _is_better(point, known):
            continue
        chosen[key] = point
        row = table.setdefault(key[:2], _empty_row(case.backend, case.size))
        if point.is_number:
            row["missing"].pop(case.figure, None)
            row["figures"][case.figure] = figure(point, sources)
            if case.figure == WARM:
                row["interpreted"] = case.benchmark.is_interpreted
        else:
            row["missing"][case.figure] = missing(kernel, point)
    for row in table.values():
        _judge(row)
    return sorted(table.values(), key=_order)


def completed(rows: Iterable[Row], cases: Iterable[tuple[str, int]]) -> list[Row]:
    """Return the rows, and an empty row for each of ``cases`` without one."""
    known = {(row["backend"], row["size"]): row for row in rows}
    return sorted(({case: _empty_row(*case) for case in cases} | known).values(), key=_order)


def figure(point: Point, sources: Sources) -> Figure:
    """Return a number with its spread, its source and the command that repeats it.

    low, high: quartiles of the samples, None without samples. settled: None if no process recorded it.
    """
    case, benchmark, calls = point.case, point.case.benchmark, point.case.calls
    low, high = (_number(point.column(name)) for name in ("stats_q_25", "stats_q_75"))
    samples, started = point.column("stats_repeat"), point.measured.started
    is_time = benchmark.type == "time" or low is not None
    return {
        "value": float(point.value or 0.0) / calls,
        "low": None if low is None else low / calls,
        "high": None if high is None else high / calls,
        "samples": samples if isinstance(samples, int) else None,
        "unit": benchmark.unit or ("seconds" if is_time else ""),
        "settled": point.origin.records.has_settled(benchmark.name, case.parameters),
        "benchmark": benchmark.name,
        "place": case.place,
        "measured": iso(started / 1000) if started > 0 else None,
        "source": sources.place(point.origin),
        "command": names.command(case.name, point.origin.result.commit, point.origin.release),
    }


def missing(kernel: str, point: Point) -> Missing:
    """Return why a case has no number: status "empty", "failed" or "unmeasured", and the reason."""
    status: Reason
    if point.reason:
        status, reason = point.reason
    elif point.value is None:
        status, reason = "failed", FAILED
    elif absent := catalogue.absent(kernel, point.case.backend):
        status, reason = "empty", absent
    else:
        status, reason = "unmeasured", NO_RECORD
    return {"status": status, "reason": reason, "benchmark": point.case.benchmark.name}


def benchmarks(points: Iterable[Point]) -> dict[str, schema.BenchmarkInfo]:
    """Return asv's description of each benchmark, and the link to its curves in the environment of its newest number."""
    newest: dict[str, Point] = {}
    for point in points:
        name = point.case.benchmark.name
        known = newest.get(name)
        if known is None or (point.is_number, point.origin.commit.place) > (known.is_number, known.origin.commit.place):
            newest[name] = point
    return {name: _benchmark(point) for name, point in sorted(newest.items())}


def _benchmark(point: Point) -> schema.BenchmarkInfo:
    benchmark = point.case.benchmark
    return {
        "unit": benchmark.unit,
        "type": benchmark.type,
        "direction": benchmark.direction,
        "exact": benchmark.exact,
        "parameters": dict(zip(benchmark.names, map(list, benchmark.parameters), strict=False)),
        "history": None
        if point.origin.release or not benchmark.listed
        else names.link(benchmark.name, point.origin.result.params),
    }


def _is_better(point: Point, known: Point) -> bool:
    """True if ``point`` replaces ``known``, whose benchmark has the same figure: a number first, then the newer commit."""
    if point.is_number != known.is_number:
        return point.is_number
    return point.is_number and point.origin.commit.place > known.origin.commit.place


def _empty_row(backend: str, size: int | None) -> Row:
    about = {"backend": backend, "size": size, "status": "unmeasured", "reason": None, "interpreted": False}
    return cast(Row, {**about, "checked": False, "figures": {}, "missing": {}})


def _judge(row: Row) -> None:
    """Set the row's status, which is its warm call's if it has one, and whether its answer is known to be right."""
    missing = row["missing"]
    first = missing.get(WARM) or next(iter(missing.values()), None)
    if row["figures"] and WARM not in missing:
        row["status"] = "ok"
    elif first:
        row["status"], row["reason"] = first["status"], first["reason"]
    wrong = [missing[name]["reason"] for name in CHECKS if name in missing and missing[name]["status"] == "failed"]
    warm = row["figures"].get(WARM)
    is_checked = warm is not None and warm["benchmark"].endswith(CHECKED_SUITES)
    row["checked"] = not wrong and (is_checked or any(name in row["figures"] for name in CHECKS))
    if wrong:
        row["wrong"] = wrong[0]


def _order(row: Row) -> tuple[int, str, int]:
    known = list(BACKENDS)
    backend = row["backend"]
    return known.index(backend) if backend in known else len(known), backend, row["size"] or 0


def _number(value: Any) -> float | None:
    """Return a finite number, or None."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def _is_same(required: str, installed: str) -> bool:
    try:
        wanted, there = Version(required), Version(installed)
    except InvalidVersion:
        return required == installed
    return wanted == there or (wanted.local is None and wanted.public == there.public)
