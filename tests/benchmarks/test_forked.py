"""Processes that are forked from a benchmark's own: as fresh as it is, and nothing of theirs comes back but an answer."""

import os
import signal

import pytest

from benchmarks import _forked
from benchmarks._suite import lives
from jitkernels import Unavailable
from jitkernels.measure import worker

# Other tests of this process have started JAX's threads. The children use none of them; a benchmark's process has none.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork.. was called:RuntimeWarning")
CELL = ("square_or_cube", "python", 3)


def asked(task: object, **environment: str) -> dict:
    return _forked.asked({"task": task}, "task", *CELL, environment)


def test_the_answer_is_the_worker_s() -> None:
    row = _forked.asked(worker.TASKS, "check", "square_or_cube", "c", 3, {})
    if row["status"] == "unavailable":
        raise Unavailable(row["reason"])
    (other,) = worker.ask({"task": "check", "backend": "c", "cells": [("square_or_cube", 3)], "seed": 42})
    assert row == {key: other[key] for key in row}
    assert row["status"] == "ok"


def test_variables_are_the_child_s_alone() -> None:
    row = asked(lambda *cell: {"seen": os.environ["ONLY_HERE"], "process": os.getpid()}, ONLY_HERE="yes")
    assert (row["status"], row["seen"]) == ("ok", "yes")
    assert row["process"] != os.getpid()
    assert "ONLY_HERE" not in os.environ


def test_a_child_that_dies_has_failed() -> None:
    row = asked(lambda *cell: os.kill(os.getpid(), signal.SIGKILL))
    assert row == {"status": "failed", "reason": "its process ended with -9"}
    with pytest.raises(AssertionError, match="its process ended with -9"):
        _forked.measured(row)


def test_what_cannot_run_here_is_a_skip_with_the_reason() -> None:
    def refuse(*cell: object) -> dict:
        raise Unavailable("there is no such machine")

    with pytest.raises(NotImplementedError, match="there is no such machine"):
        _forked.measured(asked(refuse))


@pytest.mark.parametrize(("seconds", "processes"), [(0.1, 3), (6.0, 2), (60.0, 1)])
def test_a_median_is_of_three_processes_or_of_those_that_begin_in_time(seconds: float, processes: int) -> None:
    now: list[float] = []

    def measure() -> str:
        now.append(seconds)
        return "answer"

    assert lives.repeat(measure, enough=10, clock=lambda: sum(now)) == ["answer"] * processes
