"""Measure the other lives of a call than warm: each in its own processes, with their own disk caches."""

import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jitkernels import kernels
from jitkernels.backends import caches
from jitkernels.backends.table import find_backend
from jitkernels.measure import process, retrace, timing
from jitkernels.measure.process import Start
from jitkernels.measure.rows import PEAKS as PEAKS  # asv's part looks for it here
from jitkernels.measure.rows import PROCESS, STAGES, Row, without_figures

PROCESSES = 3  # a process has one first call; the median of three tolerates a disturbed one


def steps(request: timing.Request) -> Iterator[Row]:
    """Yield the steps of ``timing.steps``, and add the request's LIVES to each row as soon as it comes.

    A life that fails gives the row its status, with the reason. A wrong answer ends the row.
    """
    for row in timing.steps(request):
        if PROCESS in row or row["status"] != "ok":
            yield row
            continue
        case: Row = {key: row[key] for key in ("kernel", "backend", "size", "seed", "spelling") if key in row}
        for life, measure in LIVES.items():
            if life in request.lives and row["status"] != "wrong":
                measure(row, case, request.start)
        yield without_figures(row) if row["status"] == "wrong" else row


def _ask_cold(task: str, case: Row, start: Start, variables: Callable[[Path], dict[str, str]] = caches.variables) -> Row:
    """Return the answer of a new process with empty disk caches, which are removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
        return process.ask_once(task, case, variables(Path(directory)), start)


def _add_cold(row: Row, case: Row, start: Start) -> None:
    """Add first calls, and the stages of a compilation. Stages that cannot be timed here change no status.

    No process is started for the stages of an eager mode, an interpreter or a function that came compiled: there are none.
    """
    answers = [_ask_cold("tasks.first_call", case, start) for _ in range(PROCESSES)]
    _add_first_calls(row, "cold", answers, programs=min, from_disk=max)
    if row.get("jitted") or not find_backend(row["backend"]).compiles:
        row.update(dict.fromkeys(STAGES), stages={})
        return
    stages = _ask_cold("tasks.stages", case, start)
    if stages["status"] != "unavailable":
        _add_figures(row, stages)


def _add_cached(row: Row, case: Row, start: Start) -> None:
    """Add first calls in new processes with disk caches that another process has filled."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cached-", ignore_cleanup_errors=True) as directory:
        environment = caches.variables(Path(directory), persistent=True)
        answers = [process.ask_once("tasks.first_call", case, environment, start)]
        if answers[0]["status"] == "ok":
            answers = [process.ask_once("tasks.first_call", case, environment, start) for _ in range(PROCESSES)]
    _add_first_calls(row, "cached", answers, programs=max, from_disk=min)


def _add_first_calls(row: Row, life: str, answers: Sequence[Row], **counts: Callable[[list[Any]], Any]) -> None:
    """Add the median seconds. counts: should agree; if not, the value that is worst for the life is taken.

    No seconds are added for a user's function that its file compiled before the first call.
    """
    failed = next((answer for answer in answers if answer["status"] != "ok"), None)
    if failed:
        _add_figures(row, failed)
    figures = [] if failed else [answer["figures"] for answer in answers]
    for key, of_several in {"seconds": statistics.median, **counts}.items():
        row[f"{life}_{key}"] = of_several([each[key] for each in figures]) if figures else None
    compiles = row.get("jitted") and find_backend(row["backend"]).compiles
    if compiles and row[f"{life}_programs"] == row[f"{life}_from_disk"] == 0:
        row[f"{life}_seconds"] = None


def _add_retrace(row: Row, case: Row, start: Start) -> None:
    """Add each kind of change, or why it says nothing. The first that says something becomes the row's own."""
    row["retraces"] = {kind: _retrace(row, case, kind, start) for kind in retrace.KINDS}
    kind = next((kind for kind, figures in row["retraces"].items() if figures["seconds"] is not None), None)
    if kind:
        figures = row["retraces"][kind]
        row.update(retrace_kind=kind, retrace_seconds=figures["seconds"], retrace_programs=figures["programs"])


def _retrace(row: Row, case: Row, kind: str, start: Start) -> Row:
    blank: Row = {"seconds": None, "programs": None, "change": None, "reason": None}
    if reason := retrace.meaningless(kernels.load(case["kernel"]), case["backend"], kind):
        return {**blank, "reason": reason}
    answer = _ask_cold("tasks.retrace", {**case, "kind": kind}, start, caches.counting)
    if answer["status"] not in ("ok", "unavailable"):
        row.update(status=answer["status"], reason=f"retrace by {kind}: {answer['reason']}")
    return {**blank, "reason": answer["reason"], **answer["figures"]}


def _add_memory(row: Row, case: Row, start: Start) -> None:
    _add_figures(row, _ask_cold("tasks.memory", case, start))


def _add_figures(row: Row, answer: Row) -> None:
    """Add the answer's figures. One that is not ok has none; its status becomes the row's, but what cannot be measured here
    takes nothing from what was."""
    if answer["status"] != "ok":
        row["reason"] = answer["reason"]
    if answer["status"] not in ("ok", "unavailable"):
        row["status"] = answer["status"]
    row.update(answer["figures"])


LIVES: dict[str, Callable[[Row, Row, Start], None]] = {
    "cold": _add_cold,
    "cached": _add_cached,
    "retrace": _add_retrace,
    "memory": _add_memory,
}
