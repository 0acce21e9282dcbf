"""A process that measures cells: what it says of those that end badly, and that nothing of it is left."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gate import suite
from gate.builds import Side
from gate.commits import Commit
from gate.measure import Bench, Cell
from gate.workers import Worker

SUITE = """
import os, time
from pathlib import Path


class Ends:
    def track_well(self):
        return 7

    def track_crash(self):
        os._exit(3)

    def track_signal(self):
        os.kill(os.getpid(), 9)

    def track_hang(self):
        Path(os.environ["HANGS"]).write_text(str(os.getpid()))
        time.sleep(100)

    def track_core(self):
        return len(os.sched_getaffinity(0))

    def track_directory(self):
        return len(list(Path().iterdir()))


class Waits:
    def setup(self):
        self.since = time.time()
        Path(os.environ["HANGS"]).write_text(str(os.getpid()))

    def track_since(self):
        return time.time() - self.since
"""


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Any]:
    """A function that starts a worker over a suite that needs no library."""
    root = tmp_path / "suite"
    root.mkdir()
    (root / "__init__.py").write_text("import os, sys\nif os.environ.get('BREAKS'):\n    sys.exit('no framework')\n")
    (root / "ends.py").write_text(SUITE)
    environment = SimpleNamespace(project="no_library", log=tmp_path / "log.txt", python=sys.executable)
    side = Side("head", Commit("HEAD", "0" * 40, ""), tmp_path, root)

    def start(variables: dict[str, str] | None) -> Worker:
        return Worker(side, environment, tmp_path, root, variables)

    return start


def cell(name: str, **differs: Any) -> dict[str, Any]:
    return {
        "name": name, "id": f"ends.Ends.{name}", "attributes": {}, "timeout": 20, "fault": None, "core": None,
        "directory": None, "waits": False, **differs,
    }  # fmt: skip


def test_each_end_has_its_word_and_the_next_cell_its_turn(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        assert "ready" in worker.answer()
        said = {}
        for name, differs in (("track_crash", {}), ("track_signal", {}), ("track_hang", {"timeout": 1}), ("track_well", {})):
            worker.ask(cell(name, **differs))
            said[name] = worker.answer()
    assert said["track_crash"]["reason"] == "its process ended with status 3 and said nothing"
    assert said["track_signal"]["reason"] == "its process ended with signal SIGKILL and said nothing"
    assert said["track_hang"]["reason"] == "timed out after 1 s"
    assert (said["track_well"]["outcome"], said["track_well"]["values"]) == ("ok", [7])
    assert not alive(int((tmp_path / "hangs").read_text()))


def test_a_cell_that_waits_is_set_up_and_measured_when_it_is_told(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        worker.ask(cell("waits", id="ends.Waits.track_since", waits=True))
        assert worker.answer()["set_up"]
        time.sleep(0.5)
        worker.ask({})
        said = worker.answer()
        assert said["outcome"] == "ok"
        assert said["values"][0] >= 0.5  # it was set up before it waited
        assert said["setup"] + said["run"] < 0.5  # which is no part of either
        worker.ask(cell("track_hang", waits=True, timeout=1))
        assert worker.answer()["set_up"]
        worker.ask({})
        assert worker.answer()["reason"] == "timed out after 1 s"
        worker.ask(cell("track_crash", waits=True))
        assert worker.answer()["set_up"]
        worker.ask({})
        assert worker.answer()["reason"] == "its process ended with status 3 and said nothing"


def test_a_cell_that_waits_ends_with_who_asked_for_it(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        worker.ask(cell("waits", id="ends.Waits.track_since", waits=True))
        assert worker.answer()["set_up"]
    assert not alive(int((tmp_path / "hangs").read_text()))


def test_a_worker_that_can_t_begin_answers_nothing(begun: Any) -> None:
    with begun({"BREAKS": "yes"}) as worker:
        assert worker.answer() is None
        worker.ask(cell("track_well"))
        assert worker.answer() is None


def test_a_cell_ends_with_who_asked_for_it(begun: Any, tmp_path: Path) -> None:
    hangs = tmp_path / "hangs"

    def asked() -> None:
        with begun({"HANGS": str(hangs)}) as worker:
            worker.ask(cell("track_hang"))
            until = time.monotonic() + 20
            while not (hangs.exists() and hangs.read_text()) and time.monotonic() < until:
                time.sleep(0.01)
            raise KeyboardInterrupt

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asked()
    assert time.monotonic() - begin < 20
    assert not alive(int(hangs.read_text()))


def test_the_benchmarks_are_found_without_measuring_one(begun: Any) -> None:
    with begun(None) as worker:
        assert worker.answer()["benchmarks"]["ends.Ends.track_well"]["type"] == "track"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system gives no process a core")
def test_a_cell_can_have_a_core_of_its_own(begun: Any) -> None:
    with begun({}) as worker:
        worker.answer()
        worker.ask(cell("track_core", core=min(os.sched_getaffinity(0))))
        assert worker.answer()["values"] == [1]
        worker.ask(cell("track_core"))
        assert worker.answer()["values"] == [len(os.sched_getaffinity(0))]


def test_a_cell_begins_in_an_empty_directory_and_leaves_none(begun: Any, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "one").touch()
    with begun({"TMPDIR": str(tmp_path)}) as worker:
        worker.answer()
        said = []
        for directory in (None, str(kept)):
            worker.ask(cell("track_directory", directory=directory))
            said.append(worker.answer()["values"])
    assert said == [[0], [1]]
    assert list(tmp_path.glob("gate-*")) == []


def test_modes_of_a_framework_are_launched_together_where_compiling_is_preparation() -> None:
    assert suite.family("philox_pi.Warm.time_call('torch_dynamo', 1)") == "torch"
    assert suite.family("philox_pi.Cold.time_first_call('torch_dynamo', 1)") == "torch_dynamo"
    assert suite.family("k.plain") == ""
    together = suite.environments("torch_eager", Path("x"), "torch_dynamo")[suite.SHARED_CACHES][suite.PRELOAD]
    assert together.split() == ["jitkernels.backends.torch", "torch._dynamo"]


def test_figures_of_one_size_are_not_worked_out_for_all(tmp_path: Path) -> None:
    once = {"exact": True, "setup_cache_key": "there"}
    names = ["k.Made.track_a('c', 1)", "k.Made.track_b('c', 1)", "k.Made.track_a('numba', 1)", "k.Made.track_a('numba', 2)"]
    bench = Bench(tmp_path, SimpleNamespace(), ())
    shared = bench._of_several_sizes([Cell(name, name, once) for name in names])
    assert shared == {name for name in names if "numba" in name}


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
