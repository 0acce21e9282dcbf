"""The files of a compiler's releases: one for each machine and compiler, and one for each of its kernels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from history.store import release_lines
from history.store.lines import found_cold_caches
from history.store.records import ReleaseLine
from history.store.release_lines import ReleaseDuetLine, ends
from history.store.results import Unread
from jitkernels import charts
from website.across.machines import Machines
from website.read import catalogue, names
from website.read.benchmarks import Find
from website.read.commits import History
from website.read.figures import Sources
from website.read.machines import kernels_of_charts
from website.read.points import parse_version
from website.releases import chain, drift, explanations, series
from website.releases.commit_curves import CommitCurves
from website.releases.explanations import Counts, Line
from website.releases.outcomes import Ladder, Outcome
from website.releases.series import Series
from website.schema import index
from website.schema import releases as schema
from website.schema.values import only

OVER_KERNELS = ("release_factors", "drift")  # charts that show all kernels of a compiler


def compiler_releases(
    ladder: Ladder, places: Sequence[Path], history: History, unread: list[Unread]
) -> list["CompilerReleases"]:
    """Return each compiler's releases on each machine. ``unread`` gets each line that cannot be read."""
    turns, step_lines = drift.read(places, unread), release_lines.steps(places, unread)
    machines = {name: all_machines(ladder, name) for _, name, _ in ladder.compilers()}
    return [
        CompilerReleases(
            names.directory(machine),
            compiler,
            releases,
            drift.drift(turns.get(machine, []), compiler),
            ladder.duets.get((machine, compiler), []),
            step_lines,
            history,
            machines[compiler],
        )
        for machine, compiler, releases in ladder.compilers()
    ]


def all_machines(ladder: Ladder, compiler: str) -> Machines:
    """Return the duets of one compiler on all machines."""
    return Machines(
        {names.directory(machine): chain.evidence(own) for (machine, name), own in ladder.duets.items() if name == compiler},
        place=parse_version,
        row=lambda release: {"compiler": compiler, "release": release, "date": None},
    )


