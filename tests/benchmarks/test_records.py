"""What measuring processes say of themselves, by real asv runs: it appears, it is true, and a lie would show."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from laboratory import Laboratory

import jitkernels
from benchmarks import _records
from benchmarks._suite.warm import _Warm
from history.store import records
from history.store import results as stored
from jitkernels import machine
from website.read import commits, figures
from website.read.points import Origin


def lines(laboratory: Laboratory, commit: str) -> list[dict[str, Any]]:
    (file,) = (laboratory.path / ".asv" / "records" / commit).iterdir()
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_backend_says_what_is_installed_where_it_ran(badly_measured: tuple[Laboratory, str]) -> None:
    laboratory, commit = badly_measured
    told = {line["backend"]: line for line in lines(laboratory, commit) if line["said"] == "backend"}
    assert set(told) == {"python", "numpy", "c"}
    (python,) = (laboratory.path / ".asv" / "env").glob("*/bin/python")
    ask = "import importlib.metadata, platform; print(importlib.metadata.version('numpy'), platform.python_version())"
    numpy, version = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.split()
    assert told["numpy"]["packages"]["numpy"] == numpy
    assert told["python"]["python"] == version
    assert {line["processor"] for line in told.values()} == {machine.processor()}
    assert {line["cores"] for line in told.values()} == {machine.cores()}
    assert {line["library"] for line in told.values()} == {jitkernels.__version__}
    assert told["c"]["threads"] == 1
    assert {line["interpreted"] for line in told.values()} == {False}


def test_an_empty_cell_says_why_and_a_failed_one_too(badly_measured: tuple[Laboratory, str]) -> None:
    laboratory, commit = badly_measured
    said = {(line["benchmark"], tuple(line["cell"])): line for line in lines(laboratory, commit) if "reason" in line}
    assert "numba is not installed" in said["philox_pi.Warm", ("numba", 1000)]["reason"]
    assert "longer than about a second above 1000000" in said["philox_pi.Warm", ("python", 10_000_000)]["reason"]
    assert "torch is not installed" in said["philox_pi.Interpreted", ("triton", 1000)]["reason"] or said[
        "philox_pi.Interpreted", ("triton", 1000)
    ]["reason"].startswith("triton is not installed")
    failed = said["broken.Broken", ("python", 1000)]
    assert (failed["said"], failed["reason"]) == ("failed", "the last line")
    late = said["broken.Late", ("python", 1000)]
    assert (late["said"], late["reason"]) == ("failed", "AssertionError: 783 hits, not 782 (1000 points, seed 42)")
    assert laboratory.results(commit)["results"]["broken.Late.time_call"][0] is None
    assert "must be finite" in said["broken.Bad.track_nan", ("python", 1000)]["reason"]
    assert {line["said"] for key, line in said.items() if key[0].startswith("philox_pi")} == {"empty"}


def test_no_line_is_there_twice(badly_measured: tuple[Laboratory, str]) -> None:
    told = [{key: value for key, value in line.items() if key != "at"} for line in lines(*badly_measured)]
    assert len({json.dumps(line) for line in told}) == len(told)


# How records are read does not depend on how asv launches the processes that write them.
by_one_method = pytest.mark.parametrize("badly_measured_template", ["forkserver"], indirect=True)


@by_one_method
def test_what_was_said_goes_beside_the_results_and_into_a_source(badly_measured: tuple[Laboratory, str]) -> None:
    laboratory, commit = badly_measured
    answer = laboratory.run([sys.executable, "-m", "website.site"])
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (file,) = (laboratory.path / ".asv" / "results").glob(f"*/{commit[:8]}-*.records.jsonl")
    assert [json.loads(line) for line in file.read_text().splitlines()] == lines(laboratory, commit)
    (kernel,) = (laboratory.path / "site" / "data").glob("*/philox_pi.json")
    content = json.loads(kernel.read_text())
    source = next(source for source in content["sources"] if source["commit"] == commit)
    assert source["installed"]["numpy"]["numpy"] == source["requirements"]["numpy"]
    assert source["mismatches"] == []
    assert source["processor"] == machine.processor()
    row = next(row for row in content["rows"] if (row["backend"], row["size"]) == ("numba", 1000))
    assert (row["status"], "numba is not installed" in row["reason"]) == ("empty", True)


@by_one_method
def test_a_lie_about_what_is_installed_shows(badly_measured: tuple[Laboratory, str], tmp_path: Path) -> None:
    laboratory, commit = badly_measured
    results = tmp_path / "results"
    shutil.copytree(laboratory.path / ".asv" / "results", results)
    records.gather(laboratory.path / records.WRITTEN, results / machine.identity())
    (file,) = results.glob(f"*/{commit[:8]}-*.records.jsonl")
    told = [json.loads(line) for line in file.read_text().splitlines()]
    numpy = next(line for line in told if line.get("backend") == "numpy")
    asked = numpy["packages"]["numpy"]
    file.write_text(json.dumps({**numpy, "packages": {"numpy": "1.0"}}))
    unread: list[stored.Unread] = []
    (path,) = results.glob(f"*/{commit[:8]}-*.json")
    result, _ = stored.load(path)
    origin = Origin(result, commits.read(laboratory.path).commit(commit, 0.0), records.read(path, unread))
    assert figures.source(origin)["mismatches"] == [{"package": "numpy", "asked": asked, "installed": "1.0"}]
    assert unread == []


def test_another_version_than_the_one_asked_for_is_flagged() -> None:
    asked = {"numpy": "2.4.6", "torch": "2.13.0"}
    told = {"numpy": {"numpy": "2.4.5"}, "torch_eager": {"torch": "2.13.0+cpu", "numpy": "2.4.5"}}
    assert figures.mismatches(asked, told) == [{"package": "numpy", "asked": "2.4.6", "installed": "2.4.5"}]


@pytest.fixture
def asv_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Variables such as asv sets; the file where lines go."""
    monkeypatch.setenv("ASV_CONF_DIR", str(tmp_path))
    monkeypatch.setenv("ASV_COMMIT", "c" * 40)
    monkeypatch.setenv("ASV_ENV_NAME", "virtualenv-py3.11")
    return tmp_path / ".asv" / "records" / ("c" * 40) / "virtualenv-py3.11.jsonl"


