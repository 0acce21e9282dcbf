"""make bench: measure HEAD slice by slice, so that what is finished stays, and publish.

The work is asv's: this picks the cells that HEAD has no result for and calls ``asv run`` for one backend at a time, because
asv stores results only when a run ends. By hand, all at once: ``asv run HEAD^! && asv publish``.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from asv.config import Config
from asv.results import Results, iter_results_for_machine_and_hash

from benchmarks._selection import QUICK, backend_of, cell_names
from history.slices import runs
from history.spent import Spent, minutes
from jitkernels import settings
from jitkernels.backends.table import BACKENDS
from jitkernels.machine import identity

ASV = [str(Path(sys.executable).with_name("asv"))]
RUN = [*ASV, "run", "HEAD^!"]
LOG = Path(".asv/bench.log")
COSTS = Path(".asv/costs.jsonl")
LEFT_OUT = 3  # of `make site`: some stored results could not be read, and are named in the log
COSTS_FILE = "JITKERNELS_COSTS"  # read by benchmarks/


def main() -> int:
    """Measure, publish, say where; 0 when every cell measured has a result, 1 when one failed, 130 when interrupted."""
    parser = argparse.ArgumentParser(description="measure HEAD and publish the history")
    parser.add_argument("--full", action="store_true", help="every benchmark, not the quick subset")
    parser.add_argument("--backend", action="append", metavar="NAME", help="of this backend alone; repeat for several")
    parser.add_argument("--again", action="store_true", help="measure HEAD anew even where it has results")
    options = parser.parse_args()
    if unknown := set(options.backend or ()) - set(BACKENDS):
        parser.error(f"unknown backend {', '.join(sorted(unknown))}; known: {', '.join(BACKENDS)}")
    try:
        failed = measure(options.backend or list(BACKENDS), full=options.full, again=options.again)
        run([sys.executable, "-m", "website.site"], accept=(0, LEFT_OUT))
    except KeyboardInterrupt:
        print("\nstopped: finished results are kept, and `make bench` goes on from here")
        return 130
    except subprocess.CalledProcessError as error:
        print(f"`{' '.join(error.cmd)}` failed; {LOG} says why", file=sys.stderr)
        return 1
    site = Path(Config.load("asv.conf.json").html_dir).resolve().parent
    print(f"\nThe site is in {site}\nmake preview   opens it on http://127.0.0.1:8080/")
    if failed:
        print(f"\n{len(failed)} cells failed; {LOG} says why:", *failed, sep="\n  ", file=sys.stderr)
    return 1 if failed else 0


def measure(backends: list[str], full: bool, again: bool) -> list[str]:
    """Measure the cells of HEAD that have no result; returns those that failed."""
    LOG.parent.mkdir(exist_ok=True)
    if _output(["git", "status", "--porcelain", "--untracked-files=no"]):
        print("note: what is not committed is not measured; HEAD is")
    if settings.threads():
        print(f"note: {settings.THREADS} is not heeded here")
    print("making the environment (minutes the first time, at once later) and finding the benchmarks", flush=True)
    run([*RUN, "--bench", "just-discover"])
    cells = [cell for cell in all_cells() if (full or re.search(QUICK, cell)) and backend_of(cell) in backends]
    results = {} if again else stored()
    todo = [cell for cell in cells if not is_number(results.get(cell))]  # asv writes NaN for skipped and not-yet-run alike
    print(f"{len(todo)} of {len(cells)} cells to measure", flush=True)
    begin, spent = time.monotonic(), Spent(COSTS)
    for done, (backend, slice_) in enumerate(slices := by_backend(todo)):
        print(f"[{done + 1:2}/{len(slices)}] {backend}: {len(slice_)} cells, {clock(begin)} since the start", flush=True)
        seconds = measure_slice(backend, slice_)
        spent.add(seconds, sample_seconds(slice_))
        report(slice_)
        print(f"        {spent.line()}", flush=True)
    if todo:
        print(*spent.summary(), sep="\n", flush=True)
    results = stored()
    return [cell for cell in cells if results.get(cell) is None]


def measure_slice(backend: str, cells: list[str]) -> float:
    """Measure the cells of one backend; the seconds that it took."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
        for options, variables in runs(backend, cells, Path(directory)):
            run([*RUN, *options], accept=(0, 2), environment={COSTS_FILE: str(COSTS.resolve()), **variables})
    return time.monotonic() - begin


