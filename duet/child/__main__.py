"""Import the suite with its framework, once, and measure each benchmark case, or row of figures, in a fork.

So each has its own memory and its own compiled programs. Between cases and between turns nothing runs here, so that
the other side is not disturbed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import select
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:  # it runs by the folder's path, where ``duet`` cannot be imported
    from duet.child import Answer, CaseRequest, SuiteRequest, orphans
else:
    import orphans


def main() -> None:
    """Answer until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a case's fork ends with this process
    os.set_inheritable(int(sys.argv[1]), False)  # a process that a case starts must not hold it open
    with os.fdopen(int(sys.argv[1]), "w") as out:
        suite: SuiteRequest = json.loads(sys.stdin.readline())
        orphans.die_with_parent(signal.SIGKILL)  # an import may never end
        if has_hung_up(sys.stdin):  # the parent ended before that
            return
        if suite["core"] is not None:  # before NumPy is imported: libraries that count cores see one, and start no threads
            os.sched_setaffinity(0, {suite["core"]})
        fork = import_runner(suite["suite"])
        fork.close_in_forks(out.fileno())  # a process that an import forks must not hold it open either
        if suite["discover"]:
            write(out, {"benchmarks": benchmarks_of(suite["suite"])})
            return
        load(suite)
        orphans.adopt()  # what cases start
        orphans.die_with_parent(0)  # from now on the end of standard input says that the parent has ended
        write(out, {"ready": True})
        for line in iter(sys.stdin.readline, ""):
            case: CaseRequest = json.loads(line)
            with contextlib.suppress(Exception, SystemExit):  # here, and not in every fork; an error is its fork's result
                importlib.import_module(f"{os.path.basename(suite['suite'])}.{case['id'].partition('.')[0]}")
            with tempfile.TemporaryDirectory(prefix="duet-", ignore_cleanup_errors=True) as empty:
                answer = measure_in_fork(fork, suite, case, empty, out)
            write(out, answer)


def has_hung_up(file: TextIO) -> bool:
    """True if nobody can write into this pipe any more."""
    poll = select.poll()
    poll.register(file, 0)
    return bool(poll.poll(0))


def import_runner(suite: str) -> ModuleType:
    """Import asv_runner, and NumPy with it, show it the suite, and return the module ``fork``."""
    from asv_runner._aux import update_sys_path

    fork = importlib.import_module("fork")
    sys.path.pop(0)  # this folder: nothing else may import its files
    update_sys_path(suite)
    return fork


def load(suite: SuiteRequest) -> None:
    """Import the suite. Exits if a package that the library has was imported from elsewhere."""
    __import__(os.path.basename(suite["suite"]))
    for name in os.listdir(suite["library"]) if suite["library"] else ():
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and not Path(file).is_relative_to(str(suite["library"])):
            sys.exit(f"{name} came from {file}, not from {suite['library']}")


def benchmarks_of(root: str) -> dict[str, dict[str, Any]]:
    """Return each benchmark's attributes that JSON can hold, by name."""
    from asv_runner.discovery import list_benchmarks

    listed = io.StringIO()
    list_benchmarks(root, listed)
    return {benchmark["name"]: benchmark for benchmark in json.loads(listed.getvalue())}


def write(out: TextIO, answer: Answer) -> None:
    print(json.dumps(answer), file=out, flush=True)


def measure_in_fork(fork: ModuleType, suite: SuiteRequest, case: CaseRequest, empty: str, out: TextIO) -> Answer:
    """Return a case's result. A crash and a timeout are results too. All processes that the case started are ended.

    empty: the fork's working directory.
    """
    begin = time.monotonic()
    answers, write_answers = os.pipe()
    requests, write_requests = os.pipe()
    process = os.fork()
    if not process:
        os.close(write_requests)
        fork.run(suite, case, empty, write_answers, requests)
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
        status = wait(process, kill=not answer)  # without an answer it may live on: it can close the pipe itself
    if answer is None:
        return {"outcome": "failed", "reason": f"timed out after {case['timeout']:g} s"}
    return answer or {"outcome": "failed", "reason": f"its process ended with {exit_in_words(status)} and said nothing"}


def read(file: int, until: float) -> Answer | None:
    """Return the next answer; an empty one at the end of the file, None if the time is up or the parent has ended.

    It sleeps meanwhile, because polling would disturb the measurement.
    """
    poll = select.poll()
    poll.register(file, select.POLLIN)
    poll.register(sys.stdin, 0)  # only its end is reported
    line = b""
    while not line.endswith(b"\n"):
        if file not in dict(poll.poll(1000 * max(0, until - time.monotonic()))):
            return None
        part = os.read(file, 65536)
        if not part:
            return {}
        line += part
    answer: Answer = json.loads(line)
    return answer


def wait(process: int, kill: bool) -> int:
    """Return the fork's wait status, and end all processes that it started. kill: end the fork too."""
    if kill:
        os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)  # until the fork is reaped, no other group gets its number
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the fork was the only process of its group
        os.killpg(process, signal.SIGKILL)
    orphans.end_all(lambda: orphans.below(os.getpid()))
    return os.waitpid(process, 0)[1]


def exit_in_words(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


if __name__ == "__main__":
    main()
    os._exit(0)  # the exit of a framework takes as long as a case
