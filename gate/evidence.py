"""What calibration's runs say of the gate: rates, with the interval that so few or so many runs leave open.

A run in which something was wrong with a few cells is a run of the same code for all others: what is found in those is
a false alarm, and counted like one of a run in which nothing was done.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from scipy import stats

from benchmarks import _selection as suite
from gate import faults, sensitivity
from gate.report import amount

CONFIDENCE = 0.95
LONG_ENOUGH = 1e-3  # seconds of a call: of what is shorter a clock's own steps are a part
SLOWDOWNS = (0.05, 0.1)  # for which it is worked out how often each cell's would be found
SURE = 0.95  # of a slowdown: as often as it should be found
QUIET = 0.013  # of a process: with this and less, a slowdown of 5 % is found in more than 95 of 100 verdicts
SAMPLED = {"machine", "processor", "cores", "method"}  # what the runs of one table share
NAMES = {
    faults.CHANGED: "an exact figure changed",
    faults.LOST: "a cell that skips",
    faults.WRONG: "a wrong answer",
}
Line = dict[str, Any]


def groups(lines: Iterable[Line]) -> list[list[Line]]:
    """Runs that count together, by machine and by the rules that they were judged by, in the order in which they began."""
    found = defaultdict(list)
    for line in lines:
        found[json.dumps({name: line[name] for name in sorted(SAMPLED)}, sort_keys=True)].append(line)
    return list(found.values())


def rate(hits: int, of: int) -> dict[str, Any]:
    """With its exact interval (Clopper and Pearson, Biometrika 26, 1934); of nothing, all is possible."""
    interval = stats.binomtest(hits, of).proportion_ci(CONFIDENCE, method="exact") if of else (0.0, 1.0)
    low, high = (float(end) for end in interval)
    return {"hits": hits, "of": of, "low": low, "high": high}


def summary(lines: list[Line]) -> dict[str, Any]:
    """Of one group.

    ``false_alarms``: runs in which a cell that nothing was done to was found worse, or lost. ``undecided``: in which such a
    cell was measured too little. ``alarms_of_cells`` and ``suspicions_of_cells``: the same by cell, without an interval that
    would hold, because the cells of one run share its moment. ``power``: by size of the slowdown, of the first look
    (``suspected``) and of the verdict (``believed``). ``others``: of faults that need no statistics. ``noise``: by cell,
    seconds of a call and by what fraction processes of one side differ, medians over runs, the noisiest first; and of calls
    of LONG_ENOUGH the share of slowdowns, by per cent, that would be found (gate/sensitivity.py), if there are runs enough.
    """
    innocent = [(line, _innocent(line)) for line in lines]
    of_cells = sum(len(cells) for _, cells in innocent)
    seconds = sorted(line["seconds"] for line in lines)
    return {
        "schema": 1, **{name: lines[0][name] for name in sorted(SAMPLED)},
        "whole": lines[0]["method"]["bench"] == [suite.PER_COMMIT],
        "runs": len(lines), "untouched": sum(not line["injected"] for line in lines),
        "commits": sorted({line["commit"] for line in lines}), "since": min(line["when"] for line in lines),
        "until": max(line["when"] for line in lines), "cells": max(len(line["cells"]) for line in lines),
        "seconds": {"median": seconds[len(seconds) // 2], "most": seconds[-1]},
        "false_alarms": rate(sum(_any(line, "believed", "lost") for line in lines), len(lines)),
        "undecided": rate(sum(_any(line, "too_little") for line in lines), len(lines)),
        "alarms_of_cells": {"hits": sum(len(_wrongly(line, "believed", "lost")) for line in lines), "of": of_cells},
        "suspicions_of_cells": {"hits": sum(len(_wrongly(line, "suspected")) for line in lines), "of": of_cells},
        "power": _power(lines), "others": _others(lines), "noise": _noise(lines),
    }  # fmt: skip


def _innocent(line: Line) -> set[str]:
    """Cells that were compared, and that nothing was done to."""
    return set(line["cells"]) - set(line["injected"])


def _wrongly(line: Line, *kinds: str) -> set[str]:
    return {name for kind in kinds for name in line[kind]} - set(line["injected"])


def _any(line: Line, *kinds: str) -> bool:
    return bool(_wrongly(line, *kinds))


def _power(lines: list[Line]) -> list[dict[str, Any]]:
    slowed = defaultdict(list)
    for line in lines:
        for name, fault in line["injected"].items():
            if fault["kind"] == faults.SLOWER:
                slowed[round(fault["factor"] - 1, 6)].append((name in line["suspected"], name in line["believed"]))
    return [
        {
            "slower": size, "suspected": rate(sum(first for first, _ in found), len(found)),
            "believed": rate(sum(second for _, second in found), len(found)),
        }
        for size, found in sorted(slowed.items())
    ]  # fmt: skip


def _others(lines: list[Line]) -> list[dict[str, Any]]:
    """A figure that changed is to be found worse, what skips or answers wrongly is to be found lost."""
    found = defaultdict(list)
    for line in lines:
        for name, fault in line["injected"].items():
            if fault["kind"] in NAMES:
                found[fault["kind"]].append(name in line["believed" if fault["kind"] == faults.CHANGED else "lost"])
    return [{"kind": kind, "found": rate(sum(found[kind]), len(found[kind]))} for kind in NAMES if kind in found]


def _noise(lines: list[Line]) -> list[dict[str, Any]]:
    seen = defaultdict(list)
    for line in lines:
        for name in _innocent(line):
            if len(line["cells"][name]) > 1:
                seen[name].append(line["cells"][name])
    shares = sensitivity.of_cells(lines, SLOWDOWNS, LONG_ENOUGH)
    rows = [
        {
            "cell": name, "runs": len(found), "seconds": statistics.median(seconds for seconds, _, _ in found),
            "spread": statistics.median(spread for _, _, spread in found),
            "found": {f"{100 * slower:g}": share for slower, share in shares.get(name, {}).items()},
        }
        for name, found in seen.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -row["spread"])


def text(said: dict[str, Any]) -> str:
    """A summary as Markdown."""
    method, seconds = said["method"], said["seconds"]
    bench = "The suite of each commit" if said["whole"] else f"`{' '.join(method['bench'])}`"
    days = " to ".join(dict.fromkeys((said["since"][:10], said["until"][:10])))
    runs = f"{said['runs']} runs, {said['untouched']} of them with nothing done to HEAD"
    lines = [
        f"Machine {said['machine']}, {said['processor']}, {said['cores']} cores; {days}; commit "
        f"{', '.join(commit[:8] for commit in said['commits'])}. {bench}: {said['cells']} cells; {runs}; a verdict took "
        f"{seconds['median'] / 60:.1f} minutes (at most {seconds['most'] / 60:.1f} of {method['budget'] / 60:g} allowed).",
        "", "| what was done to HEAD | seen by | found | times | rate (95 % interval) |", "|---|---|--:|--:|---|",
        _row("nothing: runs with a false alarm", "the verdict", said["false_alarms"]),
        _row("nothing: runs with a cell that was measured too little", "the verdict", said["undecided"]),
        _row("nothing: cells", "the first look", said["suspicions_of_cells"]),
        _row("nothing: cells", "the verdict", said["alarms_of_cells"]),
    ]  # fmt: skip
    for slowed in said["power"]:
        what = f"a warm call slower by {100 * slowed['slower']:g} %"
        lines += [_row(what, "the first look", slowed["suspected"]), _row(what, "the verdict", slowed["believed"])]
    lines += [_row(NAMES[other["kind"]], "the verdict", other["found"]) for other in said["others"]]
    return "\n".join([*lines, "", *_noisy(said["noise"])])


def _noisy(rows: list[dict[str, Any]]) -> list[str]:
    """How many times are as quiet as they should be, and those that are not."""
    quiet = sum(row["spread"] <= QUIET for row in rows)
    lines = [f"Processes of one side differ by {100 * QUIET:g} % or less in {quiet} of {len(rows)} times."]
    sizes = [f"{100 * slower:g}" for slower in SLOWDOWNS]
    known = [row for row in rows if row["found"]]
    if known:
        mean = [f"{100 * statistics.mean(row['found'][size] for row in known):.0f} % ({size} %)" for size in sizes]
        sure = [f"{sum(row['found'][size] >= SURE for row in known)} ({size} %)" for size in sizes]
        lines.append(
            f"By the pairs that were measured, {100 * SURE:g} of 100 verdicts or more would find a slowdown in "
            f"{' and '.join(sure)} of {len(known)} calls of {1e3 * LONG_ENOUGH:g} ms or more; of one of them, drawn by lot, "
            f"{' and '.join(mean)} would be found."
        )
    if quiet < len(rows):
        heads = " | ".join(f"{size} % found" for size in sizes)
        lines += ["", f"| more than {100 * QUIET:g} % | call | differ by | {heads} | runs |"]
        lines += ["|---|--:|--:|" + "--:|" * len(sizes) + "--:|"]
    for row in rows[: len(rows) - quiet]:
        shares = " | ".join(f"{100 * row['found'][size]:.0f} %" if row["found"] else "" for size in sizes)
        measured = f"{amount(row['seconds'], 'seconds')} | {100 * row['spread']:.1f} %"
        lines.append(f"| `{row['cell']}` | {measured} | {shares} | {row['runs']} |")
    return lines


def _row(what: str, by: str, seen: dict[str, Any]) -> str:
    share = f"{100 * seen['hits'] / seen['of']:.3g} %" if seen["of"] else "-"
    interval = f" ({100 * seen['low']:.3g} to {100 * seen['high']:.3g} %)" if "low" in seen and seen["of"] else ""
    return f"| {what} | {by} | {seen['hits']} | {seen['of']} | {share}{interval} |"
