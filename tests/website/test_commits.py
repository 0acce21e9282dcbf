"""The data of commits: chains of anchors, confirmed steps, exact figures, and what is left out."""

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from synthetic import ROOT, History, listed, row, warm
from synthetic_duets import EXACT, Row, case, duet, exact, ratio, write
from synthetic_duets import history as lines_of

from history.store import clean, duets
from history.store.results import Unread
from website import data
from website.commits.curves import Level, curves, gaps
from website.commits.steps import is_step
from website.read import commits

PI = warm("philox_pi", ["c", "numba"], [1_000_000])
C, NUMBA = case("c"), case("numba")
SCHEMAS = ("commits", "commit_kernel", "index", "changes")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path, [f"Change {place}" for place in range(8)])


def read(history: History, *lines: Row | str, machine: str = "vm") -> list[Unread]:
    write(history.results, lines, machine)
    return history.read()


def series(history: History, backend: str = "c", machine: str = "vm") -> Any:
    own = history.data(f"{machine}/commits/philox_pi.json")["series"]
    return next(one for one in own if one["backend"] == backend)


def steps(history: History, machine: str = "vm") -> list[Any]:
    found = history.data(f"{machine}/commits/steps.json")["steps"]
    return [(step["from"]["subject"], step["to"]["subject"], step["factor"]) for step in found]


# Curves


def test_a_level_is_the_product_along_the_chain_of_anchors_and_its_interval_grows() -> None:
    first, second, third = "a" * 40, "b" * 40, "c" * 40
    lines: Any = [duet(first, second, {C: ratio(2.0)}, 1), duet(second, third, {C: ratio(3.0)}, 2)]
    levels = {commit: level for commit, (level, _, _) in curves(lines)[C].levels().items()}
    assert {commit: level.ratio for commit, level in levels.items()} == {first: 1.0, second: 2.0, third: 6.0}
    assert (levels[first].low, levels[first].high) == (1.0, 1.0)
    assert math.isclose(levels[second].high, 2.02)
    assert math.isclose(levels[third].above, math.sqrt(2) * math.log(1.01)), "errors of two duets are independent"
    assert levels[third].over(levels[second]).ratio == 3.0


def test_a_later_line_replaces_a_commit_s_ratio_but_never_an_anchor_s_place_in_the_chain() -> None:
    first, second, third = "a" * 40, "b" * 40, "c" * 40
    again: Any = [
        duet(first, second, {C: ratio(2.0)}, 1),
        duet(first, second, {C: ratio(2.5), NUMBA: ratio(1.5)}, 2),
        duet(second, third, {C: ratio(3.0)}, 3),
        duet(second, first, {C: ratio(0.1)}, 4),
        duet(third, second, {C: ratio(0.1)}, 5),
    ]
    known = curves(again)
    assert known[C].chain(third) == (first, Level(7.5, known[C].chain(third)[1].below, known[C].chain(third)[1].above))
    assert known[C].chain(first) == (first, Level())
    assert known[NUMBA].chain(second)[1].ratio == 1.5


def test_a_case_that_the_line_between_two_anchors_lacks_begins_anew() -> None:
    first, old, second, new = (letter * 40 for letter in "abcd")
    lines: Any = [
        duet(first, old, {C: ratio(2.0, 1.0)}, 1),
        duet(first, second, {NUMBA: ratio(1.0)}, 2),
        duet(second, new, {C: ratio(3.0, 5.0)}, 3),
    ]
    curve = curves(lines)[C]
    assert (curve.anchor, curve.seconds()) == (second, 5.0)
    assert set(curve.levels()) == {second, new}, "a ratio across two chains would compare seconds of two hours"


def test_an_anchor_alone_is_a_point_with_the_noise_as_its_interval() -> None:
    anchor, other = "a" * 40, "b" * 40
    itself: Any = [duet(anchor, anchor, {C: ratio(1.01, 2.0)})]
    ((commit, (level, _, _)),) = curves(itself)[C].levels().items()
    assert (commit, level.ratio, curves(itself)[C].seconds()) == (anchor, 1.0, 2.0)
    assert level.low < 1 < level.high
    both: Any = [*itself, duet(anchor, other, {C: ratio(3.0)}, 2)]
    assert {commit: level.ratio for commit, (level, _, _) in curves(both)[C].levels().items()} == {anchor: 1.0, other: 3.0}


