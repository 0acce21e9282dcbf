"""A process that measures benchmark cases of one side: what it is asked, and what it answers.

This folder runs by its path in the side's Python: a file of it imports Python's own modules, asv_runner and its neighbours.
Requests come on standard input, answers go to an open file whose number is the argument. Both are lines of JSON. The first
request names the suite. Every other one is a benchmark case, whose result is the answer. A case that takes turns answers
when it is set up. Then each TurnRequest lets it take one more sample, on the core that it names, until one says that there
is no further turn.
"""

from typing import Any, TypedDict


class SuiteRequest(TypedDict):
    """The first request."""

    suite: str  # the directory of the benchmarks
    library: str | None  # where the measured packages must come from
    discover: bool  # answer with the suite's benchmarks, and end
    log: str  # gets what benchmarks print
    core: int | None  # of this process and its forks; None: all cores


class CaseRequest(TypedDict):
    """Measure a benchmark case."""

    id: str  # its name for asv_runner
    attributes: dict[str, Any]  # replace the benchmark's own
    turns: int  # turns that have the calls of one of the suite's samples; 0: measure once, and do not wait
    timeout: float  # seconds, of setting up and of each turn
    fault: dict[str, Any] | None  # for calibration: `program`, a file whose put(benchmark, fault) changes the benchmark
    directory: str | None  # where processes of the side share what setup_cache returned; None: an empty one
    variables: dict[str, str]  # of the case's environment, beside those of this process


class TurnRequest(TypedDict):
    """Take another sample, or end."""

    turn: bool
    core: int | None


class Answer(TypedDict, total=False):
    """An answer: that the suite is imported, its benchmarks, that a case is set up, a turn's sample, or a case's result."""

    ready: bool
    benchmarks: dict[str, dict[str, Any]]  # attributes by name
    set_up: bool
    sample: float  # seconds of a call
    seconds: float  # of the turn, with a call that warms up
    outcome: str  # ok, skipped, wrong or failed
    reason: str
    values: list[float]  # seconds of a call, by sample; or the tracked value
    number: int  # calls of a sample
