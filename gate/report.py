"""A verdict for a reviewer who has ten seconds, and for whoever has more; and the same as JSON.

Names and messages come from whoever wrote the change: in Markdown they stand in <code>, as entities, where no character
of theirs means anything, mentions included.
"""

import dataclasses
import itertools
import shlex
import unicodedata
from typing import Any

from benchmarks import _selection as suite
from gate import errors, judge, verdict
from gate.trial import BUDGET, Trial
from gate.verdict import Finding

SCHEMA = 2
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
    return "\n".join([*lines, *footing(trial)])


def footing(trial: Trial) -> list[str]:
    """How it was measured, where, with what, and how to do so again."""
    where, times = trial.where, sum(1 for finding in trial.findings.values() if finding.comparison)
    method, versions = where["method"], ", ".join(f"{name} {version}" for name, version in trial.versions.items())
    return [
        f"{times} times compared in pairs of processes ({method['processes']} at least), with intervals at "
        f"{100 * judge.CONFIDENCE:g} %; measured in {trial.seconds / 60:.1f} minutes, until {trial.ended}.  ",
        f"Machine {literal(where['machine'])}, {literal(where['processor'])}, {where['cores']} cores; "
        f"{MEMORY[method['memory']]}; {literal(versions)}.",
        "", "Again, by hand:", "", *fenced(shlex.join(command(trial))), "",
    ]  # fmt: skip


MEMORY = {
    "jemalloc": "jemalloc's memory",
    "glibc": "glibc's memory (with jemalloc, which is not here, processes differ less)",
}


def fenced(code: str) -> list[str]:
    """Markdown of code, between fences that it cannot end."""
    longest = max((len(list(run)) for letter, run in itertools.groupby(code) if letter == "`"), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, code, fence]


def command(trial: Trial) -> list[str]:
    """What asks for the same verdict again: the defaults are left unsaid."""
    words = ["python", "-m", "gate", trial.base.hash, trial.head.hash]
    if trial.bench != [suite.PER_COMMIT]:
        words += [f"--bench={each}" for each in trial.bench]
    if trial.processes != judge.LEAST:
        words.append(f"--processes={trial.processes}")
    if trial.budget != 60 * BUDGET:
        words.append(f"--budget={trial.budget / 60:g}")
    return words


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
    """Everything in the report, for programs: docs/gate.md."""
    return {
        "schema": SCHEMA, "exit_code": code, "meaning": errors.MEANINGS[code],
        "base": dataclasses.asdict(trial.base), "head": dataclasses.asdict(trial.head),
        "seconds": trial.seconds, "when": trial.ended, **trial.where, "versions": trial.versions, "command": command(trial),
        "findings": [dataclasses.asdict(finding) for finding in trial.findings.values()],
    }  # fmt: skip
