"""What a fork does: set a benchmark up, take its samples, and answer."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import pickle
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asv_runner.benchmarks.mark import SkipNotImplemented
from asv_runner.discovery import get_benchmark_from_name

if TYPE_CHECKING:  # it runs by the folder's path, where ``duet`` cannot be imported
    from duet.child import Answer, CaseRequest, SuiteRequest, TurnRequest, orphans
else:
    import orphans

LONG = 0.03  # seconds: a call that takes so long needs no warm caches


def run(suite: SuiteRequest, case: CaseRequest, empty: str, answers: int, requests: int) -> None:
    """Measure the case, and end this process. empty: the working directory if the case has none."""
    orphans.die_with_parent(signal.SIGKILL)
    os.setpgid(0, 0)  # so that what the case starts can be killed with it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with Path(os.devnull).open() as nothing, Path(suite["log"]).open("a") as log:
        for number, file in enumerate((nothing, log, log)):  # the parent's standard input has requests
            os.dup2(file.fileno(), number)
    os.chdir(case.get("directory") or empty)
    os.environ.update(case.get("variables", {}))
    close_in_forks(answers)
    answer, *others = (
        outcome(suite["suite"], {**case, "id": each}, lambda answer: next_turn(answer, answers, requests))
        for each in (case["id"], *case["others"])
    )
    if others:
        answer["others"] = others
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(answers, line_of(answer))
    os._exit(0)


def outcome(root: str, case: CaseRequest, next_turn: Callable[[Answer], bool]) -> Answer:
    """Return the case's result, or the error that kept it from one."""
    try:
        return result(root, case, next_turn)
    except BaseException as error:
        traceback.print_exc()
        is_wrong = isinstance(error, AssertionError)  # the library and the suite report wrong answers so
        return {"outcome": "wrong" if is_wrong else "failed", "reason": last_line(error)}


def close_in_forks(file: int) -> None:
    """Have processes that this one forks close the file: its end says that this process has ended."""
    held = [file]

    def close() -> None:
        while held:  # once: a fork of a fork may have another file of that number
            os.close(held.pop())

    os.register_at_fork(after_in_child=close)


def line_of(answer: Answer) -> bytes:
    return json.dumps(answer).encode() + b"\n"


def next_turn(answer: Answer, answers: int, requests: int) -> bool:
    """Answer, and sleep until the next request. True if that asks for another turn."""
    os.write(answers, line_of(answer))
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
    """Set up the benchmark and measure it. Inside the clock: only what the benchmark times."""
    benchmark = get_benchmark_from_name(root, case["id"], extra_params=case.get("attributes"))
    benchmark.set_cache(setup_cache(benchmark, case.get("directory")))
    fault = case.get("fault")  # of calibration; it may change a tracked value
    change = runpy.run_path(fault["program"])["put"](benchmark, fault) if fault else lambda value: value
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        skipped = benchmark.do_setup()
    print(printed.getvalue(), end="")
    try:
        if skipped:
            return {"outcome": "skipped", "reason": reason_of_skip(printed.getvalue())}
        turns = case.get("turns")
        value = take_turns(benchmark, next_turn, turns) if turns else benchmark.do_run()
    except SkipNotImplemented as skip:
        return {"outcome": "skipped", "reason": str(skip)}
    finally:
        benchmark.do_teardown()
    if isinstance(value, dict):
        return {"outcome": "ok", "values": value["samples"]}
    if isinstance(value, bool | int | float) and math.isfinite(value):
        return {"outcome": "ok", "values": [change(value)]}
    return {"outcome": "failed", "reason": f"its value is {value!r}, which is no finite number"}


def take_turns(benchmark: Any, next_turn: Callable[[Answer], bool], parts: int) -> dict[str, Any]:
    """Return samples of a time, one for each turn, as asv_runner does, but without its setup and teardown before each call.

    parts: turns into which the calls of a sample are split. If the suite does not give that number of calls, the first turn
    determines it.
    """
    benchmark.redo_setup = lambda: None  # teardown checks the answer, which would cool the caches before every call
    samples: list[float] = []
    answer: Answer = {"set_up": True}
    number, warmup_time = benchmark.number and max(1, benchmark.number // parts), benchmark.warmup_time
    while next_turn(answer):
        begin = time.monotonic()
        if samples and samples[-1] < LONG:  # one untimed call: the other side's arrays are in the caches
            benchmark.number, benchmark.warmup_time = 1, 0
            benchmark.do_run()
        benchmark.number, benchmark.warmup_time = number, warmup_time
        taken = benchmark.do_run()
        number, warmup_time = taken["number"], 0
        samples += taken["samples"]
        answer = {"sample": samples[-1], "seconds": time.monotonic() - begin}
    return {"samples": samples}


def reason_of_skip(printed: str) -> str:
    """Return the reason from the line that asv_runner prints for a skip."""
    line = next((line for line in printed.splitlines() if line.startswith("asv: skipped: ")), "")
    return line.removeprefix("asv: skipped: ").strip().removeprefix("NotImplementedError(").removesuffix(")").strip("'\"")


def setup_cache(benchmark: Any, directory: str | None) -> Any:
    """Return what setup_cache returns.

    In a shared directory it is stored in asv's own file. From that file benchmarks see that other processes need what they
    compute.
    """
    if benchmark.setup_cache_key is None:
        return None
    if not directory:
        return benchmark.do_setup_cache()
    file = Path("cache.pickle")
    if not file.exists():
        file.write_bytes(pickle.dumps(benchmark.do_setup_cache()))
    return pickle.loads(file.read_bytes())
