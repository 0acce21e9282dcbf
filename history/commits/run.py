"""Measure commits in duets: each in turn with the anchor, and then, if that shows a step, with the commit before it.

All commits are measured with the anchor first, because only then are neighbours known. Exact figures come last, two commits
at once. Every result is added to ``duets.jsonl`` at once and measured only once, so a stopped run can continue.
"""

import functools
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from duet import BenchmarkCase, Pairs, Side, SideError
from duet.builds import side
from duet.rounds import Duet
from duet.samples import Samples
from history.commits.choose import in_line, subject
from history.head import Head
from history.ratios import LAUNCH, figures_of, measure_carefully, measure_quickly, ratios_of
from history.store import duets, records
from history.store.duets import ANCHOR, STEP, STEP_FACTOR, CommitLine, DuetLine, Ratio
from history.store.lines import cases_in, matching

Measure = Callable[[tuple[Side, Side], Collection[BenchmarkCase], Path], dict[str, Pairs]]
report = functools.partial(print, flush=True)  # prints a line for each step


@dataclass
class CommitHistory:
    """Measures commits of a repository on this machine.

    head: its suite measures all commits, in its environment and its directory, which is removed at the end. cases: by name.
    file: ``duets.jsonl``. stored: the lines of that file and of the data set for this machine and environment.
    """

    repository: Path
    head: Head
    cases: Mapping[str, BenchmarkCase]
    file: Path
    stored: list[CommitLine]
    _sides: dict[str, Side] = field(default_factory=dict, init=False)  # built, by commit
    _lost: set[str] = field(default_factory=set, init=False)  # commits that cannot be built

    @property
    def directory(self) -> Path:
        return self.head.directory

    def anchor(self) -> str | None:
        """Return the anchor of this machine and environment; None before the first one."""
        duets = [line for line in self.stored if line["said"] == "duet" and line["role"] == ANCHOR]
        if not duets:
            return None
        return duets[-1]["commit"] if duets[-1].get("is_anchor") else duets[-1]["base"]

    def replace_anchor(
        self, old: str, new: str, executable: str, requirements: dict[str, str], curves: Collection[str]
    ) -> None:
        """Measure a new anchor in turn with the old one, which keeps its own environment, so that the chain continues.

        curves: cases to measure besides the selected ones.
        """
        report(f"the anchor was {old[:8]}; {new[:8]} is measured in turn with it")
        first = replace(self.side_of(old), name=f"{old[:12]}.old", python=executable)
        names = {*self.cases, *curves}
        times = [case for name, case in self.head.cases.items() if case.is_time and name in names]
        line = {"role": ANCHOR, "base": old, "commit": new, "is_anchor": True}
        if requirements != self.head.conditions["requirements"]:
            line["base_requirements"] = requirements
        self.add_duet((first, self.side_of(new)), times, measure_carefully, line)

    def forget(self, commits: Collection[str]) -> None:
        """Treat these commits, and the steps to and from them, as not measured. Their lines stay in the file."""

        def ends(line: CommitLine) -> set[str]:
            if line["said"] == "duet" and line["role"] == STEP:
                return {line["commit"], line["base"]}
            return {line["commit"]}

        self.stored = [line for line in self.stored if ends(line).isdisjoint(commits)]

    def measure(self, commits: list[str], anchor: str) -> int:
        """Measure what these commits lack, oldest first. Return how many could not be built."""
        try:
            for number, commit in enumerate(commits, 1):
                report(f"[{number:3}/{len(commits)}] {commit[:8]} {subject(self.repository, commit)}")
                self.attempt(self.measure_commit, commit, anchor)
                self.remove_all_but(anchor, commit)
            for commit in commits:
                self.attempt(self.measure_steps, commit, anchor)
                self.remove_all_but(anchor, commit)
            self.measure_exact([commit for commit in commits if commit not in self._lost])
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        return len(self._lost)

    def attempt(self, step: Callable[..., object], commit: str, *anchor: str) -> None:
        """Build or measure a commit. If it cannot be built, report it."""
        try:
            step(commit, *anchor)
        except SideError as error:
            report(f"    {commit[:8]} is left out: {error}")
            self._lost.add(commit)

    def measure_commit(self, commit: str, anchor: str) -> None:
        """Measure the times that a commit lacks, in turn with the anchor. Raises SideError."""
        measured = self.cases_in_duets(anchor, commit, ANCHOR)
        missing = [case for name, case in self.cases.items() if not (case.is_counted or name in measured)]
        if missing:
            report(f"    {len(missing)} cases, in turn with the anchor {anchor[:8]}")
            line = {"role": ANCHOR, "base": anchor, "commit": commit} | ({"is_anchor": True} if commit == anchor else {})
            self.add_duet(self.sides_of(anchor, commit), missing, measure_quickly, line)

    def measure_steps(self, commit: str, anchor: str) -> None:
        """Measure the suspected steps at a commit that are not measured yet. Raises SideError."""
        for (earlier, later), suspects in self.suspected_steps(commit, anchor).items():
            cases = [self.cases[name] for name in suspects if name in self.cases]
            if cases:
                report(f"    {len(cases)} cases of {later[:8]}, in turn with the commit before, {earlier[:8]}")
                line = {"role": STEP, "base": earlier, "commit": later}
                self.add_duet(self.sides_of(earlier, later), cases, measure_carefully, line)

    def measure_exact(self, commits: list[str]) -> None:
        """Measure the exact figures that commits lack, two commits at once."""
        missing = {commit: names for commit in commits if (names := self.missing_exact(commit))}
        for commit in missing:
            self.attempt(self.side_of, commit)
        built = [commit for commit in missing if commit not in self._lost]
        for place, (first, second) in enumerate(zip(built[::2], [*built[1::2], None], strict=False)):
            report(f"    exact figures of {first[:8]}{f' and {second[:8]}' if second else ''}")
            self.add_exact(first, second, missing)
            self.remove_all_but(*built[2 * place + 2 :])

    def suspected_steps(self, commit: str, anchor: str) -> dict[tuple[str, str], list[str]]:
        """Return the cases whose ratios to the anchor differ between this commit and its neighbour, by (earlier, later).

        A neighbour is the nearest ancestor or descendant that has the case. Steps that are measured already are left out.
        """
        measured = {line["commit"] for line in matching(self.stored, said="duet", base=anchor, role=ANCHOR)}
        if commit not in measured:  # it has only exact figures
            return {}
        ordered = in_line(self.repository, commit, list(measured))
        ratios, place = {each: self.ratios(anchor, each) for each in ordered}, ordered.index(commit)
        suspects: dict[tuple[str, str], list[str]] = {}
        for case in ratios[commit]:
            before = next((each for each in reversed(ordered[:place]) if case in ratios[each]), None)
            after = next((each for each in ordered[place + 1 :] if case in ratios[each]), None)
            for pair in ((before, commit), (commit, after)):
                earlier, later = pair
                if earlier and later and differ(ratios[earlier][case], ratios[later][case]):
                    suspects.setdefault((earlier, later), []).append(case)
        done = {pair: self.cases_in_duets(*pair, STEP) for pair in suspects}
        return {pair: [case for case in cases if case not in done[pair]] for pair, cases in suspects.items()}

    def add_duet(
        self, sides: tuple[Side, Side], cases: Collection[BenchmarkCase], measure: Measure, line: Mapping[str, Any]
    ) -> None:
        """Measure two sides in turn, and add the line with their ratios."""
        began = records.now()
        measured = measure(sides, cases, self.directory)
        self.add("duet", {**line, "began": began, **ratios_of(measured, self.directory, "commit")})

    def add_exact(self, first: str, second: str | None, missing: Mapping[str, Collection[str]]) -> None:
        """Measure exact figures of one or two commits, and add a line for each. missing: names of cases by commit."""
        sides = self.sides_of(first, second or first)
        names = {name for commit in (first, second) if commit for name in missing[commit]}
        samples = Samples(sides[0].name, sides[1].name)
        Duet(self.directory, sides, LAUNCH).round([case for name, case in self.cases.items() if name in names], samples)
        for commit, measured_side in zip((first, second), sides, strict=True):
            if commit:
                measured = {name: samples.of(measured_side.name, name)[0] for name in missing[commit]}
                self.add("exact", {"commit": commit, **figures_of(measured, self.directory)})

    def add(self, kind: str, line: Mapping[str, Any]) -> None:
        whole = {"suite": self.head.commit, **self.head.conditions, **line, "at": records.now()}
        records.append(self.file, kind, duets.shorten(whole, self.stored) if kind == "exact" else whole)
        self.stored.append({"schema": records.SCHEMA, "said": kind, **whole})  # type: ignore[arg-type]

    def missing_exact(self, commit: str) -> list[str]:
        """Return the exact cases that have neither a figure nor a reason for its absence."""
        measured = cases_in(matching(self.stored, said="exact", commit=commit))
        return [name for name, case in self.cases.items() if case.is_counted and name not in measured]

    def cases_in_duets(self, base: str, commit: str, role: str) -> set[str]:
        """Return the cases for which a duet has a ratio, or a reason for its absence."""
        return cases_in(matching(self.stored, said="duet", base=base, commit=commit, role=role))

    def ratios(self, anchor: str, commit: str) -> dict[str, Ratio]:
        """Return the ratios of a commit to the anchor by case."""
        lines = matching(self.stored, said="duet", base=anchor, commit=commit, role=ANCHOR)
        return {name: ratio for line in lines for name, ratio in cast(DuetLine, line)["cells"].items()}

    def side_of(self, commit: str) -> Side:
        """Return the side of a commit, built the first time. Raises SideError."""
        if commit not in self._sides:
            head = self.head.side
            self._sides[commit] = side(commit[:12], self.repository, commit, self.directory, head.python, head.suite)
        return self._sides[commit]

    def sides_of(self, base: str, commit: str) -> tuple[Side, Side]:
        """Return both sides of a duet, with different names if both are one commit. Raises SideError."""
        first = self.side_of(base)
        return first, self.side_of(commit) if commit != base else replace(first, name=f"{first.name}.again")

    def remove_all_but(self, *commits: str) -> None:
        """Remove the builds and caches of other commits, which would fill the disk for a long range."""
        for commit in self._sides.keys() - set(commits):
            for path in self.directory.glob(f"{self._sides.pop(commit).name}*"):
                shutil.rmtree(path, ignore_errors=True)


def differ(before: Ratio, after: Ratio) -> bool:
    """True if a step is suspected: by STEP_FACTOR or more, and beyond the spread of each commit's pairs."""
    factor = after["ratio"] / before["ratio"]
    is_apart = after["low"] > before["high"] or after["high"] < before["low"]
    return is_apart and not 1 / STEP_FACTOR < factor < STEP_FACTOR
