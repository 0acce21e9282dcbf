"""The course of a verdict: look once at all benchmark cases, again at the suspects, and judge."""

import datetime
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from duet import memory
from duet.cases import BenchmarkCase, Launch
from duet.rounds import Duet, Faults
from duet.samples import Samples
from duet.statistics import Comparison, compare
from duet.turns import CAREFUL, QUICK
from gate import judge, verdict
from gate.builds import Ruler, Subjects
from gate.verdict import Finding, Verdict
from jitkernels import machine

FIRST_LOOK = 0.8  # of the budget; the rest is for the second look
LOOKS_AT_LOSSES = 2  # further rounds for a lost case: a process that died by accident does not die three times


def conditions(bench: Sequence[str], processes: int, budget: float) -> dict[str, Any]:
    """Return the machine and settings that make two verdicts comparable, for JSON.

    bench: regular expressions. processes: the most for each side and case in the first look. budget: seconds of measuring.
    """
    method = {
        "bench": list(bench),
        "processes": processes,
        "turns": asdict(QUICK),
        "memory": memory.allocator(),
        "budget": budget,
        "suspicious": judge.SUSPICIOUS,
        "believed": judge.BELIEVED,
        "early": judge.EARLY,
        "smallest": judge.SMALLEST,
    }
    return {"machine": machine.identity(), "processor": machine.processor(), "cores": machine.cores(), "method": method}


