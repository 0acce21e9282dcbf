"""make bench: measure HEAD backend by backend, so that a stopped run keeps finished results, and publish.

asv does the work. This selects the benchmark cases that HEAD has no result for, and calls ``asv run`` for one backend at a
time, because asv stores results only when a run ends. By hand, all at once: ``asv run HEAD^! && asv publish``.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from asv.config import Config
from asv.environment import get_environments

from benchmarks._launch import backend_of, distributions
from benchmarks._selection import NIGHT, QUICK
from duet.git import commit, git
from duet.lock import only_measurement
from history.environment import NEEDED, AsNeeded
from history.errors import StopError, exit_status
from history.slices import all_cases, by_backend, runs
from history.store.lines import note_settings
from history.store.results import is_number, of_commit
from jitkernels import settings
from jitkernels.backends.table import BACKENDS
from jitkernels.machine import identity
from jitkernels.quantities import minutes

RUN = [str(Path(sys.executable).with_name("asv")), "run", "HEAD^!", "--show-stderr", "--environment", AsNeeded.tool_name]
LOG = Path(".asv/bench.log")
LEFT_OUT = 3  # exit status of `make site`: some stored results could not be read; the log names them


def main() -> int:
    """Return the exit status: that of history/errors.py; 1 if a case failed."""
    parser = argparse.ArgumentParser(description="measure HEAD and publish the history")
    parser.add_argument("--full", action="store_true", help="every benchmark, not the quick subset")
    which = "measure this backend alone; repeat for several"
    parser.add_argument("--backend", action="append", choices=BACKENDS, metavar="NAME", help=which)
    parser.add_argument("--again", action="store_true", help="measure HEAD anew even where it has results")
    options = parser.parse_args()
    return exit_status(lambda: measure_and_publish(options))


def measure_and_publish(options: argparse.Namespace) -> int:
    """Measure, publish, and print where. Return 1 if a case failed."""
    if options.backend:
        os.environ[NEEDED] = " ".join(distributions(options.backend))
    with only_measurement() as lock:
        failed = measure(options.backend or list(BACKENDS), lock, full=options.full, again=options.again)
        print("publishing", flush=True)
        run([sys.executable, "-m", "website.site"], lock, accept=(0, LEFT_OUT))
    site = Path(Config.load("asv.conf.json").html_dir).resolve().parent
    print(f"\nThe site is in {site}\nmake preview   opens it on http://127.0.0.1:8080/")
    if failed:
        print(f"\n{len(failed)} cases failed; {LOG} says why:", *failed, sep="\n  ", file=sys.stderr)
    return 1 if failed else 0


def measure(backends: list[str], lock: int, full: bool, again: bool) -> list[str]:
    """Measure the cases of HEAD that have no result; return those that failed. lock: the lock's descriptor, for asv."""
    LOG.parent.mkdir(exist_ok=True)
    if git(Path(), "status", "--porcelain", "benchmarks", "asv.conf.json"):
        raise StopError("benchmarks or asv.conf.json has uncommitted changes, which asv would file under HEAD", 2)
    if git(Path(), "status", "--porcelain", "--untracked-files=no"):
        print("note: HEAD is measured, without uncommitted changes")
    if settings.threads():
        print(f"note: {settings.THREADS} has no effect here")
    note_settings()
    print("making the environment (takes minutes the first time) and finding the benchmarks", flush=True)
    run([*RUN, "--bench", "just-discover"], lock)
    cases = [case for case in all_cases() if re.search(NIGHT if full else QUICK, case) and backend_of(case) in backends]
    results = {} if again else figures_of_head()
    todo = [case for case in cases if not is_number(results.get(case))]
    print(f"{len(todo)} of {len(cases)} cases to measure", flush=True)
    begin = time.monotonic()
    for number, (backend, group) in enumerate(slices := by_backend(todo), start=1):
        since = minutes(time.monotonic() - begin)
        print(f"[{number:2}/{len(slices)}] {backend}: {len(group)} cases, {since} since the start", flush=True)
        for arguments, variables in runs(backend, group):
            run([*RUN, *arguments], lock, accept=(0, 2), environment=variables)
        results = figures_of_head()
        for case in group:
            print(f"        {case}  {in_words(results.get(case))}", flush=True)
    if todo:
        print(f"{minutes(time.monotonic() - begin)} in all", flush=True)
    results = figures_of_head()
    return [case for case in cases if results.get(case) is None]


def run(command: list[str], lock: int, accept: tuple[int, ...] = (0,), environment: dict[str, str] | None = None) -> None:
    """Run the command, which inherits the lock, with its output in the log. Raises StopError for another exit status."""
    variables = {**os.environ, **(environment or {})}
    with LOG.open("a") as log:
        answer = subprocess.run(command, stdout=log, stderr=log, env=variables, pass_fds=[lock])
    if answer.returncode not in accept:
        raise StopError(f"`{' '.join(command[:3])}` failed; {LOG} says why", 1)


def figures_of_head() -> dict[str, float | None]:
    """Return HEAD's results on this machine by case, of benchmarks in their current version.

    NaN for a skipped case, None for a failed one. Only results in asv.conf.json's environment: those of releases are in the
    same directory.
    """
    (environment,) = get_environments(Config.load("asv.conf.json"), None, verbose=False)
    cases = of_commit(identity(), commit(Path()), environment.name)
    return {name: measured.values[place] for name, measured, place in cases}


def in_words(value: float | None) -> str:
    return "failed" if value is None else "skipped" if math.isnan(value) else f"{value:.6g}"


if __name__ == "__main__":
    sys.exit(main())
