"""A finding for each benchmark case, and the exit code that they make."""

import statistics
from dataclasses import asdict, dataclass, field
from typing import Any

from duet.cases import BenchmarkCase
from duet.process import DIED, UNANSWERED
from duet.samples import Measurement, Samples
from duet.statistics import Comparison
from gate.commits import Commit
from gate.errors import LOST, PASSED, REGRESSION, TOO_LITTLE
from gate.judge import Conditions
from gate.scope import Scope

WRONG, WORSE, LOSS, TOO_FEW = "wrong", "worse", "lost", "too little"
BETTER, SAME, NEW, SKIPPED, CHANGED = "better", "same", "new", "skipped", "changed"
CODES = {WRONG: REGRESSION, WORSE: REGRESSION, LOSS: LOST, TOO_FEW: TOO_LITTLE}
"""Of the kinds that fail, the first one decides."""
SIGNALS = (f"its process ended with signal {name}" for name in ("SIGKILL", "SIGTERM"))
KILLED = (DIED, UNANSWERED, "the import of its suite", *SIGNALS)
"""So begins the reason of a process that was killed or stopped. HEAD's code can do that to BASE's: they have the same
user."""


@dataclass(frozen=True)
class Finding:
    """What the gate says about one benchmark case, by its name.

    ``kind``: one of the words above. ``base``, ``head``: medians over processes, in ``unit``. ``comparison``: of times, with
    an interval. ``text``: for a person. ``suspected``: the first look's comparison, if there were two looks. ``slipped``: a
    process of HEAD failed, and no other one did.
    """

    case: str
    kind: str
    base: float | None = None
    head: float | None = None
    unit: str = ""
    comparison: Comparison | None = None
    text: str = ""
    suspected: Comparison | None = None
    slipped: bool = False

    def as_json(self) -> dict[str, Any]:
        figures = asdict(self)
        return {"cell": figures.pop("case"), **figures}


