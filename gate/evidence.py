"""What the runs of calibration say about the gate: rates, each with its confidence interval.

A run has faults in a few cases. All its other cases compare the same code, so a finding in one of them is a false alarm, as
in a run without faults.
"""

import json
import random
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict

from scipy import stats  # type: ignore[import-untyped]

from benchmarks import _selection
from duet.statistics import CONFIDENCE, compare
from gate import faults, judge
from gate.faults import Fault

SLOWDOWNS = (0.05, 0.1)  # for each case, the chance to find these is computed
# The conditions, the same for all runs of one group
SAMPLED: tuple[Literal["cores", "machine", "method", "processor"], ...] = ("cores", "machine", "method", "processor")
DRAWS = 40  # second looks that are drawn for each run whose first look suspects the case
RUNS = 3  # with fewer there are not enough pairs to draw from
NAMES = {
    faults.CHANGED: "an exact figure changed",
    faults.LOST: "a case that skips",
    faults.WRONG: "a wrong answer",
}
Found = Literal["suspected", "believed", "lost", "too_little"]  # fields of a line: names of cases
STEPS: tuple[Found, ...] = ("suspected", "believed")
FOUND_AS: dict[str, Found] = {faults.CHANGED: "believed", faults.LOST: "lost", faults.WRONG: "lost"}
Row = dict[str, Any]  # of a summary: docs/gate.md


class Line(judge.Conditions):
    """A finished run, in ``calibration.jsonl``. Cases by name; those without a fault compare the same code.

    ``kernel``: whose change is judged, or its file of one dialect ("relu/numba"); None: every case is measured in full.
    ``versions``: of packages. ``injected``: faults by case. ``suspected``: the cases of the second look. ``believed``: those
    that the verdict calls worse. ``lost``: those that it calls wrong or lost. ``cells`` and ``pairs`` are described at
    ``calibration.measured``.
    """

    schema: int
    commit: str
    kernel: str | None
    versions: dict[str, str]
    when: str
    seconds: float
    prepared_seconds: float
    injected: dict[str, Fault]
    suspected: list[str]
    believed: list[str]
    lost: list[str]
    too_little: list[str]
    verdict: str
    exit_code: int
    cells: dict[str, list[float]]
    pairs: dict[str, list[float]]


class Rate(TypedDict):
    """``hits`` of ``of``, with the 95 % interval of the share."""

    hits: int
    of: int
    low: float
    high: float


def groups(lines: Iterable[Line]) -> list[list[Line]]:
    """Return groups of runs with the same machine and method, in the order in which they began. Changes of one file are
    apart from changes of whole kernels."""
    by_conditions = defaultdict(list)
    for line in lines:
        is_of_dialect = "/" in (line.get("kernel") or "")
        by_conditions[json.dumps([is_of_dialect, *(line[name] for name in SAMPLED)], sort_keys=True)].append(line)
    return list(by_conditions.values())


def noise_of(lines: Iterable[Line], conditions: judge.Conditions) -> dict[str, float]:
    """Return the noise of each timed case, as a fraction: from runs of this machine, allocator and way of measuring.

    It comes from cases without a fault alone. Of two commits, a missed slowdown would count as noise and hide others.
    """

    def source(of: judge.Conditions) -> tuple[str, str, int | None]:
        return of["machine"], of["method"].get("memory", ""), of["method"].get("way")

    ratios = defaultdict(list)
    for line in lines:
        for case in _times(line) if source(line) == source(conditions) else ():
            ratios[case].append(line["cells"][case][1])
    return judge.noise_of(ratios)


def rate(hits: int, of: int) -> Rate:
    """Return a rate with its exact interval (Clopper and Pearson, Biometrika 26, 1934): 0 to 1 if ``of`` is 0."""
    interval = stats.binomtest(hits, of).proportion_ci(CONFIDENCE, method="exact") if of else (0.0, 1.0)
    low, high = (float(end) for end in interval)
    return {"hits": hits, "of": of, "low": low, "high": high}


