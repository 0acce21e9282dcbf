"""The verdict as Markdown, for a reviewer who has ten seconds and for one who has more; and as JSON.

Names and messages come from the author of the change, so Markdown shows them as code: in backticks, or, if a character
could end the backticks, break a table or mention somebody, as entities in <code>.
"""

import re
import shlex
import textwrap
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks import _selection
from duet.statistics import CONFIDENCE
from gate import errors, judge
from gate.scope import DIALECTS, Scope
from gate.verdict import BETTER, CHANGED, CODES, LOSS, NEW, SAME, SKIPPED, TOO_FEW, WORSE, WRONG, Finding, Verdict

SCHEMA = 2
HEADINGS = [
    (WRONG, "Wrong: HEAD's answer is not right"),
    (WORSE, "Worse"),
    (LOSS, "Lost: BASE measured it, HEAD does not"),
    (TOO_FEW, "Not compared: too little was measured"),
    (BETTER, "Better"),
    (CHANGED, "Changed, which is no failure"),
]
SLIPPED = "The same, with a remark"
FOLDED = [(NEW, "New in HEAD"), (SKIPPED, "Skipped on both sides"), (SAME, "The same")]
COUNTED = {WRONG: "wrong", WORSE: "worse", LOSS: "lost", TOO_FEW: "not compared", BETTER: "better", NEW: "new"}
MARKS = {errors.PASSED: "✅", errors.REGRESSION: "❌", errors.LOST: "❌", errors.TOO_LITTLE: "⚠️"}
MEMORY = {
    "jemalloc": "jemalloc's memory",
    "glibc": "glibc's memory (with jemalloc, which is not here, processes differ less)",
}
PREFIXES = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
INVISIBLE = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")  # newlines, marks that reverse the direction of text
HARMLESS = re.compile(r"[!-~]([ -~]*[!-~])?")  # in backticks, without the characters below
DANGEROUS = re.compile(r"[`|<>&@]")
MOST_NAMES = 8  # of files or kernels in a sentence
WORST = 5  # findings on the terminal


def markdown(verdict: Verdict) -> str:
    """Return the report."""
    lines = [f"## {MARKS[verdict.exit_code]} {sentence(verdict)}", ""]
    for name, commit in (("BASE", verdict.base), ("HEAD", verdict.head)):
        lines.append(f"{name} {literal(commit.short)} {literal(commit.subject)}  ")
    lines += ["", *scope_lines(verdict)]
    for kind, heading in HEADINGS:
        if findings := verdict.of_kind(kind):
            lines += [f"### {heading}", "", *table(findings)]
    slips = [finding for finding in verdict.of_kind(SAME) if finding.slipped or finding.text]
    if slips:
        lines += [f"### {SLIPPED}", "", *table(slips)]
    for kind, heading in FOLDED:
        if findings := [finding for finding in verdict.of_kind(kind) if finding not in slips]:
            lines += [f"<details><summary>{heading}: {len(findings)}</summary>", "", *table(findings), "</details>", ""]
    return "\n".join([*lines, *footing(verdict)])


def scope_lines(verdict: Verdict) -> list[str]:
    """Return what has changed, and by what it was judged."""
    if verdict.scope is None:
        return []
    scope, lines = verdict.scope, []
    if scope.judges:
        lines = [f"**This change touches what judges it:** {listed(scope.judges)}.", "", *ruler_lines(verdict)]
    changed = f"{listed(list(scope.changed))}; so judged by: " if scope.changed else "no file; judged by: "
    lines += [f"Changed: {changed}{judged_by(verdict, scope)}.", ""]
    if verdict.unjudged:
        names = listed(verdict.unjudged, most=len(verdict.unjudged))
        lines += [f"First calls that no selection has, so not judged (docs/gate.md#first-calls): {names}.", ""]
    return lines


def ruler_lines(verdict: Verdict) -> list[str]:
    """Return how the pins, selections and suites of BASE and HEAD differ, and which of them judged."""
    lines = []
    if verdict.pins:
        versions = ((name, *(literal(each) if each else "none" for each in both)) for name, both in verdict.pins.items())
        pins = (f"{literal(name)} {base} to {head}" for name, base, head in versions)
        lines += [f"Pins: {', '.join(pins)}. Each side has an environment of its own.", ""]
    if verdict.left_out:
        lines += [f"HEAD's selection leaves out {listed(verdict.left_out)}, which BASE's selects and judged.", ""]
    if verdict.redefined:
        names = listed(verdict.redefined)
        lines += [f"HEAD's suite has another direction, bound or unit for {names}; BASE's judged.", ""]
    if verdict.by_head:
        lines += [
            f"Measured by both suites: {len(verdict.by_head)}. BASE's decides, but an answer is wrong if one of them finds "
            f"it wrong. They differ in {len(verdict.differing)}."
        ]
        lines += ["", *differences(verdict.differing)]
    return lines


