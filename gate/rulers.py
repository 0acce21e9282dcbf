"""Judge by BASE's ruler, so that a change does not judge itself. HEAD's ruler adds the cases that BASE's lacks.

Where the change touches the suite, both rulers measure the cases that it may have redefined. BASE's ruler decides, and the
report shows where HEAD's differs.
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from duet.cases import BenchmarkCase
from gate.builds import Subjects
from gate.errors import UsageError
from gate.judge import Conditions
from gate.scope import Scope, chosen, is_among
from gate.trial import Trial
from gate.verdict import CHANGED, CODES, LOSS, SKIPPED, WORSE, WRONG, Finding, Verdict

Cases = dict[str, BenchmarkCase]
REMOVED = "HEAD's suite has no such benchmark case: removed, or renamed"
RULES = ("type", "unit", "direction", "exact", "tolerance", "limit", "checked", "judged_by", "checks", "never_zero")
"""The attributes of a benchmark by which its figures are selected and judged."""
MOST_GROWTH = 10  # times, of an error whose bound may be HEAD's own
BY_HEAD = "by-head"  # directory of what HEAD's ruler measures


@dataclass(frozen=True)
class Plan:
    """What each ruler measures. ``by_base``: the cases that BASE's ruler selects and HEAD's suite still has. ``by_head``:
    the cases that only HEAD's ruler selects, or that HEAD's suite may have redefined. ``removed``: the cases of BASE's
    suite (with ``--bench``: those selected) that HEAD's suite lacks. ``left_out``: those of ``by_base`` that HEAD's ruler
    does not select. ``unjudged``: first calls that the change can touch and neither ruler selects. ``redefined``: the cases
    that the two suites would judge by different rules."""

    by_base: Cases
    by_head: Cases
    removed: list[str]
    left_out: list[str]
    unjudged: list[str]
    redefined: list[str]


def judged(
    subjects: Subjects,
    directory: Path,
    conditions: Conditions,
    noise: Mapping[str, float],
    report_progress: Callable[[str], None],
    scope: Scope,
) -> Verdict:
    """Measure both commits by both rulers, and judge. UsageError: ``--bench`` matches no case."""
    plan, (former, own) = planned(subjects, conditions["method"]["bench"], scope), subjects.rulers
    settings = conditions, noise, report_progress
    verdict = Trial(subjects, former, plan.by_base, directory, *settings).run()
    lost = [Finding(name, LOSS, text=REMOVED) for name in plan.removed]
    findings = [*lost, *(bounded(finding, plan.by_base[finding.case], scope) for finding in verdict.findings)]
    verdict = replace(verdict, scope=scope, left_out=plan.left_out, unjudged=plan.unjudged, redefined=plan.redefined)
    verdict = replace(verdict, findings=findings)
    if not plan.by_head:
        return verdict
    inner = directory / BY_HEAD  # its own figures and caches
    inner.mkdir()
    novel = frozenset(plan.by_head.keys() - former.cases.keys())
    other = Trial(subjects, own, plan.by_head, inner, *settings, novel=novel).run()
    return replace(with_head_s(verdict, other), novel=novel)


def bounded(finding: Finding, case: BenchmarkCase, scope: Scope) -> Finding:
    """Return the finding; WORSE if an error has grown more than MOST_GROWTH times, and the change touches its bound."""
    if finding.kind != CHANGED or not case.attributes.get("checked") or not scope.bounds_errors(case.kernel):
        return finding
    base, head = finding.base or 0.0, finding.head or 0.0
    text = f"the change touches what bounds this error, and it grew more than {MOST_GROWTH} times"
    return replace(finding, kind=WORSE, text=text) if head > MOST_GROWTH * base else finding


def remove_builds(directory: Path) -> None:
    """Remove the builds and caches of a verdict, up to a gigabyte. Its logs and samples stay."""
    for each in (*directory.glob("*"), *directory.glob(f"{BY_HEAD}/*")):
        if each.is_dir() and each.name != BY_HEAD:
            shutil.rmtree(each, ignore_errors=True)


def with_head_s(verdict: Verdict, other: Verdict) -> Verdict:
    """Return BASE's verdict with findings of HEAD's ruler added: on cases that BASE's did not measure, on every answer that
    HEAD's finds wrong, and on every case that passes by BASE's and that HEAD's does not measure."""
    by_base = {finding.case: finding for finding in verdict.findings}
    again = [finding for finding in other.findings if finding.case in by_base]
    differing = [(by_base[each.case], each) for each in again if by_base[each.case].kind != each.kind]
    findings = by_base | {each.case: each for each in other.findings if each not in again or each.kind == WRONG}
    losses = (lost_by_head_s(findings[each.case], each, other.unmeasured.get(each.case, "")) for each in again)
    findings |= {loss.case: loss for loss in losses if loss}
    seconds = verdict.seconds + other.seconds
    verdict = replace(verdict, findings=[*findings.values()], by_head=again, differing=differing)
    return replace(verdict, seconds=seconds, ended=other.ended)


def lost_by_head_s(own: Finding, other: Finding, reason: str) -> Finding | None:
    """Return a finding if a case passes, and HEAD's ruler loses it; else None. A spent budget or few processes lose nothing.

    own: the finding until now. other: by HEAD's ruler. reason: why no process of HEAD measured it then; "" if one did.
    """
    if own.kind in (*CODES, SKIPPED) or not (reason or other.kind == LOSS):
        return None
    text = f"HEAD's own suite measures nothing: {reason}" if reason else f"by HEAD's own suite: {other.text}"
    return Finding(own.case, LOSS, text=text)


def planned(subjects: Subjects, bench: list[str], scope: Scope) -> Plan:
    """Return what each ruler measures. UsageError: the expressions match no case of either suite."""
    base, head = subjects.rulers
    former, own = (chosen(ruler.cases, ruler.selection, bench, scope) for ruler in subjects.rulers)
    if bench and not former and not own:
        raise UsageError(f"no benchmark of either commit matches {' or '.join(bench)}")
    by_base = {name: case for name, case in former.items() if name in head.cases}
    by_head = {name: case for name, case in own.items() if name not in by_base or is_among(scope.redefined, name)}
    removed = sorted((former if bench else base.cases).keys() - head.cases.keys())
    first_calls = [name for name, case in head.cases.items() if case.is_first_call and is_among(scope.touched, name)]
    unjudged = [name for name in first_calls if not bench and name not in by_base | by_head]
    left_out = sorted(by_base.keys() - own.keys())
    return Plan(by_base, by_head if base is not head else {}, removed, left_out, unjudged, redefined(base.cases, head.cases))


def redefined(base: Cases, head: Cases) -> list[str]:
    """Return the cases of both suites whose attributes in RULES differ."""
    both = [(name, base[name].attributes, case.attributes) for name, case in head.items() if name in base]
    return [name for name, own, other in both if any(own.get(rule) != other.get(rule) for rule in RULES)]
