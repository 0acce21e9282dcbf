"""How often the gate is wrong: whole verdicts on HEAD against HEAD, unchanged and with faults put in.

Both sides are builds of the same files, so a finding in a case without a fault is a false alarm. All runs share the builds,
and nothing else: each has new processes, empty caches, and judges without learnt noise. Each finished run is a line of JSON.
"""

import math
import random
import shutil
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from duet.cases import BenchmarkCase
from duet.samples import Samples
from gate import errors, faults, judge, scope, verdict
from gate.builds import Subjects
from gate.errors import UsageError
from gate.evidence import Line
from gate.faults import Fault
from gate.trial import Trial
from jitkernels.files import lines

SCHEMA = 2
FILE = Path(".asv/gate/calibration.jsonl")
SIZES = (0.0, 0.05, 0.1, 0.2, 0.5)
PROGRAM = str(Path(faults.__file__))


@dataclass
class Calibration:
    """Runs over HEAD, built twice (``subjects``), below ``directory``. ``sizes``: slowdowns of consecutive runs, in turn; 0
    is no fault. ``slow``: the case to slow down; None: a random warm one of a millisecond or more. ``kernels``: runs judge a
    change of the first kernel alone ("relu"), or of its file of one dialect ("relu/numba"), in all sizes, then of the next
    one, and end early as verdicts do; without kernels every run measures all pairs of what ``--bench`` selects.
    UsageError: ``slow`` is no warm time, the suite has no such kernel, or no case matches ``--bench``."""

    subjects: Subjects
    directory: Path
    conditions: judge.Conditions
    sizes: tuple[float, ...] = SIZES
    slow: str | None = None
    report_progress: Callable[[str], None] = lambda step: None
    kernels: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.ruler, _ = self.subjects.rulers  # both are HEAD's; this one selects without another process
        if unknown := [kernel for kernel in self.kernels if not self.cases_of(kernel)]:
            raise UsageError(f"the suite has no kernel {' or '.join(unknown)}")
        self.cases = self.cases_of(self.kernel_of(0))
        if not self.cases:
            raise UsageError(f"no benchmark case matches {' or '.join(self.conditions['method']['bench'])}")
        all_cases = self.cases.copy()
        for kernel in self.kernels:
            all_cases |= self.cases_of(kernel)
        if self.slow is not None and (self.slow not in all_cases or not is_warm_time(all_cases[self.slow])):
            raise UsageError(f"{self.slow!r} is no warm time among the {len(all_cases)} benchmark cases that are measured")

    def run(self, number: int, previous: dict[str, list[float]]) -> Line:
        """Return the line of one verdict. number: how many runs came before. previous: ``cells`` of stored lines."""
        kernel = self.kernel_of(number)
        self.cases = self.cases_of(kernel)
        directory = self.directory / "run"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        injected = self.plan(number, previous)
        report, faulty = self.report_progress, on_both_sides(injected)
        early = kernel is not None  # a verdict as it is given; a whole run keeps the pairs that the power is computed from
        run = Trial(self.subjects, self.ruler, self.cases, directory, self.conditions, {}, report, faulty, ends_early=early)
        judged = run.run()
        cells, pairs = measured(self.cases, run.samples)
        return {
            "schema": SCHEMA,
            "commit": self.subjects.head.hash,
            **self.conditions,
            "kernel": kernel,
            "versions": self.subjects.versions,
            "when": judged.ended,
            "seconds": round(judged.seconds, 1),
            "prepared_seconds": round(self.subjects.seconds, 1),
            "injected": injected,
            "suspected": sorted(run.suspects),
            "believed": sorted(finding.case for finding in judged.of_kind(verdict.WORSE)),
            "lost": sorted(finding.case for kind in (verdict.WRONG, verdict.LOSS) for finding in judged.of_kind(kind)),
            "too_little": sorted(finding.case for finding in judged.of_kind(verdict.TOO_FEW)),
            "verdict": errors.MEANINGS[judged.exit_code],
            "exit_code": judged.exit_code,
            "cells": cells,
            "pairs": pairs,
        }

    def kernel_of(self, number: int) -> str | None:
        return self.kernels[number // len(self.sizes) % len(self.kernels)] if self.kernels else None

    def cases_of(self, kernel: str | None) -> dict[str, BenchmarkCase]:
        """Return the cases that judge a change of a kernel, or of its file of one dialect; None: of ``--bench``."""
        name, _, dialect = (kernel or "").partition("/")
        pairs = frozenset((name, each) for each in ([dialect] if dialect else scope.DIALECTS))
        one = scope.Scope((), pairs, pairs, pairs) if kernel else None
        return scope.chosen(self.ruler.cases, self.ruler.selection, self.conditions["method"]["bench"], one)

    def plan(self, number: int, previous: dict[str, list[float]]) -> dict[str, Fault]:
        """Return the faults of a run by case, as far as the suite has such cases: one is slower, one exact figure differs,
        one answers wrongly, and one skips. A case has at most one fault, so each fault is found or missed by itself."""
        size, lot = self.sizes[number % len(self.sizes)], random.Random(number)
        if not size:
            return {}
        free = {name: case for name, case in self.cases.items() if name in previous}
        long = [name for name, case in free.items() if is_warm_time(case) and previous[name][0] >= judge.LONG_ENOUGH]
        plan: dict[str, Fault] = {}

        def draw(names: list[str], fault: Fault) -> None:
            if names:
                name = lot.choice(names)
                plan[name] = fault
                free.pop(name, None)

        slow = [name for name in ([self.slow] if self.slow else long) if name in self.cases]
        draw(slow, {"kind": faults.SLOWER, "factor": 1 + size})
        exact = [name for name, case in free.items() if case.is_exact and case.attributes.get("direction") != "any"]
        draw(exact, {"kind": faults.CHANGED, "by": 1})
        draw([name for name, case in free.items() if is_warm_time(case)], {"kind": faults.WRONG, "project": "jitkernels"})
        draw(list(free), {"kind": faults.LOST})
        for name, fault in plan.items():
            if fault["kind"] == faults.CHANGED and self.cases[name].attributes.get("direction") == "higher":
                fault["by"] = -1
        return plan


def is_warm_time(case: BenchmarkCase) -> bool:
    return case.takes_turns and case.owner.endswith(".Warm")


def on_both_sides(plan: dict[str, Fault]) -> dict[tuple[str, str], Fault]:
    """Return the faults by side and case. A slowed case has the same clock around its calls on BASE too, so that the clock
    itself makes no difference."""
    sides: dict[tuple[str, str], Fault] = {("head", name): {**fault, "program": PROGRAM} for name, fault in plan.items()}
    slowed = {name: fault for name, fault in plan.items() if fault["kind"] == faults.SLOWER}
    return sides | {("base", name): {**fault, "factor": 1.0, "program": PROGRAM} for name, fault in slowed.items()}


def measured(cases: dict[str, BenchmarkCase], samples: Samples) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return ``cells`` and ``pairs`` of a line, for the cases that both sides measured in the first look.

    Cells: for a time, BASE's seconds, HEAD / BASE, and the fraction by which processes of one side differ; for a figure,
    BASE's figure. Pairs: for a time, HEAD / BASE of each pair.
    """
    cells, pairs = {}, {}
    for name, case in cases.items():
        known = samples.pairs(name)
        if case.is_time and known.ratios:
            pairs[name] = [float(f"{ratio:.4f}") for ratio in known.ratios]
        if len(known.ratios) > 1 and min(known.ratios) > 0:
            logs = [math.log(ratio) for ratio in known.ratios]
            spread = statistics.stdev(logs) / math.sqrt(2)
            figures = [statistics.median(known.first), math.exp(statistics.median(logs)), spread]
            cells[name] = [float(f"{figure:.5g}") for figure in figures]
        elif known.first and case.is_measured_once:
            cells[name] = [known.first[-1]]
    return cells, pairs


def load(file: Path) -> list[Line]:
    """Return the lines of a file, without truncated ones and those of another schema."""
    return [cast(Line, line) for line in lines(file) if isinstance(line, dict) and line.get("schema") == SCHEMA]
