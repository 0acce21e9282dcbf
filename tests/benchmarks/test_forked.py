"""Processes that are forked from a benchmark's own: as fresh as it is, and only an answer comes back."""

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks import _launch, relu
from benchmarks._suite import ahead, exact, lives
from jitkernels import Unavailable, prepare
from jitkernels.measure import process, tasks

# Other tests of this process have started JAX's threads. The children use none of them; a benchmark's process has none.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork.. was called:RuntimeWarning")
CASE = {"kernel": "square_or_cube", "backend": "python", "size": 3, "seed": 42}


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Answer with a function of this test in the place of a task, in a fork."""

    def ask(task: Callable[..., Any], **environment: str) -> Any:
        monkeypatch.setattr(tasks, "check", task)
        return process.ask_once("tasks.check", CASE, environment, process.Forked)

    return ask


def test_a_fork_answers_as_a_new_process_does() -> None:
    prepare("square_or_cube", "c", 3)  # or skip
    forked, started = (
        process.ask_once("tasks.check", {**CASE, "backend": "c"}, start=start) for start in (process.Forked, process.Started)
    )
    assert forked == started
    assert forked["status"] == "ok"


def test_variables_are_the_child_s_alone(ask: Callable[..., Any]) -> None:
    answer = ask(lambda **case: {"variable": os.environ["ONLY_HERE"], "process": os.getpid()}, ONLY_HERE="yes")
    assert (answer["status"], answer["figures"]["variable"]) == ("ok", "yes")
    assert answer["figures"]["process"] != os.getpid()
    assert "ONLY_HERE" not in os.environ


def test_a_child_that_dies_has_failed(ask: Callable[..., Any]) -> None:
    answer = ask(lambda **case: os.kill(os.getpid(), signal.SIGKILL))
    reason = "its process ended with exit status -9: killed, as the system does where memory runs out"
    assert answer == {"status": "failed", "reason": reason, "figures": {}}
    with pytest.raises(RuntimeError, match="its process ended with exit status -9"):
        exact.require(answer["status"], answer["reason"])


def test_what_a_child_prints_is_not_among_its_answers(ask: Callable[..., Any], capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(lambda **case: {"figure": os.write(1, b"noise")})
    assert answer["figures"] == {"figure": 5}
    assert capfd.readouterr().out == ""


def test_a_child_that_is_not_done_is_killed_when_its_asker_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "check", lambda size, **case: signal.pause() if size else {"process": os.getpid()})
    answers = process.ask("tasks.check", [{**CASE, "size": 0}, CASE], start=process.Forked)
    child = next(answers)["figures"]["process"]
    answers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_what_cannot_run_here_is_a_skip_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**case: object) -> dict:
        raise Unavailable("there is no such machine")

    monkeypatch.setattr(tasks, "check", refuse)
    with pytest.raises(NotImplementedError, match="there is no such machine"):
        lives.ask("tasks.check", "square_or_cube", "python", 3, {})


@pytest.mark.parametrize(("seconds", "processes"), [(0.1, 3), (6.0, 2), (60.0, 1)])
def test_a_median_is_of_three_processes_or_of_those_that_begin_in_time(
    seconds: float, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now: list[float] = []

    def measure() -> str:
        now.append(seconds)
        return "answer"

    assert lives.repeat(measure, clock=lambda: sum(now)) == ["answer"] * processes
    monkeypatch.setenv(_launch.NO_CLOCK, "1")
    assert lives.repeat(measure, clock=lambda: sum(now)) == ["answer"], "a median of seconds, which nobody asks for"


@pytest.mark.parametrize("no_clock", ["", "1"])
def test_a_file_compiled_ahead_of_time_is_timed_only_if_a_figure_needs_the_clock(
    no_clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare("relu", "c", 20)  # or skip
    monkeypatch.setenv(_launch.NO_CLOCK, no_clock)
    ahead._forms.cache_clear()
    figures = relu.AheadOfTime().figures("c", 20, "shared_object")
    ahead._forms.cache_clear()
    assert figures["other_shape"]
    assert (figures["first_call_seconds"] is not None) == (not no_clock)
