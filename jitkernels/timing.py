"""The rows of ``jitkernels time``: one cell each, every life measured in a process of its own."""

import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitkernels import caches, kernels, worker
from jitkernels import device as devices
from jitkernels.worker import Row

PROCESSES = 3  # a first call can be timed once a process; the median of three forgives one that was disturbed


@dataclass(frozen=True)
class Request:
    """What to measure: the cells, and the lives beside the warm one."""

    kernel: str
    backends: tuple[str, ...]
    sizes: tuple[int, ...]
    seed: int
    cold: bool = False
    cached: bool = False
    retrace: bool = False
    memory: bool = False


def rows(request: Request) -> Iterator[Row]:
    """One row a cell, in the order asked for, each as soon as it is measured."""
    for backend in request.backends:
        blank = {"kernel": request.kernel, "backend": backend, "seed": request.seed, "device": devices.chosen()}
        sizes = list(request.sizes)
        for answer in worker.ask({"task": "warm", **_cell(request, backend, sizes)}):
            size = answer.setdefault("size", sizes[0])
            sizes = [left for left in sizes if left != size]
            row = {**blank, **_row(answer, kernels.load(request.kernel).work(size))}
            if row["status"] == "ok":
                _add_lives(row, request)
            yield row
        for size in sizes:  # its process died before it came to these
            yield {**blank, **_row({"size": size, "status": "failed", "reason": "its process died before this size"})}


def _cell(request: Request, backend: str, sizes: list[int]) -> Row:
    return {"kernel": request.kernel, "backend": backend, "sizes": sizes, "seed": request.seed}


def _row(answer: Row, work: int = 0) -> Row:
    """The answer with every key of the row's format; what was not measured is None. ``work``: units done by one call."""
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
    }


def _add_lives(row: Row, request: Request) -> None:
    cell = _cell(request, row["backend"], [row["size"]])
    if request.cold:
        row["cold_seconds"] = _fold(row, [_cold(cell) for _ in range(PROCESSES)], "seconds")
        row["stages"] = _fold(row, [_ask("stages", cell)], "stages")
    if request.cached:
        row["cached_seconds"] = _fold(row, _cached(cell), "seconds")
    if request.retrace:
        answer = _ask("retrace", cell)
        row["retrace_seconds"] = _fold(row, [answer], "seconds")
        row["retrace_programs"] = answer.get("programs")
    if request.memory:
        row["peak_bytes"] = _fold(row, [_ask("memory", cell)], "bytes")


def _cold(cell: Row) -> Row:
    """A first call in a new process whose disk caches are empty."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cold-") as directory:
        return _ask("first_call", cell, caches.variables(Path(directory)))


def _cached(cell: Row) -> list[Row]:
    """First calls in new processes whose disk caches another process has filled."""
    with tempfile.TemporaryDirectory(prefix="jitkernels-cached-") as directory:
        environment = caches.variables(Path(directory), persistent=True)
        filled = _ask("first_call", cell, environment)
        if filled["status"] != "ok":
            return [filled]
        return [_ask("first_call", cell, environment) for _ in range(PROCESSES)]


def _ask(task: str, cell: Row, environment: dict[str, str] | None = None) -> Row:
    return next(worker.ask({"task": task, **cell}, environment))


def _fold(row: Row, answers: list[Row], key: str) -> Any:
    """The answers' figure, their median where there are several; a failure becomes the row's."""
    bad = next((answer for answer in answers if answer["status"] != "ok"), None)
    if bad:
        row.update(status=bad["status"], reason=bad["reason"])
        return None
    figures = [answer[key] for answer in answers]
    return statistics.median(figures) if len(figures) > 1 else figures[0]
