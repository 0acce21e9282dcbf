"""One fresh process for one backend: where the command line measures, so that frameworks never share a process.

``ask`` starts the process (``python -m jitkernels.measure.worker``) and yields its answers. A request is one JSON
object on standard input, an answer one JSON line on standard output. Whatever a framework prints goes to standard error.

A request is {"task", "backend", "cells": [[kernel, size], ...], "seed"}, with "options" where the task takes some, and
"module" where another module is the process, with tasks of its own; there is one answer for each of its cells.
"""

import functools
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jitkernels import machine
from jitkernels.backends import caches
from jitkernels.case import Case, prepare
from jitkernels.errors import Unavailable
from jitkernels.measure import calls as measure
from jitkernels.measure import retrace as retraces

Row = dict[str, Any]
LONGEST_END = 10  # seconds that a process has for it, once all its answers are there


def ask(request: Row, environment: dict[str, str] | None = None) -> Iterator[Row]:
    """One answer for each cell, in order, each as soon as it is there.

    Where the process dies, the cell it was at has failed, and a new process goes on with the next.
    environment: variables to add to this process's.
    """
    cells = list(request["cells"])
    while cells:
        for answer in _process({**request, "cells": cells[:]}, environment):
            kernel, size = cells.pop(0)
            yield {"kernel": kernel, "size": size, **answer}


def answer(request: Row, tasks: Mapping[str, Callable[..., Row]]) -> Iterator[Row]:
    """In the worker's process: one answer for each cell of the request."""
    task = functools.partial(tasks[request["task"]], **request.get("options", {}))
    for kernel, size in request["cells"]:
        yield outcome(task, kernel, request["backend"], size, request["seed"])


def _process(request: Row, environment: dict[str, str] | None) -> Iterator[Row]:
    """The answers of one fresh process; a last one with status "failed" where it died before it was done."""
    with subprocess.Popen(
        [sys.executable, "-m", request.get("module", "jitkernels.measure.worker")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    ) as process:
        assert process.stdin and process.stdout
        answers = 0
        try:
            process.stdin.write(json.dumps(request))
            process.stdin.close()
            for line in process.stdout:
                answers += 1
                yield json.loads(line)
            process.wait()
            if answers < len(request["cells"]):
                yield {"status": "failed", "reason": f"its process ended with exit status {process.returncode}"}
        finally:
            _end(process, done=answers == len(request["cells"]))


def _end(process: subprocess.Popen[str], done: bool) -> None:
    """Nothing is left running when the caller stops early; one that has said all may first remove its temporary files."""
    try:
        process.wait(LONGEST_END if done else 0)
    except subprocess.TimeoutExpired:
        process.kill()


def outcome(task: Callable[..., Row], kernel: str, backend: str, size: int, seed: int) -> Row:
    """What the task found, and how it went: status ok | unavailable | wrong | failed, with the reason."""
    row: Row = {"status": "ok", "reason": None}
    try:
        row.update(task(kernel, backend, size, seed))
    except Unavailable as error:
        row.update(status="unavailable", reason=error.reason)
    except AssertionError as error:
        row.update(status="wrong", reason=str(error) or "the answer is wrong")
    except Exception as error:  # a framework that is broken raises what it likes; it becomes a row, never a number
        if reason := caches.unusable():  # whatever a framework makes of that
            return {**row, "status": "failed", "reason": reason}
        traceback.print_exc()
        row.update(status="failed", reason=f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")
    return row


def check(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The checked answer and where it comes from."""
    return _checked(prepare(kernel, backend, size, seed))


def warm(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The checked answer, the seconds of the calls that follow it, one by one, and samples of those of a warm call."""
    case = prepare(kernel, backend, size, seed)
    row = _checked(case)
    first_calls = [float(f"{seconds:.4g}") for seconds in measure.first_calls(case)]
    return {**row, "first_calls": first_calls, "samples": measure.warm(case)}


def retrace(kernel: str, backend: str, size: int, seed: int, kind: str) -> Row:
    """The seconds of the first call with something new, in a process that is warm; ``kind`` says what is new."""
    seconds, programs, change = retraces.retrace(kernel, backend, size, seed, kind)
    return {"seconds": seconds, "programs": programs, "change": change}


def first_call(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The seconds of this process's first call, and its programs: how many were compiled, how many a disk cache gave."""
    seconds, programs, from_disk = measure.first_call(kernel, backend, size, seed)
    return {"seconds": seconds, "programs": programs, "from_disk": from_disk}


def stages(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The seconds of each of the compiler's stages, of what is in none of them, and of the whole."""
    case = prepare(kernel, backend, size, seed)
    case.start()
    made = case.stages()
    return {
        "stages": dict(made.seconds),
        "stages_other": made.other,
        "stages_total": made.total,
        "stages_cpu_seconds": made.cpu_seconds,
    }


def memory(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The bytes by which the process's peak grows: in the call that compiles, in the one after it, and in both."""
    compiling, running = measure.peaks(kernel, backend, size, seed)
    return {"compile_peak_bytes": compiling, "run_peak_bytes": running, "bytes": max(compiling, running)}


def artifacts(kernel: str, backend: str, size: int, seed: int) -> Row:
    """The texts and counts of what the compiler produced."""
    made = prepare(kernel, backend, size, seed).artifacts()
    return {"texts": dict(made.texts), "counts": dict(made.counts)}


TASKS = {task.__name__: task for task in (check, warm, retrace, first_call, stages, memory, artifacts)}


def _checked(case: Case) -> Row:
    metrics = case.metrics()
    if "hits" in metrics:
        metrics["hits"] = int(metrics["hits"])
    return {
        **metrics,
        "versions": case.compiler.versions(),
        "threads": case.compiler.threads(),
        "interpreted": case.interpreted,
        "processor": machine.processor(),
    }


def main(tasks: Mapping[str, Callable[..., Row]] = TASKS) -> None:
    """Answer the request on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches this process too, and its parent says all there is to say
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what frameworks print must not end up among the answers
    for row in answer(json.load(sys.stdin), tasks):
        print(json.dumps(row, allow_nan=False), file=answers, flush=True)


if __name__ == "__main__":
    main()