@dataclass(frozen=True)
class CompilerReleases:
    """A compiler's releases on one machine. ``machine``: its directory. ``duets``: oldest first. ``step_lines``: that
    explain steps. ``all_machines``: the duets of all machines."""

    machine: str
    compiler: str
    outcomes: Sequence[Outcome]
    drifts: drift.Drift
    duets: Sequence[ReleaseDuetLine]
    step_lines: Sequence[Line]
    history: History
    all_machines: Machines

    def files(self, curves: CommitCurves, find: Find) -> tuple[index.Compiler, list[schema.Change], dict[str, Any]]:
        """Return the index's row, the steps in the form of changes.json, and all files by path below the site."""
        collected, control = series.collect(self.outcomes, self.duets, find), series.control_ratios(self.outcomes, find)
        by_kernel: dict[str, list[Series]] = {}
        for one in collected:
            by_kernel.setdefault(one.case.benchmark.kernel, []).append(one)
        kernels = {name: self._kernel(name, own, curves) for name, own in by_kernel.items()}
        path = f"data/{self.machine}/releases/{names.slug(self.compiler)}"
        paths = {kernel: f"{path}/{names.slug(kernel)}.json" for kernel in kernels}
        sources, places = Sources(), {outcome.release: place for place, outcome in enumerate(self.outcomes)}
        content: schema.ReleasesFile = {
            "machine": self.machine,
            "compiler": self.compiler,
            "package": self.outcomes[-1].line["package"],
            "backends": list(dict.fromkeys(one.case.backend for one in collected)),
            "reference": self.drifts.reference or None,
            "versions": sorted({*catalogue.releases(self.compiler), *places}, key=parse_version),
            "releases": [self._outcome(place, each, control[place], sources) for place, each in enumerate(self.outcomes)],
            "sources": sources.rows,
            "kernels": paths,
            "steps": self._steps(by_kernel, kernels, sources),
            "drift": _drifts(self.drifts),
            "duets": chain.row(self.duets, places, find, self.all_machines.tables(find)) if self.duets else None,
            "charts": {},
        }
        content["charts"] = {name: charts.LADDER_ROWS[name]({**content, "kernels": kernels}) for name in OVER_KERNELS}
        files = {f"{path}.json": content, **{paths[name]: kernels[name] for name in kernels}}
        return self._row(f"{path}.json", content, kernels), [self._change(step) for step in content["steps"]], files

    def _row(
        self, file: str, content: schema.ReleasesFile, kernels: Mapping[str, schema.ReleaseKernelFile]
    ) -> index.Compiler:
        """Return the index's row. ``measured``: when the newest duet ended."""
        newest = self.duets[-1] if self.duets else None
        return {
            "machine": self.machine,
            "compiler": self.compiler,
            "package": content["package"],
            "file": file,
            "count": len(self.outcomes),
            "newest": self.outcomes[-1].release,
            "duets": len(self.duets),
            "measured": newest["at"] if newest else None,
            "processor": newest["processor"] if newest else None,
            "cores": str(newest["cores"]) if newest else None,
            "charts": kernels_of_charts(kernels),
        }

    def _steps(
        self, collected: Mapping[str, Sequence[Series]], kernels: Mapping[str, schema.ReleaseKernelFile], sources: Sources
    ) -> list[schema.ListedStep]:
        """Return all steps with their duets: the newest release first, and for each release the largest factor first."""
        places = {outcome.release: place for place, outcome in enumerate(self.outcomes)}
        steps: list[schema.ListedStep] = [
            {**step, "duet": self._duet(one, step, _counts_of(own, one, places[step["from"]], step["order"]), sources)}
            for name, own in collected.items()
            for one, row in zip(own, kernels[name]["series"], strict=True)
            for step in row["steps"]
        ]
        return sorted(steps, key=lambda step: (step["order"], _size(step["factor"] or 0.0)), reverse=True)

    def _duet(self, one: Series, step: schema.ReleaseStep, counts: Counts, sources: Sources) -> schema.StepDuet | None:
        """Return the duet that shows a step; None for a step of asv's figures."""
        if not one.chain:
            return None
        link = one.chain.links[step["to"]]
        line = link.line
        commit, case = self.history.commit(line["suite"]), one.case.name
        before, after = (sources.place_duet(line, end, commit) for end in ends(line))
        return {
            "cold": one.group == "warm" and found_cold_caches(line["began"]),
            "notes": self._notes(*link.ends),
            "causes": self._causes(step),
            "before": before,
            "after": after,
            "pairs": len(link.ratio["ratios"]),
            "measured": line["at"],
            "command": chain.command(line, commit),
            "machines": self.all_machines.of_step(case, (line["base"], line["release"]), step["factor"] or 1.0),
            "parts": explanations.parts(self.step_lines, link),
            "untried": explanations.untried(self.step_lines, link, *catalogue.parts(self.compiler)),
            "artifacts": explanations.artifacts(self.step_lines, link, counts),
        }

    def _notes(self, base: str, release: str) -> list[str]:
        """Return the table's notes on the releases after ``base`` up to ``release``."""
        first, last = parse_version(base), parse_version(release)
        return [note for version, note in catalogue.notes(self.compiler).items() if first < parse_version(version) <= last]

    def _causes(self, step: schema.ReleaseStep) -> list[schema.Cause]:
        """Return the table's causes of a step that were found on this machine, in its direction: of a warm call, unless they
        say otherwise."""
        direction = "slower" if (step["factor"] or 1.0) > 1 else "faster"
        own = {"machine": self.machine, "base": step["from"], "release": step["to"], "became": direction}
        return [
            {"text": cause["text"], "link": cause.get("link")}
            for cause in catalogue.causes(self.compiler)
            if own.items() <= cause.items() and step["kernel"] in cause["kernels"] and step["backend"] in cause["backends"]
            if step["figure"] == cause.get("figure", "warm_seconds")
        ]

    def _change(self, step: schema.ReleaseStep) -> schema.Change:
        """Return a step between releases in the form that changes.json has for steps between commits."""
        date = f"{step['published']}T00:00:00Z" if step["published"] else None
        return {
            **only(schema.Step, step),
            "from": {"compiler": self.compiler, "release": step["from"], "date": None},
            "to": {"compiler": self.compiler, "release": step["to"], "date": date},
            "machine": self.machine,
            "environment": {},
        }

    def _outcome(self, place: int, outcome: Outcome, control: float | None, sources: Sources) -> schema.ReleaseOutcome:
        return {
            **_release(place, outcome),
            "source": sources.place(outcome.origin) if outcome.origin else None,
            "measured": outcome.times[1] or None,
            "cells": _counts(outcome.line),
            "command": series.command(outcome, self.duets, self.history),
            "drift": self.drifts.at(*outcome.times),
            "c": control,
        }

    def _kernel(self, kernel: str, collected: Sequence[Series], curves: CommitCurves) -> schema.ReleaseKernelFile:
        sources = Sources()
        rows = [series.row(one, self.outcomes, self.drifts, sources, self.history) for one in collected]
        commits = [curves.of(self.machine, one.case) for one in collected if one.group in drift.LIVES]
        content: schema.ReleaseKernelFile = {
            "machine": self.machine,
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


def _counts_of(collected: Sequence[Series], timed: Series, *places: int) -> Counts:
    """Return asv's counts of a case's kernel and backend at the two releases of a step, if both have them."""
    return {
        one.case.figure.partition(".")[2]: [int(one.values[place].value or 0) for place in places]
        for one in collected
        if one.group == "counts" and one.case.backend == timed.case.backend and {*places} <= one.values.keys()
    }


def _size(factor: float) -> float:
    return max(factor, 1 / factor) if factor > 0 else float("inf")


def _release(place: int, outcome: Outcome) -> schema.Release:
    return {
        "release": outcome.release,
        "order": place,
        "published": outcome.line.get("published"),
        "status": "ok" if outcome.is_ok else "failed",
        "reason": None if outcome.is_ok else outcome.line.get("reason", "its results are missing"),
    }


def _counts(line: ReleaseLine) -> schema.Counts | None:
    """Return how many cases were measured, empty and failed, and how many ran without the compiler's own cache."""
    if "cells" not in line:
        return None
    measured, empty, failed = (line["cells"].get(word, 0) for word in ("measured", "empty", "failed"))
    return {"measured": measured, "empty": empty, "failed": failed, "afresh": len(line.get("afresh", []))}


def _drifts(drifts: drift.Drift) -> schema.Drifts:
    turns: list[schema.Turn] = [
        {"at": turn.time, "order": place, "warm": turn.ratios.get("warm"), "cold": turn.ratios.get("cold")}
        for place, turn in enumerate(drifts.turns)
    ]
    return {"turns": turns, "warm": drifts.largest("warm"), "cold": drifts.largest("cold")}
