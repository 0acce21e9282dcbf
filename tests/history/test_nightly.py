"""A night measures what the nights before have not, in a repository whose ``make bench`` is a script that counts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCH = """\
import sys
from pathlib import Path
assert sys.argv[1:] == ["--full"]
with Path("runs").open("a") as runs:
    runs.write("one\\n")
sys.exit(int(Path("status").read_text()))
"""


class Nights:
    def __init__(self, path: Path) -> None:
        self.path = path
        shutil.copytree(ROOT / "history", path / "history")
        (path / "history" / "bench.py").write_text(BENCH)
        (path / "asv.conf.json").write_text('{"version": 1, "project": "p", "repo": ".", "results_dir": ".asv/results"}')
        (path / ".asv-machine.json").write_text('{"hosted": {"machine": "hosted"}, "version": 1}')
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=self.path, check=True)

    def commit(self) -> None:
        self.git("commit", "--quiet", "--allow-empty", "--message", "another")

    def night(self, status: int = 0) -> int:
        """The exit status of a night whose bench ends with ``status``."""
        (self.path / "status").write_text(str(status))
        environment = {**os.environ, "HOME": str(self.path), "PYTHONPATH": str(self.path)}
        return subprocess.run(
            [sys.executable, "-m", "history.nightly"], cwd=self.path, env=environment, capture_output=True
        ).returncode

    def runs(self) -> int:
        return len((self.path / "runs").read_text().split())


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path)


def test_a_commit_is_measured_in_one_night_and_the_next_commit_in_another(nights: Nights) -> None:
    assert [nights.night(), nights.night(), nights.runs()] == [0, 0, 1]
    nights.commit()
    assert [nights.night(), nights.night(), nights.runs()] == [0, 0, 2]
    assert len((nights.path / ".asv" / "results" / "hosted" / "nights.jsonl").read_text().splitlines()) == 2


def test_what_failed_is_tried_again_and_its_status_is_the_night_s(nights: Nights) -> None:
    assert [nights.night(1), nights.night(130), nights.night(), nights.night()] == [1, 130, 0, 0]
    assert nights.runs() == 3
