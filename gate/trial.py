"""The course of a verdict: look once at everything, twice at what is suspected, and say what was found."""

import dataclasses
import datetime
import shutil
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import _selection as suite
from gate import judge, rules, subjects, turns, verdict
from gate.commits import Commit
from gate.errors import NothingMeasuredError, UsageError
from gate.measure import Bench, Cell, Samples
from gate.noise import Noise
from gate.verdict import Finding

BUDGET = 25.0  # minutes, unless others are asked for: the suite of each commit takes 10 to 13 on two cores (docs/gate.md)
FIRST_LOOK = 0.8  # of the budget; the rest is for looking again
LOOK_AGAIN_AT_LOSSES = 2  # rounds: a process that died of something else does not die three times


@dataclass
class Trial:
    """``budget``: seconds for measuring. ``bench``: regular expressions, as asv's. ``told``: is given a line of progress.

    Once it has run: ``findings`` by cell, ``suspects`` of the first look, ``seconds`` and ``ended`` (UTC) of measuring, and
    ``versions`` of what measured.
    """

    repository: Path
    base: Commit
    head: Commit
    bench: list[str] = field(default_factory=lambda: [suite.PER_COMMIT])
    processes: int = judge.LEAST
    budget: float = BUDGET * 60
    told: Callable[[str], None] = lambda line: None
    faults: dict[str, dict] = field(default_factory=dict)
    """What calibration lets go wrong on head, by cell."""

    def __post_init__(self) -> None:
        self.noise = Noise.load(self.repository / ".asv" / "gate" / "noise.json")
        self.samples, self.again = Samples(), Samples()
        self.findings: dict[str, Finding] = {}
        self.suspects: list[str] = []
        self.seconds, self.ended = 0.0, ""
        self.versions: dict[str, str] = {}

    @property
    def where(self) -> dict[str, Any]:
        """``rules.here`` of it."""
        return rules.here(self.bench, self.processes, self.budget)

    def prepare(self) -> None:
        """Build both commits and find what there is to measure."""
        directory = self.repository / ".asv" / "gate" / f"{self.base.short}-{self.head.short}"
        shutil.rmtree(directory, ignore_errors=True)  # a trial that was killed left it: start again
        self.begin(subjects.made(self.repository, self.base, self.head, directory, self.told), directory)

    def begin(self, made: subjects.Subjects, directory: Path) -> None:
        """Of what is built. directory: where what is measured is kept; it is there."""
        self.rig = Bench(directory, made.environment, made.sides)
        self.rig.faults = self.faults
        self.versions = made.versions
        self.cells = with_judges(
            {name: made.known[name] for name in suite.selected(list(made.known), self.bench)}, made.known
        )
        gone = set(suite.selected(list(made.former), self.bench)) - set(made.known)
        if not self.cells and not gone:
            raise UsageError(f"no benchmark of either commit matches {' or '.join(self.bench)}")
        for name in sorted(gone):
            self.findings[name] = Finding(name, verdict.LOSS, text="HEAD's suite has no such cell: removed, or renamed")

    def run(self) -> int:
        """Measure, judge; the exit code."""
        begin = time.monotonic()
        self._look_once(begin + self.budget * FIRST_LOOK)
        suspects = self._first_judgement()
        self._look_again(suspects, begin + self.budget)
        self.seconds = time.monotonic() - begin
        self.ended = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if not self.findings:
            raise NothingMeasuredError("no cell was measured")
        self.learn(self.noise)
        return verdict.exit_code(list(self.findings.values()))

    def _look_once(self, until: float) -> None:
        left = list(self.cells.values())
        for number in range(self.processes):
            begin = time.monotonic()
            self._round(left, self.samples, f"first look, pair {number + 1} of {self.processes}")
            left = [cell for cell in left if self._goes_on(cell)]
            if not left or time.monotonic() + (time.monotonic() - begin) > until:
                break

    def _round(self, cells: list[Cell], samples: Samples, what: str, care: turns.Care = turns.FIRST) -> None:
        self.rig.round(cells, samples, lambda backend: self.told(f"{what}: {backend}"), care)

    def _goes_on(self, cell: Cell) -> bool:
        """Whether another pair of processes would tell more."""
        if cell.is_once:
            return False
        both = [self.samples.of(side, cell.name)[-1].outcome for side in ("base", "head")]
        return both != ["skipped", "skipped"]

    def _first_judgement(self) -> list[Cell]:
        """Find what can be found now; those that must be looked at again are returned."""
        suspects = []
        for cell in self.cells.values():
            finding = self._judged(cell)
            self.findings[cell.name] = finding
            if finding.kind == verdict.LOSS or (finding.kind == verdict.WORSE and not cell.is_exact):
                suspects.append(cell)
        self.suspects = [cell.name for cell in suspects if self.findings[cell.name].kind == verdict.WORSE]
        return suspects

    def _judged(self, cell: Cell) -> Finding:
        once = cell.is_once
        missing = verdict.presence(cell, self.samples, 1 if once else judge.LEAST)
        if missing:
            return missing
        if once:
            return self._judged_once(cell, self.samples)
        return self._compared(cell, *verdict.pairs(self.samples, cell.name))

    def _judged_once(self, cell: Cell, samples: Samples) -> Finding:
        return (verdict.exact if cell.is_exact else verdict.accuracy)(cell, samples)

    def _compared(self, cell: Cell, base: list[float], head: list[float]) -> Finding:
        """Of one look: WORSE means suspected."""
        seen = judge.compare(base, head)
        if judge.is_suspect(seen, self.noise.of(cell.name)):
            return self._finding(cell, verdict.WORSE, seen)
        better = seen.better <= judge.SUSPICIOUS and 1 / seen.ratio > 1 + max(self.noise.of(cell.name), judge.SMALLEST)
        return self._finding(cell, verdict.BETTER if better else verdict.SAME, seen, "seen once" if better else "")

    def _look_again(self, suspects: list[Cell], until: float) -> None:
        slow = [cell for cell in suspects if self.findings[cell.name].kind == verdict.WORSE and not cell.is_accuracy]
        lost = [cell for cell in suspects if self.findings[cell.name].kind == verdict.LOSS]
        needed, left = judge.pairs_needed(len(slow)), slow
        for number in range(max(needed, LOOK_AGAIN_AT_LOSSES if lost else 0)):
            cells = [*(left if number < needed else []), *(lost if number < LOOK_AGAIN_AT_LOSSES else [])]
            if time.monotonic() > until or not cells:
                break
            what = f"{len(left)} suspects and {len(lost)} losses, another pair ({number + 1})"
            self._round(cells, self.again, what, turns.AGAIN)
            left = [cell for cell in left if not self._is_cleared(cell, needed)]
        self._second_judgement(slow, lost, needed)

    def _is_cleared(self, cell: Cell, needed: int) -> bool:
        return judge.is_cleared(*verdict.pairs(self.again, cell.name), needed)

    def _second_judgement(self, slow: list[Cell], lost: list[Cell], needed: int) -> None:
        seen = {}
        for cell in slow:
            pairs = verdict.pairs(self.again, cell.name)
            if len(pairs[0]) < needed and not judge.is_cleared(*pairs, needed):
                text = f"suspected, and the budget ended before the second look: {len(pairs[0])} of {needed} pairs"
                self.findings[cell.name] = Finding(cell.name, verdict.TOO_FEW, text=text)
                continue
            seen[cell.name] = judge.compare(*pairs)
        guilty = judge.confirmed(seen, {name: self.noise.of(name) for name in seen})
        for name, comparison in seen.items():
            before = self.findings[name].comparison
            kind = verdict.WORSE if guilty[name] else verdict.SAME
            text = "" if guilty[name] else "suspected at first; new processes did not confirm it"
            self.findings[name] = self._finding(self.cells[name], kind, comparison, text, before)
        for cell in lost:
            if self.again.of("head", cell.name) and verdict.presence(cell, self.again, 1) is None:
                self.findings[cell.name] = self._after_a_slip(cell)

    def _after_a_slip(self, cell: Cell) -> Finding:
        """Of a cell that failed once on head and not again: what the processes that did not fail say."""
        slip = f"{self.findings[cell.name].text}; not in new processes"
        first, again = verdict.pairs(self.samples, cell.name), verdict.pairs(self.again, cell.name)
        base, head = first[0] + again[0], first[1] + again[1]
        if cell.is_once:
            finding = self._judged_once(cell, self.again)
            return dataclasses.replace(finding, text="; ".join(filter(None, (finding.text, slip))))
        if len(base) < judge.LEAST:
            return Finding(cell.name, verdict.TOO_FEW, text=f"{slip}, of which there are too few")
        finding = self._compared(cell, base, head)
        kind = verdict.TOO_FEW if finding.kind == verdict.WORSE else finding.kind
        return dataclasses.replace(finding, kind=kind, text=slip)

    def _finding(
        self, cell: Cell, kind: str, seen: judge.Comparison, text: str = "", suspected: judge.Comparison | None = None
    ) -> Finding:
        samples = self.again if suspected else self.samples
        base, head = (statistics.median(verdict.medians(samples.of(side, cell.name))) for side in ("base", "head"))
        return Finding(cell.name, kind, base, head, cell.attributes.get("unit", ""), seen, text, suspected)

    def learn(self, noise: Noise) -> None:
        """What was found the same says how far apart the same is."""
        for finding in self.findings.values():
            if finding.kind == verdict.SAME and finding.comparison and finding.cell not in self.faults:
                noise.learn(finding.cell, finding.comparison.ratio)
        noise.save()


def with_judges(cells: dict[str, Cell], known: dict[str, Cell]) -> dict[str, Cell]:
    """``cells``, and those by which the suite says that some of them are judged."""
    judges = {}
    for cell in cells.values():
        if by := cell.attributes.get("judged_by"):
            benchmark, _, parameters = cell.name.partition("(")
            name = f"{benchmark.rpartition('.')[0]}.{by}({parameters}"
            judges[name] = known[name]
    return cells | judges
