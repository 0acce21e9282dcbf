"""Releases compared in duets: the chain of ratios, its seconds, its steps, and the files of pages."""

import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import synthetic_duets
from synthetic import History, row, warm
from synthetic_duets import case, releases, write

from history.store import release_lines
from website.read import catalogue
from website.schema import json_schema

NUMBA, C = case("numba"), case("c")
PI = warm("philox_pi", ["c", "numba"], [1_000_000])
OTHER = warm("dense_relu", ["numba"], [100])
SCHEMAS = ("releases", "release_kernel", "index", "changes")


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path, ["First", "Second"])
    made.describe(PI, OTHER)
    return made


def reach(factor: float, links: int = 1) -> float:
    """Return how far an interval reaches, as a factor: by errors of the links' pairs, and by what differs between days."""
    return math.exp(math.hypot(math.sqrt(links) * math.log(factor), math.log(1.04)))


def told(history: History, *lines: Any) -> tuple[Any, Any]:
    """Write lines; return the compiler's file and its one series."""
    write(history.results, lines, file=release_lines.DUETS)
    assert history.read() == []
    (series,) = history.data("vm/releases/numba/philox_pi.json")["series"]
    return history.data("vm/releases/numba.json"), series


def test_duets_that_found_cold_caches_have_a_remark(history: History) -> None:
    cold, later = "2026-11-25T10:00:00Z", "2026-11-28T10:00:00Z"
    lines = [releases(*ends, {NUMBA: 0.5}, began=at) for ends, at in ((("0.9", "0.10"), cold), (("0.10", "0.11"), later))]
    compiler, _ = told(history, *lines)
    assert compiler["duets"]["remark"].endswith("(pairs of releases: 1).")
    again = releases("0.9", "0.10", {NUMBA: 0.5}, 1, began=later, suite="b" * 40)  # by another suite: it alone counts
    compiler, _ = told(history, *lines, again)
    assert compiler["duets"]["remark"] is None
    compiler, _ = told(history, *(releases("0.9", release, {NUMBA: 0.5}, began=later) for release in ("0.10", "0.11")))
    assert compiler["duets"]["remark"] is None


def test_duets_with_warm_caches_do_not_count_together_with_duets_with_cold_ones(history: History) -> None:
    cold, later = "2026-11-25T10:00:00Z", "2026-11-28T10:00:00Z"
    first, again = (releases("0.9", "0.10", {NUMBA: ratio}, began=at) for ratio, at in ((0.5, cold), (0.6, later)))
    compiler, _ = told(history, first)
    assert [step["duet"]["cold"] for step in compiler["steps"]] == [True]
    assert {source["cold"] for source in compiler["sources"]} == {True}
    compiler, _ = told(history, first, {**again, "at": "2026-11-28T10:30:00Z"})
    (step,) = compiler["steps"]
    assert (step["factor"], step["duet"]["cold"], compiler["duets"]["remark"]) == (pytest.approx(0.6), False, None)


def test_a_step_has_the_table_s_notes_on_the_releases_after_the_older_one(history: History) -> None:
    ends = [("0.57.0", "0.57.1"), ("0.57.1", "0.58.0")]
    lines = [releases(*each, {NUMBA: 0.5}) for each in ends]
    note = {"0.57.1": "built otherwise", "0.59.0": "not met"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "notes", lambda compiler: note)
        compiler, _ = told(history, *lines)
    assert [step["duet"]["notes"] for step in compiler["steps"]] == [[], ["built otherwise"]]
    jax, torch = catalogue.notes("jax"), catalogue.notes("torch")
    assert {*jax} | {*torch} <= {*catalogue.releases("jax"), *catalogue.releases("torch")} and "512" in jax["0.4.36"]


