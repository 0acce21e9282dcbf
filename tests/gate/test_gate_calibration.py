"""How often the gate is wrong: what a run does to HEAD, what is kept of it, and what the runs say together."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import calibration as drawn
import pytest
from laboratory import Laboratory, heeding_ctrl_c

from gate import calibration, cli, errors, evidence, faults, sensitivity
from gate.measure import Cell

ROOT = Path(__file__).parents[2]
SLOW, WRONG = (f"philox_pi.Warm.time_call('c', {points})" for points in (1_000_000, 1_000))
HITS = [f"philox_pi.Accuracy.track_hits('c', {points})" for points in (1_000, 10_000)]
BENCH = [f"^{re.escape(cell)}$" for cell in (SLOW, WRONG, *HITS)]
COMMAND = [
    sys.executable, "-m", "gate", "calibrate", "--slow", SLOW, "--sizes", "0,900", *(f"--bench={each}" for each in BENCH),
]  # fmt: skip


def line(**differs: Any) -> dict[str, Any]:
    """Of a run of four cells in which nothing was done and nothing found, but for what is said."""
    return {
        "schema": 2, "commit": "c" * 40, "machine": "m", "processor": "p", "cores": 2, "versions": {},
        "method": {"bench": ["."], "budget": 720}, "when": "2026-01-01T00:00:00Z", "seconds": 60.0, "prepared_seconds": 5.0,
        "injected": {}, "suspected": [], "believed": [], "lost": [], "too_little": [], "verdict": "nothing is worse",
        "exit_code": 0, "cells": {"a": [1e-3, 1.0, 0.01], "b": [2e-3, 1.0, 0.01], "c": [3e-3, 1.0, 0.01], "d": [7]},
        "pairs": {}, **differs,
    }  # fmt: skip


def slowed(cell: str, percent: float, **differs: Any) -> dict[str, Any]:
    return line(injected={cell: {"kind": "slower", "factor": 1 + percent / 100}}, **differs)


def test_no_alarm_in_twenty_runs_says_how_little_is_known() -> None:
    rate = evidence.summary([line() for _ in range(20)])["false_alarms"]
    assert (rate["hits"], rate["of"], rate["low"]) == (0, 20, 0)
    assert rate["high"] == pytest.approx(1 - 0.025 ** (1 / 20))  # Clopper and Pearson's, where nothing was seen


def test_a_slowed_cell_that_is_found_is_power_and_any_other_one_a_false_alarm() -> None:
    runs = [
        line(),
        slowed("a", 5, suspected=["a"], believed=["a"]),
        slowed("a", 5, suspected=["a", "b"], believed=["b"]),
        slowed("b", 5),
        slowed("b", 10, suspected=["b"], believed=["b"]),
    ]
    said = evidence.summary(runs)
    assert (said["false_alarms"]["hits"], said["false_alarms"]["of"]) == (1, 5)
    assert said["alarms_of_cells"] == {"hits": 1, "of": 4 * 5 - 4}
    assert said["suspicions_of_cells"] == {"hits": 1, "of": 4 * 5 - 4}
    assert said["untouched"] == 1
    seen = {
        row["slower"]: (row["suspected"]["hits"], row["believed"]["hits"], row["believed"]["of"]) for row in said["power"]
    }
    assert seen == {0.05: (2, 1, 3), 0.1: (1, 1, 1)}


def test_a_loss_that_nobody_made_is_a_false_alarm_and_what_was_not_measured_is_counted_apart() -> None:
    said = evidence.summary([line(lost=["a"]), line(too_little=["b"]), line()])
    assert (said["false_alarms"]["hits"], said["undecided"]["hits"]) == (1, 1)


def test_a_changed_figure_is_to_be_worse_and_what_skips_or_is_wrong_to_be_lost() -> None:
    injected = {"a": {"kind": "wrong"}, "b": {"kind": "lost"}, "d": {"kind": "changed", "by": 1}}
    said = evidence.summary(
        [line(injected=injected, believed=["d"], lost=["a", "b"]), line(injected=injected, believed=["a"])]
    )
    assert {row["kind"]: row["found"]["hits"] for row in said["others"]} == {"changed": 1, "lost": 1, "wrong": 1}
    assert said["false_alarms"]["hits"] == 0


def test_runs_of_other_machines_and_rules_are_not_added_up() -> None:
    runs = [line(), line(machine="another"), line(commit="d" * 40), line(method={"bench": ["x"], "budget": 720})]
    assert [len(group) for group in evidence.groups(runs)] == [2, 1, 1]


def test_a_table_says_how_many_runs_there_were() -> None:
    text = evidence.text(evidence.summary([slowed("a", 5, believed=["a"]), line()]))
    assert "2 runs, 1 of them with nothing done to HEAD" in text
    assert "| a warm call slower by 5 % | the verdict | 1 | 1 | 100 % (2.5 to 100 %) |" in text


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "calibration.jsonl"
    assert calibration.stored(file) == []
    calibration.keep(file, line())
    with file.open("a") as kept:
        kept.write('{"schema": 2, "commit": "cut o')
    calibration.keep(file, line(seconds=7.0))
    assert [run["seconds"] for run in calibration.stored(file)] == [60.0, 7.0]


def warm(name: str) -> Cell:
    return Cell(name, name, {"type": "time"})


CELLS = {
    **{
        name: warm(name)
        for name in ("k.Warm.time_call('c', 1)", "k.Warm.time_call('numba', 1)", "k.Warm.time_call('jax', 1)")
    },
    "k.Made.track_more('c')": Cell("k.Made.track_more('c')", "", {"exact": True, "direction": "higher"}),
    "k.Accuracy.track_z('c')": Cell("k.Accuracy.track_z('c')", "", {"limit": 5.0}),
}
SEEN = {**{name: [2e-3, 1.0, 0.01] for name in CELLS}, "k.Warm.time_call('c', 1)": [1e-6, 1.0, 0.01]}


def planned(number: int, slow: str | None = None, seen: dict[str, list[float]] = SEEN) -> dict[str, dict]:
    course = calibration.Calibration(Path(), None, {}, slow=slow)
    course.subjects = SimpleNamespace(environment=SimpleNamespace(project="library"))
    return course.faults(number, CELLS, seen)


def test_nothing_is_done_in_one_run_of_each_turn_and_in_the_others_every_size_has_its_own() -> None:
    kinds = [
        [fault.get("factor") for fault in planned(number).values() if fault["kind"] == "slower"] for number in range(10)
    ]
    assert kinds == 2 * [[], [1.05], [1.1], [1.2], [1.5]]
    assert planned(0) == planned(5) == {}


def test_faults_do_not_meet_and_the_same_run_has_the_same_ones() -> None:
    for number in range(1, 5):
        wrong = planned(number)
        assert [fault["kind"] for fault in wrong.values()] == ["slower", "changed", "wrong", "lost"]
        assert wrong == planned(number)
        assert wrong["k.Made.track_more('c')"]["by"] == -1, "more is better, so less is worse"
        (slow,) = (name for name, fault in wrong.items() if fault["kind"] == "slower")
        assert SEEN[slow][0] >= evidence.LONG_ENOUGH


def test_the_cell_that_is_asked_for_is_slowed_and_before_anything_was_measured_nothing_else() -> None:
    assert planned(1, slow="k.Warm.time_call('c', 1)", seen={}) == {
        "k.Warm.time_call('c', 1)": {"kind": "slower", "factor": 1.05}
    }
    assert planned(1, seen={}) == {}


def test_a_slowed_call_takes_as_much_longer_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.001
        return now[0]

    def work(seconds: float) -> str:
        now[0] += seconds
        return "done"

    monkeypatch.setattr(faults.time, "perf_counter", clock)
    for factor in (1.0, 1.2, 1.5):
        begin = now[0]
        assert faults.slowed(work, factor)(10.0) == "done"
        assert now[0] - begin == pytest.approx(10 * factor, abs=0.01)


@pytest.mark.parametrize("right", [0, 7, 3.14, {"loss": 0.5}, (1, 2.0), [{"w": 3}]])
def test_a_wrong_answer_is_wrong(right: Any) -> None:
    def flat(value: Any) -> list[float]:
        values = value.values() if isinstance(value, dict) else value
        return [value] if isinstance(value, int | float) else [number for entry in values for number in flat(entry)]

    assert type(faults.wrong(right)) is type(right)
    assert all(abs(a - b) >= 1 for a, b in zip(flat(right), flat(faults.wrong(right)), strict=True))


def test_a_case_is_misled_and_its_reference_is_not() -> None:
    class Case:
        reference = 3

        def value(self) -> int:
            return 3

        def check(self) -> None:
            assert self.value() == self.reference and Case().value() == self.reference

    Case().check()
    faults.mislead(Case)
    with pytest.raises(AssertionError):
        Case().check()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with a commit, and where asv could have a suite; the working directory."""
    top = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", top], check=True)
    (top / "asv.conf.json").touch()
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "--quiet", "--allow-empty", "-m", "Begin"], cwd=top, check=True)
    monkeypatch.chdir(top)
    return top


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--runs", "0"], "one at least"),
        (["--runs", "x"], "invalid"),
        (["--sizes", "5,-1"], "per cent"),
        (["--sizes", "five"], "invalid"),
        (["--bench", "("], "no regular expression"),
        (["--json", "no/such/directory/x.json"], "no/such/directory"),
        ([], "no run is stored"),
    ],
)
def test_what_can_t_be_asked_is_said_in_a_line(
    repository: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    try:
        code = cli.main(["calibrate", *arguments])
    except SystemExit as end:  # the parser's own
        code = end.code
    assert code == errors.USAGE
    assert words in capsys.readouterr().err
    assert {file.name for file in repository.iterdir()} == {".git", "asv.conf.json"}


def test_real_runs_find_what_was_done_and_stopped_they_keep_what_has_ended(laboratory: Laboratory) -> None:
    file = laboratory.path / calibration.FILE
    with subprocess.Popen(
        heeding_ctrl_c([*COMMAND, "--runs", "9"]), cwd=laboratory.path, stderr=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 200
        while len(calibration.stored(file)) < 2 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    untouched, touched = calibration.stored(file)[:2]
    assert (untouched["injected"], untouched["exit_code"]) == ({}, errors.PASSED), untouched
    assert set(untouched["cells"]) == {SLOW, WRONG, *HITS}
    assert {name: len(ratios) for name, ratios in untouched["pairs"].items()} == {SLOW: 7, WRONG: 7}
    kinds = {fault["kind"]: name for name, fault in touched["injected"].items()}
    assert (kinds["slower"], kinds["wrong"], {kinds["changed"], kinds["lost"]}) == (SLOW, WRONG, set(HITS))
    assert touched["injected"][SLOW]["factor"] == 10, "far beyond the noise of a machine on which other tests run"
    assert SLOW in touched["suspected"]
    assert SLOW in touched["believed"]
    assert kinds["changed"] in touched["believed"]
    assert {kinds["wrong"], kinds["lost"]} == set(touched["lost"])
    assert touched["exit_code"] == errors.REGRESSION

    answer = laboratory.run([*COMMAND, "--json", "sums.json"])
    assert answer.returncode == 0, answer.stderr
    (group,) = json.loads((laboratory.path / "sums.json").read_text())["groups"]
    assert group["runs"] == len(calibration.stored(file))
    assert {slower["slower"]: slower["believed"]["hits"] for slower in group["power"]} == {9.0: 1}
    assert "| what was done to HEAD |" in answer.stdout


def test_runs_go_on_after_those_of_the_same_machine_and_rules(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, str]] = []

    class Course:
        def __init__(self, repository: Path, head: Any, where: dict, *rest: Any) -> None:
            self.where = where

        def prepare(self) -> None:
            """Nothing is built."""

        def run(self, number: int, seen: dict[str, list[float]]) -> dict[str, Any]:
            asked.append((number, " ".join(seen)))
            return line(**self.where, cells={f"after {number}": [1e-3, 1.0, 0.01]})

    monkeypatch.setattr(calibration, "Calibration", Course)
    calibration.keep(repository / calibration.FILE, line(machine="another"))
    assert [cli.main(["calibrate", "--runs", runs, "--bench", "x"]) for runs in ("2", "1")] == [0, 0]
    assert asked == [(0, ""), (1, "after 0"), (2, "after 1")]
    assert len(calibration.stored(repository / calibration.FILE)) == 4


@pytest.mark.parametrize("cell", ["k.Warm.time_call('nothing', 1)", "k.Made.track_more('c')"])
def test_what_is_no_warm_time_of_the_suite_can_t_be_slowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str
) -> None:
    made = SimpleNamespace(environment=None, sides=(), known=CELLS, former=CELLS, versions={})
    monkeypatch.setattr(calibration.subjects, "made", lambda *_: made)
    where = {"method": {"bench": ["."], "processes": 7, "budget": 720}}
    (tmp_path / ".asv" / "gate" / "calibration").mkdir(parents=True)
    monkeypatch.setattr(calibration.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(errors.UsageError, match="is no warm time"):
        calibration.Calibration(tmp_path, None, where, slow=cell).prepare()


def test_the_document_s_table_and_the_site_s_sums_are_those_of_the_runs() -> None:
    said = drawn.summaries()
    text = (ROOT / "docs" / "gate.md").read_text()
    assert drawn.filled(text, said) == text, "python tools/calibration.py draws it anew"
    for file, lines in drawn.sums(said).items():
        assert file.read_text() == lines, "python tools/calibration.py writes it anew"


def paired(*runs: list[float], cell: str = "a", **differs: Any) -> list[dict[str, Any]]:
    return [line(pairs={cell: ratios}, **differs) for ratios in runs]


QUIET, NOISY = ([1 + step * noise for step in (-3, 2, -1, 0.5, 1, -2, 3)] for noise in (0.002, 0.04))


@pytest.mark.parametrize(("ratios", "found"), [(QUIET, 1.0), (NOISY, 0.0)])
def test_what_would_be_found_is_worked_out_from_the_pairs_that_were_measured(ratios: list[float], found: float) -> None:
    assert sensitivity.found([ratios] * 4, 0.05) == found
    assert sensitivity.found([ratios] * 4, 0.0) == 0
    assert sensitivity.found([ratios] * 4, 1.0) == 1


def test_it_is_said_of_long_calls_that_were_measured_often_enough_and_were_not_slowed() -> None:
    cells = {"a": [1e-3, 1.0, 0.01]}
    runs = paired(QUIET, QUIET, QUIET, cells=cells)
    assert sensitivity.of_cells(runs, (0.05, 0.1), 1e-3) == {"a": {0.05: 1.0, 0.1: 1.0}}
    assert sensitivity.of_cells(runs, (0.05,), 2e-3) == {}
    assert sensitivity.of_cells(runs[:2], (0.05,), 1e-3) == {}
    slow = [{**run, "injected": {"a": {"kind": "slower", "factor": 1.05}}} for run in runs[:1]]
    assert sensitivity.of_cells(slow + runs[1:], (0.05,), 1e-3) == {}
    text = evidence.text(evidence.summary(runs))
    assert "95 of 100 verdicts or more would find a slowdown in 1 (5 %) and 1 (10 %) of 1 calls of 1 ms or more" in text
