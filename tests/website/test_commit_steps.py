"""The steps between commits: those that a direct duet confirms, and those of exact figures."""

from pathlib import Path
from typing import Any

import pytest
from synthetic import row, warm
from synthetic_duets import EXACT, DuetHistory, case, duet, exact, ratio, write
from synthetic_duets import history as lines_of

from history.store.duets import is_step
from website.read import changes

PI = warm("philox_pi", ["c", "numba"], [1_000_000])
C, NUMBA = case("c"), case("numba")


@pytest.fixture
def history(tmp_path: Path) -> DuetHistory:
    return DuetHistory(tmp_path)


@pytest.mark.parametrize(
    ("value", "spread", "confirmed"),
    [
        (1.05, 0.02, True),
        (1 / 1.05, 0.02, True),
        (1.049, 0.001, False),
        (1.3, 0.4, False),
        (0.5, 0.1, True),
        (1.0, 0.0, False),
    ],
)
def test_a_step_has_an_interval_without_1_and_a_factor_of_5_per_cent(value: float, spread: float, confirmed: bool) -> None:
    each: Any = ratio(value, spread=spread)
    assert is_step(each) is confirmed


def test_only_a_direct_duet_confirms_a_step(history: DuetHistory) -> None:
    first, second, third = history.commits[:3]
    history.read_lines(
        duet(first, second, {C: ratio(2.0), NUMBA: ratio(3.0)}, 1),
        duet(first, third, {C: ratio(4.0), NUMBA: ratio(9.0)}, 2),
        duet(second, third, {C: ratio(1.9, pairs=7), NUMBA: ratio(1.01, spread=0.05, pairs=7)}, 3, role="step"),
    )
    assert history.steps() == [("Change 1", "Change 2", 1.9)]
    (step,) = history.data("vm/commits/steps.json")["steps"]
    assert (step["pairs"], step["low"], step["high"]) == (7, pytest.approx(1.881), pytest.approx(1.919))
    selection = "^philox_pi\\.Warm\\.time_call\\('c', 1000000\\)$"
    assert step["command"] == f"make history COMMITS='{second} {third}' AGAIN=1 BENCH=\"{selection}\""
    assert [point["step"] for point in history.series()["points"]] == [None, None, 1.9]
    assert [point["step"] for point in history.series("numba")["points"]] == [None] * 3


def test_a_later_direct_duet_takes_a_step_back(history: DuetHistory) -> None:
    first, second = history.commits[:2]
    history.read_lines(
        duet(first, second, {C: ratio(1.2)}, 1),
        duet(first, second, {C: ratio(1.2)}, 2, role="step"),
        duet(first, second, {C: ratio(1.0)}, 3, role="step"),
    )
    assert history.steps() == []


def test_a_step_within_a_step_s_span_takes_its_place(history: DuetHistory) -> None:
    first, second, third = history.commits[:3]
    history.read_lines(
        duet(first, third, {C: ratio(1.2), NUMBA: ratio(1.3)}, 1, role="step"),
        duet(second, third, {C: ratio(1.19)}, 2, role="step"),
    )
    assert sorted(history.steps()) == [("Change 0", "Change 2", 1.3), ("Change 1", "Change 2", 1.19)]


def test_of_overlapping_steps_in_one_direction_the_shortest_is_shown(history: DuetHistory) -> None:
    first, second, third, fourth, fifth = history.commits[:5]
    history.read_lines(
        duet(first, fourth, {C: ratio(1.2), NUMBA: ratio(1.2)}, 1, role="step"),
        duet(third, fifth, {C: ratio(1.21), NUMBA: ratio(0.8)}, 2, role="step"),
        duet(first, second, {NUMBA: ratio(1.3)}, 3, role="step"),
        duet(second, third, {NUMBA: ratio(1.4)}, 3, role="step"),
    )
    expected = [("Change 0", "Change 1", 1.3), ("Change 1", "Change 2", 1.4), ("Change 2", "Change 4", 0.8)]
    assert sorted(history.steps()) == [*expected, ("Change 2", "Change 4", 1.21)]


def test_an_exact_figure_has_a_step_wherever_it_differs(history: DuetHistory) -> None:
    values = {0: 1.0, 3: 1.0, 2: 2.0, 5: 3.0}
    history.read_lines(*(exact(history.commits[place], {EXACT: value}, place) for place, value in values.items()))
    assert history.steps() == [("Change 3", "Change 5", 3.0), ("Change 2", "Change 3", 0.5), ("Change 0", "Change 2", 2.0)]
    assert [step["exact"] for step in history.data("changes.json")["changes"]] == [True] * 3
    newest = history.data("vm/commits/steps.json")["steps"][0]
    assert newest["command"].startswith(f"make history COMMITS='{history.commits[3]} {history.commits[5]}' AGAIN=1 BENCH=")
    assert history.data("vm/commits/dense_relu.json")["series"] == []


