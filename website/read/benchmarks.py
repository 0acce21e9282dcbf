"""asv's benchmarks and their cases, and the figure that a case measures: its name, its backend and its size.

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
from history.store.results import Parameters, case_name
from jitkernels import kernels
from website.schema.values import Case as CaseRow

WARM = "warm_seconds"
NAMES = {
    "Warm.time_call": WARM,
    "Interpreted.time_call": WARM,
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
CALLS = 1_000  # in a sample of Dispatch, each on one element


class Benchmark(ListedBenchmark, frozen=True, cache_hash=True):
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
    def is_interpreted(self) -> bool:
        """True if an interpreter runs its calls."""
        return self.group == "Interpreted"

    @property
    def is_counted(self) -> bool:
        """True if its figure is a count, which repeats exactly or within a tolerance."""
        return self.exact or self.tolerance is not None


@dataclass(frozen=True)
class BenchmarkCase:
    """A benchmark with one set of parameters, and the figure that it measures.

    ``size``: None if the figure has none. ``calls``: how many calls a value is the total of.
    """

    benchmark: Benchmark
    parameters: Parameters
    backend: str
    size: int | None
    figure: str
    calls: int = 1

    @property
    def name(self) -> str:
        """Its name, as asv writes it and duets store it."""
        return case_name(self.benchmark.name, self.parameters)

    @property
    def place(self) -> int | None:
        """Its place among all cases of its benchmark in asv's order; None if it is not one of them."""
        cases = list(itertools.product(*self.benchmark.parameters))
        return cases.index(self.parameters) if self.parameters in cases else None

    def row(self) -> CaseRow:
        """Return what pages show of it."""
        return {"backend": self.backend, "size": self.size, "figure": self.figure}


Find = Callable[[str], Benchmark]  # the benchmark of a name


def find_case(name: str, find: Find) -> BenchmarkCase:
    """Return the case of a name that duets store."""
    benchmark, parameters = split_case(name)
    return case(find(benchmark), parameters)


@functools.lru_cache(maxsize=16384)  # each line of duets repeats the same names
def split_case(name: str) -> tuple[str, Parameters]:
    """Return the benchmark and the parameters in a case's name; the name itself, without parameters, for any other text."""
    benchmark, _, rest = name.partition("(")
    try:
        return benchmark, tuple(map(repr, ast.literal_eval(f"({rest[:-1]},)")))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return name, ()


def finder(listed: Mapping[str, Any]) -> Find:
    """Return a function that returns the benchmark of a name. listed: asv's list."""
    return functools.cache(lambda name: benchmark(name, listed.get(name)))


def benchmark(name: str, entry: Mapping[str, Any] | None) -> Benchmark:
    """Return a benchmark. entry: its entry in asv's list; None if it has none."""
    if entry is None:
        return Benchmark(name, None, (), ())
    return msgspec.convert({"direction": "lower", **entry, "listed": True}, Benchmark)


@functools.lru_cache(maxsize=16384)
def case(benchmark: Benchmark, parameters: Parameters) -> BenchmarkCase:
    """Return the case with these parameters."""
    backend, size, others = _split(benchmark, parameters)
    method = f"{benchmark.group}.{benchmark.method}" if benchmark.group else benchmark.method
    if method == "Dispatch.time_1000_calls" and len(others) == 1:
        figure = "dispatch_seconds" if others[0] == "case" else f"dispatch.{others[0]}_seconds"
        return BenchmarkCase(benchmark, parameters, backend, 1, figure, CALLS)
    return BenchmarkCase(benchmark, parameters, backend, size, _figure(benchmark, method, others))


def _figure(benchmark: Benchmark, method: str, others: list[str]) -> str:
    """Return a figure's name. others: the parameters beside backend and size."""
    bare = benchmark.method.removeprefix("track_").removeprefix("time_")
    if method == "Retraces.track_seconds" and others == ["shape"]:
        return "retrace_seconds"
    if not others and method in NAMES:
        return NAMES[method]
    if benchmark.group == "AheadOfTime" and others:
        return ".".join(("aot", *others, bare))
    if benchmark.group in COUNTS and not others:
        return f"counts.{bare}"
    return ".".join((FAMILIES.get(method, method) if others else method, *others))


def _split(benchmark: Benchmark, parameters: Parameters) -> tuple[str, int | None, list[str]]:
    """Return a case's backend, its size, and its other parameters as text."""
    backend, size, others = "", None, []
    sizes = ("size", kernels.load(benchmark.kernel).unit) if benchmark.kernel in kernels.names() else ("size", "points")
    names = benchmark.names
    if len(names) != len(parameters):  # the benchmark is not in asv's list, or has changed
        names = ("backend", "size", *map(str, range(2, len(parameters))))
    for name, argument in zip(names, map(value, parameters), strict=False):
        if name == "backend":
            backend = str(argument)
        elif name in sizes and size is None and type(argument) is int and argument > 0:
            size = argument
        else:
            others.append(str(argument))
    return backend, size, others


@functools.lru_cache(maxsize=4096)  # the files of a history repeat the same texts
def value(text: str) -> Any:
    """Return the value of a parameter's text; the text itself if it is not a plain Python value."""
    try:
        literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return literal if isinstance(literal, str | int | float | bool) else text
