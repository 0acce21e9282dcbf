"""Exact figures are worked out once: by the first case of a class, or for all classes of a run side by side."""

import functools
import itertools
import os
import time
from pathlib import Path

import pytest

from benchmarks import _launch
from benchmarks._suite import exact
from jitkernels import machine


class Squares(exact._Exact):
    """Fails for 3, has nothing to say of 4."""

    params = [["numpy", "c"], [2, 3, 4]]
    worked_out: list[tuple[str, int]] = []

    def figures(self, backend: str, number: int) -> dict[str, int]:
        self.worked_out.append((backend, number))
        assert number != 3, "three is broken"
        if number == 4:
            raise NotImplementedError("no four")
        return {"square": number * number}


@pytest.fixture
def squares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Squares]:
    """In a directory such as asv makes for benchmarks with a setup_cache."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cache.pickle").touch()
    monkeypatch.setattr(Squares, "worked_out", [])
    return Squares


def test_the_first_case_works_out_all_sizes_of_its_backend_and_no_other(squares: type[Squares]) -> None:
    for _ in range(3):
        benchmark = squares()
        benchmark.setup("c", 2)
        assert benchmark.row == {"square": 4}
    assert squares.worked_out == [("c", 2), ("c", 3), ("c", 4)]


def test_a_failure_and_a_skip_stay_with_their_own_case(squares: type[Squares]) -> None:
    squares().setup("numpy", 2)
    with pytest.raises(AssertionError, match="three is broken"):
        squares().setup("numpy", 3)
    with pytest.raises(NotImplementedError, match="no four"):
        squares().setup("numpy", 4)
    assert len(squares.worked_out) == 3


def test_outside_asv_no_file_is_left(squares: type[Squares]) -> None:
    Path("cache.pickle").unlink()
    for _ in range(2):
        squares().setup("c", 2)
    assert squares.worked_out == [("c", 2)] * 2
    assert list(Path.cwd().iterdir()) == []


class Pids(exact._Exact):
    params = [["c"], [1, 2]]

    def figures(self, backend: str, number: int) -> dict[str, int]:
        return {"pid": os.getpid()}


class Clocked(Pids):
    is_measured = True


class Dying(Pids):
    """Kills its process the first time."""

    def figures(self, backend: str, number: int) -> dict[str, int]:
        if not Path("died").exists():
            Path("died").touch()
            os._exit(3)
        return super().figures(backend, number)


def test_the_first_case_has_all_classes_of_a_run_worked_out(squares: type[Squares], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "classes", lambda module, backend: iter([squares, Pids, Clocked, Dying, Path]))
    squares().setup("c", 2)
    assert squares.worked_out == [], "in another process"
    assert sorted(path.name.split(".")[-3] for path in Path.cwd().glob("*.json")) == ["Pids", "Squares"]
    here, elsewhere = os.getpid(), Pids()
    elsewhere.setup("c", 1)
    assert elsewhere.row["pid"] != here
    for alone in (Clocked(), Dying()):
        alone.setup("c", 1)
        assert alone.row["pid"] == here, "what is measured, or has died before, is worked out by its own case"


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
