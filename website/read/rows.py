"""The rows of one kernel on one machine, one for each backend and size."""

from collections.abc import Iterable
from typing import cast

from jitkernels.backends.table import BACKENDS
from website.read import names
from website.read.benchmarks import WARM
from website.read.figures import Sources, figure, missing
from website.read.points import Point
from website.schema import kernels as schema
from website.schema.kernels import Row

CHECKS = ("error", "hits", "z")  # figures that exist only if the answer is right
CHECKED_SUITES = (".Warm.time_call", ".Interpreted.time_call")  # these check the answer before they time the call


def rows(points: Iterable[Point], sources: Sources) -> list[Row]:
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
            row["missing"][case.figure] = missing(point)
    for row in table.values():
        _judge(row)
    return sorted(table.values(), key=_order)


def with_empty_rows(rows: Iterable[Row], cases: Iterable[tuple[str, int]]) -> list[Row]:
    """Return the rows, and an empty row for each of ``cases`` without one."""
    known = {(row["backend"], row["size"]): row for row in rows}
    return sorted(({case: _empty_row(*case) for case in cases} | known).values(), key=_order)


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
    gaps = row["missing"]
    first = gaps.get(WARM) or next(iter(gaps.values()), None)
    if row["figures"] and WARM not in gaps:
        row["status"] = "ok"
    elif first:
        row["status"], row["reason"] = first["status"], first["reason"]
    wrong = [gaps[name]["reason"] for name in CHECKS if name in gaps and gaps[name]["status"] == "failed"]
    warm = row["figures"].get(WARM)
    is_checked = warm is not None and warm["benchmark"].endswith(CHECKED_SUITES)
    row["checked"] = not wrong and (is_checked or any(name in row["figures"] for name in CHECKS))
    if wrong:
        row["wrong"] = wrong[0]


def _order(row: Row) -> tuple[int, str, int]:
    known = list(BACKENDS)
    backend = row["backend"]
    return known.index(backend) if backend in known else len(known), backend, row["size"] or 0
