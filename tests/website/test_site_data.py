"""The site's data: its schemas on real results, which number is newest, and why a case has none."""

import itertools
import json
import math
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from site_files import HOSTILE, PI, add_run, figure, kernel, matrix_of, processes, ranking
from synthetic import MACHINE, PINS, History, listed, row, warm

from history.store.results import Unread
from website.read import catalogue, figures
from website.schema import json_schema

LEFT_OUT = 3  # exit status of make site
NAN = math.nan
SCHEMAS = {name: json_schema.of_file(name) for name in json_schema.FILES}


def schema_of(file: Path) -> dict[str, Any]:
    if "releases" in file.parts:
        return SCHEMAS["releases" if file.parent.name == "releases" else "release_kernel"]
    return SCHEMAS.get(file.stem, SCHEMAS["kernel"])


def test_the_schemas_hold_for_every_file_made_of_real_results(real: History) -> None:
    files = list((real.path / "site" / "data").rglob("*.json"))
    assert len(files) > 4
    for file in files:
        jsonschema.validate(json.loads(file.read_text()), schema_of(file))


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_is_one_and_takes_nothing_that_it_does_not_describe(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["additionalProperties"] is False
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": 2}, SCHEMAS[name])


def test_everything_that_was_stored_is_in_a_kernel_s_file(real: History) -> None:
    stored = set()
    for file in real.results.glob("*/*-*.json"):
        for name, (values, parameters, *_) in json.loads(file.read_text())["results"].items():
            cells = enumerate(itertools.product(*parameters)) if values else ()
            stored |= {(name, cell) for place, cell in cells if values[place] is not None and values[place] == values[place]}
    told = dict.fromkeys((name for name, _ in stored), 0)
    for file in (real.path / "site" / "data").glob("*/*.json"):
        content = json.loads(file.read_text())
        cells = [] if file.name == "matrix.json" else content["rows"] + content["observations"]
        for found in (found for cell in cells for found in cell["figures"].values()):
            told[found["benchmark"]] += 1
    assert told == Counter(name for name, _ in stored)


def test_a_command_selects_its_own_cell_and_no_other(real: History) -> None:

    command = figure_of_real(real)["command"]
    words = shlex.split(command)
    assert words[:4] == [".venv/bin/asv", "run", "--record-samples", "--bench"]
    assert re.search(words[4], "philox_pi.Warm.time_call('numpy', 1000)")
    assert not re.search(words[4], "philox_pi.Warm.time_call('numpy', 10000)")
    assert words[5].endswith("^!")


def figure_of_real(real: History) -> Any:
    file = next((real.path / "site" / "data").glob("*/philox_pi.json"))
    cells = json.loads(file.read_text())["rows"]
    return next(cell for cell in cells if (cell["backend"], cell["size"]) == ("numpy", 1000))["figures"]["warm_seconds"]


def test_the_newest_commit_s_number_stands_and_says_where_it_comes_from(history: History) -> None:
    history.describe(PI)
    history.add(0, {PI["name"]: row(PI, [1.0, 2.0, 3.0, 4.0])})
    history.add(2, {PI["name"]: row(PI, [0.5, NAN, None, 4.5])})
    history.read()
    sources = kernel(history)["sources"]
    found = {backend: figure(history, backend) for backend in ("numpy", "c", "numba", "jax")}
    assert {backend: told["value"] for backend, told in found.items()} == {"numpy": 0.5, "c": 2.0, "numba": 3.0, "jax": 4.5}
    subjects = {backend: sources[told["source"]]["subject"] for backend, told in found.items()}
    assert subjects == {"numpy": "Third", "c": "First", "numba": "First", "jax": "Third"}
    assert history.data()["machines"][0]["newest"] == sources[found["jax"]["source"]]["date"]


@pytest.mark.parametrize(
    ("where", "time"),
    [("commit", 1e20), ("commit", math.inf), ("commit", NAN), ("a commit that git has", NAN), ("measurement", 1e20)],
)
def test_a_result_with_an_impossible_time_is_left_out_with_its_reason(history: History, where: str, time: float) -> None:
    history.describe(PI)
    history.add(0, {PI["name"]: row(PI, [1.0, 2.0, 3.0, 4.0])})
    known = {} if where == "a commit that git has" else {"commit": "f" * 40}
    bad = history.add(1, {PI["name"]: row(PI, [9.0] * 4)}, **known)
    result = json.loads(bad.read_text())
    if where == "measurement":
        result["results"][PI["name"]][3] = time
    else:
        result["date"] = time
    bad.write_text(json.dumps(result))
    assert history.read() == [Unread(f"vm/{bad.name}", f"{time} is no time")]
    assert {each["figures"]["warm_seconds"]["value"] for each in kernel(history)["rows"]} == {1.0, 2.0, 3.0, 4.0}


@pytest.mark.parametrize("told", [True, False])
def test_at_one_commit_the_newest_release_stands_for_now(history: History, told: bool) -> None:
    history.describe(PI)
    for version, value in (("0.68.1", 2.0), ("0.9.0", 1.0), ("0.61.2", 3.0)):
        asked = {**PINS, "numba": version}
        file = history.add(1, {PI["name"]: row(PI, [value] * 4)}, environment=f"numba{version}", requirements=asked)
        if told:
            history.say(file, {"said": "backend", "backend": "numba", "packages": {"numba": version}})
    history.read()
    assert figure(history, "numba")["value"] == 2.0


def test_what_is_installed_counts_before_what_was_asked_for(history: History) -> None:
    history.describe(PI)
    for asked, installed, value in (("0.61", "0.70", 1.0), ("0.68", "0.62", 2.0)):
        pins = {**PINS, "numba": asked}
        file = history.add(1, {PI["name"]: row(PI, [value] * 4)}, environment=asked, requirements=pins)
        history.say(file, {"said": "backend", "backend": "numba", "packages": {"numba": installed}})
    history.read()
    assert figure(history, "numba")["value"] == 1.0


def test_a_commit_that_is_gone_counts_as_older_than_all_that_are_there(history: History) -> None:
    history.describe(PI)
    history.add(0, {PI["name"]: row(PI, [1.0, 1.0, 1.0, NAN])})
    history.add(2, {PI["name"]: row(PI, [9.0] * 4)}, commit="f" * 40)
    history.read()
    assert figure(history, "numpy")["value"] == 1.0
    gone = kernel(history)["sources"][figure(history, "jax")["source"]]
    assert (gone["commit"], gone["subject"]) == ("f" * 40, None)


def test_a_commit_of_another_branch_does_not_stand_for_what_is_checked_out(history: History) -> None:
    history._git("branch", "topic", "HEAD")
    history._git("update-ref", "refs/heads/main", history.commits[1])
    history.describe(PI)
    history.add(1, {PI["name"]: row(PI, [1.0] * 4)})
    history.add(2, {PI["name"]: row(PI, [2.0] * 4)})
    history.read()
    assert figure(history, "numpy")["value"] == 1.0


def test_another_version_of_a_benchmark_is_another_benchmark(history: History) -> None:
    history.describe({**PI, "version": "2"})
    history.add(2, {PI["name"]: row(PI, [1.0] * 4)})
    history.read()
    assert history.data()["kernels"] == []


def backend_line(**more: Any) -> dict[str, Any]:
    return {"said": "backend", "backend": "numba", "packages": {"numba": "0.68.1"}, **more}


def test_a_result_whose_records_name_another_machine_is_left_out_and_named(history: History) -> None:
    history.describe(PI)
    right = history.add(0, {PI["name"]: row(PI, [1.0] * 4)})
    history.say(right, backend_line(machine="vm"))
    wrong = history.add(1, {PI["name"]: row(PI, [9.0] * 4)})
    history.say(wrong, backend_line(machine="amd-25-17-1-avx512-2"))
    assert history.site().returncode == LEFT_OUT
    reason = "it or its records name amd-25-17-1-avx512-2, and it lies with vm"
    assert history.data()["unread"] == [{"file": f".asv/results/vm/{wrong.name}", "reason": reason}]
    assert {each["figures"]["warm_seconds"]["value"] for each in history.data("vm/philox_pi.json")["rows"]} == {1.0}


def test_each_empty_cell_has_the_reason_that_is_known(history: History) -> None:
    entry = warm("mlp_train", ["numpy", "jax", "triton", "torch_script", "torch_dynamo"], [8])
    history.describe(entry)
    file = history.add(2, {entry["name"]: row(entry, [NAN, NAN, NAN, None, None])})
    history.say(
        file,
        {"said": "empty", "benchmark": "mlp_train.Warm", "cell": ["jax", 8], "reason": "jax is not installed"},
        {"said": "failed", "benchmark": "mlp_train.Warm", "cell": ["torch_script", 8], "reason": "AssertionError: wrong"},
    )
    history.read()
    told = {cell["backend"]: (cell["status"], cell["reason"]) for cell in kernel(history, "mlp_train")["rows"]}
    assert told["numpy"] == ("unmeasured", figures.NO_RECORD)
    assert told["jax"] == ("empty", "jax is not installed")
    assert told["triton"] == ("empty", catalogue.absent("mlp_train", "triton"))
    assert told["torch_script"] == ("failed", "AssertionError: wrong")
    assert told["torch_dynamo"] == ("failed", figures.FAILED)


def test_a_machine_that_has_runs_of_rankings_alone_is_a_machine_of_the_site(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    (history.results / "lone").mkdir()
    seconds = {"c": processes(2.0), "of_a_plugin": processes(3.0)}
    add_run(history.results / "lone", seconds, kernel="relu", size=100, cores=16)  # of a commit that git does not have
    add_run(history.results / "lone", seconds, commit=history.commits[1])
    assert history.read() == []
    index = history.data()
    lone = next(machine for machine in index["machines"] if machine["name"] == "lone")
    assert (lone["processor"], lone["cores"], lone["ram"], lone["os"]) == ("A processor (AVX2)", "16", None, None)
    assert lone["kernels"].keys() == {"philox_pi", "relu"} == {kernel["name"] for kernel in index["kernels"]}
    assert "of_a_plugin" in {backend["name"] for backend in index["backends"]}
    assert [machine["machine"] for machine in history.data("environments.json")["machines"]] == ["vm"]
    for name in (history.path / "site" / "data").rglob("*.json"):
        jsonschema.validate(json.loads(name.read_text()), schema_of(name))
    assert matrix_of(history, "lone")["of_a_plugin"]["seconds"] == 3.0
    runs = {name: kernel(history, name, "lone")["rankings"][0]["run"] for name in lone["kernels"]}
    assert (runs["relu"]["subject"], runs["relu"]["date"]) == (None, "2026-11-22T10:00:00Z")
    assert runs["relu"]["command"] == "make ranking KERNEL=relu"
    assert runs["philox_pi"]["command"] == f"git checkout {history.commits[1]} && make ranking KERNEL=philox_pi"


def test_hostile_text_arrives_as_it_is_and_only_as_text(tmp_path: Path) -> None:
    text = HOSTILE.replace("\u0000", "")
    history = History(tmp_path, ["First", text])
    entry = listed(f"{text}.Warm.time_call", [[repr(text)], ["1000"]], ["backend", "points"])
    history.describe(entry)
    file = history.add(1, {entry["name"]: row(entry, [1.0])}, machine={**MACHINE, "machine": "x", "cpu": text})
    content = json.loads(file.read_text())
    content["params"]["machine"] = f"../{text}"
    history.write("x/machine.json", {**MACHINE, "machine": f"../{text}", "cpu": text, "version": 1})
    file.write_text(json.dumps(content))
    assert history.read() == []
    index = history.data()
    (machine,) = index["machines"]
    assert (machine["name"], machine["processor"]) == (f"../{text}", text)
    assert index["kernels"][0]["name"] == text
    found = json.loads((history.path / "site" / machine["kernels"][text]).read_text())
    assert found["sources"][0]["subject"] == text.strip()
    assert found["rows"][0]["backend"] == text
    written = {path.relative_to(history.path / "site").parts[0] for path in (history.path / "site").rglob("*.json")}
    assert written == {"data", "schema"}
    for name in (history.path / "site" / "data").rglob("*.json"):
        jsonschema.validate(json.loads(name.read_text()), schema_of(name))


def test_results_of_what_this_version_does_not_know_are_listed_with_what_is_known(history: History) -> None:
    known = warm("philox_pi", ["numpy", "tomorrow"], [1000])
    history.describe(known)
    unlisted = listed("new_kernel.Warm.time_call", [["'numpy'", "'tomorrow'"], ["5"]], ["backend", "size"])
    history.add(2, {known["name"]: row(known, [2.0, 1.0]), unlisted["name"]: row(unlisted, [2.0, 1.0])})
    assert history.read() == []
    index = history.data()
    assert index["backends"][-1] == {
        "name": "tomorrow",
        "dialect": None,
        "what": "not a backend of this version",
        "eager": None,
    }
    assert [entry["name"] for entry in index["kernels"]] == ["new_kernel", "philox_pi"]
    assert ranking(history) == [("tomorrow", 1, False), ("numpy", 1, True)]
    found = kernel(history, "new_kernel")
    assert found["rows"][0]["figures"]["warm_seconds"]["value"] == 2.0
    assert found["benchmarks"]["new_kernel.Warm.time_call"]["history"] is None, "asv publishes what is in its list alone"


def test_numbers_that_are_none_are_left_out_and_named(history: History) -> None:
    history.describe(PI)
    file = history.add(2, {PI["name"]: row(PI, [math.inf, NAN, None, 1.0])})
    lost = history.read()
    assert lost == [Unread(f"vm/{file.name}", "philox_pi.Warm.time_call: 1 value that cannot have been measured")]
    assert [cell["figures"] != {} for cell in kernel(history)["rows"]] == [False, False, False, True]
    assert history.data()["unread"][0]["file"] == file.as_posix()


def test_a_time_of_nothing_is_no_time(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [0.0, -1.0, 1.0, 2.0])})
    assert len(history.read()) == 1
    assert ranking(history) == [("numba", 1, False), ("jax", 1, True), ("numpy", None, False), ("c", None, False)]


def test_a_thousand_environments_keep_the_index_small(history: History) -> None:
    history.describe(PI)
    for number in range(1000):
        asked = {**PINS, "jax": f"0.{number}"}
        history.add(number % 3, {PI["name"]: row(PI, [1.0, 2.0, 3.0, 4.0 + number])}, None, f"env-{number}", asked)
    history.read()
    data = history.path / "site" / "data"
    assert (data / "index.json").stat().st_size < 10_000
    assert figure(history, "jax")["value"] == 4.0 + 998, "of the newest commit's environments the one of the newest release"
    assert len(history.data("environments.json")["machines"][0]["environments"]) == 1000
    assert (data / "vm" / "philox_pi.json").stat().st_size < 20_000
