"""make site: from whatever lies among the results, without asv's stopping at it, and without a change to any of it."""

import hashlib
import json
import math
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from shell import strict_json
from synthetic import MACHINE, ROOT, History, listed, row, warm
from synthetic_duets import case, duet, ratio, releases, write

from history.store import clean, release_lines, results
from website.read.changes import exact_steps
from website.schema import json_schema

PI = warm("philox_pi", ["numpy", "c"], [1000])
HITS = listed("philox_pi.Accuracy.track_hits", [["'c'"], ["1000"]], ["backend", "points"], exact=True, direction="equal")
LEFT_OUT = 3


@pytest.fixture
def history(tmp_path: Path, drawn: Path) -> History:
    made = History(tmp_path / "repository", [f"Commit {place}" for place in range(24)])
    made.take_charts(drawn)
    return made


def measured(history: History, step: float = 1.0, hits: float = 782.0) -> None:
    """All commits, with a step in c's time, and one in its hits, half-way."""
    history.describe(PI, HITS)
    for place in range(len(history.commits)):
        later = place >= len(history.commits) / 2
        noise = 1 + 0.001 * (place * 7 % 5)
        values = [2.0 * noise, (step if later else 1.0) * noise]
        rows = {PI["name"]: row(PI, values), HITS["name"]: row(HITS, [hits if later else 782.0])}
        history.add(place, rows)


