"""Instructions are counted one by one: a busy machine changes nothing, one more turn of a loop does."""

import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.philox_pi import Instructions
from jitkernels import Unavailable
from jitkernels.backends import caches
from jitkernels.measure import instructions, process, tasks

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the trap flag is x86-64's")


@pytest.fixture(autouse=True)
def _lock_is_kept() -> Iterator[None]:
    """Other threads of this process ask for Python's lock after an hour only: to give it away needs instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    yield
    sys.setswitchinterval(before)


def turning(turns: int) -> Callable[[], int]:
    """Return a loop whose operations the interpreter has specialised."""

    def loop() -> int:
        return sum(range(turns))

    for _ in range(tasks.LEARNING_CALLS):
        loop()
    return loop


def fewest(function: Callable[[], object]) -> int:
    """Of five counts: another thread of this process may ask for Python's lock, which adds to some."""
    return min(instructions.count(function) for _ in range(5))


def test_an_empty_function_has_none_and_equal_calls_have_equal_counts() -> None:
    assert instructions.count(lambda: None) < 20
    loop = turning(50)
    counts = [instructions.count(loop) for _ in range(5)]
    assert min(counts) > 500
    most = max(map(counts.count, counts))  # a call may be shorter or longer by what Python's allocator has at hand
    assert most > 1, counts


def test_a_tenth_more_turns_are_seen() -> None:
    few, more = (fewest(turning(turns)) for turns in (200, 220))
    assert 1.07 * few < more < 1.13 * few


def test_waiting_takes_time_and_no_instructions() -> None:
    """In a process of one thread: ``sleep`` gives Python's lock away, and where others have it, takes it back."""
    count = "min(instructions.count(lambda: time.sleep({})) for _ in range(5))"
    script = f"import time; from jitkernels.measure import instructions; print({count.format(0.001)}, {count.format(0.1)})"
    short, long = map(int, subprocess.check_output([sys.executable, "-c", script], text=True).split())
    assert long < 1.2 * short


def test_lookups_are_found_again_once_forgotten() -> None:
    """Of three types: one of them may share its place among Python's lookups with one that counting needs."""
    types = [type("Type", (), {"attribute": 1}) for _ in range(3)]
    lookups = [lambda each=each: getattr(each, "attribute") for each in types]  # noqa: B009
    known = min(map(fewest, lookups))
    instructions.forget_lookups()
    assert min(map(instructions.count, lookups)) > known + 50
    assert min(map(fewest, lookups)) < known + 50


def test_what_a_function_raises_is_raised_and_the_next_one_is_counted() -> None:
    with pytest.raises(ZeroDivisionError):
        instructions.count(lambda: 1 / 0)
    assert instructions.count(lambda: None) < 20


@pytest.mark.parametrize("backend", ["c", "numba"])
def test_processes_agree_within_the_benchmark_s_tolerance(backend: str, tmp_path: Path) -> None:
    """Two share what the first compiles. A path's length moves Python's objects, and so the places of its lookups."""
    counts = []
    for cache in ("1", "1", "another", "another"):
        request = {"kernel": "philox_pi", "backend": backend, "size": 10_000, "seed": 42}
        environment = {**caches.variables(tmp_path / cache, persistent=True), "PYTHONHASHSEED": "0"}
        answer = process.ask_once("tasks.instructions", request, environment, process.Started)
        if answer["status"] == "unavailable":
            raise Unavailable(answer["reason"])
        assert answer["status"] == "ok", answer["reason"]
        counts.append(answer["figures"]["instructions"])
    assert max(counts) <= (1 + Instructions.track_count.tolerance) * min(counts), counts


def test_more_points_execute_more() -> None:
    few, many = (tasks.instructions("philox_pi", "c", size, 42)["instructions"] for size in (1_000, 2_000))
    assert few < many < 2.1 * few


def test_another_processor_has_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    instructions._counter.cache_clear()
    with pytest.raises(Unavailable, match="the trap flag is x86-64's, under Linux; this is aarch64, linux"):
        instructions.count(lambda: None)
    instructions._counter.cache_clear()


def test_a_call_that_starts_a_thread_ends_its_process_alone() -> None:
    script = (
        "import threading; from jitkernels.measure import instructions\n"
        "def call(): thread = threading.Thread(target=print); thread.start(); thread.join()\n"
        "instructions.count(call)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == -5, "SIGTRAP"
