"""Run the library's tasks in forks of a benchmark's process.

If asv's fork server has imported a framework, the benchmark's process has it, but has not used it: no thread runs, nothing
is compiled. So a fork is as fresh as a new process, and needs no import. The benchmark must not have prepared a case.
"""

from typing import Any

from jitkernels.case import DEFAULT_SEED

from ._library import load


def ask(
    task: str, kernel: str, backend: str, size: int, environment: dict[str, str], start: str = "Forked", **options: object
) -> dict[str, Any]:
    """Return the figures of a task of ``jitkernels.measure`` on one case.

    environment: variables to add. start: "Started" for a new Python instead of a fork. Raises what ``require`` raises.
    """
    process = load("process", "ask_once")
    case = {"kernel": kernel, "backend": backend, "size": size, "seed": DEFAULT_SEED, **options}
    answer = process.ask_once(task, case, environment, getattr(process, start))
    require(answer["status"], answer["reason"])
    figures: dict[str, Any] = answer["figures"]
    return figures


def require(status: str, reason: str | None) -> None:
    """Raise NotImplementedError (asv's skip) if a case cannot run here, AssertionError if its answer is wrong, RuntimeError
    if it failed."""
    if status == "unavailable":
        raise NotImplementedError(reason)
    assert status != "wrong", reason
    if status != "ok":
        raise RuntimeError(reason)
