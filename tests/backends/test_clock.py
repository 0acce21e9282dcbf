"""The clock of a compilation: stages, the whole, and processors' seconds of children that run or have ended."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from jitkernels import prepare
from jitkernels.backends import artifacts

BURN = "import time\nwhile time.process_time() < 0.5: pass\n"
FIRST_CALL = """
import sys
from jitkernels import machine, prepare
case = prepare("relu", "c", 10)
case.start()
before, machine.fields_of = set(sys.modules), None
case.call()
print([name for name in set(sys.modules) - before if name.startswith("jitkernels")])
"""


def test_laps_and_what_is_in_none_make_the_whole() -> None:
    ruler = artifacts.Clock()
    time.sleep(0.02)
    ruler.lap("first")
    time.sleep(0.01)
    ruler.lap("second")
    time.sleep(0.03)
    made = ruler.stages()
    assert list(made.seconds) == ["first", "second"]
    assert made.seconds["first"] >= 0.02
    assert made.other is not None
    assert made.other >= 0.03
    assert made.total == pytest.approx(sum(made.seconds.values()) + made.other)


def test_the_search_for_children_is_no_time_of_a_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def running() -> float:
        now[0] += 5.0
        return 0.0

    monkeypatch.setattr(artifacts, "_running_seconds", running)
    monkeypatch.setattr(artifacts.time, "process_time", lambda: now[0])
    assert artifacts.Clock().stages().cpu_seconds == 0
    assert now == [10.0], "at the beginning and at the end"


def test_a_first_call_of_c_imports_nothing_of_ours_and_does_not_ask_for_the_processor() -> None:
    prepare("relu", "c", 10)  # Unavailable skips the test
    answer = subprocess.run([sys.executable, "-c", FIRST_CALL], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout == "[]\n"


def test_a_child_that_has_ended_counts() -> None:
    before = artifacts.cpu_seconds()
    subprocess.run([sys.executable, "-c", BURN], check=True)
    assert 0.45 < artifacts.cpu_seconds() - before < 5


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells what running processes have used")
def test_a_child_that_still_runs_counts_with_its_own_children() -> None:
    pool = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN!r}]); print('done', flush=True); input()"
    before = artifacts.cpu_seconds()
    with subprocess.Popen([sys.executable, "-c", pool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        child.stdout.readline()
        assert 0.45 < artifacts.cpu_seconds() - before < 5
        child.communicate("\n")


def test_another_user_s_process_that_is_hidden_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """/proc mounted with hidepid=1 lists other users' processes, and their files cannot be read."""

    def refuse(path: Path) -> str:
        raise PermissionError(path)

    (tmp_path / "1").mkdir()
    monkeypatch.setattr(artifacts, "PROCESSES", tmp_path)
    monkeypatch.setattr(Path, "read_text", refuse)
    assert artifacts._running_seconds() == 0
