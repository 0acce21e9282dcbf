"""A verdict for a reviewer who has ten seconds, and for whoever has more; and the same as JSON.

Names and messages come from whoever wrote the change: in Markdown they stand in <code>, as entities, where no character
of theirs means anything, mentions included.
"""

import dataclasses
import unicodedata
from typing import Any

from gate import errors, judge, memory, verdict
from gate.trial import Trial
from gate.verdict import Finding

HEADINGS = [
    (verdict.WORSE, "Worse"),
    (verdict.LOSS, "Lost: BASE measured it, HEAD does not"),
    (verdict.TOO_FEW, "Not compared: too little was measured"),
    (verdict.BETTER, "Better"),
    (verdict.CHANGED, "Changed, within chance"),
]
QUIET = [(verdict.NEW, "New in HEAD"), (verdict.SKIPPED, "Skipped on both sides"), (verdict.SAME, "The same")]


def markdown(trial: Trial, code: int) -> str:
    """The report. trial: a ``Trial`` that has run."""
    findings = list(trial.findings.values())
    lines = [f"## {MARKS[code]} {sentence(findings, code)}", ""]
    for name, commit in (("BASE", trial.base), ("HEAD", trial.head)):
        lines.append(f"{name} {literal(commit.short)} {literal(commit.subject)}  ")
    lines.append("")
    for kind, heading in HEADINGS:
        lines += table(heading, [finding for finding in findings if finding.kind == kind])
    for kind, heading in QUIET:
        quiet = [finding for finding in findings if finding.kind == kind]
        if quiet:
            lines += [f"<details><summary>{heading}: {len(quiet)}</summary>", "", *table("", quiet), "</details>", ""]
    times = sum(1 for finding in findings if finding.comparison)
    lines += [
        f"{times} times compared in pairs of processes ({judge.LEAST} at least), with intervals at {judge.CONFIDENCE:.0%}; "
        f"measured in {trial.seconds / 60:.1f} minutes, with {memory.allocator()}'s memory. Again, by hand:",
        "", "```", f"python -m gate {trial.base.hash} {trial.head.hash}", "```", "",
    ]  # fmt: skip
    return "\n".join(lines)


MARKS = {errors.PASSED: "✅", errors.REGRESSION: "❌", errors.LOST: "❌", errors.TOO_LITTLE: "⚠️"}


def sentence(findings: list[Finding], code: int) -> str:
    """The verdict in words."""
    counts = {kind: sum(1 for finding in findings if finding.kind == kind) for kind, _ in HEADINGS + QUIET}
    parts = [f"{counts[kind]} {word}" for kind, word in (
        (verdict.WORSE, "worse"), (verdict.LOSS, "lost"), (verdict.TOO_FEW, "not compared"), (verdict.BETTER, "better"),
    ) if counts[kind]]  # fmt: skip
    compared = counts[verdict.SAME] + counts[verdict.WORSE] + counts[verdict.BETTER] + counts[verdict.CHANGED]
    return f"{errors.MEANINGS[code].capitalize()}: {', '.join([*parts, f'{compared} compared'])}"


def table(heading: str, findings: list[Finding]) -> list[str]:
    """Markdown of the findings of one kind; the largest change first."""
    if not findings:
        return []
    lines = [f"### {heading}", ""] if heading else []
    lines += ["| cell | BASE | HEAD | HEAD / BASE | |", "|---|--:|--:|--:|---|"]
    for finding in sorted(findings, key=lambda finding: -(finding.comparison.ratio if finding.comparison else 0)):
        seen = finding.comparison
        ratio = f"{seen.ratio:.3f} ({seen.low:.3f} to {seen.high:.3f})" if seen else ""
        cells = [literal(finding.cell), amount(finding.base, finding.unit), amount(finding.head, finding.unit), ratio]
        lines.append(f"| {' | '.join(cells)} | {literal(finding.text) if finding.text else ''} |")
    return [*lines, ""]


def amount(number: float | None, unit: str) -> str:
    """A number with its unit; seconds by their prefix."""
    if number is None:
        return ""
    if unit != "seconds":
        return f"{number:.6g} {literal(unit)}" if unit else f"{number:.6g}"
    scale, prefix = next(((scale, prefix) for scale, prefix in PREFIXES if number >= scale), PREFIXES[-1])
    return f"{number / scale:.4g} {prefix}"


PREFIXES = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]


def literal(text: str) -> str:
    """``text`` as it is, whatever it holds."""
    return f"<code>{''.join(map(_entity, text))}</code>"


def _entity(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in " .,"):
        return character
    if unicodedata.category(character) in (
        "Cc",
        "Cf",
        "Zl",
        "Zp",
        "Cs",
        "Co",
        "Cn",
    ):  # newlines, marks that turn text around
        return f"&#92;u{ord(character):04x}"
    return f"&#{ord(character)};"


def as_json(trial: Trial, code: int) -> dict[str, Any]:
    """Everything in the report, for programs. schema 1: docs/gate.md."""
    return {
        "schema": 1, "exit_code": code, "meaning": errors.MEANINGS[code], "seconds": trial.seconds,
        "base": dataclasses.asdict(trial.base), "head": dataclasses.asdict(trial.head),
        "findings": [dataclasses.asdict(finding) for finding in trial.findings.values()],
    }  # fmt: skip
