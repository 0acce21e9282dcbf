"""Tasks of the library's workers in processes that are forked from a benchmark's own.

Where asv's fork server has imported a framework, the benchmark's process has it, and has used nothing of it: no thread of
its runs, nothing is compiled. A process that is forked from it is as fresh as one that is started, without seconds of
imports. So whoever asks here must not have prepared a case. Variables that a framework reads when it is imported come late.
"""

import functools
import json
import os
import warnings
from collections.abc import Callable, Mapping

from jitkernels.case import DEFAULT_SEED

from ._library import load


def fork() -> int:
    """``os.fork`` without its warnings of threads, and JAX's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # NumPy's know what to do in a fork
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX has none before it is used
        return os.fork()


def asked(
    tasks: Mapping[str, Callable], task: str, kernel: str, backend: str, size: int, environment: dict[str, str], **options
) -> dict:
    """What the task says of the cell, and how it went, as ``worker.ask`` has it. environment: variables to add."""
    reading, writing = os.pipe()
    child = fork()
    if not child:
        try:
            os.environ.update(environment)
            row = load("worker").outcome(functools.partial(tasks[task], **options), kernel, backend, size, DEFAULT_SEED)
            with os.fdopen(writing, "w") as answer:
                json.dump(row, answer)
        finally:
            os._exit(0)  # what this process would do at its end is its parent's
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    if not text:
        return {"status": "failed", "reason": f"its process ended with {os.waitstatus_to_exitcode(status)}"}
    return json.loads(text)


def measured(row: dict) -> dict:
    """The row; NotImplementedError, asv's word for a skip, where the cell cannot run here."""
    if row["status"] == "unavailable":
        raise NotImplementedError(row["reason"])
    assert row["status"] == "ok", row["reason"]
    return row
