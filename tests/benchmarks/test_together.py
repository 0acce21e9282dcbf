"""Exact figures of several classes are worked out by as many processes as there are cores."""

import functools
import itertools
import time
from pathlib import Path

import pytest

from benchmarks import _launch
from benchmarks._suite import exact
from jitkernels import machine


def test_the_classes_of_a_run_are_those_of_its_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_launch.CASES, raising=False)
    assert list(exact.classes("benchmarks.relu", "jax")) == []
    (tmp_path / "cases").write_text(
        "relu.Error.track_error('jax', 100)\nrelu.Counts.track_kernels('jax', 100)\nrelu.Counts.track_fusions('jax', 100)\n"
        "philox_pi.Made.track_count('numba', 1000, 'fusions')\nnothing\n"
    )
    monkeypatch.setenv(_launch.CASES, str(tmp_path / "cases"))
    found = list(exact.classes("benchmarks.philox_pi", "jax"))
    assert [(leaf.__module__, leaf.__qualname__) for leaf in found] == [
        ("benchmarks.relu", "Error"),
        ("benchmarks.relu", "Counts"),
    ]


def test_no_more_processes_work_side_by_side_than_there_are_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST", 2)

    def running() -> int:
        return len(list(tmp_path.glob("task*")))

    def task(name: str) -> None:
        """Wait until two have run at once, where there are two cores, and a little longer for one too many."""
        (tmp_path / name).touch()
        end = time.monotonic() + 60  # never reached where two processes do run
        while running() < min(2, machine.cores()) and not list(tmp_path.glob("seen.*")) and time.monotonic() < end:
            time.sleep(0.01)
        most = running()
        time.sleep(0.1)
        (tmp_path / f"seen.{name}").write_text(str(max(most, running())))
        (tmp_path / name).unlink()

    exact.side_by_side(functools.partial(task, f"task{number}") for number in range(5))
    seen = [int(path.read_text()) for path in tmp_path.glob("seen.*")]
    assert (len(seen), max(seen)) == (5, min(2, machine.cores()))


def test_no_task_begins_once_the_time_is_up(tmp_path: Path) -> None:
    seconds = itertools.count().__next__  # one goes by between two looks at the clock
    exact.side_by_side([(tmp_path / str(number)).touch for number in range(20)], enough=2.5, clock=seconds)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"]