def test_the_curve_is_the_newest_releases_time_along_the_ratios(history: History) -> None:
    compiler, series = told(
        history, releases("0.9", "0.10", {NUMBA: 0.5, C: 1.01}), releases("0.10", "0.11", {NUMBA: 1.25, C: 0.99}, 1)
    )
    assert [(point["release"], point["order"]) for point in series["points"]] == [("0.9", 0), ("0.10", 1), ("0.11", 2)]
    newest = 1.25e-3
    assert [point["value"] for point in series["points"]] == pytest.approx([newest / 1.25 / 0.5, newest / 1.25, newest])
    first, second, third = series["points"]
    assert third["low"] == third["value"] == third["high"]
    assert second["low"] == pytest.approx(newest / 1.25 / reach(1.01))
    assert second["high"] == pytest.approx(newest / 1.25 * reach(1 / 0.99))
    assert first["high"] / first["value"] > second["high"] / second["value"], "errors add up"
    assert [point["raw"] for point in series["points"]] == pytest.approx([1e-3, 1e-3, 1.25e-3])
    assert (compiler["duets"]["control_low"], compiler["duets"]["control_high"]) == (0.99, 1.01)
    assert [release["status"] for release in compiler["releases"]] == ["ok"] * 3
    assert series["in_duets"]
    assert third["command"] == "make release-duets COMPILER=numba ONLY=0.10,0.11 AGAIN=1", "git has no such commit"
    assert compiler["versions"][:4] == ["0.9", "0.10", "0.11", "0.57.0"], "and all others of releases.toml"


def test_a_duet_is_repeated_by_the_commit_that_measured_it(history: History) -> None:
    _, series = told(history, releases("0.9", "0.10", {NUMBA: 0.5}, suite=history.commits[0]))
    assert f" COMMIT={history.commits[0][:8]} " in series["points"][0]["command"]


def test_a_release_is_repeated_in_its_duet_with_the_nearest_one(history: History) -> None:
    ends = ("0.9", "0.10"), ("0.10", "0.11"), ("0.9", "0.11")
    compiler, _ = told(history, *(releases(*each, {NUMBA: 1.0}, hour) for hour, each in enumerate(ends)))
    pairs = [each["command"].split("ONLY=")[1].split()[0] for each in compiler["releases"]]
    assert pairs == ["0.9,0.10", "0.9,0.10", "0.10,0.11"]


def test_a_release_without_a_point_has_its_reason(history: History) -> None:
    wrong, missing = "AssertionError: 0 hits, not 782", "ImportError: no such name"
    _, series = told(
        history,
        releases("0.8", "0.9", {NUMBA: 1.0}),
        releases("0.9", "0.10", {C: 1.0}, 1, empty={NUMBA: wrong}),
        releases("0.10", "0.11", {C: 1.0}, 2, empty={NUMBA: missing}),
        releases("0.11", "0.12", {NUMBA: 1.0}, 3),
    )
    assert [point["release"] for point in series["points"]] == ["0.11", "0.12"]
    assert [(one["release"], one["reason"]) for one in series["missing"]] == [
        ("0.8", "no newer release of the curve was measured in turn with it"),
        ("0.9", f"its duet with 0.10 failed: {wrong}"),
        ("0.10", f"its duet with 0.9 failed: {wrong}"),
    ]


def test_a_point_tells_that_the_compiler_s_cache_was_left_out(history: History) -> None:
    line = releases("0.9", "0.10", {NUMBA: 1.0})
    line["cells"][NUMBA]["afresh"] = True
    _, series = told(history, line, releases("0.10", "0.11", {NUMBA: 1.0}, 1))
    assert [point["afresh"] for point in series["points"]] == [True, False, False]


@pytest.mark.parametrize(("ratio", "steps"), [(1.2, 1), (0.8, 1), (1.04, 0), (1.008, 0)])
def test_a_step_is_a_duet_of_neighbours_beyond_its_interval(history: History, ratio: float, steps: int) -> None:
    _, series = told(history, releases("0.9", "0.10", {NUMBA: ratio}), releases("0.10", "0.11", {NUMBA: 1.0}, 1))
    assert len(series["steps"]) == steps
    for step in series["steps"]:
        assert (step["from"], step["to"], step["factor"]) == ("0.9", "0.10", pytest.approx(ratio))
        assert (step["low"], step["high"]) == (pytest.approx(ratio / reach(1 / 0.99)), pytest.approx(ratio * reach(1.01)))


