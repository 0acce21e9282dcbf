"""Take samples of both sides, in processes that alternate, for as long as the budget allows."""

import contextlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate import faults, suite
from gate.builds import Environment, Side
from gate.workers import Worker

SAMPLES = {"repeat": (1, 5, 0.3), "min_run_count": 1}
"""Of a process: five, but no more once they have taken 0.3 seconds; one of a call that takes longer. Their median counts."""
ONE_THREAD = ("python", "c")
"""Backends whose programs never have a second thread: both sides can be measured at once where there are two cores."""

IN_TURN = ("torch_eager", "torch_script")
"""Backends that have next to nothing to set up, and whose threads wait busily for one another: where two processes of as
many threads as cores do it at the same time, a pair takes 19 s instead of 1."""


@dataclass
class Cell:
    """One benchmark with one combination of parameters.

    ``id``: its name for asv_runner. ``attributes``: what the suite says of the benchmark (type, unit, direction, exact).
    """

    name: str
    id: str
    attributes: dict

    @property
    def backend(self) -> str:
        return suite.backend_of(self.name)

    @property
    def is_time(self) -> bool:
        return self.attributes.get("type") == "time"

    @property
    def is_exact(self) -> bool:
        return bool(self.attributes.get("exact"))

    @property
    def is_once(self) -> bool:
        """Whether one process a side is enough: exact figures, and errors of estimates, which are judged by their limit."""
        return self.is_exact or self.is_accuracy

    @property
    def is_accuracy(self) -> bool:
        """Whether its figure is an estimate's error, which changes with every other random number."""
        return "limit" in self.attributes or "judged_by" in self.attributes

    @property
    def is_set_up_beside(self) -> bool:
        """Whether two processes may be set up at the same time: not where their figures are measured meanwhile."""
        return (self.is_time or self.is_once) and self.backend not in IN_TURN

    @property
    def owner(self) -> str:
        """The class that its benchmark belongs to."""
        return self.name.partition("(")[0].rpartition(".")[0]

    @property
    def is_one_call(self) -> bool:
        """Whether each process has but one sample, because there is one first call in it."""
        return self.is_time and self.attributes.get("repeat") == 1


@dataclass
class Process:
    """What one process said of one cell."""

    outcome: str  # ok, skipped or failed
    reason: str = ""
    values: list[float] = field(default_factory=list)  # seconds of each sample, or the tracked value
    spent: dict[str, float] = field(default_factory=dict)  # seconds: setup, run, and the whole process


@dataclass
class Samples:
    """Processes by side, cell and round: a pair is what two processes of one round said."""

    processes: dict[tuple[str, str], list[Process]] = field(default_factory=lambda: defaultdict(list))

    def of(self, side: str, cell: str) -> list[Process]:
        return self.processes[side, cell]


