"""The files of a compiler's releases: one for each machine and compiler, and one for each of its kernels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from jitkernels import charts
from website.read import catalogue, names
from website.read.catalogue import Find
from website.read.changes import Curves
from website.read.machines import Machine
from website.read.rows import Sources
from website.releases import drift, series
from website.releases.outcomes import Line, Outcome
from website.releases.series import Series
from website.schema import index
from website.schema import releases as schema

OVER_KERNELS = ("release_factors", "drift")  # charts of all kernels of a compiler


@dataclass(frozen=True)
class Compiler:
    """A compiler's releases on one machine. ``id``: the machine's directory. ``lines``: the reference's measurements."""

    id: str
    machine: Machine
    compiler: str
    outcomes: Sequence[Outcome]
    lines: Sequence[Line]

    def files(self, curves: Curves, find: Find) -> tuple[index.Compiler, schema.ReleasesFile, dict[str, Any]]:
        """Return the index's row, the compiler's file, and all files by path below the site."""
        drifts = drift.drift(self.lines, self.compiler)
        collected, reference = series.collect(self.outcomes, find)
        names_ = list(dict.fromkeys(one.benchmark.kernel for one in collected))
        kernels = {name: self._kernel(name, _of(name, collected), drifts, curves) for name in names_}
        slugs = names.slugs([self.compiler, *names_])
        path = f"data/{self.id}/releases/{slugs[self.compiler]}"
        paths = {kernel: f"{path}/{slugs[kernel]}.json" for kernel in kernels}
        sources = Sources()
        content: schema.ReleasesFile = {
            "machine": self.id,
            "compiler": self.compiler,
            "package": self.outcomes[-1].package,
            "backends": list(dict.fromkeys(one.backend for one in collected)),
            "reference": drifts.reference or None,
            "releases": [
                _outcome(place, outcome, drifts, reference[place], sources) for place, outcome in enumerate(self.outcomes)
            ],
            "sources": sources.rows,
            "kernels": paths,
            "steps": _steps(kernels),
            "drift": _drifts(drifts),
            "charts": {},
        }
        everything = {**content, "kernels": kernels}
        content["charts"] = {name: build(everything) for name, build in charts.LADDER_ROWS.items() if name in OVER_KERNELS}
        row: index.Compiler = {
            "machine": self.id,
            "compiler": self.compiler,
            "package": content["package"],
            "file": f"{path}.json",
            "count": len(self.outcomes),
            "newest": self.outcomes[-1].release,
        }
        return row, content, {f"{path}.json": content, **{paths[name]: kernels[name] for name in kernels}}

    def changes(self, steps: Sequence[schema.ReleaseStep]) -> list[schema.Change]:
        """Return steps between releases as changes.json has those between commits."""
        return [_change(step, self.id, self.compiler) for step in steps]

    def _kernel(
        self, kernel: str, collected: Sequence[Series], drifts: drift.Drift, curves: Curves
    ) -> schema.ReleaseKernelFile:
        sources = Sources()
        rows = [series.row(one, self.outcomes, drifts, sources) for one in collected]
        commits = [curves.get((self.machine, one.benchmark.name, one.case)) for one in collected if one.group in drift.LIVES]
        content: schema.ReleaseKernelFile = {
            "machine": self.id,
            "compiler": self.compiler,
            "kernel": kernel,
            "size": catalogue.kernel(kernel)["size"],
            "releases": [_release(place, outcome) for place, outcome in enumerate(self.outcomes)],
            "sources": sources.rows,
            "series": rows,
            "commits": [curve for curve in commits if curve],
            "charts": {},
        }
        own = {name: build for name, build in charts.LADDER_ROWS.items() if name not in OVER_KERNELS}
        return {**content, "charts": {name: build(content) for name, build in own.items()}}


def _of(kernel: str, collected: Sequence[Series]) -> list[Series]:
    return [one for one in collected if one.benchmark.kernel == kernel]


def _steps(kernels: Mapping[str, schema.ReleaseKernelFile]) -> list[schema.ReleaseStep]:
    """Return all steps, newest release first, and there the largest factor first."""
    steps = [step for kernel in kernels.values() for one in kernel["series"] for step in one["steps"]]
    return sorted(steps, key=lambda step: (step["order"], _size(step["factor"] or 0.0)), reverse=True)


def _size(factor: float) -> float:
    return max(factor, 1 / factor) if factor > 0 else float("inf")


def _outcome(
    place: int, outcome: Outcome, drifts: drift.Drift, reference: float | None, sources: Sources
) -> schema.ReleaseOutcome:
    return {
        **_release(place, outcome),
        "source": sources.place(outcome.origin) if outcome.origin else None,
        "measured": outcome.times[1] or None,
        "cells": _counts(outcome.line),
        "command": series.command(outcome),
        "drift": drifts.at(*outcome.times),
        "c": reference,
    }


def _release(place: int, outcome: Outcome) -> schema.Release:
    return {
        "release": outcome.release,
        "order": place,
        "published": outcome.line.get("published"),
        "status": "ok" if outcome.is_ok else "failed",
        "reason": None if outcome.is_ok else str(outcome.line.get("reason") or "its results are not there"),
    }


def _counts(line: Mapping[str, Any]) -> schema.Counts | None:
    """Return how many cases were measured, and how many of them without the compiler's own cache."""
    counts, afresh = line.get("cells"), line.get("afresh")
    if not isinstance(counts, dict):
        return None
    measured, empty, failed = (counts.get(word, 0) for word in ("measured", "empty", "failed"))
    return {"measured": measured, "empty": empty, "failed": failed, "afresh": len(afresh) if isinstance(afresh, list) else 0}


def _drifts(drifts: drift.Drift) -> schema.Drifts:
    turns: list[schema.Turn] = [
        {"at": turn.time, "order": place, "warm": turn.ratios.get("warm"), "cold": turn.ratios.get("cold")}
        for place, turn in enumerate(drifts.turns)
    ]
    return {"turns": turns, "warm": drifts.largest("warm"), "cold": drifts.largest("cold")}


def _change(step: schema.ReleaseStep, machine: str, compiler: str) -> schema.Change:
    shared = {key: value for key, value in step.items() if key in schema.Step.__annotations__}
    date = f"{step['published']}T00:00:00Z" if step["published"] else None
    ends = {
        "from": {"compiler": compiler, "release": step["from"], "date": None},
        "to": {"compiler": compiler, "release": step["to"], "date": date},
    }
    return cast(schema.Change, {**shared, **ends, "machine": machine, "environment": {}})
