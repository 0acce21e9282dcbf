"""What hangs, dies or multiplies ends within its limit, with its reason, and leaves no process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duet import BenchmarkCase, Launch, Samples, Side, SideError, discover, process, rounds
from duet.child import orphans
from duet.process import Child
from duet.rounds import Duet

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc")
BROOD = 40
HANGS = BenchmarkCase("track_brood_and_hang", "ends.Ends.track_brood_and_hang", {"timeout": 300})
CASES = {name: BenchmarkCase(name, f"ends.Ends.{name}", {"exact": True}) for name in ("track_well", "track_full")}


def wait_for(is_so: Callable[[], Any]) -> None:
    """Fails after five minutes, which no machine needs."""
    until = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def left_of(child: Child) -> list[int]:
    return orphans.alive(child._family)


@pytest.mark.parametrize(
    ("name", "timeout", "reason"),
    [
        ("track_brood", 300, None),
        ("track_brood_and_hang", 5, "timed out after 5 s"),
        ("track_brood_and_crash", 120, "its process ended with status 3 and said nothing"),
    ],
)
def test_a_case_that_starts_many_processes_leaves_none(start: Any, name: str, timeout: float, reason: str | None) -> None:
    with start(BROOD=str(BROOD)) as child:
        child.answer()
        child.request_case(BenchmarkCase(name, f"ends.Ends.{name}", {"timeout": timeout}))
        answer = child.answer()
        assert answer.get("reason") == reason
        assert left_of(child) == [child._process.pid]
        assert orphans.below(child._process.pid) == [], "also of those whose environment is empty"


def test_a_child_that_is_killed_takes_its_case_and_all_that_it_started_along(start: Any, tmp_path: Path) -> None:
    with start(BROOD=str(BROOD)) as child:
        child.answer()
        child.request_case(HANGS)
        wait_for((tmp_path / "hangs").exists)
        child._process.kill()
        assert child.answer() is None
    assert left_of(child) == []


def test_a_case_that_stops_the_process_around_it_is_ended(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with start() as child:
        child.first_answer()
        monkeypatch.setattr(process, "GRACE", 1.5)
        child.request_case(BenchmarkCase("track_stop", "ends.Ends.track_stop", {"timeout": 0.5}))
        assert child.answer() is None
        assert child.reason == "the process that measures gave no answer for 2 s"
    assert left_of(child) == []


GATE = """
import sys
from pathlib import Path
from duet import BenchmarkCase, Side
from duet.process import Child

files = Path(sys.argv[1])
child = Child(Side("head", sys.executable, None, Path(sys.argv[2])), files / "log.txt", {"FILES": sys.argv[1]})
(files / "family").write_text(child._family)
child.answer()
child.request_case(HANGS)
child.answer()
"""


@pytest.mark.parametrize("hangs", ["import", "case"])
def test_nothing_outlives_a_killed_parent(suite: Path, tmp_path: Path, hangs: str) -> None:
    program = GATE.replace("HANGS", repr(HANGS))
    variables = {"BROOD": str(BROOD)} | ({"HANGS": "yes"} if hangs == "import" else {})
    command = [sys.executable, "-c", program, str(tmp_path), str(suite)]
    with subprocess.Popen(command, env=os.environ | variables, cwd=Path(__file__).parents[2]) as parent:
        family = tmp_path / "family"
        wait_for((tmp_path / "hangs" if hangs == "case" else family).exists)
        wait_for(family.read_text)
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: not orphans.alive(family.read_text()))


def test_an_import_that_never_ends_is_ended_and_not_tried_again(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (Side(name, sys.executable, None, suite) for name in ("one", "two"))
    own: Any = {"one": {"FILES": str(tmp_path)}, "two": {"FILES": str(tmp_path), "HANGS": "yes"}}
    duet = Duet(tmp_path, (one, two), Launch(variables=lambda cases, directory: own[directory.name.partition(".")[0]]))
    first_answer = Child.first_answer

    def of_each(child: Child) -> Any:
        monkeypatch.setattr(process, "LONGEST_IMPORT", 300 if child.side.name == "one" else 0.5)  # seconds
        return first_answer(child)

    monkeypatch.setattr(Child, "first_answer", of_each)
    samples = Samples("one", "two")
    for _ in range(2):
        duet.round([CASES["track_well"]], samples)
    reason = "the import of its suite and framework had not ended after 0.5 s"
    assert [each.reason for each in samples.of("two", "track_well")] == [reason] * 2
    assert [each.outcome for each in samples.of("one", "track_well")] == ["ok", "failed"], "the second one began nothing"
    monkeypatch.setenv("HANGS", "yes")
    with pytest.raises(SideError, match=r"had not ended after 0\.5 s"):
        discover(two, tmp_path / "log.txt")


def test_a_group_whose_cases_time_out_is_given_up(suite: Path, tmp_path: Path) -> None:
    one, two = (Side(name, sys.executable, None, suite) for name in ("one", "two"))
    cases = [BenchmarkCase(str(number), "ends.Ends.track_hang", {"exact": True, "timeout": 0.5}) for number in range(5)]
    samples = Samples("one", "two")
    variables = {"FILES": str(tmp_path)}
    Duet(tmp_path, (one, two), Launch(variables=lambda cases, directory: variables)).round(cases, samples)
    reasons = [samples.of("two", case.name)[0].reason for case in cases]
    given_up = f"not measured after {rounds.MOST_TIMEOUTS} timeouts in its group"
    assert reasons == ["timed out after 0.5 s"] * 3 + [given_up] * 2


@pytest.mark.parametrize("full", ["samples", "case"])
def test_a_full_disk_is_no_answer_of_a_case(suite: Path, tmp_path: Path, full: str) -> None:
    if full == "samples":
        (tmp_path / "samples.jsonl").symlink_to("/dev/full")
    one, two = (Side(name, sys.executable, None, suite) for name in ("one", "two"))
    variables = {"FILES": str(tmp_path)}
    duet = Duet(tmp_path, (one, two), Launch(variables=lambda cases, directory: variables))
    with pytest.raises(OSError, match="No space left on device"):
        duet.round([CASES["track_full" if full == "case" else "track_well"]], Samples("one", "two"))
