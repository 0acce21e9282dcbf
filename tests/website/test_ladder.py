"""The ladder's data: what came of each release, what the machine's drift was, and which steps are there."""

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from synthetic import MACHINE, History, listed, row, warm
from synthetic_duets import case, releases, write

from history.store import release_lines
from website.schema import json_schema

NAN = math.nan
PI = warm("philox_pi", ["c", "numba"], [1000])
HITS = listed(
    "philox_pi.Accuracy.track_hits", [["'c'", "'numba'"], ["1000"]], ["backend", "points"], exact=True, direction="equal"
)
SCHEMAS = {name: json_schema.of_file(name) for name in ("releases", "release_kernel", "index", "changes")}


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path, ["First", "Second"])
    made.describe(PI, HITS)
    return made


def climbed(history: History, seconds: dict[str, float]) -> None:
    """A ladder of Numba's releases, an hour each: seconds of a warm call."""
    for hour, (version, value) in enumerate(seconds.items()):
        history.release(0, version, {PI["name"]: row(PI, [1e-3, value])}, hour)


def counted(history: History, hits: dict[str, float], **line: Any) -> None:
    """A ladder of Numba's releases, an hour each: an exact figure."""
    for hour, (version, value) in enumerate(hits.items()):
        history.release(0, version, {HITS["name"]: row(HITS, [782.0, value])}, hour, **line)


def compiler(history: History) -> Any:
    assert history.read() == []
    return history.data("vm/releases/numba.json")


def test_a_release_says_how_many_cells_were_measured_without_a_cache(history: History) -> None:
    cells = {"measured": 2, "empty": 1}
    history.release(0, "0.67.0", {PI["name"]: row(PI, [1.0, 1.0])}, cells=cells, afresh=["a cell", "another"])
    history.release(0, "0.68.1", {PI["name"]: row(PI, [1.0, 1.0])}, cells=cells)
    found = [one["cells"] for one in compiler(history)["releases"]]
    assert found == [{**cells, "failed": 0, "afresh": afresh} for afresh in (2, 0)]


def told(history: History, group: str = "warm") -> Any:
    """The one series of philox_pi in that group."""
    assert history.read() == []
    found = history.data("vm/releases/numba/philox_pi.json")["series"]
    (series,) = [series for series in found if series["group"] == group]
    return series


def test_releases_stand_in_the_order_of_their_versions(history: History) -> None:
    climbed(history, {"0.10.0": 1.0, "0.9.1": 1.0, "0.9.0": 1.0})
    assert [one["release"] for one in compiler(history)["releases"]] == ["0.9.0", "0.9.1", "0.10.0"]
    assert history.data()["releases"] == [
        {
            "machine": "vm",
            "compiler": "numba",
            "package": "numba",
            "file": "data/vm/releases/numba.json",
            "count": 3,
            "newest": "0.10.0",
            "duets": 0,
            "measured": None,
            "processor": None,
            "cores": None,
            "charts": {"releases": ["philox_pi"]},
        }
    ]


def test_the_schemas_hold(history: History) -> None:
    climbed(history, {"0.60.0": 1.0, "0.61.0": 2.0})
    history.release(0, "0.59.0", None, reason="cannot be installed: <b>no</b> wheel")
    history.turn(0, warm=1.0, cold=2.0)
    found = {"index": history.data, "changes": history.data}
    compiler(history)
    for name, read in found.items():
        jsonschema.validate(read(f"{name}.json"), SCHEMAS[name])
    jsonschema.validate(history.data("vm/releases/numba.json"), SCHEMAS["releases"])
    jsonschema.validate(history.data("vm/releases/numba/philox_pi.json"), SCHEMAS["release_kernel"])


def test_a_release_that_failed_is_there_with_its_reason(history: History) -> None:
    climbed(history, {"0.60.0": 1.0})
    history.release(0, "0.59.0", None, reason="cannot be installed: no wheel")
    first, second = compiler(history)["releases"]
    assert (first["release"], first["status"], first["reason"]) == ("0.59.0", "failed", "cannot be installed: no wheel")
    assert second["status"] == "ok"
    assert first["command"] == f"make releases COMPILER=numba ONLY=0.59.0 COMMIT={history.commits[0][:8]} AGAIN=1"