def differences(differing: list[tuple[Finding, Finding]]) -> list[str]:
    """Return a table of the cases in which the rulers differ; nothing if there are none."""
    rows = [f"| {literal(own.case)} | {in_short(own)} | {in_short(other)} |" for own, other in differing]
    return ["| benchmark case | by BASE's suite | by HEAD's suite |", "|---|---|---|", *rows, ""] if rows else []


def in_short(finding: Finding) -> str:
    """Return the kind of a finding, with its ratio or text."""
    known = finding.comparison
    text = f" {known.ratio:.3f}" if known else f": {literal(finding.text)}" if finding.text else ""
    return f"{finding.kind}{text}"


def judged_by(verdict: Verdict, scope: Scope) -> str:
    """Return in words which benchmark cases were measured, and why these."""
    if verdict.conditions["method"]["bench"]:
        return "what --bench selects"
    if verdict.is_untouched:
        return "nothing, because nothing that is measured can have changed"
    times = sum(".time_" in finding.case for finding in verdict.findings)
    figures = len(verdict.findings) - times
    kernels = sorted({kernel for kernel, _ in scope.checked})
    is_selection = len(kernels) > _selection.FEW
    which = "all kernels" if len(kernels) == len({kernel for kernel, _ in scope.known}) else listed(kernels)
    others = "" if scope.checked == scope.touched else f", answers on {dialects(scope.checked)} too"
    rest = "a selection of the times" if is_selection else "without long calls, and without pi at sizes between others"
    return (
        f"times ({times}), exact figures and errors ({figures}) on {dialects(scope.touched)}{others}, of {which} "
        f"({'--all; ' if scope.is_all else ''}{rest})"
    )


