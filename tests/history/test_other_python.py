"""A ranking over the packages of another Python: what `jitkernels time` measures there becomes the lines of a run."""

import itertools
import platform
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from synthetic import ROOT

from benchmarks import _selection
from duet import SideError, git
from history import other_python, ranking
from history.errors import INTERRUPTED
from history.store import rankings
from jitkernels import kernels
from jitkernels.backends.table import BACKENDS
from jitkernels.measure import timing
from jitkernels.measure.rows import Row
from jitkernels.settings import DEVICES

ABOUT = {"machine": "vm", "processor": "A processor", "cores": 2, "commit": "c" * 40, "python": "3.12.3", "requirements": {}}


def row(backend: str, processes: list[float] | None, **others: Any) -> dict[str, Any]:
    ok = {"status": "ok", "reason": None, "device": "cpu", "threads": 2, "settled": True, "roof": None}
    return {"kernel": "softmax", "size": 100, "backend": backend, "warm_processes": processes, **ok, **others}


def test_a_line_has_the_median_of_each_process_and_the_reason_of_what_is_empty() -> None:
    rows = [row("jax", [1.0, 2.00000049]), row("triton", None, status="unavailable", reason="there is no GPU")]
    (line,) = other_python.lines(rows, {**ABOUT, "began": "2026-11-26T10:00:00Z"})
    assert line["cells"] == {"jax": {"seconds": [1.0, 2.0], "threads": 2, "settled": True}}
    assert (line["kernel"], line["size"], line["threads"], line["empty"]) == (
        "softmax",
        100,
        None,
        {"triton": "there is no GPU"},
    )


def test_on_a_gpu_the_threads_of_its_host_are_not_what_computes() -> None:
    (line,) = other_python.lines([row("jax", [1.0], device="gpu", threads=16)], ABOUT)
    assert line["cells"]["jax"]["threads"] is None
    assert line["command"] == "JITKERNELS_DEVICE=gpu make ranking OVER=python3 KERNEL=softmax"


def test_real_processes_are_measured_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """HEAD's library measures, over the packages of this process."""
    monkeypatch.setattr(ranking, "RESULTS", tmp_path)
    monkeypatch.setattr(ranking, "DIRECTORY", tmp_path / "ranking")
    monkeypatch.setattr(_selection, "RANKED", ["numpy", "c"])
    monkeypatch.setattr(_selection, "sizes_of_ranking", lambda device: [("philox_pi", 1000), ("relu", 20), ("dense", 20)])
    chosen = ["--kernel", "relu", "--kernel", "philox_pi"]
    monkeypatch.setattr(sys, "argv", ["ranking", "--rounds", "2", "--python", sys.executable, *chosen])
    monkeypatch.chdir(ROOT)
    assert ranking.main() == ranking.DONE
    lines = rankings.read(tmp_path, [])
    assert [(line["kernel"], line["size"]) for line in lines] == [("philox_pi", 1000), ("relu", 20)]
    assert [len(cell["seconds"]) for line in lines for cell in line["cells"].values()] == [2, 2, 2, 2]
    assert (lines[0]["commit"], lines[0]["python"]) == (git.commit(ROOT), platform.python_version())
    assert lines[0]["requirements"]["numpy"] == np.__version__
    assert "philox_pi at 1,000, ms: 1 c" in capsys.readouterr().out


def test_a_run_that_is_stopped_stores_its_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(request: timing.Request) -> Iterator[Row]:
        yield from itertools.islice(steps(request), 3)
        raise KeyboardInterrupt

    steps = timing.steps
    monkeypatch.setattr(timing, "steps", stopped)
    monkeypatch.setattr(ranking, "RESULTS", tmp_path)
    monkeypatch.setattr(ranking, "DIRECTORY", tmp_path / "ranking")
    monkeypatch.setattr(_selection, "RANKED", ["numpy", "c"])
    monkeypatch.setattr(_selection, "sizes_of_ranking", lambda device: [("relu", 20)])
    monkeypatch.setattr(sys, "argv", ["ranking", "--rounds", "5", "--python", sys.executable])
    monkeypatch.chdir(ROOT)
    assert (ranking.main(), capsys.readouterr().err) == (INTERRUPTED, "stopped: what was measured is stored\n")
    (line,) = rankings.read(tmp_path, [])
    assert {backend: len(cell["seconds"]) for backend, cell in line["cells"].items()} == {"numpy": 1, "c": 1}


def test_what_is_no_python_is_reported_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(SideError, match="cannot list its packages"):
        list(other_python.measure("/bin/false", tmp_path / "other", 1))


def test_a_python_without_numpy_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    monkeypatch.chdir(ROOT)
    with pytest.raises(SideError, match="cannot import HEAD's library, for the reason above"):
        list(other_python.measure(str(tmp_path / "bare" / "bin" / "python"), tmp_path / "other", 1))


def test_a_kernel_without_a_size_for_the_device_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ranking, "DIRECTORY", tmp_path)
    monkeypatch.setattr(_selection, "sizes_of_ranking", lambda device: [("relu", 20)])
    monkeypatch.setattr(sys, "argv", ["ranking", "--kernel", "softmax", "--python", sys.executable])
    monkeypatch.chdir(ROOT)
    assert (ranking.main(), capsys.readouterr().err) == (ranking.FAILED, "not ranked on a cpu: softmax\n")


@pytest.mark.parametrize("device", DEVICES)
def test_what_is_ranked_on_a_device_exists(device: str) -> None:
    cases = _selection.sizes_of_ranking(device)
    assert all(kernels.load(kernel).valid_size(size) == size for kernel, size in cases)
    assert len(cases) == len(dict(cases))
    runs = {device in BACKENDS[name].framework.devices for name in _selection.RANKED}
    assert runs == ({True} if device == "cpu" else {True, False})
