"""Run tasks in child processes: the one protocol for tasks that need their own process.

Frameworks do not share a process well, and a process has only one first call. So a task runs in a child: a new Python
(``Started``), or a fork of this process (``Forked``). A fork is as fresh as this process, and needs no imports.

A request is JSON on the standard input of ``python -m jitkernels.measure.process``: {"task": "module.function" below
``jitkernels.measure``, "calls": keyword arguments of each call, "register": "module:function" that lets the process load
kernels without packages}. Each call gets one answer, a line of JSON: {"status": ok,
unavailable, wrong or failed, "reason": why it is not ok, in one line, "figures": what the task returned}.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from jitkernels import kernels
from jitkernels.backends import apart, caches, toolchain
from jitkernels.backends.table import find_backend
from jitkernels.errors import Unavailable
from jitkernels.kernel import RUN, one_line
from jitkernels.measure.rows import Row

FEWEST_CALLS = 7  # calls of a slow function: check, reference, a series of one, warm-up, three samples
ENDED, SILENT = "its process ended", "no answer within"  # how the reasons begin for which a child gave no answer
SHOWN = 50  # last lines of the standard error of a quiet child that ended badly
LONGEST_END = 10.0  # seconds for a child that has answered everything to remove its temporary files


class Started:
    """A new Python process. It imports its framework after ``environment`` has been added to its variables.

    is_quiet: print its standard error only if the process ends badly. timeout: seconds after which the process is killed
    if it gives no answer; None for no limit. register: that of the request. python: the executable of an environment with
    this library.
    """

    def __init__(
        self,
        request: Row,
        environment: Mapping[str, str],
        is_quiet: bool = False,
        timeout: float | None = None,
        register: str = "",
        python: str = sys.executable,
    ) -> None:
        self.timeout, self.ending = timeout, ""
        self._errors: IO[str] | None = tempfile.TemporaryFile("w+", errors="replace") if is_quiet else None  # noqa: SIM115  # closed by end
        self._process = subprocess.Popen(
            [python, "-m", "jitkernels.measure.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            # without PYTHONOPTIMIZE, which drops the asserts that check answers
            env={**os.environ, **apart.search_path(), **environment, "PYTHONOPTIMIZE": ""},
        )
        assert self._process.stdin and self._process.stdout
        self._answers: IO[str] = self._process.stdout
        with contextlib.suppress(BrokenPipeError), self._process.stdin as requests:  # it died, so it has no answer
            json.dump({**request, "register": register}, requests)

    def line(self) -> str:
        """Return the next line of its answers, or "" after the last."""
        if self.timeout is None:
            return self._answers.readline()
        timer = threading.Timer(self.timeout, self._stop, [self.timeout])
        timer.start()
        try:
            return self._answers.readline()
        finally:
            timer.cancel()

    def _stop(self, timeout: float) -> None:
        self._process.kill()
        advice = f"set a longer one if a call takes more than {timeout / FEWEST_CALLS:.2g} s, because it is called"
        self.ending = f"{SILENT} {timeout:g} seconds (timeout): {advice} {FEWEST_CALLS} times at least"

    def end(self, patience: float) -> int:
        """Return the exit status. The process is killed after ``patience`` seconds."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
        with self._process, self._errors or contextlib.nullcontext():
            status = self._process.wait()
            if status and patience and self._errors:
                self._errors.seek(0)
                print(*deque(self._errors, SHOWN), sep="", end="", file=sys.stderr)
        return status


class Forked:
    """A fork of this process, which must not have prepared a case. Variables that a framework reads at its import have no
    effect if this process has imported it."""

    ending = ""

    def __init__(self, request: Row, environment: Mapping[str, str]) -> None:
        reading, writing = os.pipe()

        def work() -> None:
            os.environ.update(environment)
            serve(request, writing)

        self._pid = fork(work)
        os.close(writing)
        self._answers: IO[str] = os.fdopen(reading)

    def line(self) -> str:
        """Return the next line of its answers, or "" after the last."""
        return self._answers.readline()

    def end(self, patience: float) -> int:
        """Return the exit status. Without patience the process is killed; otherwise it ends after its last answer."""
        if not patience:
            os.kill(self._pid, signal.SIGKILL)
        self._answers.close()
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