@pytest.mark.parametrize(("at", "status"), [("2026-11-09T00:00:00Z", "failed"), ("2026-10-01T00:00:00Z", "ok")])
def test_a_newer_duet_counts_instead_of_a_failed_release(history: History, at: str, status: str) -> None:
    climbed(history, {"0.60.0": 1.0})
    history.release(0, "0.59.0", None, reason="cannot be installed: no wheel", at=at)
    duet = releases("0.59.0", "0.60.0", {case("numba", 1000): 0.5})
    write(history.results, [duet], file=release_lines.DUETS)
    assert [one["status"] for one in compiler(history)["releases"]] == [status, "ok"]


def test_a_release_that_is_being_measured_is_not_there_yet_and_stands_for_nothing(history: History) -> None:
    history.add(0, {PI["name"]: row(PI, [1e-3, 3.0])})
    history.release(1, "0.60.0", {PI["name"]: row(PI, [1e-3, 9.0])}, status="begun")
    assert history.read() == []
    assert history.data()["releases"] == []
    rows = history.data("vm/philox_pi.json")["rows"]
    assert {one["backend"]: one["figures"]["warm_seconds"]["value"] for one in rows}["numba"] == 3.0


def test_an_old_release_never_stands_for_now_however_new_the_commit_is(history: History) -> None:
    history.add(0, {PI["name"]: row(PI, [1e-3, 3.0])})
    history.release(1, "0.60.0", {PI["name"]: row(PI, [2e-3, 9.0])})
    assert history.read() == []
    rows = history.data("vm/philox_pi.json")["rows"]
    assert {one["backend"]: one["figures"]["warm_seconds"]["value"] for one in rows} == {"c": 1e-3, "numba": 3.0}


def test_the_newest_commit_s_word_on_a_release_counts(history: History) -> None:
    for place, version, hits, hour in ((0, "0.60.0", 1.0, 5), (1, "0.60.0", 2.0, 1), (0, "0.61.0", 4.0, 6)):
        history.release(place, version, {HITS["name"]: row(HITS, [782.0, hits])}, hour)
    series = told(history, "accuracy")
    assert [point["raw"] for point in series["points"]] == [2.0, 4.0]
    (step,) = series["steps"]
    assert step["commits_differ"], "the library may have changed, not the compiler"


def test_drift_is_divided_out_in_proportion_to_the_time(history: History) -> None:
    climbed(history, {"0.60.0": 1.0, "0.61.0": 1.1, "0.62.0": 1.2})  # nothing but the machine changed
    for hour, seconds in ((0, 1.0), (2, 1.2), (3, 1.1)):  # the median is 1.1
        history.turn(hour, warm=seconds)
    series, releases = told(history), compiler(history)["releases"]
    assert [point["raw"] for point in series["points"]] == [1.0, 1.1, 1.2]
    assert [round(point["value"], 3) for point in series["points"]] == [1.1, 1.105, 1.1]  # 1.1 * 1.1 / sqrt(1.2)
    assert [round(one["drift"]["warm"], 3) for one in releases] == [0.909, 0.996, 1.091]
    assert releases[0]["drift"]["cold"] is None, "nobody measured it"
    assert series["steps"] == []
    assert round(compiler(history)["drift"]["warm"], 3) == 0.091


def test_a_point_s_drift_is_that_of_its_own_time(history: History) -> None:
    """As of a release to which cells were added later: its last word is younger than the point."""
    history.release(0, "0.60.0", {PI["name"]: row(PI, [1e-3, 1.0])}, hour=0, at="2026-11-01T03:00:00Z")
    for hour, seconds in ((0, 1.0), (2, 1.2), (3, 1.1)):
        history.turn(hour, warm=seconds)
    assert [round(point["value"], 3) for point in told(history)["points"]] == [1.1]


