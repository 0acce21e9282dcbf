"""Measure the lives of a call beside the warm one: each figure in processes of its own, with disk caches of their own."""

import statistics
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jitkernels import kernels
from jitkernels.backends import caches
from jitkernels.backends.table import find_backend
from jitkernels.measure import comparisons, process, retrace
from jitkernels.measure.process import Start, Started
from jitkernels.measure.rows import PEAKS, PROCESS, STAGES, Row, without_figures

PROCESSES = 3  # a process has one first call; the median of three forgives one that was disturbed


def with_lives(rows: Iterable[Row], lives: Collection[str], start: Start = Started) -> Iterator[Row]:
    """Yield the steps of ``timing.steps``, each row with these LIVES of its case, which are measured as soon as it comes."""
    for row in rows:
        if PROCESS in row:
            yield row
            continue
        if row["status"] == "ok":
            add(row, lives, start)
        yield without_figures(row) if row["status"] == "wrong" else row


def add(row: Row, lives: Collection[str], start: Start = Started) -> None:
    """Measure these LIVES of the row's case; what fails becomes its status, with the reason. A wrong one is the last."""
    case: Row = {key: row[key] for key in ("kernel", "backend", "size", "seed", "spelling") if key in row}
    for life, measure in LIVES.items():
        if life in lives and row["status"] != "wrong":
            measure(row, case, start)


def ask_cold(
    task: str,
    arguments: Row,
    variables: Callable[[Path], dict[str, str]] = caches.variables,
    start: Start = Started,
) -> Row:
    """Return the answer of a new process whose disk caches are empty, and are removed after it."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-", ignore_cleanup_errors=True) as directory:
        return process.ask_once(task, arguments, variables(Path(directory)), start)


def _add_cold(row: Row, case: Row, start: Start) -> None:
    answers = [ask_cold("tasks.first_call", case, start=start) for _ in range(PROCESSES)]
    _add_first_calls(row, "cold", answers, programs=min, from_disk=max)
    stages = ask_cold("tasks.stages", case, start=start)
    row.update({key: _fold(row, [stages], key) for key in STAGES})


def _add_cached(row: Row, case: Row, start: Start) -> None:
    """First calls in new processes whose disk caches another process has filled."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
        environment = caches.variables(Path(directory), persistent=True)
        answers = [process.ask_once("tasks.first_call", case, environment, start)]
        if answers[0]["status"] == "ok":
            answers = [process.ask_once("tasks.first_call", case, environment, start) for _ in range(PROCESSES)]
    _add_first_calls(row, "cached", answers, programs=max, from_disk=min)


def _add_first_calls(row: Row, life: str, answers: Sequence[Row], **counts: Callable[[list[Any]], Any]) -> None:
    """Seconds: the median. The counts should agree; where they do not, those that speak most against the life.

    Without the seconds of a first call of a user's function that its file had compiled before it.
    """
    for key, of_several in {"seconds": statistics.median, **counts}.items():
        row[f"{life}_{key}"] = _fold(row, answers, key, of_several)
    compiles = row.get("jitted") and find_backend(row["backend"]).kind not in comparisons.UNCOMPILED
    if compiles and row[f"{life}_programs"] == row[f"{life}_from_disk"] == 0:
        row[f"{life}_seconds"] = None


def _add_retrace(row: Row, case: Row, start: Start) -> None:
    """Each kind of change, with the reason where it says nothing; the first that says something as the row's own."""
    row["retraces"] = {kind: _retrace(row, case, kind, start) for kind in retrace.KINDS}
    kind = next((kind for kind, figures in row["retraces"].items() if figures["seconds"] is not None), None)
    if kind:
        figures = row["retraces"][kind]
        row.update(retrace_kind=kind, retrace_seconds=figures["seconds"], retrace_programs=figures["programs"])


def _retrace(row: Row, case: Row, kind: str, start: Start) -> Row:
    blank: Row = {"seconds": None, "programs": None, "change": None, "reason": None}
    if reason := retrace.meaningless(kernels.load(case["kernel"]), case["backend"], kind):
        return {**blank, "reason": reason}
    answer = ask_cold("tasks.retrace", {**case, "kind": kind}, caches.counting, start)
    if answer["status"] not in ("ok", "unavailable"):
        row.update(status=answer["status"], reason=f"retrace by {kind}: {answer['reason']}")
    return {**blank, "reason": answer["reason"], **answer["figures"]}


def _add_memory(row: Row, case: Row, start: Start) -> None:
    answer = ask_cold("tasks.memory", case, start=start)
    row.update({key: _fold(row, [answer], key) for key in ("peak_bytes", *PEAKS)})


LIVES: dict[str, Callable[[Row, Row, Start], None]] = {
    "cold": _add_cold,
    "cached": _add_cached,
    "retrace": _add_retrace,
    "memory": _add_memory,
}


def _fold(row: Row, answers: Sequence[Row], key: str, of_several: Callable[[list[Any]], Any] = statistics.median) -> Any:
    """Return the answers' figure, folded where there are several; an answer that is not ok becomes the row's status."""
    for answer in answers:
        if answer["status"] != "ok":
            row.update(status=answer["status"], reason=answer["reason"])
            return None
    figures = [answer["figures"][key] for answer in answers]
    return of_several(figures) if len(figures) > 1 else figures[0]
