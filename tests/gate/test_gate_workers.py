"""A process that measures cells: what it says of those that end badly, and that nothing of it is left."""

import math
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import _selection as suite
from gate import turns
from gate.builds import Side
from gate.commits import Commit
from gate.measure import Bench, Cell
from gate.workers import Worker

SUITE = """
import os, threading, time
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


class Turns:
    warmup_time = 0

    def setup(self):
        Path(os.environ["HANGS"]).write_text(str(os.getpid()))
        self.another = threading.Thread(target=threading.Event().wait, daemon=True)
        self.another.start()

    def time_cores(self):
        # a hundredth of a second for each core that one of its threads may run on
        threads = os.listdir("/proc/self/task") if os.path.exists("/proc/self/task") else []
        cores = set().union(*(os.sched_getaffinity(int(thread)) for thread in threads))
        time.sleep(0.01 * len(cores))

    def time_crash(self):
        os._exit(3)

    def time_hang(self):
        time.sleep(100)

    def time_short(self):
        self.called("s")

    def time_long(self):
        time.sleep(0.05)
        self.called("l")

    def called(self, how):
        with open(os.environ["CALLS"], "a") as file:
            file.write(how)
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

    def start(variables: dict[str, str] | None, core: int | None = None) -> Worker:
        return Worker(side, environment, tmp_path, root, variables, core)

    return start


def cell(name: str, **differs: Any) -> dict[str, Any]:
    return {
        "name": name, "id": f"ends.Ends.{name}", "attributes": {}, "timeout": 20, "fault": None, "directory": None,
        "turns": 0, **differs,
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


def of_turns(name: str, turns: int = 1, number: int = 1, **differs: Any) -> dict[str, Any]:
    return cell(name, id=f"ends.Turns.{name}", turns=turns, attributes={"repeat": 1, "number": number}, **differs)


def test_a_cell_is_set_up_and_then_measured_once_a_turn(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        worker.ask(of_turns("time_cores"))
        assert worker.answer() == {"set_up": True}
        time.sleep(0.5)
        for _ in range(3):
            worker.ask({"turn": True, "core": None})
            assert 0 < worker.answer()["seconds"] < 0.5  # it was set up before it waited
        worker.ask({"turn": False})
        said = worker.answer()
    assert said["outcome"] == "ok"
    assert len(said["values"]) == 3
    assert sum(said["values"]) <= said["run"] < 0.5 < said["seconds"]


def test_a_turn_has_a_part_of_the_calls_of_a_sample_or_one(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        numbers = []
        for calls in (2, 7):
            worker.ask(of_turns("time_cores", turns=3, number=calls))
            for more in (True, True, False):
                worker.answer()
                worker.ask({"turn": more, "core": None})
            numbers.append(worker.answer()["number"])
    assert numbers == [1, 2]


def test_what_ends_badly_in_its_turn_says_so(begun: Any, tmp_path: Path) -> None:
    ends = {"time_hang": "timed out after 1 s", "time_crash": "its process ended with status 3 and said nothing"}
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        for name, reason in ends.items():
            worker.ask(of_turns(name, timeout=1))
            assert worker.answer() == {"set_up": True}
            worker.ask({"turn": True, "core": None})
            assert worker.answer()["reason"] == reason


def test_a_cell_that_waits_for_its_turn_ends_with_who_asked_for_it(begun: Any, tmp_path: Path) -> None:
    with begun({"HANGS": str(tmp_path / "hangs")}) as worker:
        worker.answer()
        worker.ask(of_turns("time_cores"))
        assert worker.answer() == {"set_up": True}
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
def test_a_worker_keeps_to_its_core_and_a_turn_moves_every_thread(begun: Any, tmp_path: Path) -> None:
    mine = sorted(os.sched_getaffinity(0))
    seen = {}
    for core in (None, mine[0]):
        with begun({"HANGS": str(tmp_path / "hangs")}, core) as worker:
            worker.answer()
            worker.ask(cell("track_core"))
            assert worker.answer()["values"] == [len(mine) if core is None else 1]
            worker.ask(of_turns("time_cores"))
            worker.answer()
            for where in (None, mine[-1]):
                worker.ask({"turn": True, "core": where})
                worker.answer()
            worker.ask({"turn": False})
            seen[core] = [int(seconds / 0.01) for seconds in worker.answer()["values"]]
    assert seen == {None: [len(mine), 1], mine[0]: [1, 1]}


class Recorded:
    """A worker that writes down what it is asked, and says what its turns' samples were and how long a turn took."""

    def __init__(self, name: str, asked: list, samples: list[float], seconds: float = 2**-7) -> None:
        self.name, self.asked, self.samples, self.seconds = name, asked, samples, seconds

    def ask(self, request: dict) -> None:
        self.asked.append((self.name, request["turn"], request.get("core")))

    def answer(self) -> dict | None:
        if not self.asked[-1][1]:
            return {"outcome": "ok", "values": [1.0]}
        return {"sample": self.samples.pop(0), "seconds": self.seconds} if self.samples else None


