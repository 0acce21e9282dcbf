"""The two kinds of duets that the history measures, and what is stored of them: ratios, exact figures, and reasons."""

import dataclasses
import functools
import re
import statistics
from collections.abc import Callable, Collection, Container, Mapping
from pathlib import Path
from typing import Any

from benchmarks import _launch
from duet import BenchmarkCase, Launch, Pairs, Side, measure
from duet.process import DIED
from duet.samples import Measurement
from duet.turns import CAREFUL, QUICK
from history.store.lines import rounded

LAUNCH = Launch(_launch.group, _launch.needs_threads, _launch.variables)
AFRESH = dataclasses.replace(LAUNCH, variables=functools.partial(_launch.variables, share=False))
PAIRS, MOST_PAIRS = 3, 7  # pairs of processes: more than three if the interval is wide
PAIRS_OF_A_STEP = 7  # the fewest with which a one-sided test can have a p-value below 1 %


def measure_quickly(
    sides: tuple[Side, Side], cases: Collection[BenchmarkCase], directory: Path, launch: Launch = LAUNCH
) -> dict[str, Pairs]:
    """Measure cases in three pairs of processes, and in up to seven where the interval is wide."""
    return measure(sides, cases, directory, rounds=PAIRS, most=MOST_PAIRS, launch=launch, rule=QUICK)


def measure_carefully(
    sides: tuple[Side, Side], cases: Collection[BenchmarkCase], directory: Path, launch: Launch = LAUNCH
) -> dict[str, Pairs]:
    """Measure cases in seven pairs of processes with more turns, which decide on a step."""
    return measure(sides, cases, directory, rounds=PAIRS_OF_A_STEP, launch=launch, rule=CAREFUL)


def measure_or_afresh(
    measure: Callable[..., dict[str, Pairs]], sides: tuple[Side, Side], cases: Collection[BenchmarkCase], directory: Path
) -> tuple[dict[str, Pairs], list[BenchmarkCase]]:
    """Measure cases, and again without the compiler's cache those that failed with a program from it. Return the pairs, and
    the cases measured again. measure: ``measure_quickly`` or ``measure_carefully``."""
    measured = measure(sides, cases, directory)
    shared = [case for case in cases if _launch.caches_of(case.name) != _launch.OWN_CACHES]
    failed = [case for case in shared if not measured[case.name].comparison()]
    if failed:
        print(f"    {len(failed)} of them without the compiler's cache", flush=True)
        measured |= measure(sides, failed, directory, AFRESH)
    return measured, failed


def ratios_of(measured: Mapping[str, Pairs], directory: Path, second: str) -> dict[str, dict[str, Any]]:
    """Return the ratio of each case, or the reason for its absence. directory: is cut out of reasons. second: the word for
    the second side's seconds."""
    cells = {
        name: {
            "ratios": [rounded(ratio) for ratio in pairs.ratios],
            **{end: rounded(getattr(comparison, end)) for end in ("ratio", "low", "high")},
            "base": rounded(statistics.median(pairs.first)),
            second: rounded(statistics.median(pairs.second)),
        }
        for name, pairs in measured.items()
        if (comparison := pairs.comparison())
    }
    return {"cells": cells, "empty": _reasons(measured, cells, directory)}


def figures_of(measured: Mapping[str, Measurement], directory: Path) -> dict[str, dict[str, Any]]:
    """Return the exact figure of each case, or the reason for its absence, as ``ratios_of``."""
    cells = {name: each.values[0] for name, each in measured.items() if each.outcome == "ok"}
    return {"cells": cells, "empty": _reasons(measured, cells, directory)}


def _reasons(measured: Mapping[str, Pairs | Measurement], cells: Container[str], directory: Path) -> dict[str, str]:
    """Return why the other cases have no figure. A process that died may have been killed: its case has no reason, and is
    tried again."""
    missing = {name: each.reason for name, each in measured.items() if name not in cells and each.reason != DIED}
    return {name: _reason(reason, directory) for name, reason in missing.items()}


def _reason(reason: str, directory: Path) -> str:
    """Return the reason with shortened paths and without its list of known names, because both differ from commit to
    commit."""
    paths = rf"/[^\s'\"()]*/site-packages/|{re.escape(str(directory))}/([^/]*\.library/)?"
    return re.sub(rf"{paths}|; known: .*", "", reason) or f"fewer than {PAIRS} pairs of processes"