def test_without_a_reference_figures_are_as_measured(history: History) -> None:
    climbed(history, {"0.60.0": 1.0, "0.61.0": 2.0})
    assert [point["value"] for point in told(history)["points"]] == [1.0, 2.0]
    assert compiler(history)["reference"] is None
    history.turn(0)  # and nothing in it
    assert compiler(history)["reference"] is None


def test_a_line_that_is_no_turn_of_a_reference_is_named_and_the_others_count(history: History) -> None:
    climbed(history, {"0.60.0": 1.0, "0.61.0": 1.1})
    history.turn(0, warm=1.0)
    with (history.results / "vm" / "drift.jsonl").open("a") as lines:
        lines.write('no JSON\n[]\n{"schema": 1, "said": "reference", "cells": {}}\n')
    history.turn(1, warm=1.1)
    lost = history.read()
    assert [(one.file, one.reason.partition(":")[0]) for one in lost] == [
        ("vm/drift.jsonl", f"line {number}") for number in (2, 3, 4)
    ]
    assert [turn["order"] for turn in history.data("vm/releases/numba.json")["drift"]["turns"]] == [0, 1]


def test_the_reference_kernel_says_what_the_machine_did_in_each_environment(history: History) -> None:
    for hour, (version, c) in enumerate({"0.60.0": 1e-3, "0.61.0": 1e-3, "0.62.0": 1.3e-3}.items()):
        history.release(0, version, {PI["name"]: row(PI, [c, 1.0])}, hour)
    assert [round(one["c"], 6) for one in compiler(history)["releases"]] == [1.0, 1.0, 1.3]
    series = history.data("vm/releases/numba/philox_pi.json")["series"]
    assert {one["backend"] for one in series} == {"numba"}, "C's own seconds are no release's"


def test_seconds_of_different_hours_have_no_step_and_an_exact_figure_s_is_listed_everywhere(history: History) -> None:
    for hour, (seconds, hits) in enumerate(((1.0, 782.0), (1.0, 782.0), (2.0, 783.0), (2.0, 783.0))):
        rows = {PI["name"]: row(PI, [1e-3, seconds]), HITS["name"]: row(HITS, [782.0, hits])}
        history.release(0, f"0.{60 + hour}.0", rows, hour)
    assert told(history)["steps"] == []
    (step,) = told(history, "accuracy")["steps"]
    assert (step["from"], step["to"], step["kernel"], step["backend"]) == ("0.61.0", "0.62.0", "philox_pi", "numba")
    assert compiler(history)["steps"] == [{**step, "duet": None}]
    (change,) = history.data("changes.json")["changes"]
    assert (change["kind"], change["to"]["release"], change["machine"]) == ("release", "0.62.0", "vm")


def test_an_error_has_a_step_if_it_changes_by_5_per_cent(history: History) -> None:
    error = listed("philox_pi.Accuracy.track_error", [["'numba'"], ["1000"]], ["backend", "points"])
    history.describe(error)
    for hour, value in enumerate((1e-3, 1.04e-3, 1e-3, 1.1e-3)):
        history.release(0, f"0.{60 + hour}.0", {error["name"]: row(error, [value])}, hour)
    (step,) = told(history, "accuracy")["steps"]
    assert (step["to"], step["factor"], step["low"]) == ("0.63.0", pytest.approx(1.1), None)


def test_a_step_to_a_release_of_an_unknown_day_has_none(history: History) -> None:
    counted(history, {"0.60.0": 782.0, "0.61.0": 783.0}, published=None)
    assert history.read() == []
    (change,) = history.data("changes.json")["changes"]
    assert change["to"]["date"] is None
    jsonschema.validate(history.data("changes.json"), SCHEMAS["changes"])


def test_a_release_that_differs_alone_has_two_steps(history: History) -> None:
    counted(history, {f"0.{minor}.0": 900.0 if minor == 65 else 782.0 for minor in range(64, 68)})
    steps = told(history, "accuracy")["steps"]
    assert [(step["to"], round(step["factor"], 2)) for step in steps] == [("0.65.0", 1.15), ("0.66.0", 0.87)]
    assert [step["to"] for step in compiler(history)["steps"]] == ["0.66.0", "0.65.0"], "newest first"