def in_turn(*workers: Recorded, known: float = 0.01) -> dict:
    said: dict = {worker: {"set_up": True} for worker in workers}
    Bench(Path(), SimpleNamespace(), ())._measure_in_turn(said, 1, turns.Care(6, known, seconds=1.0))
    return said


def taken(asked: list, name: str) -> int:
    return [who for who, turn, _ in asked if turn].count(name)


LOT = random.Random(0)
QUIET, NOISY, OF_TWO_KINDS = [1.0] * 99, [LOT.gauss(1.0, 0.1) for _ in range(99)], [1.0, 1.2] * 50


def test_both_sides_take_their_turns_on_one_core_in_an_order_that_is_reversed() -> None:
    asked: list = []
    said = in_turn(Recorded("base", asked, QUIET[:]), Recorded("head", asked, QUIET[:]))
    assert [answer["outcome"] for answer in said.values()] == ["ok", "ok"]
    measured = [(name, core) for name, turn, core in asked if turn]
    assert measured == [("base", 1), ("head", 1), ("head", 1), ("base", 1)] * 3
    assert asked[-2:] == [("base", False, None), ("head", False, None)]


def test_turns_are_taken_until_the_ratio_is_known_or_the_time_is_up() -> None:
    asked: list = []
    in_turn(Recorded("base", asked, QUIET[:]), Recorded("head", asked, NOISY[:]))
    assert taken(asked, "base") == taken(asked, "head") == 64  # of 2**-7 s, on both sides, in a second
    asked.clear()
    in_turn(Recorded("base", asked, QUIET[:]), Recorded("head", asked, NOISY[:]), known=0.025)
    assert 6 < taken(asked, "base") < 64
    asked.clear()
    in_turn(Recorded("base", asked, QUIET[:]), Recorded("head", asked, OF_TWO_KINDS[:]), known=0.025)
    assert taken(asked, "base") > 30  # a few of either kind say nothing


def test_a_call_that_takes_long_has_one_turn_and_beside_what_died_the_time_is_the_end() -> None:
    asked: list = []
    in_turn(Recorded("base", asked, QUIET[:], 0.5), Recorded("head", asked, QUIET[:], 0.5))
    assert [name for name, turn, _ in asked if turn] == ["base", "head"]
    asked.clear()
    said = in_turn(Recorded("base", asked, QUIET[:], 2**-3), Recorded("head", asked, [1.0], 2**-3))
    assert [answer and answer["outcome"] for answer in said.values()] == ["ok", None]
    assert (taken(asked, "base"), taken(asked, "head")) == (7, 2)


def test_a_ratio_is_known_as_well_as_its_turns_agree() -> None:
    lot = random.Random(3)
    medians = []
    for _ in range(400):
        head = [lot.gauss(1.0, 0.02) for _ in range(15)]
        medians.append((turns.ratio([1.0] * 15, head), turns.uncertainty([1.0] * 15, head)))
    seen = statistics.stdev(ratio for ratio, _ in medians)
    assert statistics.mean(known for _, known in medians) == pytest.approx(seen, rel=0.1)
    with_one_apart = turns.uncertainty([1.0] * 7, [1.0, 1.005, 0.995, 1.01, 0.99, 1.0, 9.0])
    assert with_one_apart < 0.01
    assert turns.uncertainty([1.0, 1.0], [1.0, 1.0]) == turns.uncertainty([1.0] * 3, [0.0] * 3) == math.inf


def test_before_a_turn_the_caches_are_warmed_by_a_call_that_is_no_sample(begun: Any, tmp_path: Path) -> None:
    calls = {}
    for name, number in (("time_short", 1), ("time_short", 4), ("time_long", 1)):
        kept = tmp_path / f"{name}.{number}"
        with begun({"HANGS": str(tmp_path / "hangs"), "CALLS": str(kept)}) as worker:
            worker.answer()
            worker.ask(of_turns(name, number=number))
            worker.answer()
            for turn in (True, True, True, False):
                worker.ask({"turn": turn})
                answer = worker.answer()
        assert len(answer["values"]) == 3
        calls[name, number] = kept.read_text()
    assert calls == {("time_short", 1): "s" * 5, ("time_short", 4): "s" * 14, ("time_long", 1): "l" * 3}


def test_what_needs_threads_and_what_is_measured_while_it_is_set_up_keep_to_no_core() -> None:
    time = {"type": "time"}
    for name, attributes, keeps in (
        ("philox_pi.Warm.time_call('numba', 1000)", time, True),
        ("philox_pi.Warm.time_call('numba_parallel', 1000)", time, False),
        ("philox_pi.Threads.time_call('jax', 1000, 2)", time, False),
        ("philox_pi.Cold.time_first_call('jax', 1000)", {**time, "repeat": 1}, False),
        ("philox_pi.Memory.track_bytes('jax', 1000)", {"type": "track"}, False),
        ("philox_pi.Accuracy.track_hits('jax', 1000)", {"type": "track", "exact": True}, True),
    ):
        assert Cell(name, name, attributes).keeps_to_a_core == keeps, name


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
    together = suite.environments("torch_eager", Path("x"), "torch_dynamo")[suite.ASKED][suite.PRELOAD]
    assert together.split() == ["jitkernels.backends.torch.compiler", "torch._dynamo"]


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
