"""Releases of a compiler in duets: each with the one before it, and the first with the last and with one in the middle.

Every duet is added to ``release_duets.jsonl`` when it is done. Nothing is measured twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from duet import BenchmarkCase, Side
from history.ratios import (
    AFRESH,
    LAUNCH,
    PAIRS_OF_A_STEP,
    measure_carefully,
    measure_or_afresh,
    measure_quickly,
    ratios_of,
)
from history.releases.environments import DIRECTORY, Environments
from history.releases.table import Compiler, Release
from history.store import records
from history.store.duets import is_step
from history.store.lines import cases_in, matching
from history.store.release_lines import ReleaseDuetLine

LONG_CHAIN = 4  # duets: the errors of a longer chain add up, so two long duets bound them


@dataclass
class ReleaseDuets:
    """Measures a compiler's releases in duets, by one commit of this library.

    file: ``release_duets.jsonl``. stored: this machine's lines in it and in the data set. again: repeat finished
    measurements.
    """

    file: Path
    stored: list[ReleaseDuetLine]
    environments: Environments
    again: bool = False

    def measure_compiler(self, compiler: Compiler, releases: Sequence[Release]) -> set[str]:
        """Measure what these releases' duets lack. Return the versions that could not be installed."""
        with self.environments.suite(compiler) as cases:
            self._measure_chain(compiler, releases, cases)
            for base, release in self._long_pairs(releases):
                self._measure_pair(compiler, base, release, cases)
                self.environments.remove_all_but(base)
        return self.environments.lost

    def _measure_chain(self, compiler: Compiler, releases: Sequence[Release], cases: Mapping[str, BenchmarkCase]) -> None:
        base: Release | None = None
        for release in releases:
            if base is None or self._measure_pair(compiler, base, release, cases):
                self.environments.remove_all_but(release)
                base = release
            elif base.version in self.environments.lost:
                base = release

    def _measure_pair(self, compiler: Compiler, base: Release, release: Release, cases: Mapping[str, BenchmarkCase]) -> bool:
        """Measure what a duet lacks. Return False if one of the two releases cannot be installed."""
        measured = set() if self.again else self._cases_in_duets(base, release)
        missing = [case for name, case in cases.items() if name not in measured]
        print(
            f"{release} in turn with {base.version}: {len(missing)} of {len(cases)} benchmark cases to measure", flush=True
        )
        if not missing:
            return True
        first, second = (self.environments.side(compiler, each) for each in (base, release))
        if first is None or second is None:
            return False
        began = records.now()
        ratios = _ratios((first, second), missing, DIRECTORY.resolve())
        line = {
            **self.environments.line(compiler, base, release, second),
            "package": compiler.package,
            "base_published": str(base.published),
            "base_requirements": base.requirements,
            "published": str(release.published),
            "began": began,
            **ratios,
        }
        self.stored.append(cast(ReleaseDuetLine, records.append(self.file, "duet", line)))
        return True

    def _cases_in_duets(self, base: Release, release: Release) -> set[str]:
        """Return the cases that have a ratio of the two releases, or a reason for its absence."""
        pair = {"base_requirements": base.requirements, "requirements": release.requirements}
        return cases_in(matching(self.stored, **pair))

    def _long_pairs(self, releases: Sequence[Release]) -> Iterator[tuple[Release, Release]]:
        """Yield the first release with one in the middle and with the last, or with releases nearby that have such a
        duet."""
        installed = [each for each in releases if each.version not in self.environments.lost]
        if len(installed) <= LONG_CHAIN:
            return
        first, *others = installed
        near, middle = max(2, len(others) // 4), len(others) // 2
        newest, around = others[-near:], others[max(1, middle - near // 2) : middle + near // 2 + 1]
        for candidates in (newest, [each for each in around if each not in newest]):
            yield first, next((each for each in candidates if self._cases_in_duets(first, each)), candidates[-1])


def _ratios(sides: tuple[Side, Side], cases: Sequence[BenchmarkCase], directory: Path) -> dict[str, dict[str, Any]]:
    """Measure the cases in a duet. Return their ratios, or reasons for their absence.

    Cases that failed with a program from the compiler's cache are measured again without the cache. Cases with a step are
    measured again in more pairs, and only these pairs count.
    """
    measured, failed = measure_or_afresh(measure_quickly, sides, cases, directory)
    cells = ratios_of(measured, directory, "release")["cells"]
    for launch, group in ((LAUNCH, [case for case in cases if case not in failed]), (AFRESH, failed)):
        if suspects := [case for case in group if case.name in cells and is_step(cells[case.name])]:
            print(f"    {len(suspects)} of them once more, with {PAIRS_OF_A_STEP} pairs of processes", flush=True)
            measured |= measure_carefully(sides, suspects, directory, launch)
    ratios = ratios_of(measured, directory, "release")
    for case in failed:
        if cell := ratios["cells"].get(case.name):
            cell["afresh"] = True
    return ratios