def test_a_machine_that_has_duets_alone_is_named_by_its_processor(history: History) -> None:
    told(history, releases("0.9", "0.10", {NUMBA: 1.0}, processor="A Processor", cores=8))
    (entry,) = history.data()["releases"]
    assert (entry["processor"], entry["cores"]) == ("A Processor", "8")
    assert [(kernel["name"], kernel["unit"]) for kernel in history.data()["kernels"]] == [("philox_pi", "points")]


def test_no_step_is_listed_whose_interval_holds_one(history: History) -> None:
    line = releases("0.9", "0.10", {NUMBA: 1.2})
    line["cells"][NUMBA]["low"] = 0.99
    assert told(history, line)[1]["steps"] == []


def test_a_long_duet_bounds_the_chain_and_is_no_part_of_it(history: History) -> None:
    compiler, series = told(
        history,
        releases("0.9", "0.10", {NUMBA: 2.0}),
        releases("0.10", "0.11", {NUMBA: 2.0}, 1),
        releases("0.9", "0.11", {NUMBA: 4.2, C: 1.0}, 2),
    )
    assert series["points"][-1]["value"] / series["points"][0]["value"] == pytest.approx(4.0)
    (closure,) = compiler["duets"]["closures"]
    assert (closure["from"], closure["to"], closure["chain"], closure["measured"]) == ("0.9", "0.11", 4.0, 4.2)
    assert compiler["duets"]["count"] == 3
    row = compiler["charts"]["release_factors"][0]
    assert (row["release"], row["times"]) == ("0.9", pytest.approx(1 / 4.2)), "the direct duet's, as in the other tables"
    assert (row["low"], row["high"]) == (pytest.approx(1 / 4.2 / reach(1.01)), pytest.approx(reach(1 / 0.99) / 4.2))


def test_a_long_duet_is_compared_with_the_links_between_its_ends_alone(history: History) -> None:
    compiler, _ = told(
        history,
        releases("0.9", "0.10", {NUMBA: 2.0}),
        releases("0.10", "0.11", {NUMBA: 2.0}, 1),
        releases("0.11", "0.12", {NUMBA: 1.0}, 2),
        releases("0.9", "0.11", {NUMBA: 4.0}, 3),
    )
    (closure,) = compiler["duets"]["closures"]
    assert closure["chain_high"] == pytest.approx(4.0 * reach(1.01, links=2))
    assert closure["chain_low"] == pytest.approx(4.0 / reach(1 / 0.99, links=2))


def test_duets_of_the_same_releases_count_together_and_a_release_may_come_between(history: History) -> None:
    first = releases("0.10", "0.11", {NUMBA: 3.0}, 2)
    again = releases("0.10", "0.11", {NUMBA: 4.0}, 3)
    between = releases("0.9", "0.10", {NUMBA: 2.0}, 1)
    compiler, series = told(history, releases("0.9", "0.11", {NUMBA: 9.0}), between, first, again)
    older, middle, newest = (point["value"] for point in series["points"])
    assert middle / older == pytest.approx(2.0)
    assert newest / middle == pytest.approx(math.sqrt(3.0 * 4.0)), "seven pairs have 3, seven have 4"
    (step,) = [step for step in series["steps"] if step["to"] == "0.11"]
    assert 2.8 < step["low"] < 3.1 < 3.9 < step["high"] < 4.2, "the interval has what differs between the duets"
    (repeated,) = compiler["duets"]["repeated"]
    assert (repeated["from"], repeated["to"], repeated["chain"], repeated["measured"]) == ("0.10", "0.11", 4.0, 3.0)
    assert not repeated["agrees"]
    assert compiler["duets"]["count"] == 3


