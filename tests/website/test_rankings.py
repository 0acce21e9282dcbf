"""Which backends share a rank, and which have none."""

import math
from typing import Any

import jsonschema
import pytest
from site_files import PI, ROOF, add_run, kernel, processes, ranking
from synthetic import History, listed, row, warm

from website.schema import json_schema

NAN = math.nan


def measured(history: History, **cells: list[float]) -> Any:
    """The ranking of a run with these processes, beside asv's results."""
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    add_run(history.results / "vm", cells, {"jax": 2}, commit=history.commits[2])
    history.read()
    jsonschema.validate(kernel(history), json_schema.of_file("kernel"))
    (only,) = kernel(history)["rankings"]
    return only


def test_neighbours_whose_processes_do_not_overlap_have_ranks_of_their_own(history: History) -> None:
    seconds = {"numpy": processes(4.0), "c": processes(2.0), "numba": processes(2.1), "jax": processes(2.11)}
    only = measured(history, **seconds)
    assert ranking(history) == [("c", 1, False), ("numba", 2, False), ("jax", 2, True), ("numpy", 4, False)]
    jax = only["entries"][2]
    assert (jax["seconds"], jax["low"], jax["high"]) == pytest.approx((2.11, 2.11 * 0.99, 2.11 * 1.01))
    assert (jax["processes"], jax["samples"], jax["threads"], jax["times_faster_than_numpy"]) == (5, None, 2, 4.0 / 2.11)
    assert (only["run"]["subject"], only["run"]["processes"]) == ("Third", 5)


@pytest.mark.parametrize(
    ("stored", "command"),
    [({}, "make ranking KERNEL=philox_pi"), ({"command": "make ranking OVER=python3"}, "make ranking OVER=python3")],
)
def test_the_command_that_repeats_a_run_follows_the_checkout_of_its_commit(
    stored: dict[str, str], command: str, history: History
) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    add_run(history.results / "vm", {"c": processes(4.0)}, commit=history.commits[2], **stored)
    history.read()
    (only,) = kernel(history)["rankings"]
    assert only["run"]["command"] == f"git checkout {history.commits[2]} && {command}"


