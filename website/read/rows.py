"""One kernel on one machine as rows, a row a backend and size; each figure with what it takes to trust and to repeat it."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from packaging.version import InvalidVersion, Version

from jitkernels.backends.table import BACKENDS
from website.read import catalogue, figures, names
from website.read.commits import iso
from website.read.points import Origin, Point

Row = dict[str, Any]
NO_RECORD = "skipped or not selected: the process that could say which kept no record"
FAILED = "it failed, or took too long: the process that could say which kept no record"
CHECKS = ("error", "hits", "z")  # figures that exist only where the answer was found right
WARM = "warm_seconds"


class Sources:
    """The files that a page's figures come from, each named by its place in ``told``."""

    def __init__(self) -> None:
        self.told: list[Row] = []
        self._places: dict[str, int] = {}

    def place(self, origin: Origin) -> int:
        file = origin.result.file
        if file not in self._places:
            self._places[file] = len(self.told)
            self.told.append(source(origin))
        return self._places[file]


def source(origin: Origin) -> Row:
    """Where figures come from: the commit, what was asked for, and what was there."""
    result, records = origin.result, origin.records
    lines = list(records.backends.values())
    said = lines[0] if lines else {}
    installed = records.installed()
    return {
        **origin.commit.told(),
        "environment": result.environment,
        "python": said.get("python") or result.python,
        "requirements": dict(result.requirements),
        "installed": installed,
        "mismatches": mismatches(result.requirements, installed),
        "processor": said.get("processor") or result.params.get("cpu") or None,
        "cores": said.get("cores") or _whole(result.params.get("num_cpu")),
        "threads": {backend: line.get("threads") for backend, line in records.backends.items()},
        "device": said.get("device"),
        "library": said.get("library"),
        "file": result.file,
    }


def mismatches(asked: Iterable[tuple[str, str]] | Any, installed: dict[str, dict[str, str]]) -> list[Row]:
    """Packages of which another version was installed than asked for; a local part (``+cpu``) is none."""
    found = {}
    for packages in installed.values():
        for package, version in packages.items():
            wanted = asked.get(package)
            if wanted and not _same(wanted, version):
                found[package, version] = {"package": package, "asked": wanted, "installed": version}
    return list(found.values())


Taken = dict[tuple[str, int | None, str], Point]  # by backend, size and figure


def rows(kernel: str, points: Iterable[Point], sources: Sources) -> tuple[list[Row], Taken]:
    """A row for each backend and size that a benchmark has, in the table's order of backends, then by size; and the points
    that they are made of. ``size`` None where benchmarks have no size."""
    table: dict[tuple[str, int | None], Row] = {}
    taken: Taken = {}
    for point in points:
        name = figures.name(point.benchmark, point.cell)
        known = taken.get((name.backend, name.size, name.figure))
        if known is not None and not _is_better(point, known):
            continue
        taken[name.backend, name.size, name.figure] = point
        row = table.setdefault((name.backend, name.size), _empty_row(name.backend, name.size))
        if point.is_number:
            row["missing"].pop(name.figure, None)
            row["figures"][name.figure] = figure(point, name.calls, sources)
            if name.figure == WARM:
                row["interpreted"] = point.benchmark.group == "Interpreted"
        else:
            row["missing"][name.figure] = why(kernel, name.backend, point)
    for row in table.values():
        _judge(row)
    return sorted(table.values(), key=_order), taken


def figure(point: Point, calls: int, sources: Sources) -> Row:
    """A number with its spread, its source and what repeats it. low, high: quartiles of the samples, None where there are
    none; settled: None where nobody said."""
    low, high = (number(point.column(name)) for name in ("stats_q_25", "stats_q_75"))
    samples = point.column("stats_repeat")
    is_time = point.benchmark.type == "time" or low is not None
    result = point.origin.result
    return {
        "value": float(point.value or 0.0) / calls,
        "low": None if low is None else low / calls,
        "high": None if high is None else high / calls,
        "samples": samples if isinstance(samples, int) else None,
        "unit": point.benchmark.unit or ("seconds" if is_time else ""),
        "settled": point.origin.records.has_settled(point.benchmark.name, point.cell),
        "benchmark": point.benchmark.name,
        "place": names.place_of(point.cell, point.benchmark.parameters),
        "measured": iso(point.measured.started / 1000) if point.measured.started > 0 else None,
        "source": sources.place(point.origin),
        "command": names.command(point.benchmark.name, point.cell, result.commit, point.origin.release),
    }


