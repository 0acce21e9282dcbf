"""What the suite itself costs: exact figures worked out once, and the account of a run's time."""

import functools
import itertools
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import benchmarks
from benchmarks import _costs, _exact, _together
from benchmarks import _selection as suite
from history import slices
from history.spent import PARTS, Spent
from jitkernels import Unavailable, kernels, machine
from jitkernels.backends.table import BACKENDS
from jitkernels.case import unavailable

ROOT = Path(__file__).parents[2]


class Squares(_exact._Exact):
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


def test_the_first_cell_works_out_all_sizes_of_its_backend_and_no_other(squares: type[Squares]) -> None:
    for _ in range(3):
        benchmark = squares()
        benchmark.setup("c", 2)
        assert benchmark.row == {"square": 4}
    assert squares.worked_out == [("c", 2), ("c", 3), ("c", 4)]


def test_a_failure_and_a_skip_stay_with_their_own_cell(squares: type[Squares]) -> None:
    squares().setup("numpy", 2)
    with pytest.raises(RuntimeError, match="three is broken"):
        squares().setup("numpy", 3)
    with pytest.raises(NotImplementedError, match="no four"):
        squares().setup("numpy", 4)
    assert len(squares.worked_out) == 3


def test_outside_asv_nothing_is_kept(squares: type[Squares]) -> None:
    Path("cache.pickle").unlink()
    for _ in range(2):
        squares().setup("c", 2)
    assert squares.worked_out == [("c", 2)] * 2
    assert list(Path.cwd().iterdir()) == []


class Pids(_exact._Exact):
    params = [["c"], [1, 2]]

    def figures(self, backend: str, number: int) -> dict[str, int]:
        return {"pid": os.getpid()}


class Clocked(Pids):
    measured = True


class Dying(Pids):
    """Kills its process the first time."""

    def figures(self, backend: str, number: int) -> dict[str, int]:
        if not Path("died").exists():
            Path("died").touch()
            os._exit(3)
        return super().figures(backend, number)


def test_the_first_cell_has_all_classes_of_a_run_worked_out(squares: type[Squares], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_together, "classes", lambda module, backend: iter([squares, Pids, Clocked, Dying, Path]))
    squares().setup("c", 2)
    assert squares.worked_out == [], "in another process"
    assert sorted(path.name.split(".")[-3] for path in Path.cwd().glob("*.json")) == ["Pids", "Squares"]
    here, elsewhere = os.getpid(), Pids()
    elsewhere.setup("c", 1)
    assert elsewhere.row["pid"] != here
    for alone in (Clocked(), Dying()):
        alone.setup("c", 1)
        assert alone.row["pid"] == here, "what is measured, or has died before, is worked out by its own cell"


def test_the_classes_of_a_run_are_those_of_its_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_together.CELLS, raising=False)
    assert list(_together.classes("benchmarks.relu", "jax")) == []
    (tmp_path / "cells").write_text(
        "relu.Error.track_error('jax', 100)\nrelu.Counts.track_kernels('jax', 100)\nrelu.Counts.track_fusions('jax', 100)\n"
        "philox_pi.Made.track_count('numba', 1000, 'fusions')\nnothing\n"
    )
    monkeypatch.setenv(_together.CELLS, str(tmp_path / "cells"))
    found = list(_together.classes("benchmarks.philox_pi", "jax"))
    assert [(leaf.__module__, leaf.__qualname__) for leaf in found] == [
        ("benchmarks.relu", "Error"), ("benchmarks.relu", "Counts"),
    ]  # fmt: skip


def test_no_more_processes_work_side_by_side_than_there_are_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_together, "MOST", 2)

    def running() -> int:
        return len(list(tmp_path.glob("task*")))

    def task(name: str) -> None:
        """Waits a while for as many as may be there, and a little longer for one too many."""
        (tmp_path / name).touch()
        end = time.monotonic() + 3
        while running() < min(2, machine.cores()) and time.monotonic() < end:
            time.sleep(0.01)
        most = running()
        time.sleep(0.1)
        (tmp_path / f"seen.{name}").write_text(str(max(most, running())))
        (tmp_path / name).unlink()

    _together.side_by_side(functools.partial(task, f"task{number}") for number in range(5))
    seen = [int(path.read_text()) for path in tmp_path.glob("seen.*")]
    assert (len(seen), max(seen)) == (5, min(2, machine.cores()))


def test_tasks_that_would_start_too_late_are_left(tmp_path: Path) -> None:
    tasks = [functools.partial((tmp_path / str(number)).touch) for number in range(20)]
    _together.side_by_side(tasks, enough=2.5, clock=itertools.count().__next__)
    assert {path.name for path in tmp_path.iterdir()} == {"0", "1"}, "at 1 and 2 s by the clock; the third would be at 3 s"


def test_an_exact_cell_is_asked_once_however_many_processes_a_first_call_has(tmp_path: Path) -> None:
    cells = [
        "philox_pi.Cold.time_first_call('jax', 1000)", "philox_pi.Made.track_count('jax', 1000, 'fusions')",
        "philox_pi.Warm.time_call('jax', 1000)",
    ]  # fmt: skip
    runs = {
        cell: options
        for options, variables in slices.runs("jax", cells, tmp_path)
        for cell in Path(variables[suite.CELLS]).read_text().splitlines()
        if re.search(options[options.index("--bench") + 1], cell)
    }
    attributes = [[option for option in runs[cell] if "=" in option] for cell in cells]
    assert attributes == [["rounds=5"], [], ["rounds=1", "repeat=(8,10,2)"]]


def test_what_suite_and_slices_leave_for_each_other_has_one_name() -> None:
    assert (suite.PRELOAD, suite.CELLS) == (benchmarks.PRELOAD, _together.CELLS)


