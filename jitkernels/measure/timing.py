"""The rows of ``jitkernels time``: one cell each, warm; ``lives`` adds the other measures, each from its own process."""

import statistics
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitkernels import kernels, settings
from jitkernels.backends import caches
from jitkernels.measure import lives, steady, worker
from jitkernels.measure.worker import Row


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

    With one process for each backend, a row comes when its backend is measured. With several, all backends have their first
    before any has its second, so that what changes on the machine in the meantime meets all of them; rows come at the end.
    """
    with tempfile.TemporaryDirectory(prefix="jitkernels-warm-") as directory:
        # What the user has compiled before is neither used nor touched.
        yield from _rows(request, caches.variables(Path(directory)))


def _rows(request: Request, environment: dict[str, str]) -> Iterator[Row]:
    if request.processes == 1:
        for backend in request.backends:
            # All of them first: while a life is measured, no other process may measure the next cell.
            yield from _finished(request, list(_answers(request, backend, environment)))
        return
    turns = [
        [list(_answers(request, backend, environment)) for backend in request.backends] for _ in range(request.processes)
    ]
    for of_one_backend in zip(*turns, strict=True):
        yield from _finished(request, map(_pooled, zip(*of_one_backend, strict=True)))


def _answers(request: Request, backend: str, environment: dict[str, str]) -> Iterator[Row]:
    task = {"task": "warm", "backend": backend, "cells": list(request.cells), "seed": request.seed}
    for answer in worker.ask(task, environment):
        blank = {"backend": backend, "seed": request.seed, "device": settings.device(), "first_calls": None}
        yield {**blank, "settled": steady.settled(answer.get("first_calls", ())), **answer}


def _pooled(answers: Sequence[Row]) -> Row:
    """One answer with the samples of all, settled if all are; the first that is not ok, where one is not."""
    bad = next((answer for answer in answers if answer["status"] != "ok"), None)
    if bad:
        return bad
    verdicts = [answer["settled"] for answer in answers]
    settled = next((verdict for verdict in (False, None) if verdict in verdicts), True)
    return {**answers[0], "settled": settled, "samples": [sample for answer in answers for sample in answer["samples"]]}


def _finished(request: Request, answers: Iterable[Row]) -> Iterator[Row]:
    for answer in answers:
        spec = kernels.load(answer["kernel"])
        row = _row(answer, spec.work(answer["size"]), spec.work_unit or spec.unit)
        if row["status"] == "ok":
            lives.add(row, request)
        yield row


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
        **dict.fromkeys(lives.KEYS),
        "work_per_second": work / median if median else None,
        "work_unit": unit,
    }
