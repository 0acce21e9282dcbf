"""The table of kernels and backends. A cell is a number or the reason why there is none.

Each kernel has a size that most backends share. If a run measured this size, the cells have the run's times, and backends
that are not in the run have asv's times.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from website.read import catalogue
from website.read.benchmarks import WARM
from website.schema.kernels import Entry, KernelFile, Matrix, MatrixCell, Ranking, Row

NOTHING, NOT_IN_RUN = "not measured", "not measured in the run of its row"
EMPTY = MatrixCell(
    seconds=None, size=None, interpreted=False, status="ok", reason=None, settled=None, source=None, in_run=False, rank=None
)


def matrix(machine: str, kernels: Mapping[str, KernelFile], backends: Sequence[str]) -> Matrix:
    """Return the table. ``kernels``: each kernel's file."""
    names = sorted(kernels)
    cells = [_row(name, kernels[name], backends) for name in names]
    return {"machine": machine, "rows": names, "columns": list(backends), "cells": cells}


def reference_size(rankings: Sequence[Ranking]) -> int | None:
    """Return the size at which the most compiled backends have a warm call, the largest of several; None if none has one.

    A size with a run comes before all others if it has more than half as many backends as the size with the most.
    """
    entries = ((ranking["size"], entry) for ranking in rankings for entry in ranking["entries"])
    sizes = Counter(size for size, entry in entries if entry["seconds"] is not None and not entry["interpreted"])
    most = max(sizes.values(), default=0)
    with_run = {ranking["size"] for ranking in rankings if ranking["run"] and 2 * sizes[ranking["size"]] > most}
    return max(sizes, key=lambda size: (size in with_run, sizes[size], size), default=None)


def _row(kernel: str, content: KernelFile, backends: Sequence[str]) -> list[MatrixCell]:
    size = reference_size(content["rankings"])
    entries = {
        entry["backend"]: entry
        for ranking in content["rankings"]
        if ranking["size"] == size and ranking["run"]
        for entry in ranking["entries"]
    }
    absent = NOT_IN_RUN if entries else NOTHING
    return [_cell(kernel, backend, content["rows"], size, entries.get(backend), absent) for backend in backends]


def _cell(kernel: str, backend: str, rows: Sequence[Row], size: int | None, entry: Entry | None, absent: str) -> MatrixCell:
    """Return a backend's warm call at the reference size, else at its largest smaller size, else at its smallest.

    entry: of the run at the reference size. absent: the reason if no other one is known.
    """
    if entry and entry["processes"]:
        time = {"seconds": entry["seconds"], "settled": entry["settled"], "rank": entry["rank"], "reason": entry["reason"]}
        return {**EMPTY, **time, "size": size, "in_run": True}  # type: ignore[typeddict-item]
    sizes = {row["size"]: row for row in rows if row["backend"] == backend and row["size"]}
    measured = [row for row in sizes.values() if WARM in row["figures"]]
    row = max(measured, key=lambda row: _nearness(row["size"] or 0, size or 0), default=None)
    if not row:
        ordered = [sizes[size], *sizes.values()] if size in sizes else list(sizes.values())
        if missing := next((row["missing"][WARM] for row in ordered if WARM in row["missing"]), None):
            return {**EMPTY, "size": size, "status": missing["status"], "reason": missing["reason"]}
        reason = (entry and entry["reason"]) or catalogue.absent(kernel, backend)
        return {**EMPTY, "size": size, "status": "empty" if reason else "unmeasured", "reason": reason or absent}
    figure, here = row["figures"][WARM], sizes[size]["missing"].get(WARM) if size in sizes else None
    return {
        **EMPTY,
        "seconds": figure["value"],
        "size": row["size"],
        "interpreted": row["interpreted"],
        "reason": here["reason"] if here else None,
        "settled": figure["settled"],
        "source": figure["source"],
    }


def _nearness(size: int, reference: int) -> tuple[bool, int]:
    return size <= reference, -abs(size - reference)