def dialects(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the names of the dialects, in the order of the tables."""
    used = {dialect for _, dialect in pairs}
    return "all frameworks" if used == {*DIALECTS} else listed([each for each in DIALECTS if each in used]) or "none"


def listed(names: list[str], most: int = MOST_NAMES) -> str:
    """Return the first names, and the number of the others."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return ", ".join([*map(literal, names[:most]), *more])


def closing(verdict: Verdict, file: Path | None) -> list[str]:
    """Return the last lines on a terminal, as plain text: the verdict, the worst cases, and where the report is."""
    lines = [sentence(verdict)]
    failing = [finding for kind in CODES for finding in sorted(verdict.of_kind(kind), key=by_ratio)]
    for finding in failing[:WORST]:
        numbers = [amount(each, finding.unit) for each in (finding.base, finding.head) if each is not None]
        text = "; ".join(filter(None, [" -> ".join(numbers), finding.text]))
        lines.append(f"  {finding.kind}: {finding.case}: {text}")
    if len(failing) > WORST:
        lines.append(f"  and {len(failing) - WORST} more")
    if verdict.differing:
        lines.append(f"cases that HEAD's suite judges differently: {len(verdict.differing)}")
    if verdict.redefined:
        lines.append(f"cases for which HEAD's suite has another direction, bound or unit: {len(verdict.redefined)}")
    if verdict.scope and verdict.scope.judges:
        lines.append(f"it touches what judges it: {', '.join(verdict.scope.judges[:MOST_NAMES])}")
    if file:
        lines.append(f"the report: {file}")
    return [visible(line) for line in lines]


def footing(verdict: Verdict) -> list[str]:
    """Return how and where the figures were measured, with what, and the command that repeats it."""
    again = ["", "Again, by hand:", "", textwrap.indent(shlex.join(command(verdict)), "    "), ""]
    if verdict.is_untouched:
        return again
    where, times = verdict.conditions, sum(1 for finding in verdict.findings if finding.comparison)
    method, versions = where["method"], ", ".join(f"{name} {version}" for name, version in verdict.versions.items())
    return [
        f"{times} times compared, in up to {method['processes']} pairs of processes in the first look, with intervals at "
        f"{100 * CONFIDENCE:g} %; measured in {verdict.seconds / 60:.1f} minutes, until {verdict.ended}.  ",
        f"Machine {literal(where['machine'])}, {literal(where['processor'])}, {where['cores']} cores; "
        f"{literal(versions)}.  ",
        f"Warm calls have {MEMORY[method['memory']]}, and one thread; those of {literal('numba_parallel')} and "
        f"{literal('Threads')} have all cores.",
        *again,
    ]


def command(verdict: Verdict) -> list[str]:
    """Return the words of the command that repeats the measurement, without defaults."""
    method = verdict.conditions["method"]
    words = ["python", "-m", "gate", verdict.base.hash, verdict.head.hash]
    words += [f"--bench={each}" for each in method["bench"]]
    if verdict.scope and verdict.scope.is_all:
        words.append("--all")
    if method["processes"] != judge.LEAST:
        words.append(f"--processes={method['processes']}")
    if method["budget"] != 60 * judge.BUDGET:
        words.append(f"--budget={method['budget'] / 60:g}")
    return words


def sentence(verdict: Verdict) -> str:
    """Return the verdict in words."""
    if verdict.is_untouched:
        return "Nothing is worse: nothing that is measured can have changed"
    parts = [f"{len(verdict.of_kind(kind))} {word}" for kind, word in COUNTED.items() if verdict.of_kind(kind)]
    compared = (SAME, WORSE, BETTER, CHANGED)
    count = sum(finding.kind in compared for finding in verdict.findings)
    return f"{errors.MEANINGS[verdict.exit_code].capitalize()}: {', '.join([*parts, f'{count} compared'])}"


def table(findings: list[Finding]) -> list[str]:
    """Return a table of findings, the largest change first."""
    lines = ["| benchmark case | BASE | HEAD | HEAD / BASE | |", "|---|--:|--:|--:|---|"]
    for finding in sorted(findings, key=by_ratio):
        known = finding.comparison
        ratio = f"{known.ratio:.3f} ({known.low:.3f} to {known.high:.3f})" if known else ""
        columns = [literal(finding.case), amount(finding.base, finding.unit), amount(finding.head, finding.unit), ratio]
        lines.append(f"| {' | '.join(columns)} | {literal(finding.text) if finding.text else ''} |")
    return [*lines, ""]


def by_ratio(finding: Finding) -> float:
    """Return a sort key that puts the largest change first."""
    return -finding.comparison.ratio if finding.comparison else 0.0


def amount(number: float | None, unit: str) -> str:
    """Return seconds with a prefix and their unit. Other numbers stand alone: their case's name says what they count."""
    if number is None:
        return ""
    if unit != "seconds":
        return f"{number:.6g}"
    scale, prefix = next(((scale, prefix) for scale, prefix in PREFIXES if number >= scale), PREFIXES[-1])
    return f"{number / scale:.4g} {prefix}"


def literal(text: str) -> str:
    """Return Markdown that shows ``text`` as it is, whatever it holds."""
    if HARMLESS.fullmatch(text) and not DANGEROUS.search(text):
        return f"`{text}`"
    return f"<code>{''.join(map(_entity, text))}</code>"


def _entity(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in " .,"):
        return character
    return "".join(each if each.isascii() and each.isalnum() else f"&#{ord(each)};" for each in visible(character))


def visible(text: str) -> str:
    """Return the text with codes in place of characters that a terminal would obey or not show."""
    return "".join(f"\\u{ord(each):04x}" if unicodedata.category(each) in INVISIBLE else each for each in text)


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return all that is in the report, for programs: docs/gate.md."""
    commits, scope = {"base": verdict.base, "head": verdict.head}, verdict.scope
    return {
        "schema": SCHEMA,
        "exit_code": verdict.exit_code,
        "meaning": errors.MEANINGS[verdict.exit_code],
        **{side: {"asked": each.name, "hash": each.hash, "subject": each.subject} for side, each in commits.items()},
        "seconds": verdict.seconds,
        "when": verdict.ended,
        **verdict.conditions,
        "scope": scope
        and {
            "changed": list(scope.changed),
            "judges": scope.judges,
            "times": sorted(map(list, scope.touched)),
            "figures": sorted(map(list, scope.checked)),
            "all": scope.is_all,
        },
        "versions": verdict.versions,
        "pins": verdict.pins,
        "by_head": [finding.as_json() for finding in verdict.by_head],
        "left_out": verdict.left_out,
        "redefined": verdict.redefined,
        "unjudged": verdict.unjudged,
        "command": command(verdict),
        "findings": [finding.as_json() for finding in verdict.findings],
    }
