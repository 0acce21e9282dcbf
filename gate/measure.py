"""Take samples of both sides, in processes that alternate, for as long as the budget allows."""

import json
import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from gate import suite
from gate.builds import Environment, Side
from gate.errors import InfrastructureError

WORKER = Path(__file__).with_name("worker.py")
REPEAT = (
    1,
    5,
    0.3,
)  # samples a process: five, but no more once they have taken so many seconds; their median is what is compared


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
    def is_one_call(self) -> bool:
        """Whether each process has but one sample, because there is one first call in it."""
        return self.is_time and self.attributes.get("repeat") == 1


@dataclass
class Process:
    """What one process said of one cell."""

    outcome: str  # ok, skipped or failed
    reason: str = ""
    values: list[float] = field(default_factory=list)  # seconds of each sample, or the tracked value


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
        self.slower: dict[str, float] = {}  # cells whose calls on head take this many times as long; calibration's
        self.rounds = 0

    def discovered(self, side: Side, root: Path) -> dict[str, dict]:
        """The attributes of each benchmark of the suite ``root``, over the library of ``side``."""
        lines = self._ask(side, {"discover": True, "suite": str(root)}, {})
        if not lines:
            raise InfrastructureError(f"the suite of {side.commit.short} can't be imported; {self.environment.log} says why")
        return lines[0]["benchmarks"]

    def round(self, cells: Iterable[Cell], samples: Samples, told: Callable[[str], None] = lambda _: None) -> None:
        """One more pair of processes for each cell, side by side, in an order that the next round turns around."""
        groups: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        for cell in cells:
            groups[cell.backend, suite.launched(cell.name)].append(cell)
        order = self.sides if self.rounds % 2 == 0 else self.sides[::-1]
        for (backend, how), group in groups.items():
            told(backend)
            for side in order:
                for cell, process in self._processes(side, backend, how, group).items():
                    samples.of(side.name, cell).append(process)
        self.rounds += 1

    def _processes(self, side: Side, backend: str, how: str, cells: list[Cell]) -> dict[str, Process]:
        variables = suite.environments(backend, self.directory / f"{side.name}.caches")[how]
        request = {"suite": str(side.suite), "cells": [self._request(side, cell) for cell in cells]}
        said = {line["cell"]: line for line in self._ask(side, request, variables)}
        answer = {}
        for cell in cells:
            line = said.get(cell.name, {"outcome": "failed", "reason": "the process that should have measured it died"})
            answer[cell.name] = Process(line["outcome"], line.get("reason", ""), line.get("values", []))
            self._keep(side, cell, answer[cell.name])
        return answer

    def _request(self, side: Side, cell: Cell) -> dict:
        attributes = {"repeat": REPEAT} if cell.is_time and not cell.is_one_call else {}
        return {
            "name": cell.name, "id": cell.id, "attributes": attributes, "timeout": cell.attributes.get("timeout") or 180,
            "slower": self.slower.get(cell.name) if side.name == "head" else None, "directory": self._shared(side, cell),
        }  # fmt: skip

    def _shared(self, side: Side, cell: Cell) -> str | None:
        """Where what setup_cache made lies: figures that are exact are worked out once a side, others in each process."""
        if not cell.attributes.get("setup_cache_key") or not cell.is_exact:
            return None
        shared = self.directory / f"{side.name}.figures"
        shared.mkdir(exist_ok=True)
        return str(shared)

    def _ask(self, side: Side, request: dict, variables: dict[str, str]) -> list[dict]:
        out = self.directory / "said.jsonl"
        out.unlink(missing_ok=True)
        out.touch()
        whence = {"project": self.environment.project, "library": str(side.library)}
        request = {**request, **whence, "out": str(out), "log": str(self.environment.log)}
        # Not -I and not -E: the compilers' own variables must come through.
        environment = {**os.environ, **variables, "PYTHONPATH": str(side.library), "PYTHONSAFEPATH": "1"}
        with self.environment.log.open("a") as log:
            subprocess.run(
                [self.environment.python, str(WORKER)], input=json.dumps(request), text=True,
                stdout=log, stderr=log, env=environment, cwd=self.directory,
            )  # fmt: skip
        return [json.loads(line) for line in out.read_text().splitlines()]

    def _keep(self, side: Side, cell: Cell, process: Process) -> None:
        line = {"side": side.name, "round": self.rounds, "cell": cell.name, "at": time.time(), **vars(process)}
        with (self.directory / "samples.jsonl").open("a") as kept:
            kept.write(json.dumps(line) + "\n")


def cells_of(benchmarks: dict[str, dict]) -> dict[str, Cell]:
    """Every cell of a suite by name, in asv's order."""
    found = {}
    for name, attributes in sorted(benchmarks.items()):
        for index, cell in enumerate(suite.cell_names(name, attributes["params"])):
            found[cell] = Cell(cell, f"{name}-{index}" if attributes["params"] else name, attributes)
    return found