class Bench:
    """Where processes are started and what they say is kept: ``directory/samples.jsonl``, a line a process and cell."""

    def __init__(self, directory: Path, environment: Environment, sides: tuple[Side, Side]) -> None:
        self.directory, self.environment, self.sides = directory, environment, sides
        self.faults: dict[str, dict] = {}  # what goes wrong on head, by cell; calibration's
        self.rounds = 0

    def round(self, cells: Iterable[Cell], samples: Samples, told: Callable[[str], None] = lambda _: None) -> None:
        """One more pair of processes for each cell, next to each other in time, in an order that the next round turns."""
        groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        for cell in cells:
            groups[suite.family(cell.name), suite.launched(cell.name)].append(cell)
        for (family, how), group in groups.items():
            told(family)
            shared = self._of_several_sizes(group)
            with contextlib.ExitStack() as stack:
                workers = [stack.enter_context(self._worker(side, group, how)) for side in self.sides]
                for worker in workers:
                    worker.answer()  # both have imported what they need; nothing else runs now
                for number, cell in enumerate(group):
                    order = workers if (self.rounds + number) % 2 == 0 else workers[::-1]
                    for worker, process in self._pair(order, cell, cell.name in shared):
                        samples.of(worker.side.name, cell.name).append(process)
                        self._keep(worker.side, cell, process)
        self.rounds += 1

    def _worker(self, side: Side, group: list[Cell], how: str) -> Worker:
        backend, *others = dict.fromkeys(cell.backend for cell in group)
        variables = suite.environments(backend, self.directory / f"{side.name}.caches", *others)[how]
        return Worker(side, self.environment, self.directory, side.suite, variables)

    def _pair(self, workers: list[Worker], cell: Cell, is_shared: bool) -> Iterator[tuple[Worker, Process]]:
        """One process of each. Both are set up at the same time, which is most of their life, and measured one after the
        other; at once, on a core of its own each, where none uses a second one. Backends of IN_TURN, and figures that
        setting up measures, take their turns from the beginning."""
        alone = _cores() if cell.backend in ONE_THREAD else []
        cores = alone if len(alone) > 1 else [None, None]
        requests = [self._request(worker.side, cell, core, is_shared) for worker, core in zip(workers, cores, strict=False)]
        if not cell.is_set_up_beside:
            for worker, request in zip(workers, requests, strict=True):
                worker.ask(request)
                yield worker, _process(worker.answer())
            return
        for worker, request in zip(workers, requests, strict=True):
            worker.ask(request)
        for worker, said in zip(workers, [worker.answer() for worker in workers], strict=True):
            if said and said.get("set_up"):
                worker.ask({})
                said = worker.answer()
            yield worker, _process(said)

    def _request(self, side: Side, cell: Cell, core: int | None, is_shared: bool) -> dict:
        attributes = SAMPLES if cell.is_time and not cell.is_one_call else {}
        shared = self.directory / f"{side.name}.figures.{self.rounds}"  # of this round: who looks again works them out again
        shared.mkdir(exist_ok=True)
        return {
            "name": cell.name, "id": cell.id, "attributes": attributes, "timeout": cell.attributes.get("timeout") or 180,
            "fault": self._fault(side, cell), "core": core, "directory": str(shared) if is_shared else None,
            "waits": cell.is_set_up_beside and core is None,
        }  # fmt: skip

    def _fault(self, side: Side, cell: Cell) -> dict | None:
        """Both sides of a cell that is to be slower wait in the same way, so that the waiting itself is no difference."""
        fault = self.faults.get(cell.name)
        if fault and side.name == "base":
            return {**fault, "factor": 1.0} if fault["kind"] == faults.SLOWER else None
        return fault

    def _of_several_sizes(self, cells: list[Cell]) -> set[str]:
        """Cells whose benchmark can work out the figures of all sizes at once and leave them to its side's other processes:
        those with more than one size among them, because of one alone it is quicker to work out just that."""
        kept = [cell for cell in cells if cell.is_once and cell.attributes.get("setup_cache_key")]
        sizes: dict[tuple[str, str], set[str]] = defaultdict(set)
        for cell in kept:
            sizes[cell.owner, cell.backend].add(cell.name.partition("(")[2])
        return {cell.name for cell in kept if len(sizes[cell.owner, cell.backend]) > 1}

    def _keep(self, side: Side, cell: Cell, process: Process) -> None:
        line = {"side": side.name, "round": self.rounds, "cell": cell.name, "at": time.time(), **vars(process)}
        with (self.directory / "samples.jsonl").open("a") as kept:
            kept.write(json.dumps(line) + "\n")


def _process(said: dict[str, Any] | None) -> Process:
    if said is None:
        return Process("failed", "the process that should have measured it died")
    return Process(said["outcome"], said.get("reason", ""), said.get("values", []), _spent(said))


def _spent(said: dict[str, Any]) -> dict[str, float]:
    """Seconds by what they went into, as far as it is known."""
    return {part: said[part] for part in ("setup", "run", "seconds") if part in said}


def _cores() -> list[int]:
    """Those that can be given to a process; none where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def cells_of(benchmarks: dict[str, dict]) -> dict[str, Cell]:
    """Every cell of a suite by name, in asv's order."""
    found = {}
    for name, attributes in sorted(benchmarks.items()):
        for index, cell in enumerate(suite.cell_names(name, attributes["params"])):
            found[cell] = Cell(cell, f"{name}-{index}" if attributes["params"] else name, attributes)
    return found
