"""HEAD, built: its library and suite with asv's environment."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from duet import BenchmarkCase, Side, discover, git
from duet.builds import asv_environment, side
from history.store.lines import Conditions, conditions, note_settings


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
    note_settings()
    print("asv's environment (minutes the first time), the build of HEAD, and its benchmark cases", flush=True)
    commit = git.commit(repository)
    log = directory / "log.txt"
    python, requirements = asv_environment(repository, log)
    head = side("head", repository, commit, directory, python)
    here = conditions(head.versions(())["python"], requirements)
    return Head(commit, head, discover(head, log), here, directory)
