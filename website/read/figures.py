"""What a benchmark's number is called: the figure's name, which row it is of, and its unit.

Names are those of docs/measures.md; a stage, a count or another kind comes after a point, and what has no name of its own
is called after its class and method, so that nothing that asv stored is lost.
"""

from dataclasses import dataclass
from typing import Any

from history.store.results import Cell
from website.read import catalogue
from website.read.catalogue import Benchmark

NAMES = {
    "Warm.time_call": "warm_seconds",
    "Interpreted.time_call": "warm_seconds",
    "Cold.time_first_call": "cold_seconds",
    "Cached.time_first_call": "cached_seconds",
    "Retrace.time_first_call": "retrace_seconds",
    "Memory.track_compile_peak": "compile_peak_bytes",
    "Memory.track_run_peak": "run_peak_bytes",
    "Accuracy.track_error": "error",
    "Accuracy.track_z": "z",
    "Accuracy.track_hits": "hits",
    "Error.track_error": "error",
    "Dispatch.time_1000_calls": "dispatch_seconds",
}
FAMILIES = {  # with one more parameter, which comes after the point
    "Stages.track_seconds": "stages",
    "Made.track_count": "counts",
    "Lives.track_programs": "programs",
    "Retraces.track_seconds": "retraces",
}
COUNTS = ("Counts", "Fusions")  # classes whose methods are counts
PLAIN = {"case": "dispatch_seconds", "program": "dispatch.program_seconds", "user": "dispatch.user_seconds"}
CALLS = 1_000  # in one of Dispatch's samples, each on one element


@dataclass(frozen=True)
class Name:
    """``size``: None for what has none. ``calls``: by which a value is divided to be that of one call."""

    backend: str
    size: int | None
    figure: str
    calls: int = 1


def name(benchmark: Benchmark, cell: Cell) -> Name:
    """The figure that a cell of a benchmark is."""
    named = benchmark.named(cell)
    backend, size, others = _split(benchmark, named)
    known = f"{benchmark.group}.{benchmark.method}"
    if known == "Dispatch.time_1000_calls" and len(others) == 1:
        return Name(backend, 1, PLAIN.get(others[0], f"dispatch.{others[0]}_seconds"), CALLS)
    if known == "Retraces.track_seconds" and others == ["shape"]:
        return Name(backend, size, "retrace_seconds")
    if not others and known in NAMES:
        return Name(backend, size, NAMES[known])
    if benchmark.group == "AheadOfTime" and others:
        return Name(backend, size, ".".join(("aot", *others, _bare(benchmark.method))))
    if benchmark.group in COUNTS and not others:
        return Name(backend, size, f"counts.{_bare(benchmark.method)}")
    if known in FAMILIES and others:
        return Name(backend, size, ".".join((FAMILIES[known], *others)))
    plain = known if benchmark.group else benchmark.method
    return Name(backend, size, ".".join((plain, *others)))


def _split(benchmark: Benchmark, named: dict[str, Any]) -> tuple[str, int | None, list[str]]:
    """A cell's backend, its size, and the rest of its parameters as text."""
    backend, size, others = "", None, []
    for key, value in named.items():
        if key == "backend":
            backend = str(value)
        elif key in catalogue.size_names(benchmark.kernel) and size is None and _is_size(value):
            size = value
        else:
            others.append(str(value))
    return backend, size, others


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _bare(method: str) -> str:
    return method.removeprefix("track_").removeprefix("time_")
