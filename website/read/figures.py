"""The figure that a benchmark case measures: its name, its backend and its size.

docs/measures.md lists the names. A stage, a count or another kind comes after a point. A benchmark without a name of its own
is called by its class and method, so that no stored number is lost.
"""

import functools
from dataclasses import dataclass

from website.read import catalogue
from website.read.catalogue import Benchmark, Case

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
    """``size`` is None for what has none. A value divided by ``calls`` is that of one call."""

    backend: str
    size: int | None
    figure: str
    calls: int = 1


@functools.lru_cache(maxsize=16384)
def name(benchmark: Benchmark, case: Case) -> Name:
    """Return the figure that a benchmark case measures."""
    backend, size, others = _split(benchmark, case)
    method = f"{benchmark.group}.{benchmark.method}" if benchmark.group else benchmark.method
    bare = benchmark.method.removeprefix("track_").removeprefix("time_")
    if method == "Dispatch.time_1000_calls" and len(others) == 1:
        return Name(backend, 1, PLAIN.get(others[0], f"dispatch.{others[0]}_seconds"), CALLS)
    if method == "Retraces.track_seconds" and others == ["shape"]:
        figure = "retrace_seconds"
    elif not others and method in NAMES:
        figure = NAMES[method]
    elif benchmark.group == "AheadOfTime" and others:
        figure = ".".join(("aot", *others, bare))
    elif benchmark.group in COUNTS and not others:
        figure = f"counts.{bare}"
    else:
        figure = ".".join((FAMILIES.get(method, method) if others else method, *others))
    return Name(backend, size, figure)


def _split(benchmark: Benchmark, case: Case) -> tuple[str, int | None, list[str]]:
    """Return a case's backend, its size, and its other parameters as text."""
    backend, size, others = "", None, []
    sizes = catalogue.size_names(benchmark.kernel)
    for key, value in benchmark.named(case).items():
        if key == "backend":
            backend = str(value)
        elif key in sizes and size is None and type(value) is int and value > 0:
            size = value
        else:
            others.append(str(value))
    return backend, size, others
