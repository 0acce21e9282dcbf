"""A process that measures benchmark cases of one side: its requests and its answers.

This folder runs by its path in the side's Python, so its files import only the standard library, asv_runner and each other.
Requests come on standard input. Answers go to an open file whose number is the argument. Both are lines of JSON. The first
request names the suite. Every other request is a benchmark case, and its result is the answer. A case that takes turns
answers when it is set up. Each TurnRequest then makes it take one more sample on the given core, until a TurnRequest ends
the turns.
"""

from collections.abc import Mapping
from typing import Any, TypedDict


class SuiteRequest(TypedDict):
    """The first request."""

    suite: str  # the directory of the benchmarks
    library: str | None  # the measured packages must come from this directory
    discover: bool  # True: answer with the suite's benchmarks, and end
    log: str  # gets what benchmarks print
    core: int | None  # of this process and its forks; None: all cores


class CaseFields(TypedDict, total=False):
    """What a request may have besides a case's name."""

    attributes: dict[str, Any]  # replace the benchmark's own
    turns: int  # turns into which a sample of the suite is split; without: measure once
    fault: Mapping[str, Any] | None  # for calibration: `program`, a file whose put(benchmark, fault) changes the benchmark
    directory: str | None  # for the result of setup_cache, which the side's processes share; without: an empty one
    variables: dict[str, str]  # added to this process's environment for the case


class CaseRequest(CaseFields):
    """Measure a benchmark case."""

    id: str  # its name for asv_runner
    others: list[str]  # those of further figures, which the same process measures after it
    timeout: float  # seconds for setting up, and for each turn


class TurnRequest(TypedDict):
    """Take another sample, or end."""

    turn: bool
    core: int | None


class Answer(TypedDict, total=False):
    """An answer: the suite is imported, its benchmarks, a case is set up, a turn's sample, or a case's result."""

    ready: bool
    benchmarks: dict[str, dict[str, Any]]  # attributes by name
    set_up: bool
    sample: float  # seconds of a call
    seconds: float  # of the turn, including its warm-up call
    outcome: str  # ok, skipped, wrong or failed
    reason: str
    values: list[float]  # seconds of a call, by sample; or the tracked value
    others: list["Answer"]  # the results of the request's ``others``; none if the process has ended before