@pytest.mark.parametrize(
    ("stored", "has_remark"),
    [
        ({"began": "2026-11-23T23:24:31Z"}, True),
        ({"began": "2026-11-25T13:49:07Z", "command": "make ranking OVER=python3"}, False),
        ({"began": "2026-11-23T20:33:43Z"}, False),
        ({"began": "2026-11-27T19:54:42Z"}, False),
    ],
)
def test_a_run_with_cold_caches_has_a_remark(stored: dict[str, str], has_remark: bool, history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    add_run(history.results / "vm", {"c": processes(4.0)}, commit=history.commits[2], **stored)
    history.read()
    (only,) = kernel(history)["rankings"]
    assert bool(only["run"]["remark"]) == has_remark


def test_a_backend_that_the_run_lacks_has_no_rank_and_one_that_asv_lacks_has(history: History) -> None:
    only = measured(history, c=processes(2.0), triton=processes(1.0))
    assert ranking(history) == [
        ("triton", 1, False),
        ("c", 2, False),
        *((name, None, False) for name in ("numpy", "numba", "jax")),
    ]
    numpy = only["entries"][2]
    assert (numpy["seconds"], numpy["processes"], numpy["times_faster_than_numpy"]) == (4.0, None, 1.0)
    assert "not measured in the run" in numpy["reason"]
    assert only["entries"][1]["times_faster_than_numpy"] is None  # NumPy's time is of another hour


def test_a_call_has_its_share_of_the_roof_where_the_run_measured_it(history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    add_run(history.results / "vm", {"c": processes(4.0), "numba": processes(8.0)}, roofs={"c": ROOF})
    entries = {entry["backend"]: entry for entry in measured(history, jax=[7.0])["entries"]}
    assert (entries["c"]["fraction_of_roof"], entries["c"]["roof"]) == (0.25, ROOF)
    for name in ("numba", "numpy"):  # of a run without it, and of asv
        assert (entries[name]["fraction_of_roof"], entries[name]["roof"]) == (None, None)
    rows = kernel(history)["charts"]["roofline"]
    assert [row["name"] for row in rows] == [*["roof of 1 thread"] * 3, "c"]
    assert kernel(history)["rankings"][0]["roof_reason"].startswith("its arithmetic is on integers")


def test_the_newest_run_counts_and_one_with_fewer_than_five_processes_does_not(history: History) -> None:
    for seconds, more in ((3.0, {}), (2.0, {"began": "2026-11-22T11:00:00Z"}), (1.0, {"began": "2026-11-22T12:00:00Z"})):
        history.results.joinpath("vm").mkdir(parents=True, exist_ok=True)
        add_run(history.results / "vm", {"c": processes(seconds)[: 4 if seconds == 1.0 else 5]}, **more)
    with (history.results / "vm" / "rankings.jsonl").open("a") as file:
        file.write('{"schema": 1, "said": "ranking", "cells": {"c"')  # cut off
    assert measured(history, numba=[7.0])["entries"][0]["seconds"] == 2.0


def test_a_run_that_cannot_rank_counts_only_where_there_is_no_other_time(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    for size in (77, 1000):
        add_run(history.results / "vm", {"c": [1.0] * 4}, size=size)
    history.read()
    rankings = {ranking["size"]: ranking for ranking in kernel(history)["rankings"]}
    assert {size: bool(ranking["run"]) for size, ranking in rankings.items()} == {77: True, 1000: False}
    (entry,) = rankings[77]["entries"]
    assert (entry["backend"], entry["rank"], entry["seconds"], entry["processes"]) == ("c", None, 1.0, 4)
    assert "fewer than 5 processes" in entry["reason"]
    assert rankings[77]["one_thread"] is None


def test_fewer_than_five_processes_give_no_rank(history: History) -> None:
    only = measured(history, c=processes(2.0), numba=processes(1.0)[:4], jax=processes(3.0))
    assert ranking(history)[:3] == [("c", 1, False), ("jax", 2, False), ("numpy", None, False)]
    numba = next(entry for entry in only["entries"] if entry["backend"] == "numba")
    assert (numba["rank"], numba["processes"]) == (None, 4)
    assert "fewer than 5 processes" in numba["reason"]


def test_a_run_by_another_python_counts_only_where_there_is_no_other(history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    other = {"began": "2026-11-29T11:00:00Z", "command": "make ranking OVER=python3"}
    add_run(history.results / "vm", {"c": processes(1.0)}, **other)
    assert measured(history, c=processes(2.0))["entries"][0]["seconds"] == 2.0


def test_one_thread_is_compared_with_one_where_the_same_run_has_it(history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    add_run(history.results / "vm", {"c": processes(2.0), "jax": processes(3.0)}, limit=1)
    only = measured(history, c=processes(2.0), jax=processes(1.5))
    assert [entry["backend"] for entry in only["entries"][:2]] == ["jax", "c"]
    assert [(entry["backend"], entry["rank"], entry["threads"]) for entry in only["one_thread"]] == [
        ("c", 1, 1),
        ("jax", 2, 1),
    ]
    add_run(history.results / "vm", {"c": processes(2.0)}, {"c": 2}, began="2026-11-23T10:00:00Z")
    history.read()
    assert kernel(history)["rankings"][0]["one_thread"] is None
    add_run(history.results / "vm", {"c": processes(2.0)}, began="2026-11-24T10:00:00Z")
    history.read()
    only = kernel(history)["rankings"][0]
    assert [entry["backend"] for entry in only["one_thread"]] == ["c"], "on one core a run has no other line"


def test_without_a_run_backends_are_in_order_and_none_is_told_apart(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    history.read()
    assert ranking(history) == [("c", 1, False), ("numba", 1, True), ("jax", 1, True), ("numpy", 1, True)]
    assert (kernel(history)["rankings"][0]["run"], kernel(history)["rankings"][0]["one_thread"]) == (None, None)


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
    assert "were not both measured" in entries["c"]["break_even"]["numpy_reason"]


COLD = listed("philox_pi.Cold.time_first_call", [["'numba'", "'jax'"], ["1000", "10000"]], ["backend", "points"])
BOTH = warm("philox_pi", ["numpy", "c", "numba", "jax"], [1000, 10000])
ASV = [1.0, 10.0, 1.0, 5.0, 2.0, 20.0, 0.4, 4.0]  # in which numba is slower than NumPy, and jax faster


def paid(history: History, cold: list[float], size: int, asv: list[float] = ASV, **cells: list[float]) -> dict[str, Any]:
    """The entries of a run at a size, beside asv's warm calls at both sizes and first calls of numba and jax."""
    history.describe(BOTH, COLD)
    history.add(2, {BOTH["name"]: row(BOTH, asv), COLD["name"]: row(COLD, cold)})
    add_run(history.results / "vm", cells, size=size, commit=history.commits[2])
    history.read()
    (only,) = (each for each in kernel(history)["rankings"] if each["size"] == size)
    return {entry["backend"]: entry for entry in only["entries"]}


def test_what_has_paid_off_is_told_apart_by_the_run_that_ranks(history: History) -> None:
    seconds = {"numpy": processes(8.0), "numba": processes(2.0), "jax": processes(7.9, 0.05), "c": processes(9.0)}
    entries = paid(history, [NAN, 26.0, NAN, 26.0], 10_000, **seconds)
    assert entries["numba"]["break_even"]["numpy"] == 3  # (26 - 8) / (8 - 2)
    assert entries["jax"]["break_even"]["numpy_reason"].startswith("not told apart: processes")
    slower = paid(history, [NAN, 26.0, NAN, 26.0], 10_000, **(seconds | {"numba": processes(9.0)}))["numba"]
    assert slower["break_even"]["numpy_reason"].startswith("never")


def test_a_first_call_of_another_size_is_raised_by_the_difference_of_the_warm_calls(history: History) -> None:
    seconds = {"numpy": processes(8.0), "numba": processes(4.0), "jax": processes(7.0)}
    entries = paid(history, [26.0, NAN, 26.0, NAN], 10_000, **seconds)
    assert (entries["numba"]["cold_seconds"], entries["numba"]["cold_size"]) == (26.0, 1000)
    assert entries["numba"]["break_even"]["numpy"] == 5  # (26 + 4 - 2 - 8) / (8 - 4)
    unknown = paid(history, [26.0, NAN, 26.0, NAN], 10_000, [1.0, 10.0, 1.0, 5.0, NAN, 20.0, 0.4, 4.0], **seconds)
    assert unknown["numba"]["break_even"]["numpy"] is None
    assert "was measured at 1,000, but its warm call was not" in unknown["numba"]["break_even"]["numpy_reason"]


def test_a_run_that_lacks_the_rival_says_nothing_of_what_has_paid_off(history: History) -> None:
    entries = paid(history, [NAN, 26.0, NAN, 26.0], 10_000, numba=processes(2.0), c=processes(3.0))
    assert entries["numba"]["break_even"]["numpy"] is None
    assert "did not measure five processes of both" in entries["numba"]["break_even"]["numpy_reason"]


def test_four_processes_in_a_run_tell_nothing_apart_and_the_reason_says_so(history: History) -> None:
    seconds = {"numpy": processes(8.0), "numba": processes(2.0)[:4], "jax": processes(9.0)}
    numba = paid(history, [NAN, 26.0, NAN, 26.0], 10_000, **seconds)["numba"]
    assert numba["break_even"]["numpy"] is None
    assert "did not measure five processes of both" in numba["break_even"]["numpy_reason"]


def test_shorter_times_that_the_run_lacks_are_named_unless_their_answer_is_wrong(history: History) -> None:
    assert measured(history, numpy=processes(9.0), jax=processes(8.0))["quicker"] == ["c", "numba"]
    error = listed("philox_pi.Accuracy.track_error", PI["params"], ["backend", "points"])
    history.describe(PI, error)
    file = history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0]), error["name"]: row(error, [0.1, None, 0.1, 0.1])})
    history.say(file, {"said": "failed", "benchmark": "philox_pi.Accuracy", "cell": ["c", 1000], "reason": "7 hits"})
    history.read()
    assert kernel(history)["rankings"][0]["quicker"] == ["numba"]


def test_an_error_has_its_standard_error_only_where_it_is_an_estimate_s(history: History) -> None:
    accuracy = [listed(f"philox_pi.Accuracy.track_{name}", PI["params"], ["backend", "points"]) for name in ("error", "z")]
    history.describe(PI, *accuracy)
    history.add(2, {entry["name"]: row(entry, [0.01] * 4) for entry in (PI, *accuracy)})
    history.read()
    assert kernel(history)["rankings"][0]["entries"][0]["standard_error"] == pytest.approx(1.642 / math.sqrt(1000), rel=1e-3)


def test_a_compiler_s_rival_is_the_fastest_of_another_framework_with_one_thread_each(history: History) -> None:
    own = {"c": processes(2.0), "jax": processes(3.0), "jax_eager": processes(1.0), "numba": processes(2.01)}
    for machine in ("vm", "other"):
        history.results.joinpath(machine).mkdir(parents=True)
        for size in (1000, *([2000] if machine == "other" else [])):  # which the first machine has not
            add_run(history.results / machine, own, size=size)
            add_run(history.results / machine, own, size=size, limit=1)
    add_run(history.results / "vm", own, {"jax": 2}, kernel="nbody")  # with the backends' own threads alone
    history.read()
    file = history.data("rivals.json")
    assert file["on_numbers"] == []
    jsonschema.validate(file, json_schema.of_file("rivals"))
    assert [(each["id"], each["kernels"]) for each in file["machines"]] == [("other", 1), ("vm", 1)]
    (run,) = file["machines"][1]["runs"]  # of both kernels
    assert (run["began"], run["short"], run["subject"]) == ("2026-11-22T10:00:00Z", "c" * 8, None)
    assert (run["python"], run["requirements"]) == ("3.11.2", {"numpy": "2.4.6"})
    assert run["settings"] == {"OMP_PROC_BIND": "true"}
    rows = [row for row in file["rows"] if row["machine"] == "vm"]
    assert [(row["kernel"], row["size"], row["backend"], row["rival"]) for row in rows] == [
        ("philox_pi", 1000, "jax", "c"),
        ("philox_pi", 1000, "numba", "jax_eager"),
    ]
    assert {row["size"] for row in file["rows"]} == {1000}, "the largest that all machines have"
    jax = rows[0]
    assert (jax["factor"], jax["differs"]) == (1.5, True)
    assert (jax["low"], jax["high"]) == pytest.approx((1.5 * 0.99 / 1.01, 1.5 * 1.01 / 0.99))


def test_a_compiler_is_ahead_only_if_its_processes_are_ahead_of_every_framework_s(history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    wide = [1.5, 3.0, 3.0, 3.0, 3.0]
    own = {"c": processes(2.0), "numba": processes(1.0), "jax": processes(1.6), "numpy": wide}
    for limit in (None, 1):
        add_run(history.results / "vm", own, limit=limit)
    history.read()
    rows = {row["backend"]: row for row in history.data("rivals.json")["rows"]}
    assert (rows["numba"]["rival"], rows["numba"]["differs"]) == ("jax", True)
    own["numba"] = processes(1.55)  # no process is slower than one of JAX or C, but one of NumPy's is as fast
    for limit in (None, 1):
        add_run(history.results / "vm", own, limit=limit, began="2026-11-23T10:00:00Z")
    history.read()
    rows = {row["backend"]: row for row in history.data("rivals.json")["rows"]}
    assert (rows["numba"]["factor"] < 1, rows["numba"]["differs"]) == (True, False)


def test_kernels_whose_arguments_are_single_numbers_are_told_apart_by_their_specs(history: History) -> None:
    history.results.joinpath("vm").mkdir(parents=True)
    for name in ("philox_pi", "of_a_plugin", "relu", "side_effect", "mandelbrot", "square_or_cube", "repeated_multiply"):
        for limit in (None, 1):
            add_run(history.results / "vm", {"c": processes(2.0), "jax": processes(3.0)}, kernel=name, size=1, limit=limit)
    history.read()
    assert sorted(history.data("rivals.json")["on_numbers"]) == ["repeated_multiply", "side_effect", "square_or_cube"]


def test_each_run_whose_kernels_stand_beside_their_rivals_is_named_once_the_newest_first(history: History) -> None:
    machine = history.results / "vm"
    machine.mkdir(parents=True)
    newer = {"began": "2026-11-23T10:00:00Z", "commit": history.commits[1]}
    for name, run in (("philox_pi", {}), ("relu", {}), ("nbody", newer)):
        for limit in (None, 1):
            add_run(machine, {"c": processes(2.0), "jax": processes(3.0)}, kernel=name, limit=limit, **run)
    history.read()
    (only,) = history.data("rivals.json")["machines"]
    assert [(run["began"][:10], run["commit"]) for run in only["runs"]] == [
        ("2026-11-23", history.commits[1]),
        ("2026-11-22", "c" * 40),
    ]
