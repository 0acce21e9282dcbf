"""README's picture is of one run: the rows that it is drawn from."""

import json
import sys
from pathlib import Path

import pytest
from site_files import add_run, processes

from history import picture
from jitkernels.machine import identity


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This machine's directory of results, below the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "asv.conf.json").write_text('{"version": 1, "project": "p", "repo": ".", "results_dir": ".asv/results"}')
    directory = tmp_path / ".asv" / "results" / identity()
    directory.mkdir(parents=True)
    return directory


def test_the_rows_are_those_of_the_run_with_most_sizes_and_draw_a_picture(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for size in (1_000, 10_000):
        add_run(machine, {"c": processes(size * 1e-9), "numba": processes(size * 2e-9)}, {"numba": 2}, size=size)
        add_run(machine, {"c": processes(size * 1e-9)}, size=size, limit=1)
    add_run(machine, {"c": processes(9.0)}, began="2026-11-23T10:00:00Z")
    assert picture.main() == 0
    assert "10,000, ms: 1 c 0.01, 2 numba 0.02" in capsys.readouterr().out
    rows = json.loads(picture.ROWS.read_text())
    assert [(row["backend"], row["size"], row["threads"]) for row in rows] == [
        ("c", 1_000, 1), ("numba", 1_000, 2), ("c", 10_000, 1), ("numba", 10_000, 2)
    ]  # fmt: skip
    assert rows[0]["warm_seconds"] == pytest.approx(1e-6)
    assert {row["began"] for row in rows} == {"2026-11-22T10:00:00Z"}
    pytest.importorskip("altair")
    from jitkernels.__main__ import main

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            sys, "argv", ["jitkernels", "chart", "philox_pi", "seconds", "--rows", str(picture.ROWS), "--out", "a.svg"]
        )
        assert main() == 0
    drawn = Path("a.svg").read_text()
    assert "numba" in drawn and ">c<" in drawn


def test_a_run_of_one_size_is_refused(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_run(machine, {"c": processes(1.0)})
    assert (picture.main(), picture.ROWS.exists()) == (2, False)
    (line,) = capsys.readouterr().err.splitlines()
    assert "has one size" in line and line.endswith("make ranking KERNEL=philox_pi")


def test_without_a_run_of_this_machine_nothing_is_written(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = machine.with_name("other")
    other.mkdir()
    add_run(other, {"c": processes(1.0)})
    assert (picture.main(), picture.ROWS.exists()) == (1, False)
    assert "make ranking KERNEL=philox_pi" in capsys.readouterr().err
