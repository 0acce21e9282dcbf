"""The table of kernels and backends: each cell is a number or a reason, each kernel at the size that most backends share."""

from collections import Counter
from collections.abc import Mapping, Sequence

from website.read import catalogue
from website.read.rows import WARM
from website.schema.kernels import Matrix, MatrixCell, Missing, Row

NOTHING = "nothing was measured"


def matrix(machine: str, kernels: Mapping[str, Sequence[Row]], backends: Sequence[str]) -> Matrix:
    """Return the table. ``kernels``: each kernel's rows."""
    names = sorted(kernels)
    cells = [[_cell(name, backend, kernels[name]) for backend in backends] for name in names]
    return {"machine": machine, "rows": names, "columns": list(backends), "cells": cells}


def reference_size(rows: Sequence[Row]) -> int | None:
    """Return the largest of the sizes at which most compiled backends have a warm call; None where none has."""
    sizes = Counter(row["size"] for row in rows if row["size"] and WARM in row["figures"] and not row["interpreted"])
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else None


def _cell(kernel: str, backend: str, rows: Sequence[Row]) -> MatrixCell:
    """Return a backend's warm call at the reference size, else at its largest smaller size, else at its smallest."""
    size = reference_size(rows)
    sizes = {row["size"]: row for row in rows if row["backend"] == backend and row["size"]}
    measured = [row for row in sizes.values() if WARM in row["figures"]]
    row = max(measured, key=lambda row: _nearness(row["size"] or 0, size or 0), default=None)
    if not row:
        ordered = [sizes[size], *sizes.values()] if size in sizes else list(sizes.values())
        missing = next((row["missing"][WARM] for row in ordered if WARM in row["missing"]), None) or _absent(kernel, backend)
        return {
            "seconds": None,
            "size": size,
            "interpreted": False,
            "status": missing["status"],
            "reason": missing["reason"],
            "settled": None,
            "source": None,
        }
    figure, here = row["figures"][WARM], sizes[size]["missing"].get(WARM) if size in sizes else None
    return {
        "seconds": figure["value"],
        "size": row["size"],
        "interpreted": row["interpreted"],
        "status": "ok",
        "reason": here["reason"] if here else None,
        "settled": figure["settled"],
        "source": figure["source"],
    }


def _nearness(size: int, reference: int) -> tuple[bool, int]:
    return size <= reference, -abs(size - reference)


def _absent(kernel: str, backend: str) -> Missing:
    reason = catalogue.absent(kernel, backend)
    return {"status": "empty" if reason else "unmeasured", "reason": reason or NOTHING, "benchmark": ""}
