"""The lives of a compiled call in the tables of ``jitkernels time``: columns beside warm, and what they are made of."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.table import Table

from jitkernels.measure import retrace
from jitkernels.measure.break_even import NOT_FASTER, NOT_TOLD_APART
from jitkernels.quantities import megabytes, seconds

Row = dict[str, Any]
Text = Callable[[Row], str]


def columns(rows: Sequence[Row]) -> dict[str, Text]:
    """The columns that a row can fill, by title."""
    return {title: text for title, text in COLUMNS.items() if any(text(row) for row in rows)}


def details(rows: Sequence[Row]) -> Iterator[Table]:
    """One kernel's retraces, stages and rungs, where they were measured."""
    for table in (_retraces(rows), _stages(rows), _ladder(rows)):
        if table.row_count:
            yield table


def _first_call(life: str) -> Text:
    """Seconds; and where programs were compiled though a disk cache was there to give them back, how many."""

    def text(row: Row) -> str:
        compiled = row.get(f"{life}_programs") if life == "cached" else 0
        return seconds(row.get(f"{life}_seconds")) + (f", {compiled} compiled" if compiled else "")

    return text


def _pays_off(rival: str) -> Text:
    """Warm calls after the first until the compiler has paid for itself."""

    def text(row: Row) -> str:
        found = row.get("break_even") or {}
        if found.get(rival) is not None:
            return f"{found[rival]:,}{'*' if row.get('settled') is False else ''}"
        return {NOT_FASTER: "never", NOT_TOLD_APART: "not told apart"}.get(str(found.get(f"{rival}_reason")), "")

    return text


COLUMNS: dict[str, Text] = {
    "cold": _first_call("cold"),
    "cached": _first_call("cached"),
    "retrace": lambda row: seconds(row.get("retrace_seconds")),
    "memory": lambda row: megabytes(row.get("peak_bytes")),
    "compiling": lambda row: megabytes(row.get("compile_peak_bytes")),
    "running": lambda row: megabytes(row.get("run_peak_bytes")),
    "pays off over numpy": _pays_off("numpy"),
    "pays off over eager": _pays_off("eager"),
}


def _retraces(rows: Sequence[Row]) -> Table:
    """The first call with something new, a column for each kind of change that any backend was given."""
    kinds = [kind for kind in retrace.KINDS if any(_of(row, kind) for row in rows)]
    table = Table("backend", "size", *(f"new {kind}" for kind in kinds), title="first call of a warm process with a")
    for row in rows:
        if kinds and row.get("retraces"):
            table.add_row(row["backend"], f"{row['size']:,}", *(_of(row, kind) for kind in kinds))
    return table


def _of(row: Row, kind: str) -> str:
    found = (row.get("retraces") or {}).get(kind)
    if not found or found["seconds"] is None:
        return ""
    return f"{seconds(found['seconds'])}, {found['programs'] or 'none'} compiled"


def _stages(rows: Sequence[Row]) -> Table:
    table = Table("backend", "size", "stages", "other", "whole", "processors' time", title="one cold compilation")
    for row in rows:
        if row.get("stages"):
            stages = ", ".join(f"{stage} {seconds(taken)}" for stage, taken in row["stages"].items())
            rest = [seconds(row.get(key)) for key in ("stages_other", "stages_total", "stages_cpu_seconds")]
            table.add_row(row["backend"], f"{row['size']:,}", stages, *rest)
    return table


def _ladder(rows: Sequence[Row]) -> Table:
    rungs = next((list(row["ladder"]) for row in rows if row.get("ladder")), [])
    table = Table("size", *rungs, title="torch.compile, what each rung adds to a cold call")
    for row in rows:
        if row.get("ladder"):
            table.add_row(f"{row['size']:,}", *map(seconds, row["ladder"].values()))
    return table
