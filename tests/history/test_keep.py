"""The data set that comes with the repository: what is kept in it, and that it stays small."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from synthetic import ROOT, History, row, warm

from history import keep

PI = warm("philox_pi", ["c", "numba"], [1000])


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path, ["First", "Second"])
    made.describe(PI)
    for place in (0, 1):
        made.add(place, {PI["name"]: row(PI, [1 / 3, 2 / 3])})
    return made


def kept(history: History, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "history.keep", *arguments]
    return subprocess.run(command, cwd=history.path, capture_output=True, text=True)


def files(history: History) -> list[str]:
    root = history.path / "results"
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def columns(file: Path) -> dict[str, Any]:
    told = json.loads(file.read_text())
    return dict(zip(told["result_columns"], told["results"][PI["name"]], strict=False))


def test_the_data_set_stays_within_its_budget() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", "results"], cwd=ROOT, capture_output=True, text=True, check=True)
    sizes = [os.stat(ROOT / name).st_size for name in filter(None, listed.stdout.split("\0"))]
    assert sum(sizes) <= keep.MOST_BYTES


def test_what_was_measured_is_kept_and_can_be_shown_by_itself(history: History) -> None:
    answer = kept(history)
    assert answer.returncode == keep.DONE, answer.stderr
    assert files(history) == sorted(["vm/machine.json", *(f"vm/{commit[:8]}-env.json" for commit in history.commits)])
    history.results = history.path / "results"
    assert history.read() == []
    rows = history.data("vm/philox_pi.json")["rows"]
    assert {one["backend"]: one["figures"]["warm_seconds"]["value"] for one in rows if one["figures"]}["c"] == 1 / 3


def test_values_stay_as_they_are_statistics_lose_needless_digits_and_samples_are_left_out(history: History) -> None:
    history.add(0, {PI["name"]: row(PI, [1 / 3, 2 / 3], spread=1 / 7)})
    kept(history)
    name = f"vm/{history.commits[0][:8]}-env.json"
    before, after = columns(history.results / name), columns(history.path / "results" / name)
    assert after["result"] == before["result"]
    assert before["samples"] and not after["samples"]
    assert after["stats_q_25"] != before["stats_q_25"]
    assert after["stats_q_25"] == pytest.approx(before["stats_q_25"], rel=1e-5)


def test_what_was_measured_in_part_is_kept_with_the_rest_of_the_data_set(history: History) -> None:
    kept(history)
    history.add(0, {PI["name"]: row(PI, [1 / 4, float("nan")])})
    assert kept(history).returncode == keep.DONE
    assert columns(history.path / f"results/vm/{history.commits[0][:8]}-env.json")["result"] == [1 / 4, 2 / 3]


def test_one_commit_alone_can_be_kept_and_records_are_joined(history: History) -> None:
    result = history.results / f"vm/{history.commits[0][:8]}-env.json"
    for reason in ("no wheel", "no wheel either"):
        history.say(result, {"said": "empty", "benchmark": "a", "cell": [], "reason": reason})
        assert kept(history, "--commit", history.commits[0]).returncode == keep.DONE
    assert f"vm/{history.commits[1][:8]}-env.json" not in files(history)
    lines = (history.path / "results" / "vm" / f"{history.commits[0][:8]}-env.records.jsonl").read_text()
    assert lines.count("no wheel") == 2


def test_lines_have_no_spaces_and_one_that_an_older_file_has_with_spaces_is_kept_once(history: History) -> None:
    before, after = (history.path / place / "vm" / "duets.jsonl" for place in ("results", ".asv/results"))
    before.parent.mkdir(parents=True)
    before.write_text('{"schema": 1, "cells": {"a": [1e-07, NaN]}}\n')
    after.write_text('{"schema":1,"cells":{"a":[1e-07,NaN]}}\n{"schema": 2}\n{"cut \n')
    assert kept(history).returncode == keep.DONE
    assert before.read_text() == '{"schema":1,"cells":{"a":[1e-07,NaN]}}\n{"schema":2}\n{"cut \n'


def test_an_older_record_from_here_comes_before_what_is_kept(history: History) -> None:
    before, here = (history.path / place / "vm" / "abc-env.records.jsonl" for place in ("results", ".asv/results"))
    before.parent.mkdir(parents=True)
    before.write_text('{"at":"2026-02-01","reason":"later"}\n')
    here.write_text('{"at":"2026-01-01","reason":"earlier"}\n')
    assert kept(history).returncode == keep.DONE
    assert before.read_text() == here.read_text() + '{"at":"2026-02-01","reason":"later"}\n'


def test_what_processes_said_is_kept_though_no_site_was_built(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    said = history.path / ".asv" / "records" / history.commits[0] / "env.jsonl"
    said.parent.mkdir(parents=True)
    said.write_text('{"said": "failed", "reason": "no such GPU"}\n')
    monkeypatch.chdir(history.path)
    monkeypatch.setattr("history.store.records.identity", lambda: "vm")
    monkeypatch.setattr(sys, "argv", ["keep"])
    assert keep.main() == keep.DONE
    kept_lines = history.path / "results" / "vm" / f"{history.commits[0][:8]}-env.records.jsonl"
    assert "no such GPU" in kept_lines.read_text()


def test_too_much_is_refused_before_anything_is_written(history: History) -> None:
    history.add(1, {PI["name"]: row(PI, [1 / 3, 2 / 3])}, environment="x" * 100, requirements={"x": "y" * keep.MOST_BYTES})
    answer = kept(history)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (keep.REFUSED, 1)
    assert not (history.path / "results").exists()


@pytest.mark.parametrize("commit", ["zzz", "HEAD", "machine", ""])
def test_a_commit_without_results_is_refused_and_nothing_is_written(history: History, commit: str) -> None:
    answer = kept(history, "--commit", history.commits[0], "--commit", commit)
    assert (answer.returncode, answer.stderr) == (keep.REFUSED, f"no result in .asv/results is of {commit!r}\n")
    assert not (history.path / "results").exists()


def test_nothing_to_keep_is_said(tmp_path: Path) -> None:
    answer = kept(History(tmp_path, ["First"]))
    assert (answer.returncode, len(answer.stderr.splitlines())) == (keep.REFUSED, 1)


@pytest.mark.parametrize("name", ["vm/12345678-x.json", "vm/machine.json"])
def test_a_file_that_cannot_be_read_is_named_and_the_others_are_kept(history: History, name: str) -> None:
    history.write(name, "{")
    answer = kept(history)
    assert answer.returncode == keep.UNREAD
    assert answer.stderr.startswith(f"left out .asv/results/{name}: no JSON") and answer.stderr.count("\n") == 1
    assert files(history) == sorted(
        {"vm/machine.json", *(f"vm/{commit[:8]}-env.json" for commit in history.commits)} - {name}
    )


def test_a_full_disk_has_one_line_and_damages_no_file(history: History) -> None:
    kept(history)
    before = {name: (history.path / "results" / name).read_text() for name in files(history)}
    history.add(0, {PI["name"]: row(PI, [1 / 4, 1 / 5])})
    command = ["sh", "-c", 'ulimit -f 0; exec "$0" -m history.keep', sys.executable]  # no file may grow
    answer = subprocess.run(command, cwd=history.path, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr.count("\n")) == (keep.UNWRITTEN, 1), answer.stderr
    assert answer.stderr.endswith("; no file in results/ is damaged: run make keep again\n")
    assert {name: (history.path / "results" / name).read_text() for name in files(history)} == before
