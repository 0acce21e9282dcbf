"""asv's benchmarks, and the figure that each of their cases measures: its name, its backend and its size.

docs/measures.md lists the figures' names. A stage, a count or another kind follows after a dot. If a figure has no name, its
benchmark's class and method are the name, so that no stored number is lost.
"""

import ast
import functools
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from history.store.clean import ListedBenchmark
from jitkernels import kernels
from website.read import names
from website.schema.values import Case as CaseRow

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
FAMILIES = {  # with one more parameter, which follows after the dot
    "Stages.track_seconds": "stages",
    "Made.track_count": "counts",
    "Lives.track_programs": "programs",
    "Retraces.track_seconds": "retraces",
}
COUNTS = ("Counts", "Fusions")  # classes whose methods are counts
PLAIN = {"case": "dispatch_seconds", "program": "dispatch.program_seconds", "user": "dispatch.user_seconds"}
CALLS = 1_000  # in a sample of Dispatch, each on one element
Case = tuple[str, ...]  # a benchmark case's parameters, each as Python writes it: ("'numba'", "1000")


class Benchmark(ListedBenchmark, frozen=True):
    """A benchmark. ``listed``: False if it is not in asv's list, so that only its name is known."""

    listed: bool = False

    @property
    def kernel(self) -> str:
        return self.name.partition(".")[0]

    @property
    def group(self) -> str:
        """Its class: "Warm"."""
        return self.name.partition(".")[2].rpartition(".")[0]

    @property
    def method(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def is_counted(self) -> bool:
        """True if its figure is a count, which repeats exactly or within a tolerance."""
        return self.exact or self.tolerance is not None

    def has_version(self, version: str | None) -> bool:
        """True if a result of this version can be compared with today's results."""
        return not self.listed or version in (None, self.version)

    def place(self, case: Case) -> int | None:
        """Return the case's place among all cases in asv's order; None if it is not one of them."""
        cases = list(itertools.product(*self.parameters))
        return cases.index(case) if case in cases else None

    def named(self, case: Case) -> dict[str, Any]:
        """Return the case's parameters as Python values by name. If asv's names do not fit: "backend", "size", "2", ..."""
        values = [value(text) for text in case]
        names = self.names if len(self.names) == len(values) else ("backend", "size", *map(str, range(2, len(values))))
        return dict(zip(names, values, strict=False))


Find = Callable[[str], Benchmark]  # the benchmark of a name


def of_case(case: str, find: Find) -> tuple[Benchmark, Case]:
    """Return the benchmark and the parameters of a case's name, as duets store it."""
    benchmark, parameters = names.split_case(case)
    return find(benchmark), parameters


def finder(listed: Mapping[str, Any]) -> Find:
    """Return a function that returns the benchmark of a name. listed: asv's list."""
    return functools.cache(lambda name: benchmark(name, listed.get(name)))


def benchmark(name: str, entry: Mapping[str, Any] | None) -> Benchmark:
    """Return a benchmark. entry: its entry in asv's list; None if it has none."""
    if entry is None:
        return Benchmark(name, None, (), ())
    return msgspec.convert({"direction": "lower", **entry, "listed": True}, Benchmark)


@dataclass(frozen=True)
class Name:
    """A figure's name with its backend and its size, or None. A value divided by ``calls`` is the value of one call."""

    backend: str
    size: int | None
    figure: str
    calls: int = 1

    def row(self) -> CaseRow:
        """Return what pages show of it."""
        return {"backend": self.backend, "size": self.size, "figure": self.figure}


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
    sizes = size_names(benchmark.kernel)
    for key, value in benchmark.named(case).items():
        if key == "backend":
            backend = str(value)
        elif key in sizes and size is None and type(value) is int and value > 0:
            size = value
        else:
            others.append(str(value))
    return backend, size, others


def size_names(kernel_name: str) -> tuple[str, ...]:
    """Return the names that a benchmark of this kernel may give its size parameter."""
    return ("size", kernels.load(kernel_name).unit) if kernel_name in kernels.names() else ("size", "points")


@functools.lru_cache(maxsize=4096)  # the files of a history repeat the same texts
def value(text: str) -> Any:
    """Return the value of a parameter's text; the text itself if it is not a plain Python value."""
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return literal if isinstance(literal, str | int | float | bool) else text