class Nested(_Warm):
    params = [["python"], [10]]
    param_names = ["backend", "points"]
    times = 0

    def setup(self, backend: str, points: int) -> None:
        Nested.times += 1


class Deeper(Nested):
    def setup(self, backend: str, points: int) -> None:
        super().setup(backend, points)
        raise NotImplementedError("as it should")


def test_a_setup_that_calls_another_says_it_once(asv_s: Path) -> None:
    with pytest.raises(NotImplementedError):
        Deeper().setup("python", 10)
    (line,) = asv_s.read_text().splitlines()
    assert json.loads(line)["benchmark"].endswith("test_records.Deeper")


def test_only_the_first_call_of_a_setup_says_anything(asv_s: Path) -> None:
    benchmark = Nested()
    benchmark.setup("python", 10)
    asv_s.unlink(missing_ok=True)
    for _ in range(3):
        benchmark.setup("python", 10)
    assert not asv_s.exists()


def test_a_backend_s_line_is_written_again_if_its_last_one_differs(asv_s: Path) -> None:
    for name in ("two", "two", "one", "two"):
        _records._append("backend", {"backend": "c", "packages": {}, "machine": name})
        _records._append("backend", {"backend": "c_parallel", "packages": {}, "machine": "two"})
    told = [(line["backend"], line["machine"]) for line in map(json.loads, asv_s.read_text().splitlines())]
    assert told == [("c", "two"), ("c_parallel", "two"), ("c", "one"), ("c", "two")]


