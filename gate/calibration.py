"""How often the gate is wrong: whole verdicts on HEAD against HEAD, as it is and with something wrong on purpose.

Both sides are builds of the same files, so whatever is found in a cell that nothing was done to is a false alarm. A run is a
verdict in everything but its builds, which are made once: fresh processes, empty caches, and no noise learnt, so that runs
do not depend on one another; what they teach is kept for verdicts. Each one is a line of JSON as soon as it has ended.
"""

import json
import math
import random
import shutil
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate import errors, faults, subjects, verdict
from gate.commits import Commit
from gate.evidence import LONG_ENOUGH
from gate.measure import Cell
from gate.noise import Noise
from gate.trial import Trial

SCHEMA = 2
FILE = Path(".asv/gate/calibration.jsonl")
SIZES = (0.0, 0.05, 0.1, 0.2, 0.5)
Line = dict[str, Any]


@dataclass
class Calibration:
    """``where``: ``rules.here``. ``sizes``: of the slowdowns of consecutive runs, in turn; 0: nothing is done to HEAD.
    ``slow``: the cell that is made slower; one of the warm ones of a millisecond or more, drawn by lot, where it is None."""

    repository: Path
    head: Commit
    where: Line
    sizes: tuple[float, ...] = SIZES
    slow: str | None = None
    told: Callable[[str], None] = lambda line: None

    def prepare(self) -> None:
        """Build HEAD twice; UsageError where ``bench`` or ``slow`` is no cell of its suite."""
        self.directory = self.repository / ".asv" / "gate" / "calibration"
        shutil.rmtree(self.directory, ignore_errors=True)
        self.subjects = subjects.made(self.repository, self.head, self.head, self.directory, self.told)
        cells = self._trial({}).cells
        if self.slow is not None and (self.slow not in cells or not may_be_slowed(cells[self.slow])):
            raise errors.UsageError(f"{self.slow!r} is no warm time among the {len(cells)} cells that are measured")

    def run(self, number: int, seen: dict[str, list[float]]) -> Line:
        """One verdict. number: of runs before it. seen: what the last one measured (``cells`` of its line)."""
        trial = self._trial({})
        trial.faults = self.faults(number, trial.cells, seen)
        trial.rig.faults = trial.faults
        code = trial.run()
        trial.learn(Noise.load(self.repository / ".asv" / "gate" / "noise.json"))
        return self._line(trial, code)

    def _trial(self, wrong: dict[str, dict]) -> Trial:
        directory = self.directory / "run"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        method = self.where["method"]
        trial = Trial(
            self.repository, self.head, self.head, method["bench"], method["processes"], method["budget"], self.told, wrong
        )  # fmt: skip
        trial.noise = Noise(directory / "noise.json")
        trial.begin(self.subjects, directory)
        return trial

    def faults(self, number: int, cells: dict[str, Cell], seen: dict[str, list[float]]) -> dict[str, dict]:
        """What goes wrong in the run of that number, by cell: one is slower, and where there are such cells, one figure that
        is exact differs, one cell skips, and one answers wrongly. They do not meet, so each is found or not by itself."""
        size, lot = self.sizes[number % len(self.sizes)], random.Random(number)
        if not size:
            return {}
        project = self.subjects.environment.project
        left = {name: cell for name, cell in cells.items() if name in seen}
        slow = [name for name, cell in left.items() if may_be_slowed(cell) and seen[name][0] >= LONG_ENOUGH]
        wrong: dict[str, dict] = {}

        def draw(names: list[str], fault: dict) -> None:
            if names:
                name = lot.choice(names)
                wrong[name] = fault
                left.pop(name, None)

        draw([self.slow] if self.slow else slow, {"kind": faults.SLOWER, "factor": 1 + size})
        draw([name for name, cell in left.items() if cell.is_exact], {"kind": faults.CHANGED, "by": 1})
        draw([name for name, cell in left.items() if may_be_slowed(cell)], {"kind": faults.WRONG, "project": project})
        draw(list(left), {"kind": faults.LOST})
        for name, fault in wrong.items():
            if fault["kind"] == faults.CHANGED and cells[name].attributes.get("direction") == "higher":
                fault["by"] = -1
        return wrong

    def _line(self, trial: Trial, code: int) -> Line:
        def found(kind: str) -> list[str]:
            return sorted(name for name, finding in trial.findings.items() if finding.kind == kind)

        return {
            "schema": SCHEMA, "commit": self.head.hash, **self.where, "versions": self.subjects.versions,
            "when": trial.ended,
            "seconds": round(trial.seconds, 1), "prepared_seconds": round(self.subjects.seconds, 1),
            "injected": trial.faults, "suspected": sorted(trial.suspects), "believed": found(verdict.WORSE),
            "lost": found(verdict.LOSS), "too_little": found(verdict.TOO_FEW), "verdict": errors.MEANINGS[code],
            "exit_code": code, "cells": measured(trial), "pairs": ratios(trial),
        }  # fmt: skip


def may_be_slowed(cell: Cell) -> bool:
    """Whether it is the time of a warm call."""
    return cell.is_time and not cell.is_one_call and cell.owner.endswith(".Warm")


def measured(trial: Trial) -> dict[str, list[float]]:
    """Of each cell that both sides measured, in the first look: of a time, its seconds on base, head over base, and by what
    fraction processes of one side differ; of another figure, base's."""
    cells = {}
    for name, cell in trial.cells.items():
        base, head = verdict.pairs(trial.samples, name)
        if len(base) > 1 and min(*base, *head) > 0:
            logs = [math.log(after / before) for before, after in zip(base, head, strict=True)]
            figures = [statistics.median(base), math.exp(statistics.median(logs)), statistics.stdev(logs) / math.sqrt(2)]
            cells[name] = [float(f"{figure:.5g}") for figure in figures]
        elif base and cell.is_once:
            cells[name] = [base[-1]]
    return cells


def ratios(trial: Trial) -> dict[str, list[float]]:
    """Of each time that both sides measured, head over base, pair by pair, in the first look."""
    found = {}
    for name, cell in trial.cells.items():
        base, head = verdict.pairs(trial.samples, name)
        if cell.is_time and base:
            found[name] = [float(f"{after / before:.4f}") for before, after in zip(base, head, strict=True)]
    return found


def stored(file: Path) -> list[Line]:
    """The lines of a file; what is no line of a run, because it was cut off or is of another time, is left out."""
    lines = []
    for text in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and line.get("schema") == SCHEMA:
            lines.append(line)
    return lines


def keep(file: Path, line: Line) -> None:
    """Add it; after a line that was cut off, on one of its own."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a+b") as kept:
        kept.seek(0, 2)
        if kept.tell():
            kept.seek(-1, 2)
            if kept.read(1) != b"\n":
                kept.write(b"\n")
        kept.write(json.dumps(line, allow_nan=False).encode() + b"\n")
