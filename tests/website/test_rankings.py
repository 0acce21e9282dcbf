"""Which backends share a rank, and which have none."""

import math
from pathlib import Path

import pytest
from site_files import PI, figure, kernel, ranking
from synthetic import History, listed, row, warm

NAN = math.nan


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path, ["First", "Second", "Third"])


def test_neighbours_that_their_samples_tell_apart_have_ranks_of_their_own(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    history.read()
    assert ranking(history) == [("c", 1, False), ("numba", 2, False), ("jax", 3, False), ("numpy", 4, False)]


def test_neighbours_whose_quartiles_overlap_share_a_rank(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 1.001, 3.0])})
    history.read()
    assert ranking(history) == [("c", 1, False), ("numba", 1, True), ("jax", 3, False), ("numpy", 4, False)]


def test_a_chain_of_small_steps_does_not_give_the_slow_the_rank_of_the_fast(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [1.0, 1.004, 1.008, 1.012])})
    history.read()
    assert ranking(history) == [("numpy", 1, False), ("c", 1, True), ("numba", 3, True), ("jax", 3, True)]


def test_neighbours_whose_samples_pass_no_test_share_a_rank_though_their_quartiles_do_not_overlap(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 1.007, 3.0], samples=5)})  # 5 against 5 can never pass it
    history.read()
    assert figure(history, "c")["high"] < figure(history, "numba")["low"]
    assert ranking(history)[:2] == [("c", 1, False), ("numba", 1, True)]


def test_without_samples_or_quartiles_nothing_is_told_apart(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: [[4.0, 1.0, 2.0, 3.0], PI["params"], "1"]})
    history.read()
    assert {rank for _, rank, _ in ranking(history)} == {1}


def test_an_interpreter_s_time_has_no_rank(history: History) -> None:
    interpreted = listed("philox_pi.Interpreted.time_call", [["'triton'"], ["1000"]], ["backend", "points"])
    compiled = warm("philox_pi", ["numpy", "triton"], [1000])
    history.describe(compiled, interpreted)
    history.add(2, {compiled["name"]: row(compiled, [1.0, NAN]), interpreted["name"]: row(interpreted, [1e-9])})
    history.read()
    assert ranking(history) == [("numpy", 1, False), ("triton", None, False)]
    (entry,) = (entry for entry in kernel(history)["rankings"][0]["entries"] if entry["backend"] == "triton")
    assert (entry["interpreted"], "interpreter" in entry["reason"]) == (True, True)


def test_a_time_whose_answer_was_found_wrong_has_no_rank(history: History) -> None:
    error = listed("philox_pi.Accuracy.track_error", PI["params"], ["backend", "points"])
    history.describe(PI, error)
    file = history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0]), error["name"]: row(error, [0.1, None, 0.1, 0.1])})
    wrong = "AssertionError: 7 hits, not 782"
    history.say(file, {"said": "failed", "benchmark": "philox_pi.Accuracy", "cell": ["c", 1000], "reason": wrong})
    history.read()
    assert ranking(history)[-1] == ("c", None, False)
    assert kernel(history)["rankings"][0]["entries"][-1]["reason"] == wrong


def test_times_faster_and_break_even_are_of_the_same_size(history: History) -> None:
    cold = listed("philox_pi.Cold.time_first_call", [["'numba'"], ["1000"]], ["backend", "points"])
    history.describe(PI, cold)
    history.add(2, {PI["name"]: row(PI, [1.0, 0.1, 0.25, 3.0]), cold["name"]: row(cold, [8.5])})
    history.read()
    entries = {entry["backend"]: entry for entry in kernel(history)["rankings"][0]["entries"]}
    assert entries["numba"]["times_faster_than_numpy"] == 4.0
    assert entries["numba"]["times_faster_than_numpy_low"] < 4.0 < entries["numba"]["times_faster_than_numpy_high"]
    assert entries["numba"]["break_even"]["numpy"] == 10  # (8.5 - 1.0) / (1.0 - 0.25)
    assert entries["numba"]["cold_seconds"] == 8.5
    assert "not measured here" in entries["c"]["break_even"]["numpy_reason"]


def test_an_error_has_its_standard_error_only_where_it_is_an_estimate_s(history: History) -> None:
    accuracy = [listed(f"philox_pi.Accuracy.track_{name}", PI["params"], ["backend", "points"]) for name in ("error", "z")]
    history.describe(PI, *accuracy)
    history.add(2, {entry["name"]: row(entry, [0.01] * 4) for entry in (PI, *accuracy)})
    history.read()
    assert kernel(history)["rankings"][0]["entries"][0]["standard_error"] == pytest.approx(1.642 / math.sqrt(1000), rel=1e-3)