def test_outside_asv_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASV_CONF_DIR", "ASV_COMMIT", "ASV_ENV_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotImplementedError):
        Deeper().setup("python", 10)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_takes_no_line_does_not_stop_the_measurement(
    asv_s: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASV_CONF_DIR", "/dev/null")
    with pytest.raises(NotImplementedError, match="as it should"):
        Deeper().setup("python", 10)
    assert "takes no record" in capsys.readouterr().err


def test_a_long_environment_is_filed_under_asv_s_own_name_for_it(asv_s: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from asv.results import get_filename

    environment = "virtualenv-py3.11-" + "x" * 200
    monkeypatch.setenv("ASV_ENV_NAME", environment)
    file = _records._file()
    assert get_filename("machine", "c" * 40, environment) == f"machine/{'c' * 8}-{file.stem}.json"


def test_a_series_that_has_not_settled_says_so(asv_s: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Warm(_Warm):
        def setup(self, answer: str) -> None:
            _records.note_settled({"no": False, "yes": True, "short": None}[answer], 40)

    for answer in ("no", "yes", "short"):
        Warm().setup(answer)
    told = [(line["said"], line["cell"], line["calls"]) for line in map(json.loads, asv_s.read_text().splitlines())]
    assert told == [("unsettled", ["no"], 40), ("settled", ["yes"], 40)]


def test_one_unsettled_process_is_enough_for_the_cell(tmp_path: Path) -> None:
    line = functools.partial(dict, schema=1, benchmark="philox_pi.Warm", cell=["jax", 10], calls=40)
    text = "\n".join(json.dumps(line(said=said)) for said in ("settled", "unsettled", "settled"))
    file = tmp_path / "1-env.records.jsonl"
    file.write_text(text)
    told = records.load(file)
    assert told.has_settled("philox_pi.Warm.time_call", ("'jax'", "10")) is False
    assert told.has_settled("philox_pi.Warm.time_call", ("'numba'", "10")) is None
    assert told.lost == 0


def test_lines_that_are_none_are_counted_and_the_others_heeded(tmp_path: Path) -> None:
    good = json.dumps({"schema": 1, "said": "empty", "benchmark": "b.C", "cell": ["numba", 1], "reason": "why"})
    text = "\n".join(["{", "[]", '"text"', "null", '{"schema": 2, "said": "empty"}', '{"schema": 1}', good, good[:-9]])
    file = tmp_path / "1-env.records.jsonl"
    file.write_text(text)
    told = records.load(file)
    assert told.reason("b.C.time_x", ("'numba'", "1")) == ("empty", "why")
    assert told.lost == 7


def test_gathering_adds_what_is_new_and_keeps_what_was_there(tmp_path: Path) -> None:
    written, results = tmp_path / "records", tmp_path / "results" / "vm"
    (written / ("a" * 40)).mkdir(parents=True)
    results.mkdir(parents=True)
    file = written / ("a" * 40) / "env.jsonl"
    file.write_text("one\ntwo\n")
    records.gather(written, results)
    assert list(results.iterdir()) == [], "there is no result yet"
    (results / "aaaaaaaa-env.json").touch()
    records.gather(written, results)
    file.write_text("two\nthree\n")
    records.gather(written, results)
    target = results / "aaaaaaaa-env.records.jsonl"
    assert target.read_text() == "one\ntwo\nthree\n"
    before = target.stat().st_ino
    records.gather(written, results)
    assert target.stat().st_ino == before, "nothing is new, so nothing is written"
    assert [path.name for path in stored.files(results)] == ["aaaaaaaa-env.json"]


def test_lines_of_another_machine_are_not_gathered(tmp_path: Path) -> None:
    written, results = tmp_path / "records", tmp_path / "results" / "vm-2"
    (written / ("a" * 40)).mkdir(parents=True)
    results.mkdir(parents=True)
    (results / "aaaaaaaa-env.json").touch()
    mine, other, reason = ({"machine": "vm-2"}, {"machine": "vm-1"}, {"said": "empty"})
    lines = [f"{json.dumps(line, separators=(',', ':'))}\n" for line in (mine, reason, other)]
    (written / ("a" * 40) / "env.jsonl").write_text("".join(lines))
    target = results / "aaaaaaaa-env.records.jsonl"
    target.write_text(lines[2])  # from an older version
    records.gather(written, results)
    assert target.read_text() == "".join(lines[:2])
