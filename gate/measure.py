"""Take samples of both sides, in processes that alternate, for as long as the budget allows."""

import contextlib
import json
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import _selection as suite
from gate import faults, memory, turns
from gate.builds import Environment, Side
from gate.turns import Care
from gate.workers import Worker

SAMPLE = {"repeat": 1, "min_run_count": 1}  # of a turn


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
    def takes_turns(self) -> bool:
        """Whether it is a time of something warm, of which there are as many samples as one likes."""
        return self.is_time and not self.is_one_call

    @property
    def keeps_to_a_core(self) -> bool:
        """Whether its processes are set up at the same time, each on a core of its own; not where figures are measured
        meanwhile, or where several threads are what is measured."""
        return (self.takes_turns or self.is_once) and not suite.needs_threads(self.name)

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
        self.seed = 0

    def round(
        self, cells: Iterable[Cell], samples: Samples, told: Callable[[str], None] = lambda _: None, care: Care = turns.FIRST
    ) -> None:
        """One more pair of processes for each cell, next to each other in time, in an order that the next round turns."""
        self.seed = random.randrange(1, 2**32)
        groups: dict[tuple[str, str, bool], list[Cell]] = defaultdict(list)
        for cell in cells:
            groups[suite.family(cell.name), suite.launched(cell.name), cell.keeps_to_a_core].append(cell)
        for (family, how, on_cores), group in groups.items():
            told(family)
            shared = self._of_several_sizes(group)
            with contextlib.ExitStack() as stack:
                cores = self._cores() if on_cores else [None, None]
                workers = [
                    stack.enter_context(self._worker(side, group, how, core))
                    for side, core in zip(self.sides, cores, strict=True)
                ]
                for worker in workers:
                    worker.answer()  # both have imported what they need; nothing else runs now
                for number, cell in enumerate(group):
                    order = workers if (self.rounds + number) % 2 == 0 else workers[::-1]
                    for worker, process in self._pair(order, cell, cell.name in shared, care):
                        samples.of(worker.side.name, cell.name).append(process)
                        self._keep(worker.side, cell, process)
        self.rounds += 1

    def _cores(self) -> list[int | None]:
        """One for each side, the other one in the next round; none where there are not two, or the system gives none."""
        cores = sorted(os.sched_getaffinity(0))[:2] if hasattr(os, "sched_getaffinity") else []
        return (cores if self.rounds % 2 == 0 else cores[::-1]) if len(cores) == 2 else [None, None]

    def _worker(self, side: Side, group: list[Cell], how: str, core: int | None) -> Worker:
        return Worker(side, self.environment, self.directory, side.suite, self._variables(group, side, how), core)

    def _variables(self, group: list[Cell], side: Side, how: str) -> dict[str, str]:
        """Of the environment. Sets and dictionaries have one order on both sides, and another one in the next round."""
        backend, *others = dict.fromkeys(cell.backend for cell in group)
        variables = suite.environments(backend, self.directory / f"{side.name}.caches", *others)[how]
        kept = memory.kept() if all(cell.takes_turns or cell.is_once for cell in group) else {}
        return {**variables, **kept, "PYTHONHASHSEED": str(self.seed)}

    def _pair(self, workers: list[Worker], cell: Cell, is_shared: bool, care: Care) -> list[tuple[Worker, Process]]:
        """One process of each, set up at the same time, which is most of their life, where each has a core of its own or no
        time is taken."""
        said: dict[Worker, dict[str, Any] | None] = {}
        beside = cell.is_once or all(worker.core is not None for worker in workers)
        for worker in workers:
            worker.ask(self._request(worker.side, cell, is_shared))
            if not beside:
                said[worker] = worker.answer()
        if beside:
            said = {worker: worker.answer() for worker in workers}
        self._measure_in_turn(said, workers[0].core, care)
        return [(worker, _process(said[worker])) for worker in workers]

    def _measure_in_turn(self, said: dict[Worker, dict[str, Any] | None], core: int | None, care: Care) -> None:
        """Have those that are set up take samples, one after the other in an order that each turn reverses, on the same
        core; ``said`` is then what they say at their end. Two cores of a machine differ by more than two commits do, and so
        does one core from one second to the next."""
        spent = 0.0
        taken: dict[Worker, list[float]] = {worker: [] for worker in said}

        def going() -> list[Worker]:
            return [worker for worker in said if said[worker] and "outcome" not in said[worker]]

        order = 1
        while going() and not care.is_enough(*taken.values(), spent):
            for worker in going()[::order]:
                worker.ask({"turn": True, "core": core})
                said[worker] = answer = worker.answer()
                if answer and "sample" in answer:
                    taken[worker].append(answer["sample"])
                    spent += answer["seconds"]
            order = -order
        for worker in going():
            worker.ask({"turn": False})
            said[worker] = worker.answer()

    def _request(self, side: Side, cell: Cell, is_shared: bool) -> dict:
        shared = self.directory / f"{side.name}.figures.{self.rounds}"  # of this round: who looks again works them out again
        shared.mkdir(exist_ok=True)
        return {
            "name": cell.name, "id": cell.id, "attributes": SAMPLE if cell.takes_turns else {},
            "turns": turns.PARTS if cell.takes_turns else 0,
            "timeout": cell.attributes.get("timeout") or 180, "fault": self._fault(side, cell),
            "directory": str(shared) if is_shared else None,
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


def cells_of(benchmarks: dict[str, dict]) -> dict[str, Cell]:
    """Every cell of a suite by name, in asv's order."""
    found = {}
    for name, attributes in sorted(benchmarks.items()):
        for index, cell in enumerate(suite.case_names(name, attributes["params"])):
            found[cell] = Cell(cell, f"{name}-{index}" if attributes["params"] else name, attributes)
    return found
