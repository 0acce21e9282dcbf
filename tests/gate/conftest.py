"""A laboratory for each test, and its first commit, which is BASE."""

import functools
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import ROOT, Laboratory, Template, install_once

from duet import builds
from duet.turns import StopRule
from gate import trial

# How long a pair of processes takes samples. Changes in these tests are many times what such pairs can tell apart.
SHORT = {"QUICK": StopRule(trial.QUICK.least, trial.QUICK.known, 0.3)}
SHORT["CAREFUL"] = StopRule(trial.CAREFUL.least, trial.CAREFUL.known, 0.5)

# ``python -m gate`` with short pairs, and libraries that are built once. Its first two arguments are the directories of
# ``laboratory`` and of these libraries.
GATE = f"""
import functools, runpy, sys
from pathlib import Path

begin, tests, libraries = sys.path.pop(0), *sys.argv[1:3]
sys.path.append(tests)
from duet import builds
from duet.turns import StopRule
from gate import trial
from laboratory import install_once

vars(trial).update({SHORT!r})
builds.install = functools.partial(install_once, Path(libraries), builds.install)
sys.path[:] = [begin, *sys.path[:-1]]
del sys.argv[1:3]
runpy.run_module("gate", run_name="__main__", alter_sys=True)
"""


@pytest.fixture
def laboratory(measured_laboratory: Template, tmp_path: Path) -> Laboratory:
    """The test's own copy of the measured laboratory. The gate installs nothing into asv's environment: tests share it."""
    return measured_laboratory.copy(tmp_path / "laboratory", shares_environment=True)


@pytest.fixture
def base(laboratory: Laboratory) -> str:
    return laboratory.git("rev-list", "--max-parents=0", "HEAD")


@pytest.fixture(autouse=True)
def _libraries_once(shared_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gates in the process of the tests build each library once in a test run, as that of BASE, which all of them have."""
    monkeypatch.setattr(builds, "install", functools.partial(install_once, shared_directory, builds.install))


@pytest.fixture(autouse=True)
def _short_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gates in the process of the tests measure short pairs."""
    for name, rule in SHORT.items():
        monkeypatch.setattr(trial, name, rule)


@pytest.fixture
def gate_command(shared_directory: Path) -> Callable[..., list[str]]:
    """A function that returns the command of a gate in a process of its own, which builds each library once too."""
    return lambda *words: [sys.executable, "-c", GATE, str(ROOT / "tests"), str(shared_directory), *words]