def test_a_duet_by_a_newer_suite_replaces_those_by_older_ones(history: History) -> None:
    first, again = (releases("0.10", "0.11", {NUMBA: ratio}, hour) for hour, ratio in ((1, 3.0), (2, 4.0)))
    _, series = told(history, first, {**again, "suite": "b" * 40})
    older, newer = (point["value"] for point in series["points"])
    assert newer / older == pytest.approx(4.0)


def test_the_chain_ends_where_a_case_has_no_ratio(history: History) -> None:
    _, series = told(
        history,
        releases("0.9", "0.10", {NUMBA: 2.0}),
        releases("0.10", "0.11", {C: 1.0}, 1, empty={NUMBA: "LoweringError"}),
        releases("0.11", "0.12", {NUMBA: 3.0}, 2),
    )
    assert [point["release"] for point in series["points"]] == ["0.11", "0.12"]


def test_a_chain_replaces_what_asv_measured_of_the_case(history: History) -> None:
    history.release(0, "0.10", {PI["name"]: row(PI, [1.0, 7.0])})
    compiler, series = told(history, releases("0.10", "0.11", {NUMBA: 2.0}))
    assert [point["value"] for point in series["points"]] == pytest.approx([1e-3, 2e-3])
    assert [release["release"] for release in compiler["releases"]] == ["0.10", "0.11"]
    assert compiler["releases"][0]["cells"] is None or compiler["releases"][0]["source"] == 0


def test_a_step_has_its_duet_the_parts_that_were_exchanged_and_what_is_compiled(history: History) -> None:
    write(history.results, synthetic_duets.explanations(), file=release_lines.STEPS)
    compiler, series = told(history, releases("0.60.0", "0.61.0", {NUMBA: 0.4}))
    (step,) = compiler["steps"]
    duet = step["duet"]
    sources = [compiler["sources"][duet[end]]["requirements"]["numba"] for end in ("before", "after")]
    assert (sources, duet["pairs"]) == (["0.60.0", "0.61.0"], 7)
    assert [(part["part"], part["version"], part["is_switch"], part["reason"]) for part in duet["parts"]] == [
        ("numpy", "2.1.3", False, None),
        ("llvmlite", "0.44.0", False, "numba==0.60.0 depends on llvmlite<0.44"),
        ("runtime", "FLAGS=off", True, None),
    ]
    shares = [part["share"] for part in duet["parts"]]
    assert shares == [pytest.approx(math.log(1.003) / math.log(0.4)), None, pytest.approx(1.0)]
    numpy = duet["parts"][0]
    another_day = math.exp(math.hypot(math.log(1.003 / 0.999), math.log(1.04)))
    assert numpy["low"] == pytest.approx(1.003 / another_day, rel=1e-4)
    assert numpy["suite"] == "bbbbbbbb", "another commit than the step's measured it"
    assert {"name": "widest_vector_bits", "before": 256, "after": 512} in duet["artifacts"]["counts"]
    assert duet["artifacts"]["stage"] == "llvm"
    assert series["scatter"] == 1.0, "no link that is no step"


def test_a_step_of_two_duets_has_the_pairs_and_the_ratio_of_both(history: History) -> None:
    write(history.results, synthetic_duets.explanations(), file=release_lines.STEPS)
    duets = [releases("0.60.0", "0.61.0", {NUMBA: factor}, hour) for hour, factor in enumerate((0.5, 0.3))]
    compiler, _ = told(history, *duets)
    (step,) = compiler["steps"]
    assert step["duet"]["pairs"] == 14
    assert step["duet"]["parts"][0]["share"] == pytest.approx(math.log(1.003) / math.log(step["factor"]))
    assert 0.3 < step["factor"] < 0.5


