"""Measure benchmark cases of one side, each in a fork of its own. This file runs by its path in the side's Python.

Its argument is the number of an open file for answers; requests come on standard input. Both are lines of JSON, typed below.
The first request names the suite, which is imported with its framework. Every other one is a benchmark case. The case is
measured in a fork, so that its memory and its compiled programs are its own, and the import is paid once. A case that
takes turns answers when it is set up. Then each TurnRequest lets it take one more sample, on the core that it names, until
one says that there is no further turn. Between cases and between turns nothing runs here, so that the other side measures
undisturbed.
"""

import contextlib
import importlib.util
import io
import json
import math
import os
import pickle
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypedDict

from asv_runner._aux import update_sys_path  # type: ignore[import-untyped]
from asv_runner.benchmarks.mark import SkipNotImplemented  # type: ignore[import-untyped]
from asv_runner.discovery import disc_benchmarks, get_benchmark_from_name  # type: ignore[import-untyped]

PLAIN = bool, int, float, str, list, tuple, dict, type(None)
LONG = 0.03  # seconds: a call that takes them warms the caches for itself


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
    seconds: float  # that the turn took; of a result: that the fork lived
    outcome: str  # ok, skipped, wrong or failed
    reason: str
    values: list[float]  # seconds of a call, by sample; or the tracked value
    number: int  # calls of a sample
    setup: float  # seconds
    run: float  # seconds of samples, with calls that warm up


def main() -> None:
    """Answer until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a case's fork ends with this process
    os.set_inheritable(int(sys.argv[1]), False)  # what a case starts must not hold it open
    with os.fdopen(int(sys.argv[1]), "w") as out:
        suite: SuiteRequest = json.loads(sys.stdin.readline())
        update_sys_path(suite["suite"])
        if suite["discover"]:
            write(out, {"benchmarks": discovered(suite["suite"])})
            return
        if suite["core"] is not None:  # before anything is imported: who counts cores sees one, and starts no thread
            os.sched_setaffinity(0, {suite["core"]})
        load(suite)
        write(out, {"ready": True})
        for line in iter(sys.stdin.readline, ""):
            write(out, measure_in_fork(suite, json.loads(line), out))


def load(suite: SuiteRequest) -> None:
    """Import the suite. Exits if a package that the library has was imported from elsewhere."""
    __import__(os.path.basename(suite["suite"]))
    for name in os.listdir(suite["library"]) if suite["library"] else ():
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and not Path(file).is_relative_to(str(suite["library"])):
            sys.exit(f"{name} came from {file}, not from {suite['library']}")


def discovered(root: str) -> dict[str, dict[str, Any]]:
    """Return each benchmark's attributes that JSON can hold, by name."""
    return {
        benchmark.name: {
            name: value for name, value in vars(benchmark).items() if not name.startswith("_") and isinstance(value, PLAIN)
        }
        for benchmark in disc_benchmarks(root)
    }


def write(out: TextIO, answer: Answer) -> None:
    print(json.dumps(answer), file=out, flush=True)


def measure_in_fork(suite: SuiteRequest, case: CaseRequest, out: TextIO) -> Answer:
    """Return a case's result. A crash and a timeout are results too."""
    begin = time.monotonic()
    answers, write_answers = os.pipe()
    requests, write_requests = os.pipe()
    fork = os.fork()
    if not fork:
        os.close(out.fileno())
        os.close(write_requests)
        run_fork(suite, case, write_answers, requests)
    os.close(write_answers)
    os.close(requests)
    answer = None
    try:
        answer = read(answers, begin + case["timeout"])
        while answer and "outcome" not in answer:
            write(out, answer)
            request = sys.stdin.readline()
            answer = None
            if not request:  # the parent has ended
                break
            with contextlib.suppress(BrokenPipeError):  # the fork has died
                os.write(write_requests, request.encode())
            answer = read(answers, time.monotonic() + case["timeout"])
    finally:
        os.close(answers)
        os.close(write_requests)
        status = wait(fork, kill=answer is None)
    if answer is None:
        return {"outcome": "failed", "reason": f"timed out after {case['timeout']:g} s"}
    if not answer:
        return {"outcome": "failed", "reason": f"its process ended with {described(status)} and said nothing"}
    return {**answer, "seconds": time.monotonic() - begin}


def read(file: int, until: float) -> Answer | None:
    """Return the next answer; an empty one at the end of the file, None if the time is up.

    Sleeps meanwhile: a process that looks at a clock now and then would disturb what is measured.
    """
    if not select.select([file], [], [], max(0, until - time.monotonic()))[0]:
        return None
    answer: Answer = json.loads(os.read(file, 65536) or "{}")  # a fork writes an answer at once, and it is shorter
    return answer


def wait(fork: int, kill: bool) -> int:
    """Return the fork's wait status. kill: end it now, with all that it has started."""
    if kill:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(fork, signal.SIGKILL)
        os.kill(fork, signal.SIGKILL)
    return os.waitpid(fork, 0)[1]