def content(directory: Path) -> dict[str, str]:
    """Every file below and its hash."""
    files = (path for path in sorted(directory.rglob("*")) if path.is_file())
    return {path.relative_to(directory).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_site_is_made_from_what_is_stored(history: History) -> None:
    measured(history, step=1.5, hits=783.0)
    answer = history.site()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "The site is in" in answer.stdout
    site = history.path / "site"
    for name in ("index.html", "history/index.html", "history/index.json", "history/commits.json", "data/index.json"):
        assert (site / name).exists(), name
    assert history.data()["history"] == "history/"
    found = history.data("changes.json")
    jsonschema.validate(found, json_schema.of_file("changes"))
    assert found["changes"] == [], "steps between commits come from duets, not from asv's results"


def test_asv_lists_no_regression_of_a_time_because_runs_are_hours_apart_and_none_of_rounding(history: History) -> None:
    errors = [listed(f"{kernel}.Error.track_error", [["'c'"], ["1"]], ["backend", "size"]) for kernel in ("relu", "dense")]
    history.describe(PI, HITS, *errors)
    for place in range(len(history.commits)):
        later = place >= len(history.commits) / 2
        values = {PI["name"]: row(PI, [2.0, 1.5 if later else 1.0]), HITS["name"]: row(HITS, [900.0 if later else 782.0])}
        steps = zip(errors, (1.9e-7, 2.1e-7), strict=True)
        history.add(place, values | {error["name"]: row(error, [step if later else 1e-7]) for error, step in steps})
    assert history.site().returncode == 0
    regressions = json.loads((history.path / "site" / "history" / "regressions.json").read_text())["regressions"]
    assert {name.partition("(")[0] for name, *_ in regressions} == {HITS["name"], "dense.Error.track_error"}


def bad(history: History) -> dict[str, str]:
    """Put everything bad among the results; a word of the reason by the file's name."""
    text = next((history.results / "vm").glob("*-*.json")).read_text()
    history.write("cut/machine.json", "{")
    data = json.loads(text)
    (history.results / "vm" / "latin.json").write_bytes(b'{"version": 2, "x": "\xe9"}')
    named = {
        "vm/truncated.json": (text[: len(text) // 2], "no JSON"),
        "vm/list.json": ("[1, 2]", "no file of results"),
        "vm/number.json": ("7", "no file of results"),
        "vm/null.json": ("null", "no file of results"),
        "vm/foreign.json": ('{"version": 2, "name": "something else"}', "no 'result_columns'"),
        "vm/old.json": (json.dumps({**data, "version": 1}), "no file of results of asv's format 2"),
        "vm/rows.json": (json.dumps({**data, "results": [1]}), "not as asv writes it"),
        "vm/strange.json": (json.dumps({**data, "results": {PI["name"]: 7}}), "not as asv writes it"),
        "vm/other.json": (json.dumps({**data, "params": {"machine": "elsewhere"}}), "it or its records name elsewhere"),
        "vm/deep.json": ("[" * 100_000, "no JSON"),
        "nobody/1234-env.json": (text, "machine.json beside it cannot be used: there is none"),
        "cut/1234-env.json": (text, "machine.json beside it cannot be used: no JSON"),
    }
    for name, (written, _) in named.items():
        history.write(name, written)
    return {"vm/latin.json": "no text in UTF-8", **{name: reason for name, (_, reason) in named.items()}}


def test_what_cannot_be_read_is_named_and_left_out_and_the_rest_published(history: History) -> None:
    measured(history)
    reasons = bad(history)
    infinite = history.add(23, {PI["name"]: row(PI, [math.inf, 1.0])}, environment="infinite")
    fewer = history.add(23, {PI["name"]: [[1.0], PI["params"], "1"]}, environment="fewer")
    unknown = warm("new_kernel", ["tomorrow"], [10])
    history.add(23, {unknown["name"]: row(unknown, [1.0])}, environment="unknown")
    history.add(22, {PI["name"]: row(PI, [9.0, 9.0])}, commit="f" * 40)
    before = content(history.results)
    answer = history.site()
    assert answer.returncode == LEFT_OUT, answer.stdout + answer.stderr
    assert content(history.results) == before, "the originals are as they were"
    assert "Traceback" not in answer.stderr
    told = {problem["file"].removeprefix(".asv/results/"): problem["reason"] for problem in history.data()["unread"]}
    expected = {**reasons, f"vm/{infinite.name}": "cannot have been measured", f"vm/{fewer.name}": "one value per"}
    assert {name: word in told.get(name, "") for name, word in expected.items()} == dict.fromkeys(expected, True), told
    for name in told:
        assert answer.stderr.count(f"left out .asv/results/{name}: {told[name]}") == 1
    assert history.data("vm/philox_pi.json")["rows"][0]["figures"]["warm_seconds"]["value"] == pytest.approx(2.0, rel=0.01)
    assert history.data("vm/new_kernel.json")["rows"][0]["backend"] == "tomorrow"
    for file in (history.path / "site" / "history").rglob("*.json"):
        strict_json(file.read_text())


@pytest.mark.parametrize("text", ["7", "null"])
def test_asv_alone_stops_at_json_that_is_no_result(tmp_path: Path, text: str) -> None:
    """The reason for giving it a copy."""
    history = History(tmp_path / "alone", [f"Commit {place}" for place in range(24)])
    configuration = history.path / "asv.conf.json"
    configuration.write_text(re.sub(r'"plugins": .*', '"plugins": [],', configuration.read_text()))
    measured(history)
    history.write("vm/abcdef12-foreign.json", text)
    assert history.publish().returncode != 0


def test_asv_publish_makes_the_same_site_as_make_site(history: History) -> None:
    measured(history)
    history.write("vm/abcdef12-foreign.json", "7")
    assert history.site().returncode == LEFT_OUT
    by_make = content(history.path / "site" / "data") | content(history.path / "site" / "history")
    assert history.publish().returncode == 0
    by_asv = content(history.path / "site" / "data") | content(history.path / "site" / "history")
    assert by_make.keys() == by_asv.keys()
    times = {"index.json", "info.json", "regressions.xml"}  # which say when they were written
    assert {name for name in by_make if by_make[name] != by_asv[name]} <= times


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 2, "philox_pi.Warm.time_call": 7}', None])
def test_without_asv_s_list_of_benchmarks_they_are_found_in_the_suite(history: History, text: str | None) -> None:
    measured(history)
    (history.results / "benchmarks.json").unlink()
    if text is not None:
        history.write("benchmarks.json", text)
    answer = history.site()
    assert answer.returncode == (0 if text is None else LEFT_OUT), answer.stdout + answer.stderr
    assert history.data("vm/philox_pi.json")["benchmarks"][PI["name"]]["unit"] == "seconds"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (7, "Expected `object`, got `int`"),
        ({**PI, "name": HITS["name"]}, "it has another name"),
        ({**PI, "unit": 7}, "Expected `str`, got `int` - at `$.unit`"),
        ({**PI, "params": [["'c'"], [1000]]}, "Expected `str`, got `int` - at `$.params[1][0]`"),
        ({**PI, "param_names": ["backend"]}, "it has not one name per parameter"),
        ({key: value for key, value in PI.items() if key != "version"}, "Object missing required field `version`"),
    ],
)
def test_an_entry_that_is_no_benchmark_s_is_left_out_of_the_list_with_a_reason(
    tmp_path: Path, entry: Any, reason: str
) -> None:
    file = tmp_path / "benchmarks.json"
    file.write_text(json.dumps({PI["name"]: entry, HITS["name"]: HITS, "version": 2}))
    unread: list[results.Unread] = []
    assert clean.benchmarks([("own", tmp_path)], unread) == {HITS["name"]: HITS}
    assert unread == [results.Unread(file.as_posix(), f"its entry {PI['name']!r} is no benchmark's: {reason}")]


