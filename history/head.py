"""HEAD, built: its library and suite with asv's environment, and the machine and environment that stored lines name."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import _launch
from duet import BenchmarkCase, Launch, Side, discover, git
from duet.builds import asv_environment, side
from history.store.lines import Conditions
from jitkernels import machine

LAUNCH = Launch(_launch.group, _launch.needs_threads, _launch.variables)


@dataclass(frozen=True)
class Head:
    """``commit``: the whole hash. ``cases``: of its suite, by name. ``directory``: holds its build and ``log.txt``."""

    commit: str
    side: Side
    cases: Mapping[str, BenchmarkCase]
    conditions: Conditions
    directory: Path


def build(repository: Path, directory: Path) -> Head:
    """Build HEAD in a directory, which is emptied, and discover its benchmark cases. Raises SideError."""
    shutil.rmtree(directory, ignore_errors=True)  # left by a run that was killed
    directory.mkdir(parents=True)
    print("asv's environment (minutes the first time), the build of HEAD, and its benchmark cases", flush=True)
    commit = git.commit(repository)
    log = directory / "log.txt"
    python, requirements = asv_environment(repository, log)
    head = side("head", repository, commit, directory, python)
    return Head(commit, head, discover(head, log), conditions(head, requirements), directory)


def conditions(measured: Side, requirements: dict[str, str]) -> Conditions:
    """Return the conditions of a side's environment on this machine."""
    return {
        "machine": machine.identity(),
        "processor": machine.processor(),
        "cores": machine.cores(),
        "python": measured.versions(())["python"],
        "requirements": requirements,
    }
