"""The benchmark cases in asv's list, by backend, and the runs of asv that measure those of one backend.

Cases of a run start alike, so asv's fork server imports a framework once. A case's process is as fresh as a spawned one, but
needs no import. Commits and releases are both measured through this module, so that their figures are comparable.
"""

import itertools
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks._launch import CASES, OWN_CACHES, backend_of, caches_of, is_first_call, variables
from duet.cases import cases_of
from history.store.results import BENCHMARKS, RESULTS
from jitkernels.backends.table import BACKENDS

ONE_PROCESS = ["--attribute", "rounds=1", "--attribute", "repeat=(8,10,2)"]
"""As many samples as the suite's own two processes take: ten, or eight if these take two seconds."""
THREE_PROCESSES = ["--attribute", "rounds=3", "--attribute", "repeat=4"]
"""For cases that are measured only once: two processes can differ by more than the samples of each do."""
FIRST_CALLS = ["--attribute", "rounds=5"]  # processes: enough for a median and quartiles; a pair of commits needs eight
SLOW_FIRST_CALLS = ["--attribute", "rounds=3"]  # processes: each takes half a minute for philox_pi


def all_cases() -> list[str]:
    """Return the names of the benchmark cases in asv's list."""
    listed = json.loads((RESULTS / BENCHMARKS).read_text())
    return list(cases_of({name: benchmark for name, benchmark in listed.items() if name != "version"}))


def by_backend(cases: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return the cases grouped by their first parameter, in the table's order."""
    groups: dict[str, list[str]] = {backend: [] for backend in BACKENDS}
    for case in cases:
        groups[backend_of(case)].append(case)
    return [(backend, group) for backend, group in groups.items() if group]


def runs(
    backend: str, cases: list[str], warm: list[str] = ONE_PROCESS, share: bool = True
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield options and environment variables of ``asv run``. All runs share caches, which are removed at the end.

    warm: options for warm calls: samples and processes. share: True if processes that compile in setup load programs that
    one of them compiled.
    """
    is_slow = backend in BACKENDS and BACKENDS[backend].is_slow_to_compile
    attributes = {"first call": SLOW_FIRST_CALLS if is_slow else FIRST_CALLS, "warm": warm, "exact": []}
    by_start = itertools.groupby(sorted(cases, key=_start), key=_start)
    # A short name: asv's fork server listens on a socket below the directory, in 103 characters on macOS.
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
        for number, ((_, how), group) in enumerate(by_start):
            selected = list(group)
            listed = Path(directory, f"cases.{number}")
            listed.write_text("\n".join(selected))
            selection = "^(" + "|".join(map(re.escape, selected)) + ")$"
            options = ["--bench", selection, "--record-samples", "--launch-method", "forkserver", *attributes[how]]
            yield options, {CASES: str(listed), **variables(selected, Path(directory), share)}


def _start(case: str) -> tuple[str, str]:
    """Return how the case's process begins, and what it measures. Attributes hold for all cases of a run, so an exact case
    among first calls would be computed several times for the same figure."""
    how = caches_of(case)
    return how, "first call" if is_first_call(case) else "exact" if how == OWN_CACHES else "warm"
