"""A process that measures benchmark cases: its answers to those that end badly, and that nothing of it is left."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from duet.process import Child

PATIENT = 300  # seconds: never reached


def request(name: str, **differs: Any) -> Any:
    return {"id": f"ends.Ends.{name}", "others": [], "timeout": PATIENT, **differs}


def with_turns(name: str, turns: int = 1, number: int = 1, **differs: Any) -> Any:
    return request(name, id=f"ends.Turns.{name}", turns=turns, attributes={"repeat": 1, "number": number}, **differs)


def turn(more: bool = True, core: int | None = None) -> Any:
    return {"turn": more, "core": core}


def result(child: Child, case: Any, *turns: Any) -> Any:
    """The last answer, after these turns or as many as the case lives for."""
    child.request(case)
    answer = child.answer()
    for each in turns:
        if answer is None or "outcome" in answer:
            break
        child.request(each)
        answer = child.answer()
    return answer


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_each_end_has_its_word_and_the_next_case_is_measured(child: Child, files: Path) -> None:
    assert result(child, request("track_crash"))["reason"] == "its process ended with status 3 and said nothing"
    assert result(child, request("track_signal"))["reason"] == "its process ended with signal SIGKILL and said nothing"
    for timeout in (1, 10, 100):  # seconds: a busy machine may not get to the hanging call in one
        assert result(child, request("track_hang", timeout=timeout))["reason"] == f"timed out after {timeout} s"
        if (files / "hangs").exists():
            break
    assert not any(map(is_alive, map(int, (files / "hangs").read_text().split())))
    answer = result(child, request("track_well"))
    assert (answer["outcome"], answer["values"]) == ("ok", [7])


def test_a_row_is_measured_in_one_process_and_each_figure_has_its_own_answer(child: Child) -> None:
    names = ["track_process", "track_full", *["track_verbose"] * 300, "track_process"]  # longer than a pipe holds
    answer = result(child, request("track_process", others=[f"ends.Ends.{name}" for name in names]))
    others = answer["others"]
    assert [each["outcome"] for each in others] == ["ok", *["failed"] * 301, "ok"]
    assert answer["values"] == others[0]["values"] == others[-1]["values"] != [child._process.pid]
    assert "others" not in result(child, request("track_well", others=["ends.Ends.track_crash"]))


def test_a_case_that_closes_its_files_and_hangs_is_ended(child: Child) -> None:
    reason = "its process ended with signal SIGKILL and said nothing"
    assert result(child, request("track_closes_and_hangs"))["reason"] == reason
    assert result(child, request("track_well"))["values"] == [7]


def test_what_is_measured_finds_no_module_of_the_child_s(child: Child) -> None:
    assert result(child, request("track_neighbours"))["values"] == [0]


def test_a_case_ends_badly_in_its_turn(child: Child) -> None:
    crash = result(child, with_turns("time_crash"), turn(), turn(False))
    assert crash["reason"] == "its process ended with status 3 and said nothing"
    assert result(child, with_turns("time_hang", timeout=1), turn(), turn(False))["reason"] == "timed out after 1 s"


def test_a_case_is_set_up_once_before_its_first_turn_and_measured_once_a_turn(child: Child, files: Path) -> None:
    child.request(with_turns("time_short"))
    assert child.answer() == {"set_up": True}
    setups = (files / "setups").read_text()
    assert (setups.strip() != "", (files / "short").exists()) == (True, False)
    for _ in range(3):
        child.request(turn())
        answer = child.answer()
        assert answer is not None
        assert answer["sample"] == pytest.approx(0.001)
    child.request(turn(False))
    answer = child.answer()
    assert answer is not None
    assert (answer["outcome"], answer["values"]) == ("ok", pytest.approx([0.001] * 3))
    assert (files / "setups").read_text() == setups
    (files / "short").unlink()


@pytest.mark.parametrize(("number", "calls"), [(2, 1 + 2), (7, 2 + 3)])
def test_a_turn_has_a_part_of_the_calls_of_a_sample_or_one(child: Child, files: Path, number: int, calls: int) -> None:
    result(child, with_turns("time_short", 3, number), turn(), turn(), turn(False))
    assert len((files / "short").read_text()) == calls, "the second turn has one more, which warms the caches"
    (files / "short").unlink()


@pytest.mark.parametrize(("name", "number", "calls"), [("short", 1, 5), ("short", 4, 14), ("long", 1, 3)])
def test_a_call_before_each_turn_warms_the_caches_unless_calls_are_long(
    child: Child, files: Path, name: str, number: int, calls: int
) -> None:
    answer = result(child, with_turns(f"time_{name}", number=number), turn(), turn(), turn(), turn(False))
    assert len(answer["values"]) == 3
    assert len((files / name).read_text()) == calls
    (files / name).unlink()


def test_a_case_that_waits_for_its_turn_ends_with_its_parent(start: Any, tmp_path: Path) -> None:
    with start() as child:
        child.answer()
        child.request(with_turns("time_short"))
        assert child.answer() == {"set_up": True}
    assert not is_alive(int((tmp_path / "setups").read_text().split()[0]))


def test_a_case_that_is_measured_ends_with_its_parent(start: Any, tmp_path: Path) -> None:
    def interrupted() -> None:
        with start() as child:
            child.request(request("track_hang"))
            while not (hangs.exists() and hangs.read_text().endswith(" ")):
                time.sleep(0.01)
            raise KeyboardInterrupt

    hangs = tmp_path / "hangs"
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not is_alive(int(hangs.read_text()))


def test_a_child_whose_suite_cannot_be_imported_answers_nothing(start: Any) -> None:
    with start(BREAKS="yes") as child:
        assert child.answer() is None
        child.request(request("track_well"))
        assert child.answer() is None


def test_benchmarks_are_discovered_without_measuring_one(start: Any) -> None:
    with start(discover=True) as child:
        assert child.answer()["benchmarks"]["ends.Ends.track_well"]["type"] == "track"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system gives no process a core")
@pytest.mark.parametrize("is_pinned", [False, True])
def test_a_child_stays_on_its_core_and_a_turn_moves_every_thread(start: Any, tmp_path: Path, is_pinned: bool) -> None:
    mine = sorted(os.sched_getaffinity(0))
    at_first = 1 if is_pinned else len(mine)
    with start(core=mine[0] if is_pinned else None) as child:
        child.answer()
        assert result(child, request("track_core"))["values"] == [at_first]
        (threads,) = result(child, request("track_threads_of_a_product"))["values"]
        assert (threads == 1) == (at_first == 1)
        result(child, with_turns("time_cores"), turn(), turn(core=mine[-1]), turn(False))
    counts = [int(count) for count in (tmp_path / "cores").read_text().split()]
    assert (counts[0], counts[-1]) == (at_first, 1)


def test_a_case_begins_in_an_empty_directory_and_leaves_none(start: Any, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "one").touch()
    with start(TMPDIR=str(tmp_path)) as child:
        child.answer()
        directories = (None, str(tmp_path / "shared"))
        counts = [result(child, request("track_directory", directory=each))["values"] for each in directories]
        result(child, request("track_signal"))
        assert list(tmp_path.glob("duet-*")) == []
    assert counts == [[0], [1]]