Start = Callable[[Row, Mapping[str, str]], Started | Forked]


def fork(work: Callable[[], None]) -> int:
    """Do ``work`` in a fork of this process, and return the fork's process id. The fork skips this process's
    exit handlers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads: NumPy's survive a fork
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX's, which has no threads before its first use
        pid = os.fork()
    if not pid:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return pid


def ask(
    task: str, calls: Sequence[Row], environment: Mapping[str, str] | None = None, start: Start = Started
) -> Iterator[Row]:
    """Yield one answer for each call, in order, each as soon as it comes.

    If the child dies, its present call has failed, and a new child continues with the next.
    environment: variables to add.
    """
    left = list(calls)
    while left:
        for answer in _answers({"task": task, "calls": left[:]}, environment or {}, start):
            del left[0]
            yield answer


def ask_once(task: str, arguments: Row, environment: Mapping[str, str] | None = None, start: Start = Started) -> Row:
    """Return the answer to one call."""
    (answer,) = ask(task, [arguments], environment, start)
    return answer


def _answers(request: Row, environment: Mapping[str, str], start: Start) -> Iterator[Row]:
    """Yield the answers of one child; the last one is "failed" if the child died."""
    process, left, patience = start(request, environment), len(request["calls"]), 0.0
    try:
        while left and (line := process.line()).endswith("\n"):  # a line without an end: it died while it wrote
            left -= 1
            patience = 0.0 if left else LONGEST_END
            yield json.loads(line)
        patience = LONGEST_END
    finally:  # no process is left if the caller stops early
        status = process.end(patience)
    if left:
        yield {"status": "failed", "reason": process.ending or _ending(status), "figures": {}}


def _ending(status: int) -> str:
    known = {-each: each.name for each in signal.Signals}
    cause = "killed, as the system does where memory runs out" if status == -signal.SIGKILL else known.get(status, "")
    return f"{ENDED} with exit status {status}" + (f": {cause}" if cause else "")


def serve(request: Row, answers: int) -> None:
    """Be the child: write one answer for each call. Output of frameworks goes to standard error. answers: the number of
    the file for answers."""
    os.dup2(2, 1)
    module, _, name = request["task"].rpartition(".")
    if request.get("register"):
        pkgutil.resolve_name(request["register"])({call["kernel"] for call in request["calls"]})
    task: Callable[..., Row] = getattr(importlib.import_module(f"jitkernels.measure.{module}"), name)
    os.register_at_fork(after_in_child=lambda: os.close(answers))  # else the parent waits for what a task has forked
    with os.fdopen(answers, "w") as file:
        for arguments in request["calls"]:
            print(json.dumps(answer(task, arguments), allow_nan=False), file=file, flush=True)


def answer(task: Callable[..., Row], arguments: Row) -> Row:
    """Call the task. Any exception becomes a status with a reason, never a figure."""
    status, reason = "failed", None
    try:
        figures = task(**arguments)
        json.dumps(figures, allow_nan=False)  # a kernel's metrics may be no numbers of JSON
        return {"status": "ok", "reason": None, "figures": figures}
    except Unavailable as error:
        status, reason = "unavailable", error.reason
    except AssertionError as error:
        status, reason = "wrong", str(error) or "the answer is wrong"
    except Exception as error:  # a broken framework may raise anything
        # First causes that a framework's exception seldom names: a full disk, a compiler that does not run.
        backend = find_backend(arguments["backend"])
        reason = caches.unusable(backend.framework) or toolchain.missing(backend.toolchain)
        if not reason:
            traceback.print_exc()
            reason = _reason(error, arguments)
    return {"status": status, "reason": reason, "figures": {}}


def _reason(error: Exception, arguments: Row) -> str:
    """Return the exception in one line, as the kernel of the task describes it."""
    with contextlib.suppress(ValueError):  # an unknown kernel
        return kernels.load(arguments["kernel"]).describe(error, arguments.get("spelling", RUN))
    return one_line(error)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches this process too; its parent reports it
    serve(json.load(sys.stdin), os.dup(1))
