"""The verdict as Markdown, for a reviewer who has ten seconds and for one who has more; and as JSON.

Names and messages come from the author of the change: in Markdown they stand in <code>, as entities, where no character
means anything, mentions included.
"""

import dataclasses
import itertools
import shlex
import unicodedata
from typing import Any

from benchmarks import _selection
from duet.statistics import CONFIDENCE
from gate import errors, judge
from gate.verdict import BETTER, CHANGED, LOSS, NEW, SAME, SKIPPED, TOO_FEW, WORSE, Finding, Verdict

SCHEMA = 2
HEADINGS = [
    (WORSE, "Worse"),
    (LOSS, "Lost: BASE measured it, HEAD does not"),
    (TOO_FEW, "Not compared: too little was measured"),
    (BETTER, "Better"),
    (CHANGED, "Changed, within chance"),
]
FOLDED = [(NEW, "New in HEAD"), (SKIPPED, "Skipped on both sides"), (SAME, "The same")]
COUNTED = {WORSE: "worse", LOSS: "lost", TOO_FEW: "not compared", BETTER: "better"}
MARKS = {errors.PASSED: "✅", errors.REGRESSION: "❌", errors.LOST: "❌", errors.TOO_LITTLE: "⚠️"}
MEMORY = {
    "jemalloc": "jemalloc's memory",
    "glibc": "glibc's memory (with jemalloc, which is not here, processes differ less)",
}
PREFIXES = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")  # newlines, marks that turn text around


def markdown(verdict: Verdict) -> str:
    """Return the report."""
    lines = [f"## {MARKS[verdict.exit_code]} {sentence(verdict)}", ""]
    for name, commit in (("BASE", verdict.base), ("HEAD", verdict.head)):
        lines.append(f"{name} {literal(commit.short)} {literal(commit.subject)}  ")
    lines.append("")
    for kind, heading in HEADINGS:
        if findings := verdict.of_kind(kind):
            lines += [f"### {heading}", "", *table(findings)]
    for kind, heading in FOLDED:
        if findings := verdict.of_kind(kind):
            lines += [f"<details><summary>{heading}: {len(findings)}</summary>", "", *table(findings), "</details>", ""]
    return "\n".join([*lines, *footing(verdict)])


def footing(verdict: Verdict) -> list[str]:
    """Return how it was measured, where, with what, and the command that does it again."""
    where, times = verdict.conditions, sum(1 for finding in verdict.findings if finding.comparison)
    method, versions = where["method"], ", ".join(f"{name} {version}" for name, version in verdict.versions.items())
    return [
        f"{times} times compared in pairs of processes ({method['processes']} at least), with intervals at "
        f"{100 * CONFIDENCE:g} %; measured in {verdict.seconds / 60:.1f} minutes, until {verdict.ended}.  ",
        f"Machine {literal(where['machine'])}, {literal(where['processor'])}, {where['cores']} cores; "
        f"{MEMORY[method['memory']]}; {literal(versions)}.",
        *("", "Again, by hand:", "", *fenced(shlex.join(command(verdict))), ""),
    ]


def fenced(code: str) -> list[str]:
    """Return code between fences that it cannot end."""
    longest = max((len(list(run)) for letter, run in itertools.groupby(code) if letter == "`"), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, code, fence]


def command(verdict: Verdict) -> list[str]:
    """Return the words of the command that measures the same again, without defaults."""
    method = verdict.conditions["method"]
    words = ["python", "-m", "gate", verdict.base.hash, verdict.head.hash]
    if method["bench"] != [_selection.PER_COMMIT]:
        words += [f"--bench={each}" for each in method["bench"]]
    if method["processes"] != judge.LEAST:
        words.append(f"--processes={method['processes']}")
    if method["budget"] != 60 * judge.BUDGET:
        words.append(f"--budget={method['budget'] / 60:g}")
    return words


def sentence(verdict: Verdict) -> str:
    """Return the verdict in words."""
    parts = [f"{len(verdict.of_kind(kind))} {word}" for kind, word in COUNTED.items() if verdict.of_kind(kind)]
    compared = (SAME, WORSE, BETTER, CHANGED)
    count = sum(finding.kind in compared for finding in verdict.findings)
    return f"{errors.MEANINGS[verdict.exit_code].capitalize()}: {', '.join([*parts, f'{count} compared'])}"


def table(findings: list[Finding]) -> list[str]:
    """Return a table of findings, the largest change first."""
    lines = ["| cell | BASE | HEAD | HEAD / BASE | |", "|---|--:|--:|--:|---|"]
    for finding in sorted(findings, key=lambda finding: -(finding.comparison.ratio if finding.comparison else 0)):
        known = finding.comparison
        ratio = f"{known.ratio:.3f} ({known.low:.3f} to {known.high:.3f})" if known else ""
        columns = [literal(finding.cell), amount(finding.base, finding.unit), amount(finding.head, finding.unit), ratio]
        lines.append(f"| {' | '.join(columns)} | {literal(finding.text) if finding.text else ''} |")
    return [*lines, ""]


def amount(number: float | None, unit: str) -> str:
    """Return a number with its unit; seconds with a prefix."""
    if number is None:
        return ""
    if unit != "seconds":
        return f"{number:.6g} {literal(unit)}" if unit else f"{number:.6g}"
    scale, prefix = next(((scale, prefix) for scale, prefix in PREFIXES if number >= scale), PREFIXES[-1])
    return f"{number / scale:.4g} {prefix}"


def literal(text: str) -> str:
    """Return Markdown that shows ``text`` as it is, whatever it holds."""
    return f"<code>{''.join(map(_entity, text))}</code>"


def _entity(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in " .,"):
        return character
    if unicodedata.category(character) in INVISIBLE:
        return f"&#92;u{ord(character):04x}"
    return f"&#{ord(character)};"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return all that is in the report, for programs: docs/gate.md."""
    commits = {"base": verdict.base, "head": verdict.head}
    return {
        "schema": SCHEMA,
        "exit_code": verdict.exit_code,
        "meaning": errors.MEANINGS[verdict.exit_code],
        **{side: {"asked": each.name, "hash": each.hash, "subject": each.subject} for side, each in commits.items()},
        "seconds": verdict.seconds,
        "when": verdict.ended,
        **verdict.conditions,
        "versions": verdict.versions,
        "command": command(verdict),
        "findings": [dataclasses.asdict(finding) for finding in verdict.findings],
    }
