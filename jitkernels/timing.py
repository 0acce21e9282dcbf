"""The rows of ``jitkernels time``: one cell each, every life measured in a process of its own."""

import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitkernels import caches, kernels, worker
from jitkernels import device as devices
from jitkernels.worker import Row

PROCESSES = 3  # a first call can be timed once a process; the median of three forgives one that was disturbed


@dataclass(frozen=True)
class Request:
    """What to measure: the cells, each kernel with its sizes on every backend, and the lives beside the warm one."""

    cells: tuple[tuple[str, int], ...]
    backends: tuple[str, ...]
    seed: int
    cold: bool = False
    cached: bool = False
    retrace: bool = False
    memory: bool = False


def rows(request: Request) -> Iterator[Row]:
    """One row a cell, backend by backend, each as soon as it is measured."""
    for backend in request.backends:
        for answer in worker.ask(_task("warm", backend, request.cells, request.seed)):
            blank = {"kernel": answer["kernel"], "backend": backend, "seed": request.seed, "device": devices.chosen()}
            spec = kernels.load(answer["kernel"])
            row = {**blank, **_row(answer, spec.work(answer["size"]), spec.work_unit or spec.unit)}
            if row["status"] == "ok":
                _add_lives(row, request)
            yield row


def _task(task: str, backend: str, cells: Iterable[tuple[str, int]], seed: int) -> Row:
    return {"task": task, "backend": backend, "cells": list(cells), "seed": seed}


def _row(answer: Row, work: int, unit: str) -> Row:
    """The answer with every key of the row's format; what was not measured is None. ``work``: ``unit`` done by one call."""
    spread = answer.pop("warm", None)
    versions = answer.pop("versions", {})
    return {
        "version": ", ".join(f"{package} {version}" for package, version in versions.items()) or None,
        "value": None,
        "error": None,
        **answer,
        "warm_seconds": spread and spread["median"],
        "warm_quartiles": spread and [spread["lower"], spread["upper"]],
        "warm_samples": spread and spread["samples"],
        "cold_seconds": None,
        "cached_seconds": None,
        "retrace_seconds": None,
        "stages": None,
        "peak_bytes": None,
        "work_per_second": spread and work / spread["median"],
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
