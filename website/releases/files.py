"""Writes what is known of the ladder: a file for each machine and compiler, and one for each kernel of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jitkernels import charts
from website.read import catalogue, names, rows
from website.read.catalogue import Benchmark
from website.releases import drift, series
from website.releases.beside import Curves
from website.releases.outcomes import Ladder, Machine, Outcome
from website.releases.series import Series

Row = dict[str, Any]
Write = Callable[[Path, Mapping[str, Any]], None]
OVER_KERNELS = ("release_factors", "drift")  # charts of the compiler as a whole


def write(
    data: Path, ids: Mapping[Machine, str], ladder: Ladder, turns: Mapping[str, list[Row]], beside: Curves,
    find: Callable[[str], Benchmark], put: Write,
) -> tuple[list[Row], list[Row]]:  # fmt: skip
    """Write the files below ``data``; returns the index's entries, and all steps with their machine, newest release first.

    ids: directories by machine. turns: the reference's lines, by the name of the machine's directory among the results.
    put: writes one file.
    """
    entries, found = [], []
    for machine, compiler, outcomes in ladder.compilers():
        lines = turns.get(machine[0], [])
        content, kernels = compiled(ids[machine], machine, compiler, outcomes, lines, beside, find)
        slugs = names.slugs([compiler, *kernels])
        path = f"data/{ids[machine]}/releases/{slugs[compiler]}"
        content["kernels"] = {kernel: f"{path}/{slugs[kernel]}.json" for kernel in kernels}
        put(data.parent / f"{path}.json", content)
        for kernel, told in kernels.items():
            put(data.parent / content["kernels"][kernel], told)
        found += [_change(step, machine, compiler) for step in content["steps"]]
        entries.append({
            "machine": ids[machine], "compiler": compiler, "package": content["package"], "file": f"{path}.json",
            "count": len(outcomes), "newest": outcomes[-1].release,
        })  # fmt: skip
    found.sort(key=lambda change: change["to"]["date"] or "", reverse=True)
    return entries, found


def _change(step: Row, machine: Machine, compiler: str) -> Row:
    """A step as changes.json has those by commit."""
    shared = (
        "kind", "benchmark", "kernel", "backend", "size", "figure", "cell", "before", "after", "factor", "unit", "direction",
        "exact", "link",
    )  # fmt: skip
    return {
        **{key: step[key] for key in shared},
        "machine": list(machine),
        "environment": {},
        "from": {"compiler": compiler, "release": step["from"], "date": None},
        "to": {
            "compiler": compiler,
            "release": step["to"],
            "date": f"{step['published']}T00:00:00Z" if step["published"] else None,
        },
    }


def compiled(
    id_: str, machine: Machine, compiler: str, outcomes: list[Outcome], lines: list[Row], beside: Curves,
    find: Callable[[str], Benchmark],
) -> tuple[Row, dict[str, Row]]:  # fmt: skip
    """A compiler's content, and each kernel's."""
    machine_drift = drift.drift(lines, compiler)
    drifts = [machine_drift.at(*outcome.times) for outcome in outcomes]
    collected, reference = series.collect(outcomes, find)
    sources = rows.Sources()
    content = {
        "machine": id_,
        "compiler": compiler,
        "package": outcomes[-1].package,
        "backends": list(dict.fromkeys(one.name.backend for one in collected)),
        "reference": machine_drift.reference or None,
        "releases": _releases(outcomes, drifts, drift.over_median(reference), sources),
        "sources": sources.told,
        "drift": _drift(machine_drift),
    }
    kernels: dict[str, Row] = {}
    for kernel in dict.fromkeys(one.benchmark.kernel for one in collected):
        own = [one for one in collected if one.benchmark.kernel == kernel]
        kernels[kernel] = _kernel(id_, machine, compiler, kernel, own, outcomes, machine_drift, beside)
    told = [step for one in kernels.values() for series_ in one["series"] for step in series_["steps"]]
    content["steps"] = sorted(told, key=lambda step: (step["order"], _size(step)), reverse=True)
    everything = {**content, "kernels": kernels}
    content["charts"] = {name: make(everything) for name, make in charts.LADDER_ROWS.items() if name in OVER_KERNELS}
    return content, kernels


def _kernel(
    id_: str, machine: Machine, compiler: str, kernel: str, collected: list[Series], outcomes: list[Outcome],
    machine_drift: drift.Drift, beside: Curves,
) -> Row:  # fmt: skip
    sources = rows.Sources()
    told = [series.told(one, outcomes, machine_drift, sources) for one in collected]
    commits = [beside.get((machine, one.benchmark.name, one.cell)) for one in collected if one.group in ("warm", "cold")]
    content = {
        "machine": id_,
        "compiler": compiler,
        "kernel": kernel,
        "size": catalogue.kernel(kernel)["size"],
        "releases": [_release(place, outcome) for place, outcome in enumerate(outcomes)],
        "sources": sources.told,
        "series": told,
        "commits": [curve for curve in commits if curve],
    }
    drawn = {name: make(content) for name, make in charts.LADDER_ROWS.items() if name not in OVER_KERNELS}
    return {**content, "charts": drawn}


def _releases(
    outcomes: list[Outcome], drifts: list[Mapping[str, float | None]], reference: list[float | None], sources: rows.Sources
) -> list[Row]:
    return [
        {
            **_release(place, outcome),
            "source": sources.place(outcome.origin) if outcome.origin else None,
            "measured": outcome.times[1] or None,
            "cells": _cells(outcome.line.get("cells"), outcome.line.get("afresh")),
            "command": series.release_command(outcome),
            "drift": dict(drifts[place]),
            "c": reference[place],
        }
        for place, outcome in enumerate(outcomes)
    ]


def _release(place: int, outcome: Outcome) -> Row:
    return {
        "release": outcome.release,
        "order": place,
        "published": outcome.line.get("published"),
        "status": "ok" if outcome.is_ok else "failed",
        "reason": None if outcome.is_ok else str(outcome.line.get("reason") or "its results are not there"),
    }


def _cells(counted: Any, afresh: Any) -> Row | None:
    if not isinstance(counted, dict):
        return None
    told = {word: counted.get(word, 0) for word in ("measured", "empty", "failed")}
    return {**told, "afresh": len(afresh) if isinstance(afresh, list) else 0}


def _drift(found: drift.Drift) -> Row:
    turns = [
        {"at": turn.told, "order": place, **{life: turn.ratios.get(life) for life in drift.LIVES}}
        for place, turn in enumerate(found.turns)
    ]
    return {"turns": turns, **{life: found.largest(life) for life in drift.LIVES}}


def _size(step: Row) -> float:
    """By how much the larger of its two levels is above the other."""
    factor = step["factor"] or 0.0
    return max(factor, 1 / factor) if factor > 0 else float("inf")