def described(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


def run_fork(suite: SuiteRequest, case: CaseRequest, answers: int, requests: int) -> None:
    """Measure the case, and end this process."""
    os.setpgid(0, 0)  # so that what the case starts can be killed with it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with Path(os.devnull).open() as nothing, Path(suite["log"]).open("a") as log:
        for number, file in enumerate((nothing, log, log)):  # the parent's standard input has requests
            os.dup2(file.fileno(), number)
    with tempfile.TemporaryDirectory(prefix="duet-", ignore_cleanup_errors=True) as empty:
        os.chdir(case["directory"] or empty)
        try:
            answer = result(suite["suite"], case, lambda answer: next_turn(answer, answers, requests))
        except BaseException as error:
            traceback.print_exc()
            is_wrong = isinstance(error, AssertionError)  # so the library and the suite report a wrong answer
            answer = {"outcome": "wrong" if is_wrong else "failed", "reason": last_line(error)}
        sys.stdout.flush()
        sys.stderr.flush()
        os.chdir("/")
    os.write(answers, json.dumps(answer).encode())
    os._exit(0)


def next_turn(answer: Answer, answers: int, requests: int) -> bool:
    """Answer, and sleep until the next request. True if it asks for another turn."""
    os.write(answers, json.dumps(answer).encode())
    line = os.read(requests, 65536)
    if not line:
        os._exit(1)  # the parent has ended
    request: TurnRequest = json.loads(line)
    if request["core"] is not None:
        move(request["core"])
    return request["turn"]


def move(core: int) -> None:
    """Move this process, with all its threads, to a core."""
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(ProcessLookupError):  # it has ended
            os.sched_setaffinity(int(thread), {core})


def last_line(error: BaseException) -> str:
    """Return the error in a line; its text may hold a traceback."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[-1]}"[:500]


def result(root: str, case: CaseRequest, next_turn: Callable[[Answer], bool]) -> Answer:
    """Set up the benchmark and measure it. Inside the clock: what the benchmark puts there."""
    benchmark = get_benchmark_from_name(root, case["id"], extra_params=case["attributes"])
    benchmark.set_cache(cached(benchmark, case["directory"]))
    change = put(benchmark, case["fault"]) if case["fault"] else lambda value: value
    printed = io.StringIO()
    begin = time.monotonic()
    with contextlib.redirect_stdout(printed):
        skipped = benchmark.do_setup()
    print(printed.getvalue(), end="")
    ready = time.monotonic()
    try:
        if skipped:
            return {"outcome": "skipped", "reason": reason_of_skip(printed.getvalue())}
        value, seconds = take_turns(benchmark, next_turn, case["turns"]) if case["turns"] else timed(benchmark)
    except SkipNotImplemented as skip:
        return {"outcome": "skipped", "reason": str(skip)}
    finally:
        benchmark.do_teardown()
    answer: Answer = {"outcome": "ok", "setup": ready - begin, "run": seconds}
    if isinstance(value, dict):
        return {**answer, "values": value["samples"], "number": value["number"]}
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return {**answer, "values": [change(value)]}
    return {"outcome": "failed", "reason": f"its value is {value!r}, which is no finite number"}


def timed(benchmark: Any) -> tuple[Any, float]:
    """Return asv_runner's result, and the seconds that it took."""
    begin = time.monotonic()
    return benchmark.do_run(), time.monotonic() - begin


def take_turns(benchmark: Any, next_turn: Callable[[Answer], bool], parts: int) -> tuple[dict[str, Any], float]:
    """Return samples of a time, one a turn, and the seconds that they took.

    parts: turns that have the calls of one of the suite's samples. If the suite does not say how many calls those are, the
    first turn finds it.
    """
    samples: list[float] = []
    total = 0.0
    answer: Answer = {"set_up": True}
    number, warmup_time = benchmark.number and max(1, benchmark.number // parts), benchmark.warmup_time
    while next_turn(answer):
        warmed = warm(benchmark) if samples and samples[-1] < LONG else 0.0
        benchmark.number, benchmark.warmup_time = number, warmup_time  # asv runs setup before calls, which undoes this
        taken, seconds = timed(benchmark)
        number, warmup_time = taken["number"], 0
        samples += taken["samples"]
        answer = {"sample": samples[-1], "seconds": seconds + warmed}
        total += seconds + warmed
    return {"samples": samples, "number": number}, total


def warm(benchmark: Any) -> float:
    """Call it without taking a sample, because the other side's arrays have replaced its own in the caches; the seconds."""
    benchmark.number, benchmark.warmup_time = 1, 0
    return timed(benchmark)[1]


def put(benchmark: Any, fault: dict[str, Any]) -> Callable[[float], float]:
    """Put calibration's fault into the benchmark. Returns how a tracked value is changed."""
    spec = importlib.util.spec_from_file_location("faults", fault["program"])
    assert spec and spec.loader
    faults = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(faults)
    change: Callable[[float], float] = faults.put(benchmark, fault)
    return change


def reason_of_skip(printed: str) -> str:
    """Return the reason out of the line that asv_runner prints for a skip."""
    line = next((line for line in printed.splitlines() if line.startswith("asv: skipped: ")), "")
    return line.removeprefix("asv: skipped: ").strip().removeprefix("NotImplementedError(").removesuffix(")").strip("'\"")


def cached(benchmark: Any, directory: str | None) -> Any:
    """Return what setup_cache returns.

    In a shared directory it is stored for others, in asv's own file: benchmarks take that file as the sign that others
    need what they compute.
    """
    if benchmark.setup_cache_key is None:
        return None
    if not directory:
        return benchmark.do_setup_cache()
    file = Path("cache.pickle")
    if not file.exists():
        file.write_bytes(pickle.dumps(benchmark.do_setup_cache()))
    return pickle.loads(file.read_bytes())


if __name__ == "__main__":
    main()
    os._exit(0)  # the exit of a framework takes as long as a case
