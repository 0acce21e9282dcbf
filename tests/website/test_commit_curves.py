"""The curves of commits: levels along chains of anchors, and reasons for what has no number."""

import math
from pathlib import Path
from typing import Any

import pytest
from synthetic import listed
from synthetic_duets import DuetHistory, case, duet, exact, ratio

from website.commits.curves import Level, curves, gaps

C, NUMBA = case("c"), case("numba")
EXACT_PI = "philox_pi.Lives.track_programs('jax', 1000, 'cold')"


@pytest.fixture
def history(tmp_path: Path) -> DuetHistory:
    return DuetHistory(tmp_path)


def test_a_level_is_the_product_along_the_chain_of_anchors_and_its_interval_grows() -> None:
    first, second, third = "a" * 40, "b" * 40, "c" * 40
    lines: Any = [duet(first, second, {C: ratio(2.0)}, 1), duet(second, third, {C: ratio(3.0)}, 2)]
    levels = {commit: level for commit, (level, _, _) in curves(lines)[C].levels().items()}
    assert {commit: level.ratio for commit, level in levels.items()} == {first: 1.0, second: 2.0, third: 6.0}
    assert (levels[first].low, levels[first].high) == (1.0, 1.0)
    assert math.isclose(levels[second].high, 2.02)
    assert math.isclose(levels[third].above, math.sqrt(2) * math.log(1.01)), "errors of two duets are independent"


def test_a_ratio_of_two_commits_has_the_errors_of_the_duets_between_them_alone() -> None:
    first, second, third, other = (letter * 40 for letter in "abcd")
    lines: Any = [
        duet(first, second, {C: ratio(2.0, spread=0.05)}, 1),
        duet(second, third, {C: ratio(3.0, spread=0.01)}, 2),
        duet(second, other, {C: ratio(1.5, spread=0.01)}, 3),
    ]
    curve = curves(lines)[C]
    assert curve.between(second, third).ratio == 3.0
    assert math.isclose(curve.between(second, third).above, math.log(1.01))
    between = curve.between(other, third)
    assert (between.ratio, between.above) == (pytest.approx(2.0), pytest.approx(math.hypot(math.log(1.01), math.log(0.99))))
    assert math.isclose(curve.between(first, second).above, math.log(1.05))


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
    levels = {commit: level for commit, (level, _, _) in known[C].levels().items()}
    assert {commit: level.ratio for commit, level in levels.items()} == {first: 1.0, second: 2.5, third: 7.5}
    assert levels[first] == Level()
    assert known[NUMBA].levels()[second][0].ratio == 1.5


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


def test_points_are_in_the_history_s_order_in_the_anchor_s_median_seconds(history: DuetHistory) -> None:
    anchor, early, late = (history.commits[place] for place in (4, 1, 6))
    lines = [
        duet(anchor, anchor, {NUMBA: ratio(1.0, spread=0.03)}),
        duet(anchor, late, {C: ratio(0.5, 2e-3), NUMBA: ratio(1.0)}, 1),
        duet(anchor, early, {C: ratio(2.0, 4e-3)}, 2, empty={NUMBA: "not written yet"}),
        exact(early, {}, 3, empty={EXACT_PI: "an exact figure, which has no curve"}),
    ]
    assert history.read_lines(*lines) == []
    content = history.data("vm/commits/philox_pi.json")
    assert [commit["subject"] for commit in content["commits"]] == ["Change 1", "Change 4", "Change 6"]
    one = history.series()
    assert [point["value"] for point in one["points"]] == pytest.approx([6e-3, 3e-3, 1.5e-3])
    assert [point["pairs"] for point in one["points"]] == [3, None, 3]
    assert one["anchor"] == anchor[:8]
    change = one["change"]
    assert (change["from"], change["to"]) == (early[:8], late[:8])
    assert change["factor"] == pytest.approx(0.25)
    assert change["low"] < 0.25 < change["high"]
    numba = history.series("numba")
    own = numba["points"][-1]["high"] / numba["points"][-1]["value"]
    assert numba["change"]["high"] == pytest.approx(own), "its duet's, which has the anchor's noise already"
    assert content["missing"] == [
        {"backend": "numba", "size": 1_000_000, "figure": "warm_seconds", "commit": early[:8], "reason": "not written yet"}
    ]


def test_a_thousand_calls_are_shown_as_one(history: DuetHistory) -> None:
    name = "relu.Dispatch.time_1000_calls('c', 'case')"
    history.describe(listed("relu.Dispatch.time_1000_calls", [["'c'"], ["'case'"]], ["backend", "what"]))
    anchor, other = history.commits[:2]
    lines = [duet(anchor, other, {name: ratio(1.5, 2.0)}), duet(anchor, other, {name: ratio(1.5, 2.0)}, role="step")]
    history.read_lines(*lines)
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