def test_an_anchor_that_got_new_pins_goes_on_through_the_duet_of_both_environments() -> None:
    anchor, before, after = "a" * 40, "b" * 40, "c" * 40
    lines: Any = [
        duet(anchor, before, {C: ratio(2.0)}, 1),
        {**duet(anchor, anchor, {C: ratio(0.5)}, 2), "requirements": {"numba": "9"}, "base_requirements": {"numba": "8"}},
        {**duet(anchor, after, {C: ratio(3.0)}, 3), "requirements": {"numba": "9"}},
    ]
    lines[0]["requirements"] = {"numba": "8"}
    levels = {commit: level.ratio for commit, (level, _, _) in curves(lines)[C].levels().items()}
    assert levels[before] == 2.0
    assert levels[after] == 1.5, "half of the anchor's time with the new pins, times three"


def test_points_are_in_the_history_s_order_in_the_anchor_s_median_seconds(history: History) -> None:
    anchor, early, late = (history.commits[place] for place in (4, 1, 6))
    lines = [
        duet(anchor, late, {C: ratio(0.5, 2e-3)}, 1),
        duet(anchor, early, {C: ratio(2.0, 4e-3)}, 2, empty={NUMBA: "not written yet"}),
    ]
    assert read(history, *lines) == []
    content = history.data("vm/commits/philox_pi.json")
    assert [commit["subject"] for commit in content["commits"]] == ["Change 1", "Change 4", "Change 6"]
    one = series(history)
    assert [point["value"] for point in one["points"]] == pytest.approx([6e-3, 3e-3, 1.5e-3])
    assert [point["pairs"] for point in one["points"]] == [3, None, 3]
    assert one["anchor"] == anchor[:8]
    change = one["change"]
    assert (change["from"], change["to"]) == (early[:8], late[:8])
    assert change["factor"] == pytest.approx(0.25)
    assert change["low"] < 0.25 < change["high"]
    assert content["missing"] == [
        {"backend": "numba", "size": 1_000_000, "figure": "warm_seconds", "commit": early[:8], "reason": "not written yet"}
    ]


def test_a_thousand_calls_are_shown_as_one(history: History) -> None:
    name = "relu.Dispatch.time_1000_calls('c', 'case')"
    history.describe(listed("relu.Dispatch.time_1000_calls", [["'c'"], ["'case'"]], ["backend", "what"]))
    anchor, other = history.commits[:2]
    lines = [duet(anchor, other, {name: ratio(1.5, 2.0)}), duet(anchor, other, {name: ratio(1.5, 2.0)}, role="step")]
    read(history, *lines)
    (one,) = history.data("vm/commits/relu.json")["series"]
    assert [point["value"] for point in one["points"]] == pytest.approx([2e-3, 3e-3])
    (step,) = history.data("vm/commits/steps.json")["steps"]
    assert (step["before"], step["after"], step["factor"]) == pytest.approx((2e-3, 3e-3, 1.5))


def test_a_reason_is_dropped_once_there_is_a_figure() -> None:
    first, second = "a" * 40, "b" * 40
    lines: Any = [
        duet(first, second, {}, 1, empty={C: "no compiler", NUMBA: "no GPU"}),
        duet(first, second, {C: ratio(1.0)}, 2),
    ]
    assert gaps(lines) == {(NUMBA, second): "no GPU"}


# Steps


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


def test_only_a_direct_duet_confirms_a_step(history: History) -> None:
    first, second, third = history.commits[:3]
    read(
        history,
        duet(first, second, {C: ratio(2.0), NUMBA: ratio(3.0)}, 1),
        duet(first, third, {C: ratio(4.0), NUMBA: ratio(9.0)}, 2),
        duet(second, third, {C: ratio(1.9, pairs=7), NUMBA: ratio(1.01, spread=0.05, pairs=7)}, 3, role="step"),
    )
    assert steps(history) == [("Change 1", "Change 2", 1.9)]
    (step,) = history.data("vm/commits/steps.json")["steps"]
    assert (step["pairs"], step["low"], step["high"]) == (7, pytest.approx(1.881), pytest.approx(1.919))
    selection = "^philox_pi\\.Warm\\.time_call\\('c', 1000000\\)$"
    assert step["command"] == f'make history COMMITS={third} BENCH="{selection}"'
    assert [point["step"] for point in series(history)["points"]] == [None, None, 1.9]
    assert [point["step"] for point in series(history, "numba")["points"]] == [None] * 3


def test_a_later_direct_duet_takes_a_step_back(history: History) -> None:
    first, second = history.commits[:2]
    read(
        history,
        duet(first, second, {C: ratio(1.2)}, 1),
        duet(first, second, {C: ratio(1.2)}, 2, role="step"),
        duet(first, second, {C: ratio(1.0)}, 3, role="step"),
    )
    assert steps(history) == []