def sample_seconds(cells: list[str]) -> float:
    """Seconds inside the clock of the samples that HEAD's results hold of these cells."""
    return sum(sum(samples) * number for cell, samples, number in stored_samples() if cell in set(cells))


def is_number(value: float | None) -> bool:
    """Whether the cell was measured: neither failed nor skipped."""
    return value is not None and not math.isnan(value)


def run(command: list[str], accept: tuple[int, ...] = (0,), environment: dict[str, str] | None = None) -> None:
    """Run, with the output in the log; CalledProcessError for an exit status that is not accepted."""
    if command[:2] == RUN[:2]:
        command = [*command, "--show-stderr"]
    with LOG.open("a") as log:
        answer = subprocess.run(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})
    if answer.returncode not in accept:
        raise subprocess.CalledProcessError(answer.returncode, command[:3])


def report(cells: list[str]) -> None:
    """Print the results of a slice that has just been measured."""
    results = stored()
    for cell in cells:
        value = results.get(cell)
        text = "failed" if value is None else "skipped" if math.isnan(value) else f"{value:.6g}"
        print(f"        {cell}  {text}", flush=True)


def all_cells() -> Iterator[str]:
    """Every benchmark with every combination of its parameters, by asv's own spelling: name('numba', 1000)."""
    path = Path(Config.load("asv.conf.json").results_dir) / "benchmarks.json"
    benchmarks = json.loads(path.read_text())
    for name, benchmark in benchmarks.items():
        if name != "version":
            yield from cell_names(name, benchmark["params"])


def stored_samples() -> Iterator[tuple[str, list[float], int]]:
    """Of each of HEAD's times on this machine: the cell, seconds a call by sample, calls a sample."""
    for result, name, params in _stored_benchmarks():
        cells = cell_names(name, params)
        statistics = result.get_result_stats(name, params) or []
        samples = result.get_result_samples(name, params) or []
        for cell, taken, known in zip(cells, samples, statistics, strict=False):
            if taken and known:
                yield cell, taken, known["number"]


def stored() -> dict[str, float | None]:
    """HEAD's results on this machine by cell: a number, NaN for a cell that was skipped, None for one that failed."""
    values: dict[str, float | None] = {}
    for result, name, params in _stored_benchmarks():
        values.update(zip(cell_names(name, params), result.get_result_value(name, params), strict=True))
    return values


def _stored_benchmarks() -> Iterator[tuple[Results, str, list[list[str]]]]:
    """HEAD's results on this machine, with each benchmark in them whose version is today's, and its parameters."""
    conf = Config.load("asv.conf.json")
    benchmarks = json.loads((Path(conf.results_dir) / "benchmarks.json").read_text())
    for result in iter_results_for_machine_and_hash(conf.results_dir, machine(), _output(["git", "rev-parse", "HEAD"])):
        for name in result.get_all_result_keys():
            params = benchmarks.get(name, {}).get("params")
            if params is not None and result.benchmark_version.get(name) == benchmarks[name]["version"]:
                yield result, name, params


def by_backend(cells: list[str]) -> list[tuple[str, list[str]]]:
    """The cells grouped by their first parameter, in the table's order."""
    groups: dict[str, list[str]] = {}
    for cell in cells:
        groups.setdefault(backend_of(cell), []).append(cell)
    return sorted(groups.items(), key=lambda group: list(BACKENDS).index(group[0]))


def machine() -> str:
    """Return the name under which this machine's results are filed."""
    return identity()


def clock(begin: float) -> str:
    """Minutes and seconds since ``begin``."""
    return minutes(time.monotonic() - begin)


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
