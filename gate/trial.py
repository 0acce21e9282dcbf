"""The course of a verdict: look once at all benchmark cases, again at the suspects, and judge."""

import datetime
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from duet import memory
from duet.cases import BenchmarkCase, Launch
from duet.rounds import Duet, Faults
from duet.samples import Measurement, Samples
from duet.statistics import FEWEST, Comparison, compare
from duet.turns import CAREFUL, QUICK
from gate import judge, verdict
from gate.builds import Ruler, Subjects
from gate.judge import Conditions, Method
from gate.verdict import Finding, Verdict
from jitkernels import machine

FIRST_LOOK = 0.8  # of the budget; the rest is for the second look
MOST_FAILURES = 1  # of HEAD in a case that can be an accident
MOST_HUNG = 1800.0  # seconds of timeouts: a hang in shared code would use up those of every group
SLOWER = "slower at first"
NO_RATIO = "a figure of 0 has no ratio"


def conditions(bench: Sequence[str], processes: int, budget: float) -> Conditions:
    """Return the machine and settings that make two verdicts comparable, for JSON.

    bench: regular expressions. processes: the most for each side and case in the first look. budget: seconds of measuring.
    """
    method: Method = {
        "bench": list(bench),
        "processes": processes,
        "way": judge.WAY,
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
    pair could make it suspect. This changes no verdict on a time. ``novel``: cases that only HEAD's suite has. ``suspects``:
    the cases that the first look finds slower. ``unfinished``: the cases whose second look the budget ended.
    """

    subjects: Subjects
    ruler: Ruler
    cases: dict[str, BenchmarkCase]
    directory: Path
    conditions: Conditions
    noise: Mapping[str, float]
    report_progress: Callable[[str], None] = lambda step: None
    faults: Faults | None = None
    ends_early: bool = True
    novel: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        selection = self.ruler.selection
        base, head = (replace(side, suite=self.ruler.suite) for side in self.subjects.sides)
        launch = Launch(selection.group, selection.needs_threads, selection.variables, has_first_calls_at_once=True)
        self.duet = Duet(self.directory, (base, head), launch, self.faults, MOST_HUNG)
        self.processes, self.budget = self.conditions["method"]["processes"], self.conditions["method"]["budget"]
        self.samples, self.second = Samples("base", "head"), Samples("base", "head")
        self.findings: dict[str, Finding] = {}
        self.suspects: list[str] = []
        self.unfinished: set[str] = set()

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
        whole = Verdict(subjects.base, subjects.head, self.conditions, subjects.versions, seconds, now(), findings)
        return replace(whole, pins=subjects.pins, unmeasured=self._unmeasured())

    def _unmeasured(self) -> dict[str, str]:
        """Return the cases that no process of HEAD measured, with the reason; not those for which no time was left."""
        names = self.cases.keys() - self.unfinished
        of_head = {name: self.samples.of("head", name) + self.second.of("head", name) for name in names}
        return {name: verdict.reason(each) for name, each in of_head.items() if not verdict.medians(each)}

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
            remaining = [case for case in remaining if not self._is_measured(case)]
            if not remaining or time.monotonic() + (time.monotonic() - begin) > until:
                break

    def _is_measured(self, case: BenchmarkCase) -> bool:
        """True if the first look at the case can end. One pair is enough for a case that only HEAD has."""
        base, head = self.samples.rounds(case.name)[-1]
        is_new = case.name in self.novel and base.outcome != "ok" and head.outcome != "failed"
        return is_new or self.samples.is_skipped(case.name) or self._is_innocent(case)

    def _is_innocent(self, case: BenchmarkCase) -> bool:
        """True if no further pair could make the case suspect. Never if one of its processes failed: it gets all pairs."""
        ratios = self.samples.pairs(case.name).ratios
        is_whole = all(ratios) and len(ratios) == len(self.samples.rounds(case.name))
        return self.ends_early and is_whole and judge.is_innocent(ratios, self.processes)

    def _first_judgement(self) -> tuple[list[BenchmarkCase], list[BenchmarkCase]]:
        """Judge what can be judged now. Returns the cases that need a second look: the slower ones, and the lost ones with
        those that an accident may have kept from being compared."""
        self.findings = {name: self._judged(case) for name, case in self.cases.items()}
        kinds = [(case, self.findings[name].kind) for name, case in self.cases.items()]
        suspects = [case for case, kind in kinds if kind == verdict.WORSE and not case.is_exact]
        self.suspects = [case.name for case in suspects]
        slow = [case for case in suspects if not case.is_measured_once]
        uncompared = [case for case, kind in kinds if kind in (verdict.TOO_FEW, verdict.NEW) and self._may_be_accident(case)]
        return slow, [case for case, kind in kinds if kind == verdict.LOSS] + uncompared

    def _may_be_accident(self, case: BenchmarkCase) -> bool:
        """True if the case's group was given up, or BASE failed in one pair."""
        failed = [base for base, _ in self.samples.rounds(case.name) if base.outcome == "failed"]
        return self.duet.is_given_up(case) or (case.name not in self.novel and len(failed) == MOST_FAILURES)

    def _judged(self, case: BenchmarkCase) -> Finding:
        least = 1 if case.is_measured_once or self._is_innocent(case) else judge.LEAST
        ratios = self.samples.pairs(case.name).ratios
        is_novel = case.name in self.novel
        if finding := verdict.wrong_answer(case, self.samples) or verdict.presence(case, self.samples, least, is_novel):
            is_lost = finding.kind == verdict.LOSS and len(ratios) >= FEWEST
            is_slower_too = is_lost and self._compared(case, ratios).kind == verdict.WORSE
            return replace(finding, text=f"{SLOWER}; {finding.text}") if is_slower_too else finding
        if case.is_measured_once:
            return verdict.figure(case, self.samples)
        return self._compared(case, ratios)

    def _compared(self, case: BenchmarkCase, ratios: list[float]) -> Finding:
        """Judge one look. WORSE means suspected. A figure that is tracked in every process may be 0."""
        if not (ratios and all(ratios)):
            base, head = (verdict.medians(self.samples.of(side, case.name)) for side in ("base", "head"))
            return Finding(case.name, verdict.SAME if base == head else verdict.TOO_FEW, text=NO_RATIO)
        comparison, noise = compare(ratios), self.noise.get(case.name, 0.0)
        if judge.is_suspect(comparison, noise):
            return self._finding(case, verdict.WORSE, comparison)
        if judge.is_better(comparison, noise):
            return self._finding(case, verdict.BETTER, comparison, "seen once")
        text = _within(noise) if judge.is_within_noise(comparison, noise) else ""
        return self._finding(case, verdict.SAME, comparison, text)

    def _look_again(self, slow: list[BenchmarkCase], lost: list[BenchmarkCase], needed: int, until: float) -> None:
        """Add rounds of new processes for suspects, and for lost cases, which may have been an accident."""
        self.duet.try_again()
        for number in range(max(needed, judge.LEAST)):
            suspects = [case for case in slow if number < needed and not self._is_decided(case, needed)]
            losses = [case for case in lost if number < _looks_at_a_loss(case) and not self._has_failed_again(case)]
            if time.monotonic() > until or not (suspects or losses):
                break
            name = f"second look (suspects: {len(suspects)}, losses: {len(losses)}), pair {number + 1}"
            self.duet.round([*suspects, *losses], self.second, _step(self.report_progress, name), CAREFUL)

    def _has_failed_again(self, case: BenchmarkCase) -> bool:
        """True if HEAD measured nothing in more pairs of both looks than an accident explains."""
        return len(_failures(case, self.samples) + _failures(case, self.second)) > MOST_FAILURES

    def _second_ratios(self, case: BenchmarkCase) -> list[float]:
        return self.second.pairs(case.name).ratios

    def _is_decided(self, case: BenchmarkCase, needed: int) -> bool:
        is_cleared = judge.is_cleared(self._second_ratios(case), needed)
        return is_cleared or self._is_guilty(case) or self._lost_again(case) is not None

    def _is_guilty(self, case: BenchmarkCase) -> bool:
        times = sum(not each.is_measured_once for each in self.cases.values())
        looks = self.samples.pairs(case.name).ratios, self._second_ratios(case)
        return judge.is_guilty(*looks, times, self.noise.get(case.name, 0.0))

    def _second_judgement(self, slow: list[BenchmarkCase], lost: list[BenchmarkCase], needed: int) -> None:
        undecided = {case.name: finding for case in slow if (finding := self._undecided(case, needed))}
        decided = [case for case in slow if case.name not in undecided]
        comparisons = {case.name: compare(self._second_ratios(case)) for case in decided}
        guilty = {case.name: True for case in decided if self._is_guilty(case)}
        doubtful = {name: comparison for name, comparison in comparisons.items() if name not in guilty}
        worse = guilty | judge.confirmed(doubtful, self.noise)
        for case in decided:
            self.findings[case.name] = self._decided(case, comparisons[case.name], worse[case.name])
        self.findings |= undecided
        for case in lost:
            if not self._has_failed_again(case):
                self.findings[case.name] = self._after_one_failure(case)
            elif self.findings[case.name].kind == verdict.NEW:  # BASE failed in the first look, HEAD in the second
                text = self._failed(case, _failures(case, self.second))
                self.findings[case.name] = Finding(case.name, verdict.LOSS, text=text)
        for case in slow + lost:
            if wrong := verdict.wrong_answer(case, self.samples, self.second):
                self.findings[case.name] = wrong

    def _undecided(self, case: BenchmarkCase, needed: int) -> Finding | None:
        """Return a finding if the second look at a suspect cannot be judged; None if it can."""
        pairs, count = self.second.pairs(case.name), len(self.second.rounds(case.name))
        if loss := self._lost_again(case):
            return loss
        if count < needed and not self._is_decided(case, needed):
            text = f"the budget ended before the second look: {count} of {needed} pairs"
        elif pairs.first and not (pairs.ratios and all(pairs.ratios)):
            text = NO_RATIO
        elif len(pairs.ratios) < needed - judge.SPARE and not self._is_decided(case, needed):
            text = f"both sides measured it in {len(pairs.ratios)} of {count} new pairs: {pairs.reason}"
        else:
            return None
        return Finding(case.name, verdict.TOO_FEW, text=f"suspected, and {text}")

    def _lost_again(self, case: BenchmarkCase) -> Finding | None:
        """Return a finding if HEAD failed in the second look at a suspect, more often than an accident explains."""
        failures = _failures(case, self.second)
        if failures and self._has_failed_again(case):
            return Finding(case.name, verdict.LOSS, text=f"{SLOWER}; {self._failed(case, failures)}")
        return None

    def _failed(self, case: BenchmarkCase, failures: list[Measurement]) -> str:
        count = len(self.second.of("head", case.name))
        return f"HEAD failed in {len(failures)} of {count} processes: {failures[0].reason}"

    def _decided(self, case: BenchmarkCase, comparison: Comparison, is_worse: bool) -> Finding:
        """Return the finding on a suspect after its second look. One process of HEAD may have failed there."""
        noise = self.noise.get(case.name, 0.0)
        cause = _within(noise) if judge.is_within_noise(comparison, noise) else "new processes did not confirm it"
        failures = _failures(case, self.second)
        texts = ["" if is_worse else f"suspected at first; {cause}", self._failed(case, failures) if failures else ""]
        kind, first = verdict.WORSE if is_worse else verdict.SAME, self.findings[case.name].comparison
        finding = self._finding(case, kind, comparison, "; ".join(filter(None, texts)), first)
        return replace(finding, slipped=bool(failures))

    def _after_one_failure(self, case: BenchmarkCase) -> Finding:
        """Judge a case of which HEAD failed in one pair at most: its finding stays unless new pairs measured it."""
        loss, count = self.findings[case.name], len(self.second.rounds(case.name))
        if count < _looks_at_a_loss(case) and (loss.kind == verdict.NEW or not case.is_measured_once):
            self.unfinished.add(case.name)
            text = f"{loss.text}; the budget ended after {count} of {_looks_at_a_loss(case)} new pairs"
            return Finding(case.name, verdict.TOO_FEW, text=text, slipped=bool(_failures(case, self.samples)))
        again = verdict.presence(case, self.second, 1)
        return (again if loss.kind == verdict.NEW else loss) if again else self._after_a_slip(case)

    def _after_a_slip(self, case: BenchmarkCase) -> Finding:
        """Judge a case that failed once, or whose group was given up, and did not fail again, by all other processes."""
        slip = f"{self.findings[case.name].text}; not in new processes"
        slipped = bool(_failures(case, self.samples))  # else BASE failed, or its group was given up
        ratios = self.samples.pairs(case.name).ratios + self._second_ratios(case)
        if case.is_measured_once:
            finding = verdict.figure(case, self.second)
        elif len(ratios) < judge.LEAST:
            return Finding(case.name, verdict.TOO_FEW, text=f"{slip}, of which there are too few", slipped=slipped)
        else:
            finding = self._compared(case, ratios)
        is_suspect = finding.kind == verdict.WORSE and not case.is_measured_once  # no second look of its own confirms it
        kind = verdict.TOO_FEW if is_suspect else finding.kind
        return replace(finding, kind=kind, text="; ".join(filter(None, (finding.text, slip))), slipped=slipped)

    def _finding(
        self, case: BenchmarkCase, kind: str, comparison: Comparison, text: str = "", suspected: Comparison | None = None
    ) -> Finding:
        looks = [self.second] if suspected else [self.samples, self.second]

        def median(side: str) -> float:
            return statistics.median(each for look in looks for each in verdict.medians(look.of(side, case.name)))

        return Finding(case.name, kind, median("base"), median("head"), case.unit, comparison, text, suspected)


def _failures(case: BenchmarkCase, look: Samples) -> list[Measurement]:
    """Return what HEAD did in the pairs in which BASE measured something and HEAD did not."""
    return [head for base, head in look.rounds(case.name) if base.outcome == "ok" and head.outcome != "ok"]


def _looks_at_a_loss(case: BenchmarkCase) -> int:
    """Return how many further rounds a lost case gets: a figure, which repeats, two; a time as many as a first look."""
    return 2 if case.is_measured_once else judge.LEAST


def _within(noise: float) -> str:
    return f"slower, but within its noise here, {noise:.1%}"


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _step(report_progress: Callable[[str], None], name: str) -> Callable[[str], None]:
    """Return a function that reports the name of the step before each of its own lines."""
    return lambda line: report_progress(f"{name}: {line}")