def test_a_step_within_a_step_s_span_takes_its_place(history: History) -> None:
    first, second, third = history.commits[:3]
    read(
        history,
        duet(first, third, {C: ratio(1.2), NUMBA: ratio(1.3)}, 1, role="step"),
        duet(second, third, {C: ratio(1.19)}, 2, role="step"),
    )
    assert sorted(steps(history)) == [("Change 0", "Change 2", 1.3), ("Change 1", "Change 2", 1.19)]


def test_an_exact_figure_has_a_step_wherever_it_differs(history: History) -> None:
    values = {0: 1.0, 3: 1.0, 2: 2.0, 5: 3.0}
    read(history, *(exact(history.commits[place], {EXACT: value}, place) for place, value in values.items()))
    assert steps(history) == [("Change 3", "Change 5", 3.0), ("Change 2", "Change 3", 0.5), ("Change 0", "Change 2", 2.0)]
    assert [step["exact"] for step in history.data("changes.json")["changes"]] == [True] * 3
    assert history.data("vm/commits/dense_relu.json")["series"] == []


def test_what_changed_lists_the_same_steps_of_every_machine_once(history: History) -> None:
    for machine in ("vm", "other"):
        lines = lines_of(history.commits, machine, ["philox_pi"])
        write(history.results, [*lines, lines[1]], machine)
    assert history.read() == []
    found = history.data("changes.json")["changes"]
    named = [(step["machine"], step["backend"], step["factor"]) for step in found]
    expected = {("numba", 1.12), ("c", 0.2), ("jax", 2.0)}
    assert sorted(named) == sorted((machine, *each) for machine in ("vm", "other") for each in expected)
    assert all(step["from"] != step["to"] for step in found)


def test_an_exact_step_that_asv_has_stored_too_is_listed_once(history: History) -> None:
    read(history, *(exact(commit, {EXACT: 1.0 + place}) for place, commit in enumerate(history.commits[:2])))
    (confirmed,) = history.data("changes.json")["changes"]
    other = {**confirmed, "cell": ["jax", 30, "cold"]}
    found = data._changes([confirmed, other], 0, [confirmed], [])
    assert found == {"changes": [other, confirmed], "left_out": 0}


def test_two_machines_are_never_mixed(history: History) -> None:
    first, second = history.commits[:2]
    write(history.results, [duet(first, second, {C: ratio(2.0, 1.0)}, machine="vm")], "vm")
    write(history.results, [duet(first, second, {C: ratio(3.0, 7.0)}, machine="other")], "other")
    assert history.read() == []
    assert [point["value"] for point in series(history)["points"]] == pytest.approx([1.0, 2.0])
    assert [point["value"] for point in series(history, machine="other")["points"]] == pytest.approx([7.0, 21.0])
    assert [machine["name"] for machine in history.data()["commits"]] == ["other", "vm"]
    assert history.data()["machines"] == [], "asv has results of none"
    assert [kernel["name"] for kernel in history.data()["kernels"]] == ["philox_pi"]


def test_steps_of_installed_compilers_releases_are_listed_too(history: History) -> None:
    history.describe(PI)
    for hour in range(8):
        history.release(0, f"0.{60 + hour}.0", {PI["name"]: row(PI, [1e-3, 2.0 if hour > 4 else 1.0])}, hour)
    lines = [duet(*history.commits[:2], {C: ratio(2.0)}), duet(*history.commits[:2], {C: ratio(2.0)}, role="step")]
    assert read(history, *lines) == []
    found = history.data("vm/commits/steps.json")["steps"]
    assert [(step["kind"], step["to"].get("release")) for step in found] == [("release", "0.65.0"), ("commit", None)]
    assert read(history, *({**line, "requirements": {"jax": "0.10.2"}} for line in lines)) == []
    assert [step["kind"] for step in history.data("vm/commits/steps.json")["steps"]] == ["commit"]


# What is left out


def test_a_commit_that_the_repository_does_not_have_is_left_out_and_named(history: History) -> None:
    first, gone = history.commits[0], "f" * 40
    lost = read(
        history,
        duet(first, gone, {C: ratio(2.0)}, 1),
        duet(gone, history.commits[3], {C: ratio(3.0)}, 2),
        duet(gone, history.commits[3], {C: ratio(3.0)}, 3, role="step"),
    )
    assert lost == [Unread("vm/duets.jsonl", "commit ffffffff is not in this repository")]
    assert history.data()["unread"] == [{"file": lost[0].file, "reason": lost[0].reason}]
    assert [point["ratio"] for point in series(history)["points"]] == [1.0, 6.0], "the chain leads through it"
    assert steps(history) == []


