"""How make bench measures: in which runs of asv, and in which environment."""

import errno
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from asv.config import Config
from asv.environment import get_environments
from asv.plugins.virtualenv import Virtualenv
from synthetic import History, row, warm

from benchmarks import _launch
from duet.lock import only_measurement
from history import bench, environment, slices
from history.environment import AsNeeded
from history.errors import StopError
from jitkernels import settings


def test_an_exact_case_is_worked_out_once_however_many_processes_a_first_call_has() -> None:
    cases = [
        "philox_pi.Cold.time_first_call('jax', 1000)", "philox_pi.Made.track_count('jax', 1000, 'fusions')",
        "philox_pi.Warm.time_call('jax', 1000)",
    ]  # fmt: skip
    runs = {
        case: (options, _launch.NO_CLOCK in variables)
        for options, variables in slices.runs("jax", cases)
        for case in Path(variables[_launch.CASES]).read_text().splitlines()
        if re.search(options[options.index("--bench") + 1], case)
    }
    attributes = [[option for option in runs[case][0] if "=" in option] for case in cases]
    assert attributes == [["rounds=5"], [], ["rounds=1", "repeat=(8,10,2)"]]
    assert [runs[case][1] for case in cases] == [False, True, False]


def test_uncommitted_benchmarks_are_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "LOG", tmp_path / "log.txt")
    monkeypatch.setattr(bench, "git", lambda *command: " M benchmarks/relu.py" if "benchmarks" in command else "")
    with pytest.raises(StopError, match="has uncommitted changes, which asv would file under HEAD"):
        bench.measure(["c"], 0, full=False, again=False)


def test_the_caches_of_a_slice_are_removed_also_where_a_run_is_stopped() -> None:
    directories: list[Path] = []

    def stopped() -> None:
        for _, variables in slices.runs("jax", ["philox_pi.Warm.time_call('jax', 1000)"]):
            directories.append(Path(variables[_launch.CASES]).parent)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert [directory.exists() for directory in directories] == [False]


def test_the_results_of_a_release_are_not_those_of_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history, pi = History(tmp_path), warm("philox_pi", ["numba"], [1000])
    history.describe(pi)
    history.release(0, "0.60.0", {pi["name"]: row(pi, [1.0])})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "identity", lambda: "vm")
    assert bench.figures_of_head() == {}
    (own,) = get_environments(Config.load("asv.conf.json"), None)
    history.add(0, {pi["name"]: row(pi, [2.0])}, environment=own.name)
    assert list(bench.figures_of_head().values()) == [2.0]


def test_a_run_prints_each_figure_and_its_minutes_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, skipped, failed = (f"philox_pi.Warm.time_call('{backend}', 1000)" for backend in ("numpy", "c", "numba"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "git", lambda *_: "")
    monkeypatch.setattr(bench, "run", lambda *_, **__: None)
    monkeypatch.setattr(bench, "all_cases", lambda: [measured, skipped, failed])
    monkeypatch.setattr(bench, "figures_of_head", lambda: {measured: 1 / 8, skipped: math.nan})
    assert bench.measure(["numpy", "c", "numba"], 0, full=True, again=True) == [failed]
    *lines, last = capsys.readouterr().out.splitlines()
    assert {f"        {measured}  0.125", f"        {skipped}  skipped", f"        {failed}  failed"} <= {*lines}
    assert re.fullmatch(r"0:0\d in all", last)


def test_make_bench_does_not_run_beside_another_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.setattr(bench, "measure", lambda *_, **__: pytest.fail("it measures"))
    with only_measurement():
        assert bench.main() == 2
    assert capsys.readouterr().err.startswith("another measurement")


def test_a_full_disk_ends_make_bench_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(*_: Any, **__: Any) -> list[str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.setattr(bench, "measure", measure)
    assert bench.main() == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("[Errno 28] No space left on device; finished measurements are kept")


def test_an_invalid_setting_ends_make_bench_like_the_other_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bench"])
    monkeypatch.setattr(bench, "git", lambda *_: "")
    monkeypatch.setenv(settings.THREADS, "many")
    assert bench.main() == 2, "1 would say that a case failed"
    assert settings.THREADS in capsys.readouterr().err


@pytest.fixture
def installations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requirements that asv installs, one after the other, where nothing is really made."""
    names: list[str] = []

    def set_up(self: Virtualenv) -> None:
        Path(self._path).mkdir(parents=True)
        self._install_requirements()

    def install(self: Virtualenv) -> None:
        names.extend(self._requirements)

    monkeypatch.setattr(Virtualenv, "_setup", set_up)
    monkeypatch.setattr(Virtualenv, "_install_requirements", install)
    monkeypatch.setattr(Virtualenv, "run_executable", lambda *_, **__: "")
    monkeypatch.setattr(Virtualenv, "find_executable", lambda *_: "python")
    monkeypatch.chdir(tmp_path)
    return names


def create(specifier: str | None, needed: str | None, monkeypatch: pytest.MonkeyPatch) -> Any:
    conf = Config.from_json(
        {"version": 1, "project": "p", "repo": ".", "environment_type": "virtualenv", "env_dir": "env",
         "matrix": {"req": {"pip+asv_runner": ["0.3.2"], "numpy": ["2"], "numba": ["1"], "jax": ["3"]}}}
    )  # fmt: skip
    if needed is None:
        monkeypatch.delenv(environment.NEEDED, raising=False)
    else:
        monkeypatch.setenv(environment.NEEDED, needed)
    (made,) = get_environments(conf, specifier and [specifier])
    made.create()
    return made


def test_a_backend_s_requirements_are_installed_and_the_rest_when_it_is_needed(
    installations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    created = create(AsNeeded.tool_name, "numba numpy llvmlite", monkeypatch)
    assert installations == ["numpy", "numba"]
    created = create(AsNeeded.tool_name, "numba numpy llvmlite", monkeypatch)
    assert installations == ["numpy", "numba"], "once"
    created = create(AsNeeded.tool_name, None, monkeypatch)
    assert installations == ["numpy", "numba", "jax"]
    assert json.loads(Path(created._path, "asv-env-info.json").read_text())["requirements"] == created.requirements


def test_the_environment_has_the_name_and_the_place_of_asv_s_own(
    installations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, own = (create(specifier, None, monkeypatch) for specifier in (AsNeeded.tool_name, None))
    assert (ours.name, ours._path, ours.requirements) == (own.name, own._path, own.requirements)
    assert installations == ["numpy", "numba", "jax"], "asv's own class finds it complete"


def test_asv_s_own_class_makes_an_environment_anew_that_is_not_complete(
    installations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    create(AsNeeded.tool_name, "numba", monkeypatch)
    create(None, None, monkeypatch)
    assert installations == ["numba", "numpy", "numba", "jax"]


def test_another_version_of_a_requirement_begins_anew(installations: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    created = create(AsNeeded.tool_name, "numba", monkeypatch)
    file = Path(created._path, "asv-env-info.json")
    file.write_text(file.read_text().replace('"numba": "1"', '"numba": "0"'))
    create(AsNeeded.tool_name, "numba", monkeypatch)
    assert installations == ["numba", "numba"]