def test_an_exact_figure_of_other_compilers_is_no_step_of_a_commit(history: DuetHistory) -> None:
    before, after = (exact(history.commits[place], {EXACT: 1.0 + place}, place) for place in (0, 1))
    history.read_lines(before, {**after, "requirements": {"numba": "0.1"}})
    assert history.steps() == []


def test_a_count_that_equal_programs_differ_in_has_a_step_beyond_its_tolerance(history: DuetHistory) -> None:
    name = "philox_pi.Instructions.track_count"
    history.describe({**PI, "name": name, "type": "track", "unit": "instructions", "tolerance": 0.01})
    counts = {0: 10_000.0, 1: 10_090.0, 2: 10_000.0, 3: 10_200.0}
    cells = {place: {f"{name}('c', 1000000)": value} for place, value in counts.items()}
    history.read_lines(*(exact(history.commits[place], cell, place) for place, cell in cells.items()))
    assert history.steps() == [("Change 2", "Change 3", 1.02)]


def test_what_changed_lists_the_same_steps_of_every_machine_once(history: DuetHistory) -> None:
    for machine in ("vm", "other"):
        lines = lines_of(history.commits, machine, ["philox_pi"])
        write(history.results, [*lines, lines[1]], machine)
    assert history.read() == []
    found = history.data("changes.json")["changes"]
    named = [(step["machine"], step["backend"], step["factor"]) for step in found]
    expected = {("numba", 1.12), ("c", 0.2), ("jax", 2.0)}
    assert sorted(named) == sorted((machine, *each) for machine in ("vm", "other") for each in expected)
    assert all(step["from"] != step["to"] for step in found)


def test_steps_in_time_and_the_newest_others_are_shown_and_all_are_counted(
    monkeypatch: pytest.MonkeyPatch, history: DuetHistory
) -> None:
    monkeypatch.setattr(changes, "MOST", 2)
    exacts = [exact(commit, {EXACT: 1.0 + place}) for place, commit in enumerate(history.commits[:5])]
    history.read_lines(*exacts, duet(*history.commits[:2], {C: ratio(1.2)}, 1, role="step"))
    content = history.data("changes.json")
    assert [step["to"]["subject"] for step in content["changes"]] == ["Change 4", "Change 3", "Change 1"]
    assert content["left_out"] == 2
    totals = history.data("vm/commits/steps.json")["totals"]
    assert totals == {"philox_pi": {"timed": 1, "exact": 0}, "dense_relu": {"timed": 0, "exact": 4}}


def test_asv_s_results_alone_show_no_step_between_commits(history: DuetHistory) -> None:
    hits = {**PI, "name": "philox_pi.Accuracy.track_hits", "type": "track", "unit": "hits", "exact": True}
    history.describe(PI, hits)
    for place in range(4):
        history.add(place, {PI["name"]: row(PI, [1.0 + place, 1.0]), hits["name"]: row(hits, [782.0 + place, 782.0])})
    assert history.read() == []
    assert history.data("changes.json")["changes"] == []
    lines = [
        exact(commit, {"philox_pi.Accuracy.track_hits('c', 1000000)": 782.0 + place})
        for place, commit in enumerate(history.commits[:2])
    ]
    assert history.read_lines(*lines) == []
    (step,) = history.data("changes.json")["changes"]
    assert (step["figure"], step["before"], step["after"]) == ("hits", 782.0, 783.0)


def test_steps_of_installed_compilers_releases_are_listed_too(history: DuetHistory) -> None:
    hits = {**PI, "name": "philox_pi.Accuracy.track_hits", "type": "track", "unit": "hits", "exact": True}
    history.describe(hits)
    for hour, value in enumerate((782.0, 783.0)):
        history.release(0, f"0.{64 + hour}.0", {hits["name"]: row(hits, [782.0, value])}, hour)
    lines = [duet(*history.commits[:2], {C: ratio(2.0)}), duet(*history.commits[:2], {C: ratio(2.0)}, role="step")]
    assert history.read_lines(*lines) == []
    found = history.data("vm/commits/steps.json")["steps"]
    assert [(step["kind"], step["to"].get("release")) for step in found] == [("release", "0.65.0"), ("commit", None)]
    assert history.read_lines(*({**line, "requirements": {"jax": "0.10.2"}} for line in lines)) == []
    assert [step["kind"] for step in history.data("vm/commits/steps.json")["steps"]] == ["commit"]
