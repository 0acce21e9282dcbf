"""Kernel x backend: every cell a number or its reason, each kernel at the size that most of its compilers share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from website.read import catalogue

Row = dict[str, Any]
WARM = "warm_seconds"
NOTHING = "nothing was measured"


def reference_size(rows: Sequence[Row]) -> int | None:
    """The largest of the sizes that most of the compiled backends measured warm; None where none did."""
    sizes = Counter(row["size"] for row in rows if row["size"] and WARM in row["figures"] and not row["interpreted"])
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else None


def matrix(machine: str, kernels: Mapping[str, Sequence[Row]], backends: Sequence[str]) -> Row:
    """``kernels``: each kernel's rows."""
    names = sorted(kernels)
    return {
        "machine": machine,
        "rows": names,
        "columns": list(backends),
        "cells": [_row(name, kernels[name], backends) for name in names],
    }


def _row(kernel: str, rows: Sequence[Row], backends: Sequence[str]) -> list[Row]:
    size = reference_size(rows)
    return [_cell(kernel, backend, rows, size) for backend in backends]


def _cell(kernel: str, backend: str, rows: Sequence[Row], size: int | None) -> Row:
    mine = [row for row in rows if row["backend"] == backend and row["size"]]
    exact = next((row for row in mine if row["size"] == size), None)
    measured = [row for row in mine if WARM in row["figures"]]
    # where it has no number at the size that the others share: its largest smaller one, else its smallest
    nearest = max(measured, key=lambda row: (row["size"] <= (size or 0), -abs(row["size"] - (size or 0))), default=None)
    row = exact if exact and WARM in exact["figures"] else nearest
    if row:
        figure = row["figures"][WARM]
        return {
            "seconds": figure["value"], "size": row["size"], "interpreted": row["interpreted"], "status": "ok",
            "reason": None if row["size"] == size else _missing(exact), "settled": figure["settled"],
            "source": figure["source"],
        }  # fmt: skip
    missing = next((row["missing"][WARM] for row in [exact, *mine] if row and WARM in row["missing"]), None)
    if missing is None and (reason := catalogue.absent(kernel, backend)):
        missing = {"status": "empty", "reason": reason}
    missing = missing or {"status": "unmeasured", "reason": NOTHING}
    return {
        "seconds": None, "size": size, "interpreted": False, "status": missing["status"], "reason": missing["reason"],
        "settled": None, "source": None,
    }  # fmt: skip


def _missing(row: Row | None) -> str | None:
    return row["missing"][WARM]["reason"] if row and WARM in row["missing"] else None
