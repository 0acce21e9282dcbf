"""The rows of ``jitkernels time``: one cell each, every life measured in a process of its own."""

import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitkernels import caches, kernels, worker
from jitkernels import device as devices
from jitkernels.worker import Row

PROCESSES = 3  # a first call can be timed once a process; the median of three forgives one that was disturbed


@dataclass(frozen=True)
class Request:
    """What to measure: the cells, each kernel with its sizes on every backend, the lives beside the warm one, and how many
    processes give samples of each cell."""

    cells: tuple[tuple[str, int], ...]
    backends: tuple[str, ...]
    seed: int
    cold: bool = False
    cached: bool = False
    retrace: bool = False
    memory: bool = False
    processes: int = 1


def rows(request: Request) -> Iterator[Row]:
    """One row a cell, backend by backend.

    With one process for each backend, a row comes as soon as it is measured. With several, all backends have their first
    before any has its second, so that what changes on the machine in the meantime meets all of them; rows come at the end.
    """
    if request.processes == 1:
        for backend in request.backends:
            yield from _finished(request, _answers(request, backend))
        return
    turns = [[list(_answers(request, backend)) for backend in request.backends] for _ in range(request.processes)]
    for of_one_backend in zip(*turns, strict=True):
        yield from _finished(request, map(_pooled, zip(*of_one_backend, strict=True)))


def _answers(request: Request, backend: str) -> Iterator[Row]:
    for answer in worker.ask(_task("warm", backend, request.cells, request.seed)):
        yield {"backend": backend, "seed": request.seed, "device": devices.chosen(), **answer}


def _pooled(answers: Sequence[Row]) -> Row:
    """One answer with the samples of all; the first that is not ok, where one is not."""
    bad = next((answer for answer in answers if answer["status"] != "ok"), None)
    return bad or {**answers[0], "samples": [sample for answer in answers for sample in answer["samples"]]}


def _finished(request: Request, answers: Iterable[Row]) -> Iterator[Row]:
    for answer in answers:
        spec = kernels.load(answer["kernel"])
        row = _row(answer, spec.work(answer["size"]), spec.work_unit or spec.unit)
        if row["status"] == "ok":
            _add_lives(row, request)
        yield row


def _task(task: str, backend: str, cells: Iterable[tuple[str, int]], seed: int) -> Row:
    return {"task": task, "backend": backend, "cells": list(cells), "seed": seed}


def _row(answer: Row, work: int, unit: str) -> Row:
    """The answer with every key of the row's format; what was not measured is None. ``work``: ``unit`` done by one call."""
    samples, versions = answer.pop("samples", None), answer.pop("versions", {})
    lower, median, upper = statistics.quantiles(samples, n=4) if samples else (None, None, None)
    return {
        "version": ", ".join(f"{package} {version}" for package, version in versions.items()) or None,
        "value": None,
        "error": None,
        **answer,
        "warm_seconds": median,
        "warm_quartiles": [lower, upper] if samples else None,
        "warm_samples": samples and len(samples),
        "cold_seconds": None,
        "cached_seconds": None,
        "retrace_seconds": None,
        "stages": None,
        "peak_bytes": None,
        "work_per_second": work / median if median else None,
        "work_unit": unit,
    }


def _add_lives(row: Row, request: Request) -> None:
    def ask(task: str, environment: dict[str, str] | None = None) -> Row:
        return next(worker.ask(_task(task, row["backend"], [(row["kernel"], row["size"])], row["seed"]), environment))

    if request.cold:
        row["cold_seconds"] = _fold(row, [_cold(ask) for _ in range(PROCESSES)], "seconds")
        row["stages"] = _fold(row, [ask("stages")], "stages")
    if request.cached:
        row["cached_seconds"] = _fold(row, _cached(ask), "seconds")
    if request.retrace:
        answer = ask("retrace")
        row["retrace_seconds"] = _fold(row, [answer], "seconds")
        row["retrace_programs"] = answer.get("programs")
    if request.memory:
        row["peak_bytes"] = _fold(row, [ask("memory")], "bytes")


def _cold(ask: Callable[..., Row]) -> Row:
    """A first call in a new process whose disk caches are empty."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-") as directory:
        return ask("first_call", caches.variables(Path(directory)))


def _cached(ask: Callable[..., Row]) -> list[Row]:
    """First calls in new processes whose disk caches another process has filled."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
        environment = caches.variables(Path(directory), persistent=True)
        filled = ask("first_call", environment)
        if filled["status"] != "ok":
            return [filled]
        return [ask("first_call", environment) for _ in range(PROCESSES)]


def _fold(row: Row, answers: list[Row], key: str) -> Any:
    """The answers' figure, their median where there are several; a failure becomes the row's."""
    bad = next((answer for answer in answers if answer["status"] != "ok"), None)
    if bad:
        row.update(status=bad["status"], reason=bad["reason"])
        return None
    figures = [answer[key] for answer in answers]
    return statistics.median(figures) if len(figures) > 1 else figures[0]
