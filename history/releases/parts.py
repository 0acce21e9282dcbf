"""Explain steps of releases: which part of the environment carries a step, and how the compiler's output differs.

Two releases differ in the compiler's package and in other pinned packages. One of these packages is exchanged at a time: a
duet compares the older release with and without the newer version of that package. Then one file of a package is exchanged
in the same way. For a part that can be switched off, a duet compares the newer release with and without it. The part with
the ratio of the step carries the step.
"""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from duet import BenchmarkCase, Side, SideError
from history.ratios import measure_carefully, measure_or_afresh, ratios_of
from history.releases import artifacts, index
from history.releases.environments import DIRECTORY, LONGEST_REASON, Environments
from history.releases.table import Compiler, Release
from history.store import records, release_lines
from history.store.duets import is_step
from history.store.lines import cases_in, matching
from history.store.release_lines import ArtifactsLine, PartLine, ReleaseDuetLine

LEAST = 1.1  # the smallest factor of a step that is explained
NOTHING_RAN = "no process measured anything with it"


@dataclass(frozen=True)
class Step:
    """Two neighbouring releases, and the benchmark cases in which they differ by LEAST or more."""

    compiler: Compiler
    base: Release
    release: Release
    cases: Sequence[BenchmarkCase]

    def parts(self) -> list[str]:
        """Return what to exchange."""
        return release_lines.exchangeable(self.base.requirements, self.release.requirements, self.compiler.files)

    def representatives(self) -> list[BenchmarkCase]:
        """Return the last case of each kernel and backend: the compiled code hardly depends on the size."""
        return list({(case.kernel, case.backend): case for case in self.cases}.values())