def summary(lines: list[Line]) -> Row:
    """Sum up one group, for ``gate.jsonl`` and the site.

    ``false_alarms``: runs in which a case without a fault was worse or lost. ``timed``: the same for runs that timed
    something, and for times alone, because exact figures raise no alarm by chance. ``undecided``: runs in which a case
    without a fault was measured too little. ``alarms_of_cells``, ``suspicions_of_cells``: cases, without an interval,
    because cases of one run are not independent. ``power``: the slowdowns found by the first look (``suspected``) and by the
    verdict (``believed``). ``others``: faults that need no statistics. ``noise``: by case, the noisiest first, medians over
    runs: seconds of a call, spread of one side's processes, and the computed share of slowdowns that would be found, by per
    cent.
    """
    alarms = [_innocent(line, "believed", "lost") for line in lines]
    of_cells = sum(len(set(line["cells"]) - set(line["injected"])) for line in lines)
    seconds = [line["seconds"] for line in lines]
    return {
        "schema": 1,
        **{name: lines[0][name] for name in SAMPLED},
        "whole": lines[0]["method"]["bench"] == [_selection.PER_COMMIT],
        "runs": len(lines),
        "untouched": sum(not line["injected"] for line in lines),
        "commits": sorted({line["commit"] for line in lines}),
        "since": min(line["when"] for line in lines),
        "until": max(line["when"] for line in lines),
        "cells": max(len(line["cells"]) for line in lines),
        "seconds": {"median": statistics.median(seconds), "most": max(seconds)},
        "kernels": sorted({line["kernel"] for line in lines if line.get("kernel")}),
        "timed": _timed(lines, alarms),
        "false_alarms": rate(sum(map(bool, alarms)), len(lines)),
        "undecided": rate(sum(bool(_innocent(line, "too_little")) for line in lines), len(lines)),
        "alarms_of_cells": {"hits": sum(map(len, alarms)), "of": of_cells},
        "suspicions_of_cells": {"hits": sum(len(_innocent(line, "suspected")) for line in lines), "of": of_cells},
        "power": _power(lines),
        "others": _others(lines),
        "noise": _noise(lines),
    }


def _innocent(line: Line, *kinds: Found) -> set[str]:
    """Return the cases of these kinds that have no fault."""
    return {name for kind in kinds for name in line[kind]} - set(line["injected"])


def _times(line: Line) -> set[str]:
    """Return the timed cases that have no fault."""
    return {name for name, figures in line["cells"].items() if len(figures) > 1} - set(line["injected"])


def _timed(lines: list[Line], alarms: list[set[str]]) -> Row:
    timed = [(alarm, times) for alarm, line in zip(alarms, lines, strict=True) if (times := _times(line))]
    cells = {"hits": sum(len(alarm & times) for alarm, times in timed), "of": sum(len(times) for _, times in timed)}
    return {"runs": rate(sum(bool(alarm) for alarm, _ in timed), len(timed)), "cells": cells}


def _faults(lines: list[Line], kind: str) -> list[tuple[Line, str, Fault]]:
    """Return the faults of a kind: the run's line, the case, and what was done to it."""
    return [(line, name, fault) for line in lines for name, fault in line["injected"].items() if fault["kind"] == kind]


def _power(lines: list[Line]) -> list[Row]:
    runs = defaultdict(list)
    for line, name, fault in _faults(lines, faults.SLOWER):
        runs[round(fault["factor"] - 1, 6)].append({by: name in line[by] for by in STEPS})
    return [
        {"slower": size, **{by: rate(sum(run[by] for run in slowed), len(slowed)) for by in STEPS}}
        for size, slowed in sorted(runs.items())
    ]


def _others(lines: list[Line]) -> list[Row]:
    """Count the faults that were found: a changed figure as worse; a case that skips or answers wrongly as lost."""
    hits = {kind: [name in line[by] for line, name, _ in _faults(lines, kind)] for kind, by in FOUND_AS.items()}
    return [{"kind": kind, "found": rate(sum(known), len(known))} for kind, known in hits.items() if known]


def _noise(lines: list[Line]) -> list[Row]:
    figures = defaultdict(list)
    for line in lines:
        for name in _times(line):
            figures[name].append(line["cells"][name])
    shares = shares_of_cases(lines, SLOWDOWNS, judge.LONG_ENOUGH)
    rows = [
        {
            "cell": name,
            "runs": len(runs),
            "seconds": statistics.median(seconds for seconds, _, _ in runs),
            "spread": statistics.median(spread for _, _, spread in runs),
            "found": {f"{100 * slower:g}": share for slower, share in shares.get(name, {}).items()},
        }
        for name, runs in figures.items()
    ]
    return sorted(rows, key=lambda row: -row["spread"])