@dataclass(frozen=True)
class Verdict:
    """All findings, and what else a report needs. ``conditions``: machine and method (``trial.conditions``). ``seconds``: of
    measuring. ``ended``: UTC. ``scope``: what the change can touch; None if it was not computed. ``pins``: versions of BASE
    and HEAD by package, where they differ. ``by_head``: findings of HEAD's ruler on cases that both rulers measured.
    ``differing``: BASE's and HEAD's finding of a case, where they differ. ``left_out``: the cases that BASE's ruler selects
    and HEAD's does not. ``unjudged``: first calls that the change can touch, but that neither ruler selects. ``novel``: the
    cases that only HEAD's suite has. ``unmeasured``: the cases that no process of HEAD measured, with the reason.
    ``redefined``: the cases that BASE's and HEAD's suites would judge by different rules."""

    base: Commit
    head: Commit
    conditions: Conditions
    versions: dict[str, str]
    seconds: float
    ended: str
    findings: list[Finding]
    scope: Scope | None = None
    pins: dict[str, tuple[str, str]] = field(default_factory=dict)
    by_head: list[Finding] = field(default_factory=list)
    differing: list[tuple[Finding, Finding]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    novel: frozenset[str] = frozenset()
    unmeasured: dict[str, str] = field(default_factory=dict)
    redefined: list[str] = field(default_factory=list)

    @property
    def is_untouched(self) -> bool:
        """True if nothing was measured, because nothing that is measured can have changed."""
        return self.scope is not None and self.scope.is_empty and not self.findings

    @property
    def exit_code(self) -> int:
        """The code of the first kind that fails: WRONG, WORSE, LOSS, TOO_FEW; TOO_LITTLE also if nothing was compared. What
        only HEAD's suite has needs no comparison."""
        if self.is_untouched:
            return PASSED
        kinds = {finding.kind for finding in self.findings}
        if failing := [code for kind, code in CODES.items() if kind in kinds]:
            return failing[0]
        is_new = any(finding.case in self.novel for finding in self.of_kind(NEW))
        return PASSED if is_new or kinds & {SAME, BETTER, CHANGED} else TOO_LITTLE

    def of_kind(self, kind: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.kind == kind]


def medians(measurements: list[Measurement]) -> list[float]:
    """Return one number of each process that measured something."""
    return [statistics.median(each.values) for each in measurements if each.outcome == "ok"]


def wrong_answer(case: BenchmarkCase, *looks: Samples) -> Finding | None:
    """Return a finding if any process of HEAD answered wrongly, whatever the others did; else None."""
    head, base = ([each for look in looks for each in look.of(side, case.name)] for side in ("head", "base"))
    wrong, wrong_too = ([each for each in side if each.outcome == "wrong"] for side in (head, base))
    if not wrong:
        return None
    text = f"HEAD answered wrongly in {len(wrong)} of {len(head)} processes: {reason(wrong)}"
    return Finding(case.name, WRONG, text=f"{text}; so did BASE in {len(wrong_too)}" if wrong_too else text)


def presence(case: BenchmarkCase, samples: Samples, least: int, is_novel: bool = False) -> Finding | None:
    """Return a finding if the sides cannot be compared; None if they can. least: the pairs that are needed. is_novel: BASE's
    suite lacks the case, so its library may fail."""
    base, head = samples.of("base", case.name), samples.of("head", case.name)
    counts = len(medians(base)), len(medians(head))
    failed, failed_too = ([each for each in side if each.outcome in ("failed", "wrong")] for side in (head, base))
    if counts[0] and not counts[1]:
        return Finding(case.name, LOSS, text=f"HEAD measured nothing: {reason(head)}")
    if counts[1] and not counts[0]:
        if killed := [each for each in base if each.reason.startswith(KILLED)]:
            return Finding(case.name, TOO_FEW, text=f"BASE measured nothing, because it was killed: {reason(killed)}")
        return Finding(case.name, NEW, text=f"BASE measured nothing: {reason(base)}")
    if not counts[0]:
        if head and not failed and (is_novel or not failed_too):
            return Finding(case.name, SKIPPED, text=reason(head))
        return Finding(case.name, TOO_FEW, text=reason(failed_too + failed))
    failed += [own for other, own in samples.rounds(case.name) if (other.outcome, own.outcome) == ("ok", "skipped")]
    if failed and not failed_too:
        return Finding(case.name, LOSS, text=f"HEAD failed in {len(failed)} of {len(head)} processes: {reason(failed)}")
    pairs = samples.pairs(case.name)
    if len(pairs.first) < least:
        text = f"{counts[0]} processes of BASE, {counts[1]} of HEAD; {least} are needed"
        return Finding(case.name, TOO_FEW, text=f"{text}: {pairs.reason}" if pairs.reason else text)
    return None


def figure(case: BenchmarkCase, samples: Samples) -> Finding:
    """Judge a figure that is measured once: a count, or an answer's error.

    Counts are compared by the benchmark's ``direction``: "lower" or "higher" is better, "equal" must not change, "any" may,
    because times judge it. A difference up to its ``tolerance``, a fraction, counts as none. A count that is ``never_zero``
    and falls to 0 is not compared: the framework may have renamed what is counted.
    An estimate's error is in standard errors. A change of it up to the benchmark's ``limit`` is chance: it is reported and
    does not fail. The error of any other answer is within its bound; otherwise the answer would be wrong.
    """
    base = medians(samples.of("base", case.name))[-1]
    head = _worst(case, base, medians(samples.of("head", case.name)))

    def finding(kind: str, text: str = "") -> Finding:
        return Finding(case.name, kind, base, head, case.unit, text=text)

    if case.attributes.get("never_zero") and head == 0 < base:
        return finding(TOO_FEW, "nothing was counted")
    if case.is_exact:
        if base == head:
            return finding(SAME)
        kind, words = _compared(case, base, head)
        return finding(kind, f"exact: {words}")
    if case.tolerance is not None:
        if abs(head - base) <= case.tolerance * base:
            return finding(SAME)
        kind, words = _compared(case, base, head)
        return finding(kind, f"{_factor(base, head)}; equal programs differ by {case.tolerance:.1%}: {words}")
    limit = case.attributes.get("limit")
    if limit is not None and head > limit >= base:
        return finding(WORSE, f"beyond {limit:g} standard errors: no accident")
    within = "within its bound" if case.attributes.get("checked") else "another random number, within chance"
    if limit is not None and head > limit:
        within = f"beyond {limit:g} standard errors, as on BASE"
    return finding(SAME) if base == head else finding(CHANGED, within)


def _worst(case: BenchmarkCase, base: float, figures: list[float]) -> float:
    """Return the worst of HEAD's figures. There are several only after one of its processes failed."""
    direction = case.attributes.get("direction", "lower" if case.is_accuracy else "equal")
    if direction == "higher":
        return min(figures)
    return max(figures, key=lambda each: each if direction == "lower" else abs(each - base))


def _compared(case: BenchmarkCase, base: float, head: float) -> tuple[str, str]:
    """Return which of two counts is the better one, and by which rule."""
    direction = case.attributes.get("direction", "equal")
    if direction == "any":
        return CHANGED, "what the compiler made; its times are judged"
    worse = {"lower": head > base, "higher": head < base}.get(direction, True)
    words = {"lower": "less is better", "higher": "more is better"}.get(direction, "it must not change")
    return WORSE if worse else BETTER, words


def _factor(base: float, head: float) -> str:
    return f"{head / base:.4f} times" if base else "of none"


def reason(measurements: list[Measurement]) -> str:
    """Return the first reason of processes that measured nothing."""
    return next((each.reason for each in measurements if each.reason), "it gave no reason")
