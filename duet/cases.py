"""Benchmark cases, and how their processes begin."""

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class BenchmarkCase:
    """A benchmark with one combination of parameters.

    ``name``: asv's, ``philox_pi.Warm.time_call('numba', 1000)``. ``id``: its name for asv_runner. ``attributes``: the
    benchmark's own in the suite (type, unit, direction, exact, ...).
    """

    name: str
    id: str
    attributes: Mapping[str, Any]

    @property
    def is_time(self) -> bool:
        return self.attributes.get("type") == "time"

    @property
    def is_exact(self) -> bool:
        return bool(self.attributes.get("exact"))

    @property
    def is_accuracy(self) -> bool:
        """True if its figure is an answer's error, which has a bound."""
        return not self.attributes.keys().isdisjoint(("limit", "judged_by", "checked"))

    @property
    def checks_answers(self) -> bool:
        """True if its figure is a count, of a process that also checks answers that no error is of."""
        return bool(self.attributes.get("checks"))

    @property
    def tolerance(self) -> float | None:
        """The fraction by which its figure differs between equal programs; None if the suite gives none."""
        return self.attributes.get("tolerance")

    @property
    def is_counted(self) -> bool:
        """True if its figure is a count, which repeats exactly or within a tolerance."""
        return self.is_exact or self.tolerance is not None

    @property
    def is_measured_once(self) -> bool:
        """True if one process a side is enough: another one would repeat its figure, or draw another random number."""
        return self.is_counted or self.is_accuracy

    @property
    def is_first_call(self) -> bool:
        """True if it is the time of a first call, so that a process has one sample of it."""
        return self.is_time and self.attributes.get("repeat") == 1

    @property
    def takes_turns(self) -> bool:
        """True if it is the time of a warm call, so that a process can take any number of samples."""
        return self.is_time and not self.is_first_call

    @property
    def kernel(self) -> str:
        return self.name.partition(".")[0]

    @property
    def owner(self) -> str:
        """The name of the class that the benchmark is a method of."""
        return self.name.partition("(")[0].rpartition(".")[0]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Each as Python writes it: ``("'numba'", "1000")``."""
        return tuple(filter(None, self.name.partition("(")[2].removesuffix(")").split(", ")))

    @property
    def backend(self) -> str:
        """The first parameter, if it is a string."""
        return self.name.partition("('")[2].partition("'")[0]

    @property
    def unit(self) -> str:
        return str(self.attributes.get("unit", ""))


@dataclass(frozen=True)
class Launch:
    """How the processes of benchmark cases begin. By default one process measures all cases.

    ``group``: returns the name of a case's group. One process may measure a whole group, and imports its framework once.
    ``needs_threads``: True if a case would be another program on one core. ``variables``: returns the environment variables
    of the process that measures these cases; the directory is for the side's caches. ``has_first_calls_at_once``: True if
    both sides make a first call at the same moment, each on its own core, so that other load hits both; False if one side
    makes it after the other, as users do.
    """

    group: Callable[[str], str] = lambda case: "all"
    needs_threads: Callable[[str], bool] = lambda case: False
    variables: Callable[[Sequence[str], Path], dict[str, str]] = lambda cases, directory: {}
    has_first_calls_at_once: bool = False

    def is_pinned(self, case: BenchmarkCase) -> bool:
        """True if both sides are set up at the same time, each on one core. Measurements of memory would be disturbed."""
        is_timed = case.takes_turns or (case.is_first_call and self.has_first_calls_at_once)
        return (is_timed or case.is_measured_once) and not self.needs_threads(case.name)


def cases_of(benchmarks: Mapping[str, Mapping[str, Any]]) -> dict[str, BenchmarkCase]:
    """Return the benchmark cases of a suite by name, in asv's order. benchmarks: attributes by benchmark."""
    cases = {}
    for benchmark, attributes in sorted(benchmarks.items()):
        params = attributes["params"]
        for index, values in enumerate(itertools.product(*params)):
            name, id = (f"{benchmark}({', '.join(values)})", f"{benchmark}-{index}") if params else (benchmark, benchmark)
            cases[name] = BenchmarkCase(name, id, attributes)
    return cases


def rows_of(cases: Iterable[BenchmarkCase], alone: Collection[str] = ()) -> list[list[BenchmarkCase]]:
    """Return the cases in rows, each for one process. A row has all figures of a class on a backend if the class computes
    them at once. Any other case is a row of its own, as are those named in ``alone``.

    Figures are rows of their own too if only one of several sizes is measured: computing that size takes less time.
    """
    rows: dict[tuple[str, ...], list[BenchmarkCase]] = defaultdict(list)
    for case in cases:
        is_shared = case.is_measured_once and case.attributes.get("setup_cache_key") and case.name not in alone
        rows[(case.owner, case.backend) if is_shared else (case.name,)].append(case)
    return [part for row in rows.values() for part in ([row] if _is_whole(row) else ([case] for case in row))]


def _is_whole(row: Sequence[BenchmarkCase]) -> bool:
    """True if the row is one case, or has several sizes of a benchmark, or the only one that it has."""
    is_larger = len(row) == 1 or len({case.parameters for case in row}) > 1
    return is_larger or all(len(values) == 1 for values in row[0].attributes["params"][1:])