@pytest.mark.parametrize("lines", ["commits", "releases"])
def test_with_duets_alone_there_are_results(history: History, lines: str) -> None:
    if lines == "commits":
        write(history.results, [duet(*history.commits[:2], {case("c"): ratio(2.0)})])
    else:
        (history.path / "releases.toml").symlink_to(ROOT / "releases.toml")
        write(history.results, [releases("0.60.0", "0.61.0", {case("numba"): 0.5})], file=release_lines.DUETS)
    answer = history.site()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "There are no results yet" not in answer.stdout
    assert history.data()["machines"] == []


def test_without_results_the_page_is_there_and_the_answer_says_what_to_run(history: History) -> None:
    answer = history.site()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "There are no results yet" in answer.stdout
    assert "make bench" in answer.stdout
    assert (history.path / "site" / "index.html").exists()
    index = history.data()
    jsonschema.validate(index, json_schema.of_file("index"))
    assert (index["machines"], index["history"]) == ([], None)


def test_a_published_data_set_is_shown_beside_one_s_own_and_neither_is_touched(history: History) -> None:
    measured(history)
    seed = history.path / "results"
    history.results.rename(seed)
    history.describe(PI)
    history.add(23, {PI["name"]: row(PI, [3.0, 3.0])}, machine={**MACHINE, "machine": "mine"})
    shutil.copytree(seed / "vm", history.results / "vm")  # as after `make keep`
    before = content(seed), content(history.results)
    answer = history.site()
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert (content(seed), content(history.results)) == before
    assert {machine["name"] for machine in history.data()["machines"]} == {"vm", "mine"}
    machines = history.data("environments.json")["machines"]
    counts = [each["results"] for machine in machines for each in machine["environments"]]
    assert sum(counts) == 1 + len(list((seed / "vm").glob("*-*.json"))), "each file once"
    assert "hits" in history.data("vm/philox_pi.json")["rows"][-1]["figures"], "benchmarks of both lists are known"
    status = subprocess.run(["git", "status", "--porcelain"], cwd=history.path, capture_output=True, text=True, check=True)
    assert not [line for line in status.stdout.splitlines() if line.split()[-1] not in KNOWN_UNTRACKED]


KNOWN_UNTRACKED = (".asv/", "asv.conf.json", "benchmarks", "history", "results/", "site/", "website")  # the test's own


ELSEWHERE = (ROOT / "asv.conf.json").read_text().replace('["HEAD"]', '["no-such-branch"]')


@pytest.mark.parametrize("text", ["{", None, ELSEWHERE], ids=["truncated", "missing", "unknown branch"])
def test_what_fails_says_so_in_one_line(history: History, text: str | None) -> None:
    measured(history)
    (history.path / "asv.conf.json").unlink()
    if text:
        (history.path / "asv.conf.json").write_text(text)
    answer = history.site()
    assert answer.returncode == 1
    assert answer.stderr.strip().splitlines()[-1].startswith("the site was not built: ")
    assert "Traceback" not in answer.stderr + answer.stdout


def test_records_that_are_none_are_named_too(history: History) -> None:
    measured(history)
    result = sorted((history.results / "vm").glob("*-env.json"))[0]
    history.say(result, {"said": "backend"})
    assert history.site().returncode == LEFT_OUT
    (problem,) = history.data()["unread"]
    assert (problem["file"].endswith("records.jsonl"), problem["reason"]) == (True, "lines that are no records: 1")


# steps


def test_any_change_of_an_exact_figure_is_a_step_however_small() -> None:
    series = [(1, 782.0), (3, 782.0), (5, 783.0), (6, 782.0)]
    assert list(exact_steps(series)) == [(3, 5), (5, 6)]


def test_a_count_that_differs_between_equal_programs_takes_a_step_beyond_its_tolerance() -> None:
    series = [(1, 10_000.0), (2, 10_090.0), (3, 10_000.0), (4, 10_200.0), (5, math.inf)]
    assert list(exact_steps(series, 0.01)) == [(3, 4), (4, 5)]


# how much is read


def test_each_stored_file_is_parsed_once(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    measured(history)
    parsed: list[str] = []
    load = results.load
    monkeypatch.setattr(results, "load", lambda path, name: (parsed.append(path.name), load(path, name))[1])
    assert history.read() == []
    assert sorted(parsed) == sorted(path.name for path in results.files(history.results))


def test_the_copy_of_many_results_is_made_of_links(history: History, tmp_path: Path) -> None:
    entry = warm("philox_pi", ["numba"], [1000])
    for place in range(len(history.commits)):
        history.add(place, {entry["name"]: row(entry, [1.0])}, machine={"machine": "vm"})
    unread: list[results.Unread] = []
    clean.copy(clean.read([("own", history.results)], unread), {}, tmp_path)
    files = list((tmp_path / "own").rglob("*-*.json"))
    assert (len(files), unread) == (len(history.commits), [])
    assert all(path.is_symlink() for path in files)
