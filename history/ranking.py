"""make ranking: compare the backends of each kernel by several processes each, of one run.

HEAD is built from git and measured in asv's environment. A round starts each framework anew and goes through all kernels and
sizes. For each of them, the backends are measured one after the other, each in its own process, in an order that changes.
So a slow hour of the machine affects all backends alike. A backend with several threads is measured again with one. A
stopped run continues after its last complete round. ``other_python`` measures with another Python's packages.
"""

import argparse
import itertools
import json
import random
import shutil
import signal
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from benchmarks import _selection
from duet import BenchmarkCase, Side, SideError
from duet.alone import Measure, alone
from duet.lock import only_measurement
from history import head, other_python
from history.errors import exit_status
from history.head import Head
from history.ratios import LAUNCH
from history.store import rankings, records
from history.store.lines import rounded
from history.store.rankings import Cell, Line
from history.store.records import Records
from history.store.results import RESULTS
from jitkernels import files, kernels, settings
from jitkernels.measure import ranking, roof
from jitkernels.quantities import minutes

DIRECTORY = Path(".asv/ranking")
SAMPLES = 5  # for each process, of 30 ms each; their median counts
DONE, FAILED = 0, 1
Process = dict[str, Any]
"""A Measurement's fields, its ``case``, and ``threads``: the limit; None for the backend's own number."""


@dataclass
class Run:
    """A run that measures these cases. ``conditions``: commit, machine and environment.

    ``directory``: gets logs, caches, the processes' records, and ``rounds.jsonl``: first what the run is about, then a line
    for each round.
    """

    side: Side
    cases: Sequence[BenchmarkCase]
    conditions: dict[str, Any]
    directory: Path
    began: str = field(default_factory=records.now)
    rounds: list[list[Process]] = field(default_factory=list)

    @property
    def file(self) -> Path:
        return self.directory / "rounds.jsonl"

    def measure(self, count: int) -> list[Line]:
        """Measure the rounds that the run lacks, and return its lines."""
        begin = time.monotonic()
        self.resume()
        for number in range(len(self.rounds) + 1, count + 1):
            self.rounds.append(self.round(f"round {number} of {count}", begin))
            files.append(self.file, json.dumps(self.rounds[-1]) + "\n")
            self.lines()  # measures the roofs, whose highest figure of all rounds counts
        return self.lines()

    def resume(self) -> None:
        """Continue the rounds of a stopped run about the same conditions and cases, or begin a new file."""
        about = {**self.conditions, "cases": [case.name for case in self.cases]}
        lines = list(files.lines(self.file))
        if lines and lines[0]["about"] == about:
            self.began, self.rounds = lines[0]["began"], lines[1:]
        else:
            self.file.write_text(json.dumps({"about": about, "began": self.began}) + "\n", encoding="utf-8")

    def round(self, name: str, begin: float) -> list[Process]:
        """Measure each case in a new process, in a new order, without cases that an earlier round skipped."""
        earlier = itertools.chain.from_iterable(self.rounds)
        skipped = {process["case"] for process in earlier if process["outcome"] == "skipped"}
        remaining = [case for case in self.cases if case.name not in skipped]
        groups = list(grouped(remaining).items())
        random.shuffle(groups)
        processes: list[Process] = []
        with alone(self.side, remaining, self.directory, LAUNCH, SAMPLES) as measure:
            for (kernel, size), cases in groups:
                seconds = time.monotonic() - begin
                print(f"[{name}, {minutes(seconds)}] {kernel} at {size:,}: {len(cases)} backends", flush=True)
                random.shuffle(cases)
                for case in cases:
                    processes += self._processes(measure, case)
        return processes

    def _processes(self, measure: Measure, case: BenchmarkCase) -> Iterable[Process]:
        """Measure a case with its own number of threads, and with one if it has more."""
        process = self._process(measure, case, None)
        yield process
        line = self.records(None).backends.get(case.backend, {})
        if process["outcome"] == "ok" and (line.get("threads") or 1) > 1:
            yield self._process(measure, case, 1)

    def _process(self, measure: Measure, case: BenchmarkCase, threads: int | None) -> Process:
        environment = {"ASV_CONF_DIR": str(self.directory), "ASV_COMMIT": self.conditions["commit"]}
        variables = {**environment, "ASV_ENV_NAME": _environment(threads), settings.THREADS: str(threads or "")}
        return {"case": case.name, "threads": threads, **vars(measure(case, variables))}

    def records(self, threads: int | None) -> Records:
        """Return what the processes with this limit of threads recorded."""
        return records.load(self.directory / records.written(self.conditions["commit"], _environment(threads)))

    def lines(self) -> list[Line]:
        """Return a line for each kernel, size and limit of threads."""
        processes: dict[tuple[str, int | None], list[Process]] = defaultdict(list)
        for process in itertools.chain.from_iterable(self.rounds):
            processes[process["case"], process["threads"]].append(process)
        written = []
        for ((kernel, size), group), threads in itertools.product(grouped(self.cases).items(), (None, 1)):
            limits = [threads if (case.name, threads) in processes else None for case in group]
            if threads not in limits:
                continue  # no backend has several threads here
            cells, empty = {}, {}
            for case, limit in zip(group, limits, strict=True):  # a backend that always has one thread is in both lines
                taken = processes.get((case.name, limit), [])
                if seconds := [statistics.median(process["values"]) for process in taken if process["values"]]:
                    cells[case.backend] = _cell(case, size, seconds, self.records(limit))
                elif taken:
                    empty[case.backend] = taken[-1]["reason"]
            line = {"began": self.began, "at": records.now(), "kernel": kernel, "size": size, "threads": threads}
            written.append(cast(Line, {**self.conditions, **line, "cells": cells, "empty": empty}))
        return written


