"""The child's side of ``process``: carry out the calls of a request, and write an answer to each.

``python -m jitkernels.measure.child`` reads one Request as JSON from standard input and writes one Answer a line, as JSON,
to standard output. A forked child has the same loop, ``serve``, and writes to a pipe.
"""

import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import IO, Any, TypedDict

from jitkernels.backends import caches, toolchain
from jitkernels.backends.table import BACKENDS
from jitkernels.errors import Unavailable

Arguments = dict[str, Any]
Figures = dict[str, Any]


class Request(TypedDict):
    """task: "module.function" below ``jitkernels.measure``. calls: keyword arguments, "backend" among them."""

    task: str
    calls: list[Arguments]


class Answer(TypedDict):
    """status: ok, unavailable, wrong or failed. reason: why it is not ok, in one line. figures: what the task returned."""

    status: str
    reason: str | None
    figures: Figures


def serve(request: Request, answers: IO[str]) -> None:
    """Write one answer for each call. What frameworks print goes to standard error, never among the answers."""
    os.dup2(2, 1)
    module, _, name = request["task"].rpartition(".")
    task: Callable[..., Figures] = getattr(importlib.import_module(f"jitkernels.measure.{module}"), name)
    for arguments in request["calls"]:
        print(json.dumps(answer(task, arguments), allow_nan=False), file=answers, flush=True)


def answer(task: Callable[..., Figures], arguments: Arguments) -> Answer:
    """Call the task. Whatever it raises becomes a status with a reason, never a figure."""
    try:
        return {"status": "ok", "reason": None, "figures": task(**arguments)}
    except Unavailable as error:
        return _without_figures("unavailable", error.reason)
    except AssertionError as error:
        return _without_figures("wrong", str(error) or "the answer is wrong")
    except Exception as error:  # a broken framework may raise anything
        # First the causes that a framework's own exception seldom names: a full disk, a compiler that does not run.
        if reason := caches.unusable() or toolchain.missing(BACKENDS[arguments["backend"]].toolchain):
            return _without_figures("failed", reason)
        traceback.print_exc()
        return _without_figures("failed", f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")


def _without_figures(status: str, reason: str) -> Answer:
    return {"status": status, "reason": reason, "figures": {}}


def main() -> None:
    """Serve the request on standard input."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches this process too; its parent prints what there is to print
    with os.fdopen(os.dup(1), "w") as answers:
        serve(json.load(sys.stdin), answers)


if __name__ == "__main__":
    main()