def test_the_last_line_of_a_part_counts(history: History) -> None:
    first, *_ = synthetic_duets.explanations()
    cell = {**first["cells"][NUMBA], "ratio": 0.4, "low": 0.39, "high": 0.41}
    write(
        history.results, [first, {**first, "at": "2026-11-09T00:00:00Z", "cells": {NUMBA: cell}}], file=release_lines.STEPS
    )
    compiler, _ = told(history, releases("0.60.0", "0.61.0", {NUMBA: 0.4}))
    assert [part["ratio"] for part in compiler["steps"][0]["duet"]["parts"]] == [0.4]


def test_counts_of_asv_s_results_stand_beside_a_step_where_both_releases_have_them(history: History) -> None:
    counted = {**PI, "name": "philox_pi.Made.track_count", "type": "track", "unit": "", "exact": True}
    counted |= {"param_names": ["backend", "size", "count"], "params": [["'numba'"], ["1000"], ["'llvm_instructions'"]]}
    history.describe(PI, OTHER, counted)
    for hour, (version, count) in enumerate({"0.60.0": 640.0, "0.60.1": 700.0, "0.61.0": 850.0}.items()):
        history.release(0, version, {counted["name"]: row(counted, [count])}, hour)
    write(history.results, [releases("0.60.0", "0.61.0", {NUMBA: 0.4})], file=release_lines.DUETS)  # skips 0.60.1
    assert history.read() == []
    step = next(step for step in history.data("vm/releases/numba.json")["steps"] if step["duet"])
    assert step["duet"]["artifacts"]["counts"] == [{"name": "llvm_instructions", "before": 640, "after": 850}]


def test_times_that_are_hours_apart_show_no_step_with_duets_of_other_cases_or_without(history: History) -> None:
    for hour, (version, seconds) in enumerate({"0.58.0": 1.0, "0.59.0": 1.0, "0.60.0": 1.0, "0.61.0": 2.0}.items()):
        history.release(0, version, {OTHER["name"]: row(OTHER, [seconds])}, hour)
    assert history.read() == []
    assert history.data("vm/releases/numba.json")["steps"] == []
    write(history.results, [releases("0.60.0", "0.61.0", {NUMBA: 1.0})], file=release_lines.DUETS)
    assert history.read() == []
    assert history.data("vm/releases/numba.json")["steps"] == []
    assert len(history.data("vm/releases/numba/dense_relu.json")["series"][0]["points"]) == 4


def test_the_scatter_is_what_a_duet_without_a_step_may_hide(history: History) -> None:
    _, series = told(history, releases("0.9", "0.10", {NUMBA: 1.3}), releases("0.10", "0.11", {NUMBA: 0.97}, 1))
    assert series["scatter"] == pytest.approx(reach(1 / 0.99) / 0.97)


def test_every_duet_of_a_case_is_a_link_long_ones_too(history: History) -> None:
    compiler, _ = told(
        history,
        releases("0.9", "0.10", {NUMBA: 2.0, C: 1.0}),
        releases("0.10", "0.11", {NUMBA: 2.0}, 1),
        releases("0.9", "0.11", {NUMBA: 4.2}, 2),
    )
    (case_,) = compiler["duets"]["cases"]
    assert [(link["from"], link["to"], link["ratio"]) for link in case_["links"]] == [(0, 1, 2.0), (0, 2, 4.2), (1, 2, 2.0)]


def test_the_schemas_hold(history: History) -> None:
    write(history.results, synthetic_duets.explanations(), file=release_lines.STEPS)
    told(history, releases("0.9", "0.10", {NUMBA: 2.0}), releases("0.60.0", "0.61.0", {NUMBA: 2.0}, 1))
    schemas = {name: json_schema.of_file(name) for name in SCHEMAS}
    for name, file in (
        ("index", "index.json"),
        ("changes", "changes.json"),
        ("releases", "vm/releases/numba.json"),
        ("release_kernel", "vm/releases/numba/philox_pi.json"),
    ):
        jsonschema.validate(history.data(file), schemas[name])
