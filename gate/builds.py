"""Two commits as the sides of a duet: both libraries over one environment of compilers, measured by HEAD's suite."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import duet
from duet import BenchmarkCase, Side
from duet.builds import asv_environment, side
from gate.commits import Commit


@dataclass(frozen=True)
class Subjects:
    """Two commits that are ready to be measured. ``cases``: of HEAD's suite, which measures both. ``former``: of BASE's.
    ``versions``: of Python and of what asv.conf.json pins. ``seconds``: that the builds took."""

    base: Commit
    head: Commit
    sides: tuple[Side, Side]
    cases: dict[str, BenchmarkCase]
    former: dict[str, BenchmarkCase]
    versions: dict[str, str]
    seconds: float


def build(repository: Path, base: Commit, head: Commit, directory: Path, report_progress: Callable[[str], None]) -> Subjects:
    """Build both commits below ``directory``, which must not exist, and find their benchmark cases. Raises SideError."""
    begin = time.monotonic()
    directory.mkdir(parents=True)
    log = directory / "log.txt"
    report_progress("asv's environment")
    python, required = asv_environment(repository, log)
    report_progress(f"the build of BASE, {base.short}")
    former = side("base", repository, base.hash, directory, python)
    report_progress(f"the build of HEAD, {head.short}")
    own = side("head", repository, head.hash, directory, python)
    report_progress("the benchmark cases of both suites")
    cases, before = duet.discover(own, log), duet.discover(former, log)
    sides = (replace(former, suite=own.suite), own)
    versions = own.versions(("asv_runner", *required))
    return Subjects(base, head, sides, cases, before, versions, time.monotonic() - begin)