@dataclass
class Parts:
    """Explains a compiler's steps, by one commit of this library.

    file: ``release_steps.jsonl``. duets: this machine's lines of ``release_duets.jsonl``. stored: lines of ``file`` whose
    measurements are not repeated.
    """

    file: Path
    duets: Sequence[ReleaseDuetLine]
    stored: Sequence[PartLine | ArtifactsLine]
    environments: Environments

    def explain_compiler(self, compiler: Compiler, releases: Sequence[Release]) -> set[str]:
        """Explain the steps between these releases. Return the versions that could not be installed."""
        with self.environments.suite(compiler) as cases:
            for step in self._steps(compiler, releases, cases):
                print(f"{step.release} after {step.base.version}: steps in {len(step.cases)} cases", flush=True)
                self._explain(step)
                self.environments.remove_all_but(step.release)
        return self.environments.lost

    def _steps(self, compiler: Compiler, releases: Sequence[Release], cases: dict[str, BenchmarkCase]) -> Iterator[Step]:
        links = release_lines.links(line for line in self.duets if line["compiler"] == compiler.name)
        of_compiler = {name for name, case in cases.items() if case.backend in compiler.backends}
        neighbours = [release_lines.neighbours(pairs.values()) for name, pairs in links.items() if name in of_compiler]
        versions = {release.version: release for release in releases}
        for release in releases:
            nearest = [by_release[release.version] for by_release in neighbours if release.version in by_release]
            for base in dict.fromkeys(link.line["base"] for link in nearest):
                changed = [cases[link.case] for link in nearest if link.line["base"] == base and is_step(link.ratio, LEAST)]
                if changed and base in versions:
                    yield Step(compiler, versions[base], release, changed)

    def _explain(self, step: Step) -> None:
        """Add the lines of a step that are missing."""
        if missing := self._missing(step, step.representatives(), "artifacts", None):
            self._add_artifacts(step, missing)
        for part in step.parts():
            if missing := self._missing(step, step.cases, "part", part):
                self._add_part(step, part, missing)
        for part, variables in step.compiler.switches.items():
            if missing := self._missing(step, step.cases, "part", part):
                self._add_switch(step, part, variables, missing)

    def _missing(self, step: Step, cases: Sequence[BenchmarkCase], kind: str, part: str | None) -> list[BenchmarkCase]:
        """Return the cases that no line of this kind and part has; none if a line says that the part cannot be measured."""
        ends = {"compiler": step.compiler.name, "base": step.base.version, "release": step.release.version}
        lines = matching(self.stored, **ends, said=kind, part=part)
        if any(line.get("reason") for line in lines):
            return []
        measured = cases_in(lines)
        return [case for case in cases if case.name not in measured]

    def _add_artifacts(self, step: Step, cases: Sequence[BenchmarkCase]) -> None:
        began = records.now()
        before, after = (self.environments.side(step.compiler, each) for each in (step.base, step.release))
        if before is None or after is None:
            return
        cells, empty = {}, {}
        for case in cases:
            print(f"    compiled code of {case.name}", flush=True)
            try:
                cells[case.name] = artifacts.difference(case, (before.python, after.python), DIRECTORY.resolve())
            except SideError as error:
                empty[case.name] = str(error)[:LONGEST_REASON]
        line = {**self._line(step, after), "began": began, "cells": cells, "empty": empty}
        records.append(self.file, "artifacts", line)

    def _add_part(self, step: Step, part: str, cases: Sequence[BenchmarkCase]) -> None:
        """Measure the base release with one package, or one file, of the newer release."""
        began, base, package = records.now(), step.base, release_lines.package_of(part)
        before = {**base.requirements, part: base.requirements[package]}
        after = {**base.requirements, part: step.release.requirements[package]}
        first, newer = (self.environments.side(step.compiler, each) for each in (base, step.release))
        if first is None or newer is None:
            return
        print(f"    {base} with {part} {after[part]}", flush=True)
        mixed = DIRECTORY.resolve() / f"{base.version}+{part.replace('/', '-')}"
        environment, newer_environment = (Path(side.python).parents[1] for side in (first, newer))
        try:
            if part in step.compiler.files:
                reason = exchange_file(environment, newer_environment, mixed, part)
            else:
                reason = exchange(environment, mixed, after)
            second = replace(first, name=mixed.name, python=str(mixed / "bin" / "python"))
            ends = {"requirements": after, "base_requirements": before, "variables": {}}
            self._measure((first, second), cases, {**self._line(step, first), **ends, "part": part, "began": began}, reason)
        finally:
            shutil.rmtree(mixed, ignore_errors=True)

    def _add_switch(self, step: Step, part: str, variables: Mapping[str, str], cases: Sequence[BenchmarkCase]) -> None:
        """Measure the newer release with and without the part that the variables turn off."""
        began = records.now()
        second = self.environments.side(step.compiler, step.release)
        if second is None:
            return
        print(f"    {step.release} without {part}: {variables}", flush=True)
        first = replace(second, name=f"{second.name}-{part}", variables=variables)
        ends = {"base_requirements": step.release.requirements, "variables": variables}
        self._measure((first, second), cases, {**self._line(step, second), **ends, "part": part, "began": began}, None)

    def _measure(
        self, sides: tuple[Side, Side], cases: Sequence[BenchmarkCase], line: dict[str, Any], reason: str | None
    ) -> None:
        """Measure a duet and add its line. With a reason, add only that."""
        results: dict[str, Any] = {"cells": {}, "empty": {}}
        if not reason:
            directory = DIRECTORY.resolve()
            measured, _ = measure_or_afresh(measure_carefully, sides, cases, directory)
            results = ratios_of(measured, directory, "release")
            reason = None if results["cells"] or results["empty"] else NOTHING_RAN
        if reason:
            print(f"    not possible: {reason}", flush=True)
        records.append(self.file, "part", {**line, **results, "reason": reason})

    def _line(self, step: Step, side: Side) -> dict[str, Any]:
        return self.environments.line(step.compiler, step.base, step.release, side)


def exchange(environment: Path, target: Path, requirements: dict[str, str]) -> str | None:
    """Copy an environment and change its packages to the requirements. Return None, or one line on why that failed.

    The copy shares unchanged files.
    """
    shutil.copytree(environment, target, symlinks=True, copy_function=os.link)
    pins = [f"{name}=={version}" for name, version in requirements.items()]
    reason = index.install(pins, str(target / "bin" / "python"))
    return reason[:LONGEST_REASON] if reason else None


def exchange_file(environment: Path, newer: Path, target: Path, file: str) -> str | None:
    """Copy an environment with one file of the newer one. Return None, or one line on why that failed.

    file: "package/module.py", or "package/library" for a compiled one. The copy shares its files with both.
    """
    shutil.copytree(environment, target, symlinks=True, copy_function=os.link)
    name = file if file.endswith(".py") else f"{file}*.so"
    old, new = (sorted(path.glob(f"lib/python*/site-packages/{name}")) for path in (target, newer))
    if len(old) != 1 or len(new) != 1:
        return f"{len(old)} and {len(new)} files of the two releases are called {name}"
    old[0].unlink()
    os.link(new[0], old[0])
    for bytecode in old[0].parent.glob(f"__pycache__/{old[0].stem}.*"):
        bytecode.unlink()
    return None
