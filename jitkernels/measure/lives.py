"""What a row of ``jitkernels time`` says beside the warm call: each figure from processes of its own, their caches empty."""

import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from jitkernels import kernels
from jitkernels.backends import caches
from jitkernels.measure import retrace, worker
from jitkernels.measure.worker import Row

PROCESSES = 3  # a first call can be timed once a process; the median of three forgives one that was disturbed
PEAKS = ("compile_peak_bytes", "run_peak_bytes")
KEYS = (
    "cold_seconds", "cold_programs", "cold_from_disk",
    "cached_seconds", "cached_programs", "cached_from_disk",
    "retrace_seconds", "retrace_programs", "retrace_kind", "retraces",
    "stages", "stages_other", "stages_total", "stages_cpu_seconds",
    "peak_bytes", *PEAKS,
)  # fmt: skip  # by what is asked for
Ask = Callable[..., Row]
Variables = Callable[[Path], dict[str, str]]


class Wanted(Protocol):
    """The lives that were asked for."""

    @property
    def cold(self) -> bool: ...
    @property
    def cached(self) -> bool: ...
    @property
    def retrace(self) -> bool: ...
    @property
    def memory(self) -> bool: ...


def add(row: Row, wanted: Wanted) -> None:
    """Measure what is wanted of the row's cell; what fails becomes the row's status, with its reason."""

    def ask(task: str, environment: dict[str, str], **options: object) -> Row:
        cell = {"backend": row["backend"], "cells": [(row["kernel"], row["size"])], "seed": row["seed"]}
        return next(worker.ask({"task": task, "options": options, **cell}, environment))

    if wanted.cold:
        _add_first_call(row, "cold", [_in_empty_caches(ask, "first_call") for _ in range(PROCESSES)])
        answer = _in_empty_caches(ask, "stages")
        for key in ("stages", "stages_other", "stages_total", "stages_cpu_seconds"):
            row[key] = _fold(row, [answer], key)
    if wanted.cached:
        _add_first_call(row, "cached", _cached(ask))
    if wanted.retrace:
        _add_retraces(row, ask)
    if wanted.memory:
        answer = _in_empty_caches(ask, "memory")
        for key, measured in {"peak_bytes": "bytes", **{key: key for key in PEAKS}}.items():
            row[key] = _fold(row, [answer], measured)


def _in_empty_caches(ask: Ask, task: str, variables: Variables = caches.variables, **options: object) -> Row:
    """The answer of a new process whose disk caches are empty, and thrown away."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-") as directory:
        return ask(task, variables(Path(directory)), **options)


def _cached(ask: Ask) -> list[Row]:
    """First calls in new processes whose disk caches another process has filled."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
        environment = caches.variables(Path(directory), persistent=True)
        filled = ask("first_call", environment)
        if filled["status"] != "ok":
            return [filled]
        return [ask("first_call", environment) for _ in range(PROCESSES)]


def _add_first_call(row: Row, life: str, answers: Sequence[Row]) -> None:
    """Seconds: the median. Of the counts, which should be the same in all processes, what speaks most against the life."""
    row[f"{life}_seconds"] = _fold(row, answers, "seconds")
    row[f"{life}_programs"] = _fold(row, answers, "programs", max if life == "cached" else min)
    row[f"{life}_from_disk"] = _fold(row, answers, "from_disk", min if life == "cached" else max)


def _add_retraces(row: Row, ask: Ask) -> None:
    """Each kind of change, with the reason where it is none; the first that is one as the row's own retrace."""
    row["retraces"] = {kind: _retrace(row, ask, kind) for kind in retrace.KINDS}
    kind = next((kind for kind, found in row["retraces"].items() if found["seconds"] is not None), None)
    if kind:
        row["retrace_kind"] = kind
        row["retrace_seconds"] = row["retraces"][kind]["seconds"]
        row["retrace_programs"] = row["retraces"][kind]["programs"]


def _retrace(row: Row, ask: Ask, kind: str) -> Row:
    found: Row = {"seconds": None, "programs": None, "change": None, "reason": None}
    if reason := retrace.meaningless(kernels.load(row["kernel"]), row["backend"], kind):
        return {**found, "reason": reason}
    answer = _in_empty_caches(ask, "retrace", caches.counting, kind=kind)
    if answer["status"] not in ("ok", "unavailable"):
        row.update(status=answer["status"], reason=f"retrace by {kind}: {answer['reason']}")
    return {key: answer.get(key) for key in found}


def _fold(row: Row, answers: Sequence[Row], key: str, of_several: Callable[[list[Any]], Any] = statistics.median) -> Any:
    """The answers' figure, folded where there are several; a failure becomes the row's."""
    bad = next((answer for answer in answers if answer["status"] != "ok"), None)
    if bad:
        row.update(status=bad["status"], reason=bad["reason"])
        return None
    figures = [answer[key] for answer in answers]
    return of_several(figures) if len(figures) > 1 else figures[0]
