"""Ask child processes: the one protocol for whatever has to be measured in a process of its own.

Frameworks do not share a process well, and a process has one first call. So a task runs in a child: a new Python
(``Started``), or a fork of this process (``Forked``), which is as fresh as this process and saves the seconds of its
imports. ``child`` is the other side.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from jitkernels.measure import child
from jitkernels.measure.child import Answer, Arguments, Request

LONGEST_END = 10.0  # seconds for a child that has answered everything to remove its temporary files


class Started:
    """A new Python process. It imports its framework after ``environment`` has been added to its variables.

    is_quiet: its standard error is printed only where the process ends badly.
    """

    def __init__(self, request: Request, environment: Mapping[str, str], is_quiet: bool = False) -> None:
        self._errors: IO[str] | None = tempfile.TemporaryFile("w+") if is_quiet else None  # noqa: SIM115  # closed by end
        self._process = subprocess.Popen(
            [sys.executable, "-m", child.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**os.environ, **environment},
        )
        assert self._process.stdin and self._process.stdout
        self.lines: IO[str] = self._process.stdout
        with self._process.stdin as requests:
            json.dump(request, requests)

    def end(self, patience: float) -> int:
        """Return the exit status, after ``patience`` seconds at most: then the process is killed."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
        with self._process, self._errors or contextlib.nullcontext():
            status = self._process.wait()
            if status and patience and self._errors:
                self._errors.seek(0)
                print(self._errors.read(), file=sys.stderr)
        return status


def quiet(request: Request, environment: Mapping[str, str]) -> Started:
    """Start a process whose warnings are expected."""
    return Started(request, environment, is_quiet=True)


class Forked:
    """A fork of this process, which must not have prepared a case. Variables that a framework reads at its import come late
    where this process has imported it."""

    def __init__(self, request: Request, environment: Mapping[str, str]) -> None:
        reading, writing = os.pipe()

        def serve() -> None:
            os.environ.update(environment)
            with os.fdopen(writing, "w") as answers:
                child.serve(request, answers)

        self._pid = fork(serve)
        os.close(writing)
        self.lines: IO[str] = os.fdopen(reading)

    def end(self, patience: float) -> int:
        """Return the exit status. Without patience the process is killed; otherwise it ends right after its last answer."""
        if not patience:
            os.kill(self._pid, signal.SIGKILL)
        self.lines.close()
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


Start = Callable[[Request, Mapping[str, str]], Started | Forked]


def fork(work: Callable[[], None]) -> int:
    """Do ``work`` in a fork of this process, and return the fork's process id. The fork skips what this process does at its
    end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: NumPy's survive a fork
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX's, which has no thread before it is used
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
    task: str, calls: Sequence[Arguments], environment: Mapping[str, str] | None = None, start: Start = Started
) -> Iterator[Answer]:
    """Yield one answer for each call, in order, each as soon as it is there.

    Where the child dies, the call it was at has failed, and a new child goes on with the next.
    task, calls: see ``child.Request``. environment: variables to add.
    """
    left = list(calls)
    while left:
        for answer in _answers({"task": task, "calls": left[:]}, environment or {}, start):
            del left[0]
            yield answer


def ask_once(
    task: str, arguments: Arguments, environment: Mapping[str, str] | None = None, start: Start = Started
) -> Answer:
    """Return the answer to one call."""
    (answer,) = ask(task, [arguments], environment, start)
    return answer


def _answers(request: Request, environment: Mapping[str, str], start: Start) -> Iterator[Answer]:
    """Yield the answers of one child; the last one is "failed" where the child died before it was done."""
    process, left, patience = start(request, environment), len(request["calls"]), 0.0
    try:
        for line in process.lines:
            if not line.endswith("\n"):
                break  # it died while it wrote
            left -= 1
            patience = 0.0 if left else LONGEST_END
            yield json.loads(line)
            if not left:
                break
        patience = LONGEST_END
    finally:  # nothing is left running where the caller stops early
        status = process.end(patience)
    if left:
        yield {"status": "failed", "reason": f"its process ended with exit status {status}", "figures": {}}