def test_an_exact_figure_takes_a_step_wherever_it_changes(history: History) -> None:
    counted(history, {"0.60.0": 782.0, "0.61.0": 782.0, "0.62.0": 783.0})
    (step,) = told(history, "accuracy")["steps"]
    assert (step["before"], step["after"], step["low"], step["high"]) == (782.0, 783.0, None, None)


def test_a_cell_that_a_release_cannot_run_says_so_and_the_others_stand(history: History) -> None:
    climbed(history, {"0.60.0": 1.0, "0.61.0": 1.0})
    file = history.add(
        0,
        {PI["name"]: row(PI, [1e-3, None])},
        environment="virtualenv-py3.11-numba0.62.0-numpy2.4.6",
        requirements={"numpy": "2.4.6", "numba": "0.62.0"},
    )
    said = {"said": "failed", "benchmark": "philox_pi.Warm", "cell": ["numba", 1000], "reason": "TypingError: no unroll"}
    history.release(0, "0.62.0", {PI["name"]: row(PI, [1e-3, None])}, 3)
    records = file.with_name(file.name.removesuffix(".json") + ".records.jsonl")
    records.write_text(records.read_text() + json.dumps({"schema": 1, **said}) + "\n")
    series = told(history)
    assert [point["release"] for point in series["points"]] == ["0.60.0", "0.61.0"]
    assert series["missing"] == [{"release": "0.62.0", "order": 2, "status": "failed", "reason": "TypingError: no unroll"}]


def test_a_point_s_command_names_its_environment(history: History) -> None:
    climbed(history, {"0.60.0": 1.0})
    (point,) = told(history)["points"]
    assert point["command"].startswith(
        ".venv/bin/asv --config asv.releases.json run --environment virtualenv-py3.11-numba0.60.0-numpy2.4.6 "
        "--record-samples --bench "
    )


def test_commits_stand_beside_releases_but_not_the_ladder_s_own(history: History) -> None:
    for place in (0, 1):
        history.add(place, {PI["name"]: row(PI, [1e-3, 3.0 + place])})
    history.add(1, {PI["name"]: row(PI, [1e-3, 7.0])}, environment="shorter")
    history.add(1, {PI["name"]: row(PI, [1e-3, 8.0])}, commit="f" * 40)
    history.release(1, "0.60.0", {PI["name"]: row(PI, [1e-3, 9.0])})
    assert history.read() == []
    (curve,) = history.data("vm/releases/numba/philox_pi.json")["commits"]
    assert [(point["commit"], point["value"]) for point in curve["points"]] == [
        (commit[:8], 3.0 + place) for place, commit in enumerate(history.commits)
    ]


def test_a_machine_whose_releases_all_failed_is_there(history: History) -> None:
    history.write("vm/machine.json", {**MACHINE, "version": 1})
    history.release(0, "0.59.0", None, reason="cannot be installed: no wheel")
    (release,) = compiler(history)["releases"]
    assert (release["status"], release["reason"]) == ("failed", "cannot be installed: no wheel")
    assert [one["machine"] for one in history.data()["releases"]] == ["vm"]
    jsonschema.validate(history.data(), SCHEMAS["index"])
    jsonschema.validate(history.data("vm/releases/numba.json"), SCHEMAS["releases"])


def test_an_outcome_that_lacks_a_field_is_no_record(history: History) -> None:
    climbed(history, {"0.60.0": 1.0})
    outcome = {"said": "environment", "compiler": "numba", "package": "numba", "release": "0.61.0", "status": "failed"}
    history.say(history.results / "vm" / "cccccccc-failed.json", {**outcome, "commit": "c" * 40, "environment": "failed"})
    measured = history.add(1, {PI["name"]: row(PI, [1e-3, 1.0])}, environment="measured")
    history.say(measured, outcome)
    files = ("vm/cccccccc-failed.records.jsonl", f"vm/{measured.name.replace('.json', '.records.jsonl')}")
    assert {(one.file, one.reason) for one in history.read()} == {(file, "lines that are no records: 1") for file in files}
    assert [one["release"] for one in history.data("vm/releases/numba.json")["releases"]] == ["0.60.0"]
