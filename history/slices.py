"""Cases of one backend as runs of asv: those of a run start alike, so that asv's fork server imports a framework once.

A case's process is as fresh as a spawned one, without its import. What a commit and what a release is measured by goes
through here, so that the two can stand side by side.
"""

import itertools
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._launch import CASES, OWN_CACHES, environments, is_first_call, launched
from jitkernels import settings
from jitkernels.backends.table import BACKENDS

ONE_PROCESS = ["--attribute", "rounds=1", "--attribute", "repeat=(8,10,2)"]
"""The ten samples of the suite's own two processes; eight where these take two seconds."""
THREE_PROCESSES = ["--attribute", "rounds=3", "--attribute", "repeat=4"]
"""For what is measured but once: two processes a minute apart can differ by more than either's samples do."""
FIRST_CALLS = ["--attribute", "rounds=5"]  # processes: a history needs a median and its quartiles; a pair of commits eight
SLOW_FIRST_CALLS = ["--attribute", "rounds=3"]  # half a minute each for philox_pi


def runs(
    backend: str, cases: list[str], warm: list[str] = ONE_PROCESS, share: bool = True
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield options of ``asv run``, and variables of its environment. All runs have the same caches, removed after the last.

    warm: options for warm calls: samples and processes. share: True if processes whose preparation is to compile load what
    one of them has compiled.
    """
    is_slow = backend in BACKENDS and BACKENDS[backend].is_slow_to_compile
    attributes = {"first call": SLOW_FIRST_CALLS if is_slow else FIRST_CALLS, "warm": warm, "exact": []}
    by_start = itertools.groupby(sorted(cases, key=_start), key=_start)
    # A short name: asv's fork server listens on a socket below the directory, in 103 characters on macOS.
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
        variables = environments([backend], Path(directory))
        if not share:
            variables = dict.fromkeys(variables, variables[OWN_CACHES])
        for number, ((caches, how), group) in enumerate(by_start):
            selected = list(group)
            listed = Path(directory, f"cases.{number}")
            listed.write_text("\n".join(selected))
            selection = "^(" + "|".join(map(re.escape, selected)) + ")$"
            options = ["--bench", selection, "--record-samples", "--launch-method", "forkserver", *attributes[how]]
            # No limit of threads: results would not say it, and philox_pi.Threads measures what threads do.
            yield options, {settings.THREADS: "", CASES: str(listed), **variables[caches]}


def _start(case: str) -> tuple[str, str]:
    """Return how the case's process begins, and what is measured. An attribute counts for all cases of a run: with the
    processes of a first call each exact case would be worked out as often, for the same figure."""
    how = launched(case)
    return how, "first call" if is_first_call(case) else "exact" if how == OWN_CACHES else "warm"