def why(kernel: str, backend: str, point: Point) -> Row:
    """Why a cell has no number: status "empty", "failed" or "unmeasured", and the reason."""
    said = point.origin.records.reason(point.benchmark.name, point.cell)
    if said:
        return {"status": said[0], "reason": said[1], "benchmark": point.benchmark.name}
    if point.value is None and not math.isnan(point.measured.started):
        return {"status": "failed", "reason": FAILED, "benchmark": point.benchmark.name}
    if reason := catalogue.absent(kernel, backend):
        return {"status": "empty", "reason": reason, "benchmark": point.benchmark.name}
    return {"status": "unmeasured", "reason": NO_RECORD, "benchmark": point.benchmark.name}


def number(value: Any) -> float | None:
    """A finite number, or None."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def benchmarks(points: Iterable[Point]) -> dict[str, Row]:
    """What asv knows of each benchmark, and the link to its curves in the environment of its newest number."""
    newest: dict[str, Point] = {}
    for point in points:
        known = newest.get(point.benchmark.name)
        if known is None or (point.is_number, point.origin.commit.place) > (known.is_number, known.origin.commit.place):
            newest[point.benchmark.name] = point
    return {name: _told(point) for name, point in sorted(newest.items())}


def _told(point: Point) -> Row:
    benchmark = point.benchmark
    return {
        "unit": benchmark.unit,
        "type": benchmark.type,
        "direction": benchmark.direction,
        "exact": benchmark.exact,
        "parameters": dict(zip(benchmark.names, map(list, benchmark.parameters), strict=False)),
        "history": names.link(benchmark.name, point.origin.result.params) if benchmark.listed else None,
    }


def _is_better(point: Point, known: Point) -> bool:
    """Of two benchmarks that give one figure (a time, and that of an interpreter): the one with a number, then the newer."""
    if point.is_number != known.is_number:
        return point.is_number
    return point.is_number and point.origin.commit.place > known.origin.commit.place


def _empty_row(backend: str, size: int | None) -> Row:
    return {
        "backend": backend, "size": size, "status": "unmeasured", "reason": None, "interpreted": False, "checked": None,
        "figures": {}, "missing": {},
    }  # fmt: skip


def _judge(row: Row) -> None:
    """Give the row its status: that of its warm call, where it has one, else the best of what it has; and say whether the
    answer is known to be right."""
    missing = row["missing"]
    first = missing.get(WARM) or next(iter(missing.values()), None)
    if row["figures"] and WARM not in missing:
        row["status"] = "ok"
    elif first:
        row["status"], row["reason"] = first["status"], first["reason"]
    wrong = [missing[name]["reason"] for name in CHECKS if missing.get(name, {}).get("status") == "failed"]
    suite = row["figures"].get(WARM, {}).get("benchmark", "").endswith((".Warm.time_call", ".Interpreted.time_call"))
    row["checked"] = not wrong and (suite or any(name in row["figures"] for name in CHECKS))
    if wrong:
        row["wrong"] = wrong[0]


def _order(row: Row) -> tuple[int, str, int]:
    known = list(BACKENDS)
    backend = row["backend"]
    return known.index(backend) if backend in known else len(known), backend, row["size"] or 0


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None


def _same(asked: str, installed: str) -> bool:
    try:
        wanted, there = Version(asked), Version(installed)
    except InvalidVersion:
        return asked == installed
    return wanted == there or (wanted.local is None and wanted.public == there.public)


def by_kernel(points: Iterable[Point]) -> Iterator[tuple[str, list[Point]]]:
    """The points of each kernel, in alphabetical order."""
    groups: dict[str, list[Point]] = {}
    for point in points:
        groups.setdefault(point.benchmark.kernel, []).append(point)
    yield from sorted(groups.items())
