"""From what was measured to what is said: each cell's finding, and the exit code."""

import statistics
from dataclasses import dataclass

from gate import judge, turns
from gate.errors import LOST, PASSED, REGRESSION, TOO_LITTLE
from gate.measure import Cell, Process, Samples

WORSE, LOSS, TOO_FEW = "worse", "lost", "too little"
BETTER, SAME, NEW, SKIPPED, CHANGED = "better", "same", "new", "skipped", "changed"
CODES = {WORSE: REGRESSION, LOSS: LOST, TOO_FEW: TOO_LITTLE}  # of the findings that fail, the first that is there decides


@dataclass(frozen=True)
class Finding:
    """Of one cell.

    ``kind``: one of the words above. ``base``, ``head``: medians over processes, in ``unit``. ``comparison``: of times, with
    its interval. ``text``: what a person should read. ``suspected``: the first look's comparison, where there were two.
    """

    cell: str
    kind: str
    base: float | None = None
    head: float | None = None
    unit: str = ""
    comparison: judge.Comparison | None = None
    text: str = ""
    suspected: judge.Comparison | None = None


def medians(processes: list[Process]) -> list[float]:
    """One number of each process that measured something."""
    return [statistics.median(process.values) for process in processes if process.outcome == "ok"]


def pairs(samples: Samples, cell: str) -> tuple[list[float], list[float]]:
    """A number of base and one of head, of those rounds in which both measured something: base's own, and how many times it
    head's is, as ``turns.ratio`` has it."""
    both = [
        (statistics.median(base.values), turns.ratio(base.values, head.values))
        for base, head in zip(samples.of("base", cell), samples.of("head", cell), strict=False)
        if base.outcome == head.outcome == "ok"
    ]
    return [base for base, _ in both], [base * ratio for base, ratio in both]


def presence(cell: Cell, samples: Samples, least: int) -> Finding | None:
    """What is wrong with a cell's having been measured at all; None where both sides can be compared."""
    base, head = samples.of("base", cell.name), samples.of("head", cell.name)
    have = {side: len(medians(processes)) for side, processes in (("base", base), ("head", head))}
    if have["base"] and not have["head"]:
        return Finding(cell.name, LOSS, text=f"HEAD measured nothing: {_reason(head)}")
    if have["head"] and not have["base"]:
        return Finding(cell.name, NEW, text=f"BASE measured nothing: {_reason(base)}")
    if not have["base"]:
        kind = SKIPPED if head and all(process.outcome == "skipped" for process in base + head) else TOO_FEW
        return Finding(cell.name, kind, text=_reason(head if kind == SKIPPED else _failing(base + head)))
    failed = _failing(head)
    if failed and not _failing(base):
        return Finding(cell.name, LOSS, text=f"HEAD failed in {len(failed)} of {len(head)} processes: {_reason(failed)}")
    if len(pairs(samples, cell.name)[0]) < least:
        return Finding(
            cell.name, TOO_FEW, text=f"{have['base']} processes of BASE, {have['head']} of HEAD; {least} are needed"
        )
    return None


def exact(cell: Cell, samples: Samples) -> Finding:
    """Of a figure that needs no statistics."""
    base, head = (medians(samples.of(side, cell.name)) for side in ("base", "head"))
    known = {"base": base[-1], "head": head[-1], "unit": cell.attributes.get("unit", "")}
    if set(base) == set(head):
        return Finding(cell.name, SAME, **known)
    direction = cell.attributes.get("direction", "equal")
    worse = {"lower": known["head"] > known["base"], "higher": known["head"] < known["base"]}.get(direction, True)
    words = {"lower": "less is better", "higher": "more is better"}.get(direction, "it must not change")
    return Finding(cell.name, WORSE if worse else BETTER, **known, text=f"exact: {words}")


def accuracy(cell: Cell, samples: Samples) -> Finding:
    """Of an estimate from random numbers, tracked in standard errors (``limit``): what moves within chance is reported, and
    is no failure."""
    base, head = (medians(samples.of(side, cell.name)) for side in ("base", "head"))
    known = {"base": base[-1], "head": head[-1], "unit": cell.attributes.get("unit", "")}
    limit = cell.attributes.get("limit")
    if limit is not None and known["head"] > limit >= known["base"]:
        return Finding(cell.name, WORSE, **known, text=f"beyond {limit:g} standard errors: no accident")
    same = known["base"] == known["head"]
    return Finding(
        cell.name, SAME if same else CHANGED, **known, text="" if same else "another random number, within chance"
    )


def exit_code(findings: list[Finding]) -> int:
    """The verdict: the first of WORSE, LOSS, TOO_FEW that was found; TOO_LITTLE too where nothing was compared."""
    for kind, code in CODES.items():
        if any(finding.kind == kind for finding in findings):
            return code
    return PASSED if any(finding.kind in (SAME, BETTER, CHANGED) for finding in findings) else TOO_LITTLE


def _failing(processes: list[Process]) -> list[Process]:
    return [process for process in processes if process.outcome == "failed"]


def _reason(processes: list[Process]) -> str:
    return next((process.reason for process in processes if process.reason), "it gave no reason")