def test_a_commit_of_another_branch_is_not_on_the_curve(history: History) -> None:
    history._git("branch", "topic", "HEAD")
    history._git("update-ref", "refs/heads/main", history.commits[1])
    lines = [duet(history.commits[0], commit, {C: ratio(2.0)}) for commit in history.commits[1:]]
    assert read(history, *lines) == []
    assert [commit["subject"] for commit in history.data("vm/commits/philox_pi.json")["commits"]] == ["Change 0", "Change 1"]


@pytest.mark.parametrize(
    "line",
    [
        '{"schema": 1, "said": "du',
        "null",
        '"text"',
        {"schema": 2},
        duet("a" * 40, "b" * 40, {}, role="other"),
        duet("a" * 40, "b" * 40, {C: ratio(0.0)}),
        duet("a" * 40, "b" * 40, {C: {**ratio(1.0), "low": math.nan}}),
        duet("a" * 40, "b" * 40, {C: {"ratio": 1.0}}),
        duet("a" * 40, "b" * 40, {}, empty={C: None}),
        duet("a" * 40, 7, {}),  # type: ignore[arg-type]
        exact("a" * 40, {EXACT: -1.0}),
        exact("a" * 40, {EXACT: math.inf}),
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    write(tmp_path, [exact("a" * 40, {EXACT: 0.0}), line])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    assert [(problem.file, problem.reason.partition(":")[0]) for problem in lost] == [("vm/duets.jsonl", "line 2")]


def test_a_line_cut_off_within_a_letter_costs_itself_alone(tmp_path: Path) -> None:
    file = write(tmp_path, [exact("a" * 40, {EXACT: 1.0})])
    file.write_bytes(file.read_bytes() + '{"said": "ü'.encode()[:-1])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    assert len(lost) == 1


def test_the_copy_that_asv_publishes_has_the_lines_of_all_machines_in_a_directory(history: History) -> None:
    history.describe(PI)
    for place, name in enumerate(("vm", "other")):
        file = history.add(place, {PI["name"]: row(PI, [1.0, 1.0])})
        history.say(file, {"said": "backend", "backend": "c", "packages": {}, "processor": name, "cores": 2})
    write(history.results, [exact(history.commits[0], {EXACT: 1.0})])
    write(history.results, [exact(history.commits[0], {EXACT: 2.0})], "without results")
    target = history.path / "copy"
    target.mkdir()
    assert clean.copy([("own", history.results)], target) == []
    assert len(duets.lines(target, [])) == 2


def test_the_schemas_hold(history: History) -> None:
    assert read(history, *lines_of(history.commits)) == []
    schemas = {name: json.loads((ROOT / "website" / "schema" / f"{name}.json").read_text()) for name in SCHEMAS}
    for name in ("index", "changes"):
        jsonschema.validate(history.data(f"{name}.json"), schemas[name])
    (machine,) = history.data()["commits"]
    jsonschema.validate(history.data(machine["steps"].removeprefix("data/")), schemas["commits"])
    assert sorted(machine["kernels"]) == ["dense_relu", "philox_pi"]
    for file in machine["kernels"].values():
        jsonschema.validate(history.data(file.removeprefix("data/")), schemas["commit_kernel"])


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/owner/repo.git", "https://github.com/owner/repo/commit/"),
        ("https://user:secret@github.com/owner/repo", "https://github.com/owner/repo/commit/"),
        ("git@github.com:owner/repo.git", "https://github.com/owner/repo/commit/"),
        ("ssh://git@github.com:22/owner/repo", "https://github.com/owner/repo/commit/"),
        ("git@gitlab.com:group/part/repo.git", "https://gitlab.com/group/part/repo/-/commit/"),
        ("/srv/git/github.com/owner/repo", None),
        ("github.com/owner/repo", None),
        ("file:///github.com/owner/repo", None),
        ("https://github.com.example.org/owner/repo", None),
        ("https://example.org/owner/repo", None),
        ('https://github.com/owner/"onclick="', None),
    ],
)
def test_only_a_known_host_has_diffs(history: History, remote: str, address: str | None) -> None:
    assert commits.read(history.path).diffs is None
    history._git("remote", "add", "origin", remote)
    assert commits.read(history.path).diffs == address