def test_a_process_knows_how_old_it_is() -> None:
    script = "import time; time.sleep(0.3); from benchmarks._costs import process_seconds; print(process_seconds())"
    begin = time.perf_counter()
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    ticks = 0.02  # the kernel's clock has a hundred a second
    assert 0.25 < float(answer.stdout) < time.perf_counter() - begin + ticks


def test_laps_are_the_process_s_life_without_holes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_costs.FILE, str(tmp_path / "costs"))
    before = _costs.process_seconds()
    watch = _costs.Stopwatch()
    time.sleep(0.1)
    watch.lap("check")
    watch.lap("warm_up")
    watch.save("warm")
    line = json.loads((tmp_path / "costs").read_text())
    assert set(line) == {"kind", "start", "check", "warm_up"} <= {"kind", *PARTS}
    assert line["start"] >= before
    assert 0.1 <= line["check"] < 1
    assert 0 <= line["warm_up"] < 0.05


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_costs.FILE, raising=False)
    monkeypatch.chdir(tmp_path)
    _costs.Stopwatch().save("warm")
    assert list(tmp_path.iterdir()) == []


def test_the_account_adds_up(tmp_path: Path) -> None:
    file = tmp_path / "costs"
    file.write_text('{"kind": "left over", "start": 1000.0}\n')
    spent = Spent(file)
    warm = {"kind": "warm", "start": 2.0, "check": 3.0, "warm_up": 5.0, "unsettled": "x"}
    beside, figures = {"kind": "exact", "benchmark": "relu.Lives", "beside": 7.0}, {"kind": "exact", "figures": 1.0}
    file.write_text("\n".join(map(json.dumps, (warm, beside, figures))))
    spent.add(wall=20.0, samples=5.0)
    spent.add(wall=20.0, samples=10.0)
    assert spent.seconds == {
        "start": 2.0, "framework": 0.0, "check": 3.0, "warm_up": 5.0, "samples": 15.0, "figures": 1.0, "rest": 14.0,
    }  # fmt: skip
    first, *parts, exact, lives, heading, case = spent.summary()
    assert first == "0:40 in all, 50% of it in timed samples and warm-up:"
    assert ("not settled" in heading, case) == (True, "  1  x")
    assert ("exact figures" in exact, lives) == (True, "  0:07  relu.Lives")
    assert len(parts) == 6
    assert sum(int(part.split("%")[0]) for part in parts) == pytest.approx(100, abs=3)


def threads_after(code: str) -> int:
    """How many threads a process has once it has run the code."""
    script = f"{code}; import os; print(len(os.listdir('/proc/self/task')))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return int(answer.stdout.split()[-1])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc, which is Linux's")
@pytest.mark.parametrize("backend", ["numba", "jax", "tensorflow_xla", "torch_inductor", "triton"])
def test_what_the_fork_server_imports_starts_no_thread_that_a_fork_would_lose(backend: str) -> None:
    if reason := unavailable(kernels.load("philox_pi"), BACKENDS[backend], "cpu"):
        raise Unavailable(reason)
    named = " ".join(suite.modules(backend) + suite.questions(backend))
    preload = f"import os; os.environ['{benchmarks.PRELOAD}'] = '{named}'; import benchmarks"
    assert threads_after(preload) <= threads_after("import numpy"), "NumPy's own threads know what to do in a fork"


def test_only_what_is_named_is_imported_with_the_suite() -> None:
    script = "import benchmarks, sys; print('colorsys' in sys.modules)"
    for named, imported in (("", "False"), ("colorsys", "True")):
        environment = {**os.environ, benchmarks.PRELOAD: named}
        for task, heeds in (("run_server", True), ("discover", False), ("setup_cache", False)):
            command = [sys.executable, "-c", script, task]
            answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
            assert answer.stdout.strip() == (imported if heeds else "False")


@pytest.mark.parametrize("backend", ["triton"])
def test_where_triton_s_interpreter_is_imported_a_cubin_is_built(backend: str) -> None:
    if reason := unavailable(kernels.load("relu"), BACKENDS[backend], "cpu"):
        raise Unavailable(reason)
    script = "from benchmarks.relu import AheadOfTime as A; a = A(); a.setup('triton', 20, 'cubin'); print(a.row['bytes'])"
    environment = {**os.environ, benchmarks.PRELOAD: " ".join(suite.modules(backend))}
    answer = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert int(answer.stdout) > 1_000


def test_first_calls_find_no_cache_that_other_cells_filled() -> None:
    for group in ("Cold", "Retraces", "FirstStep", "Lives", "Stages"):
        assert suite.launched(f"philox_pi.{group}.time_first_call('jax', 1000)") == suite.OWN_CACHES
    assert suite.launched("philox_pi.Cached.time_first_call('jax', 1000)") == suite.SHARED_CACHES
    for loaded in ("philox_pi.Warm", "monte_carlo_pi.Spellings"):
        assert suite.launched(f"{loaded}.time_it('jax', 1000)") == suite.ASKED
    assert suite.launched("square_or_cube.Spellings.track_it('jax')") == suite.OWN_CACHES


def test_a_cache_of_the_user_s_own_shell_reaches_no_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_persistent_cache_directory=/mine")
    for how, variables in suite.environments("jax", tmp_path).items():
        assert variables["JAX_ENABLE_COMPILATION_CACHE"] == ("false" if how == suite.OWN_CACHES else "true")
        assert "/mine" not in variables["TF_XLA_FLAGS"]
        assert Path(variables["TORCHINDUCTOR_CACHE_DIR"]).is_relative_to(tmp_path)
