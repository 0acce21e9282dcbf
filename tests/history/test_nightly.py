"""A night measures what the nights before have not."""

import subprocess
from pathlib import Path

import pytest

from history import nightly
from jitkernels import machine

CONFIGURATION = '{"version": 1, "project": "p", "repo": ".", "results_dir": ".asv/results"}'


class Nights:
    """A repository whose ``make bench`` only counts."""

    def __init__(self, path: Path) -> None:
        self.path, self.runs = path, 0
        (path / "asv.conf.json").write_text(CONFIGURATION)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=self.path, check=True)

    def commit(self) -> None:
        self.git("commit", "--quiet", "--allow-empty", "--message", "another")

    def night(self, status: int = 0) -> int:
        """Return the exit status of a night whose bench ends with ``status``."""

        def measure() -> int:
            self.runs += 1
            return status

        return nightly.main(measure)


@pytest.fixture
def nights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.chdir(tmp_path)
    return Nights(tmp_path)


def test_a_commit_is_measured_in_one_night_and_the_next_commit_in_another(nights: Nights) -> None:
    assert [nights.night(), nights.night(), nights.runs] == [0, 0, 1]
    nights.commit()
    assert [nights.night(), nights.night(), nights.runs] == [0, 0, 2]
    assert len((nights.path / ".asv" / "results" / machine.identity() / "nights.jsonl").read_text().splitlines()) == 2


def test_a_line_that_is_cut_is_left_out_and_the_others_count(nights: Nights, capsys: pytest.CaptureFixture[str]) -> None:
    assert nights.night() == 0
    file = nights.path / ".asv" / "results" / machine.identity() / "nights.jsonl"
    file.write_text('{"schema":1,"sa\n' + file.read_text())
    assert (nights.night(), nights.runs) == (0, 1)
    assert capsys.readouterr().err.endswith("nights.jsonl: line 1 is cut, so it is left out\n")


def test_a_failed_night_is_tried_again_and_its_status_is_the_bench_s(nights: Nights) -> None:
    assert [nights.night(1), nights.night(130), nights.night(), nights.night()] == [1, 130, 0, 0]
    assert nights.runs == 3


@pytest.mark.parametrize(("statuses", "status"), [((0, 0), 0), ((0, 1), 1), ((-9, 0), -9), ((-9, 1), 1)])
def test_a_night_is_make_bench_full_and_make_history(
    statuses: tuple[int, int], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that was killed by a signal has minus its number."""
    commands = []

    def run(command: list[str]) -> subprocess.CompletedProcess[str]:
        commands.append(command[2:])
        return subprocess.CompletedProcess(command, statuses[len(commands) - 1])

    monkeypatch.setattr(subprocess, "run", run)
    assert nightly.measure_everything() == status
    assert commands == [["history.bench", "--full"], ["history.commits.command"]]