@dataclass
class Trial:
    """Measures and judges two commits, once.

    ``ruler``: measures both sides. ``cases``: of the ruler. ``directory``: for measurements and logs. ``noise``: by case
    (``judge.noise_of``). ``faults``: put in by calibration. ``ends_early``: end the first look at a case once no further
    pair could make it suspect. This changes no verdict on a time. ``suspects``: the cases that the first look finds slower.
    """

    subjects: Subjects
    ruler: Ruler
    cases: dict[str, BenchmarkCase]
    directory: Path
    conditions: dict[str, Any]
    noise: Mapping[str, float]
    report_progress: Callable[[str], None] = lambda step: None
    faults: Faults | None = None
    ends_early: bool = True

    def __post_init__(self) -> None:
        selection = self.ruler.selection
        base, head = (replace(side, suite=self.ruler.suite) for side in self.subjects.sides)
        launch = Launch(selection.group, selection.needs_threads, selection.variables, has_first_calls_at_once=True)
        self.duet = Duet(self.directory, (base, head), launch, self.faults)
        self.processes, self.budget = self.conditions["method"]["processes"], self.conditions["method"]["budget"]
        self.samples, self.second = Samples("base", "head"), Samples("base", "head")
        self.findings: dict[str, Finding] = {}
        self.suspects: list[str] = []

    def run(self) -> Verdict:
        """Measure both sides, and judge."""
        begin = time.monotonic()
        self._measure_figures()
        begin_times = time.monotonic()
        self._look_once(begin_times + self.budget * FIRST_LOOK)
        slow, lost = self._first_judgement()
        needed = judge.pairs_needed(len(slow))
        self._look_again(slow, lost, needed, begin_times + self.budget)
        self._second_judgement(slow, lost, needed)
        subjects, seconds, findings = self.subjects, time.monotonic() - begin, [*self.findings.values()]
        return Verdict(
            subjects.base, subjects.head, self.conditions, subjects.versions, seconds, now(), findings, pins=subjects.pins
        )

    def _measure_figures(self) -> None:
        """Measure all figures for which one pair of processes is enough, whatever the budget."""
        if figures := [case for case in self.cases.values() if case.is_measured_once]:
            self.duet.round(figures, self.samples, _step(self.report_progress, f"{len(figures)} figures"))

    def _look_once(self, until: float) -> None:
        remaining = [case for case in self.cases.values() if not case.is_measured_once]
        for number in range(1, self.processes + 1 if remaining else 1):
            begin = time.monotonic()
            name = f"first look, pair {number} of {self.processes}"
            self.duet.round(remaining, self.samples, _step(self.report_progress, name), QUICK)
            remaining = [case for case in remaining if not (self.samples.is_skipped(case.name) or self._is_innocent(case))]
            if not remaining or time.monotonic() + (time.monotonic() - begin) > until:
                break

    def _is_innocent(self, case: BenchmarkCase) -> bool:
        """True if the first look at the case can end. Never if one of its processes failed: it gets all pairs."""
        ratios = self.samples.pairs(case.name).ratios
        is_whole = all(ratios) and len(ratios) == len(self.samples.rounds(case.name))
        return self.ends_early and is_whole and judge.is_innocent(ratios, self.processes)

    def _first_judgement(self) -> tuple[list[BenchmarkCase], list[BenchmarkCase]]:
        """Judge what can be judged now. Returns the cases that need a second look: the slower ones, and the lost ones."""
        self.findings = {name: self._judged(case) for name, case in self.cases.items()}
        kinds = [(case, self.findings[name].kind) for name, case in self.cases.items()]
        suspects = [case for case, kind in kinds if kind == verdict.WORSE and not case.is_exact]
        self.suspects = [case.name for case in suspects]
        slow = [case for case in suspects if not case.is_measured_once]
        return slow, [case for case, kind in kinds if kind == verdict.LOSS]

    def _judged(self, case: BenchmarkCase) -> Finding:
        least = 1 if case.is_measured_once or self._is_innocent(case) else judge.LEAST
        if finding := verdict.wrong_answer(case, self.samples) or verdict.presence(case, self.samples, least):
            return finding
        if case.is_measured_once:
            return verdict.figure(case, self.samples)
        return self._compared(case, self.samples.pairs(case.name).ratios)

    def _compared(self, case: BenchmarkCase, ratios: list[float]) -> Finding:
        """Judge one look. WORSE means suspected. A figure that is tracked in every process may be 0."""
        if not (ratios and all(ratios)):
            base, head = (verdict.medians(self.samples.of(side, case.name)) for side in ("base", "head"))
            return Finding(case.name, verdict.SAME if base == head else verdict.TOO_FEW, text="a figure of 0 has no ratio")
        comparison, noise = compare(ratios), self.noise.get(case.name, 0.0)
        if judge.is_suspect(comparison, noise):
            return self._finding(case, verdict.WORSE, comparison)
        if judge.is_better(comparison, noise):
            return self._finding(case, verdict.BETTER, comparison, "seen once")
        return self._finding(case, verdict.SAME, comparison)

    def _look_again(self, slow: list[BenchmarkCase], lost: list[BenchmarkCase], needed: int, until: float) -> None:
        remaining = slow
        for number in range(max(needed, LOOKS_AT_LOSSES if lost else 0)):
            cases = [*(remaining if number < needed else []), *(lost if number < LOOKS_AT_LOSSES else [])]
            if time.monotonic() > until or not cases:
                break
            name = f"second look (suspects: {len(remaining)}, losses: {len(lost)}), pair {number + 1}"
            self.duet.round(cases, self.second, _step(self.report_progress, name), CAREFUL)
            remaining = [case for case in remaining if not self._is_decided(case, needed)]

    def _second_ratios(self, case: BenchmarkCase) -> list[float]:
        return self.second.pairs(case.name).ratios

    def _is_decided(self, case: BenchmarkCase, needed: int) -> bool:
        return self._is_guilty(case) or judge.is_cleared(self._second_ratios(case), needed)

    def _is_guilty(self, case: BenchmarkCase) -> bool:
        times = sum(not each.is_measured_once for each in self.cases.values())
        looks = self.samples.pairs(case.name).ratios, self._second_ratios(case)
        return judge.is_guilty(*looks, times, self.noise.get(case.name, 0.0))

    def _second_judgement(self, slow: list[BenchmarkCase], lost: list[BenchmarkCase], needed: int) -> None:
        comparisons = {}
        for case in slow:
            ratios = self._second_ratios(case)
            if len(ratios) < needed and not self._is_decided(case, needed):
                text = f"suspected, and the budget ended before the second look: {len(ratios)} of {needed} pairs"
                self.findings[case.name] = Finding(case.name, verdict.TOO_FEW, text=text)
            else:
                comparisons[case.name] = compare(ratios)
        guilty = {case.name: True for case in slow if self._is_guilty(case)}
        doubtful = {name: comparison for name, comparison in comparisons.items() if name not in guilty}
        worse = guilty | judge.confirmed(doubtful, self.noise)
        for name, comparison in comparisons.items():
            kind = verdict.WORSE if worse[name] else verdict.SAME
            text = "" if worse[name] else "suspected at first; new processes did not confirm it"
            first = self.findings[name].comparison
            self.findings[name] = self._finding(self.cases[name], kind, comparison, text, first)
        for case in lost:
            if self.second.of("head", case.name) and verdict.presence(case, self.second, 1) is None:
                self.findings[case.name] = self._after_a_slip(case)
        for case in slow + lost:
            if wrong := verdict.wrong_answer(case, self.samples, self.second):
                self.findings[case.name] = wrong

    def _after_a_slip(self, case: BenchmarkCase) -> Finding:
        """Judge a case that failed once on HEAD and not again, by the processes that did not fail."""
        slip = f"{self.findings[case.name].text}; not in new processes"
        if case.is_measured_once:
            finding = verdict.figure(case, self.second)
            return replace(finding, text="; ".join(filter(None, (finding.text, slip))))
        ratios = self.samples.pairs(case.name).ratios + self._second_ratios(case)
        if len(ratios) < judge.LEAST:
            return Finding(case.name, verdict.TOO_FEW, text=f"{slip}, of which there are too few")
        finding = self._compared(case, ratios)
        kind = verdict.TOO_FEW if finding.kind == verdict.WORSE else finding.kind
        return replace(finding, kind=kind, text=slip)

    def _finding(
        self, case: BenchmarkCase, kind: str, comparison: Comparison, text: str = "", suspected: Comparison | None = None
    ) -> Finding:
        samples = self.second if suspected else self.samples
        base, head = (statistics.median(verdict.medians(samples.of(side, case.name))) for side in ("base", "head"))
        return Finding(case.name, kind, base, head, case.unit, comparison, text, suspected)


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _step(report_progress: Callable[[str], None], name: str) -> Callable[[str], None]:
    """Return a function that reports the name of the step before each of its own lines."""
    return lambda line: report_progress(f"{name}: {line}")