def shares_of_cases(lines: Iterable[Line], slowdowns: Sequence[float], least: float) -> dict[str, dict[float, float]]:
    """Return the share of verdicts that would find a slowdown, by case and by slowdown.

    Only for cases whose call takes ``least`` seconds or more, and that at least RUNS whole runs measured without a fault:
    runs of one kernel end early, so the number of their pairs depends on the pairs.
    """
    runs: dict[str, list[Line]] = defaultdict(list)
    for line in (line for line in lines if line.get("kernel") is None):
        for case, ratios in line["pairs"].items():
            if case not in line["injected"] and len(ratios) >= judge.LEAST:
                runs[case].append(line)
    return {
        case: {slower: share_found([line["pairs"][case] for line in known], slower) for slower in slowdowns}
        for case, known in sorted(runs.items())
        if len(known) >= RUNS and statistics.median(line["cells"][case][0] for line in known) >= least
    }


def share_found(runs: list[list[float]], slower: float) -> float:
    """Return the share of verdicts that would find a slowdown, computed from pairs without one.

    A slowdown multiplies every ratio of a case by one factor, so measured ratios are multiplied and judged as by the gate.
    The first look has the pairs of one run. The second has as many as a suspect gets, drawn from the pairs of other runs;
    that its processes take twice the samples is ignored.

    runs: ratios HEAD / BASE of the same code, by run; at least RUNS, of seven pairs each. slower: as a fraction.
    """
    lot, needed = random.Random(len(runs)), judge.pairs_needed(1)
    shares = []
    for number, first in enumerate(runs):
        share = 0.0
        if judge.is_suspect(compare([ratio * (1 + slower) for ratio in first]), 0.0):
            others = [ratio * (1 + slower) for other, ratios in enumerate(runs) if other != number for ratio in ratios]
            second = [compare(lot.sample(others, needed)) for _ in range(DRAWS)]
            share = statistics.mean(judge.confirmed({"": comparison}, {})[""] for comparison in second)
        shares.append(share)
    return statistics.mean(shares)


def markdown(group: Row) -> str:
    """Return a summary as Markdown."""
    method, seconds = group["method"], group["seconds"]
    bench = "A selection of all kernels" if group["whole"] else f"`{' '.join(method['bench'])}`"
    if group["kernels"]:
        bench = f"A change of one kernel a run, of {', '.join(group['kernels'])}"
    days = " to ".join(dict.fromkeys((group["since"][:10], group["until"][:10])))
    runs = f"{group['runs']} runs, {group['untouched']} of them with nothing done to HEAD"
    lines = [
        f"Machine {group['machine']}, {group['processor']}, {group['cores']} cores; {days}; commit "
        f"{', '.join(commit[:8] for commit in group['commits'])}. {bench}: {group['cells']} cases; {runs}; a verdict took "
        f"{seconds['median'] / 60:.1f} minutes (at most {seconds['most'] / 60:.1f} of {method['budget'] / 60:g} allowed).",
        "",
        "| what was done to HEAD | seen by | found | times | rate (95 % interval) |",
        "|---|---|--:|--:|---|",
        _row("nothing: runs with times, with a false alarm", "the verdict", group["timed"]["runs"]),
        _row("nothing: times", "the verdict", group["timed"]["cells"]),
        _row("nothing: runs with a case that was measured too little", "the verdict", group["undecided"]),
        _row("nothing: cases", "the first look", group["suspicions_of_cells"]),
        _row("nothing: cases", "the verdict", group["alarms_of_cells"]),
    ]
    for power in group["power"]:
        fault = f"a warm call slower by {100 * power['slower']:g} %"
        lines += [_row(fault, "the first look", power["suspected"]), _row(fault, "the verdict", power["believed"])]
    lines += [_row(NAMES[other["kind"]], "the verdict", other["found"]) for other in group["others"]]
    return "\n".join(lines)


def _row(fault: str, by: str, counts: Row) -> str:
    share = f"{100 * counts['hits'] / counts['of']:.3g} %" if counts["of"] else "-"
    interval = f" ({100 * counts['low']:.3g} to {100 * counts['high']:.3g} %)" if "low" in counts and counts["of"] else ""
    return f"| {fault} | {by} | {counts['hits']} | {counts['of']} | {share}{interval} |"
