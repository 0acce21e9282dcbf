"""A stored number as pages show it, with its source: a file of results, or a duet. Or the reason why there is no number."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from history.store import release_lines
from history.store.lines import found_cold_caches
from history.store.release_lines import End, ReleaseDuetLine
from website.read import catalogue, names
from website.read.commits import Commit, as_iso
from website.read.points import Origin, Point
from website.schema.kernels import Figure, Missing
from website.schema.values import Mismatch, Reason, Source

NO_RECORD = "it was skipped or not selected: no record says which"
FAILED = "it failed or took too long: no record says which"

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
                "cold": found_cold_caches(line["began"]),
                "environment": "",
                "python": line["python"],
                "requirements": end["requirements"],
                "settings": line.get("settings", {}),
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


def figure(point: Point, sources: Sources) -> Figure:
    """Return a number with its spread, its source and the command that repeats it.

    low, high: quartiles of the samples, None without samples. settled: None if no process recorded it.
    """
    case, benchmark, calls = point.case, point.case.benchmark, point.case.calls
    measured, place = point.measured, point.place
    low, high = (_number(measured.column(name, place)) for name in ("stats_q_25", "stats_q_75"))
    samples, started = measured.column("stats_repeat", place), measured.started
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
        "measured": as_iso(started / 1000) if started > 0 else None,
        "source": sources.place(point.origin),
        "command": names.command(case.name, point.origin.result.commit, point.origin.release),
    }


def missing(point: Point) -> Missing:
    """Return why a case has no number: status "empty", "failed" or "unmeasured", and the reason."""
    status: Reason
    benchmark = point.case.benchmark
    if point.reason:
        status, reason = point.reason
    elif point.value is None:
        status, reason = "failed", FAILED
    elif absent := catalogue.absent(benchmark.kernel, point.case.backend):
        status, reason = "empty", absent
    else:
        status, reason = "unmeasured", NO_RECORD
    return {"status": status, "reason": reason, "benchmark": benchmark.name}


def source(origin: Origin) -> Source:
    """Return the commit, the requirements and the installed packages of a file of results."""
    result, backends = origin.result, origin.records.backends
    first = next(iter(backends.values()), {})
    installed = origin.records.installed()
    return {
        **origin.commit.row(),
        "cold": found_cold_caches(origin.commit.row()["date"]),
        "environment": result.environment,
        "python": first.get("python") or result.python,
        "requirements": dict(result.requirements),
        "settings": {},  # ``installed`` has them
        "installed": installed,
        "mismatches": mismatches(result.requirements, installed),
        "processor": first.get("processor"),
        "cores": first.get("cores"),
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
        if required.get(package) and required[package] not in (version, version.partition("+")[0])
    ]


def _number(value: Any) -> float | None:
    """Return a finite number, or None."""
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None