def _environment(threads: int | None) -> str:
    """Return the name under which the processes with this limit of threads record."""
    return f"threads-{threads}" if threads else "threads"


def grouped(cases: Iterable[BenchmarkCase]) -> dict[tuple[str, int], list[BenchmarkCase]]:
    """Return the cases by kernel and size."""
    groups: dict[tuple[str, int], list[BenchmarkCase]] = defaultdict(list)
    for case in cases:
        groups[case.kernel, int(case.parameters[1])].append(case)
    return groups


def _cell(case: BenchmarkCase, size: int, seconds: list[float], recorded: Records) -> Cell:
    line = recorded.backends.get(case.backend, {})
    settled = recorded.settled.get((case.owner, case.parameters))
    cell: Cell = {"seconds": list(map(rounded, seconds)), "threads": line.get("threads"), "settled": settled}
    if above := roof.of(kernels.load(case.kernel), size, line):
        cell["roof"] = cast(rankings.Roof, above)
    return cell


def main() -> int:
    """Measure, store and print a ranking; 0 done, 1 failed, 130 stopped."""
    parser = argparse.ArgumentParser(description="rank the backends of each kernel by several processes each")
    parser.add_argument(
        "--kernel",
        action="append",
        default=[],
        choices=kernels.names(),
        metavar="NAME",
        help="default: all, each at one size; a kernel alone at all its sizes, with --python at one",
    )
    parser.add_argument("--python", metavar="PATH", help="measure with its packages, not those of asv")
    parser.add_argument("--rounds", type=int, default=ranking.FEWEST, help="processes per backend (default: %(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds: must be 1 or more, not {options.rounds}")
    return exit_status(lambda: run(options))


def run(options: argparse.Namespace) -> int:
    with only_measurement():
        try:
            if options.python:
                store(other_python.measure(options.python, DIRECTORY.resolve() / "other", options.rounds, options.kernel))
            else:
                measure_head(head.build(Path(), DIRECTORY.resolve() / "build"), options)
        except SideError as error:
            print(error, file=sys.stderr)
            return FAILED
    return DONE


def measure_head(built: Head, options: argparse.Namespace) -> None:
    """Measure a run of HEAD, store its lines and print them."""
    cases = [built.cases[name] for name in _selection.of_ranking(built.cases, options.kernel)]
    run = Run(built.side, cases, {**built.conditions, "commit": built.commit}, built.directory.parent)
    store(run.measure(options.rounds))
    shutil.rmtree(run.directory / records.WRITTEN, ignore_errors=True)
    run.file.unlink()


def store(measured: Iterable[Line]) -> None:
    for line in measured:
        records.append(RESULTS / line["machine"] / rankings.FILE, rankings.KIND, line)
        print(rankings.in_words(line))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    sys.exit(main())
