"""Rows as tables for people."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from jitkernels.command import life_tables
from jitkernels.measure import speedup
from jitkernels.quantities import seconds

Row = dict[str, Any]


def listing(rows: list[Row]) -> Iterator[Table]:
    """The table of ``jitkernels list``: a kernel a row, reasons with the backends that share them."""
    table = Table("kernel", "runs here on", "not on, because", show_lines=True)
    for name in dict.fromkeys(row["kernel"] for row in rows):
        cells = [row for row in rows if row["kernel"] == name]
        reasons: dict[str, list[str]] = {}
        for row in cells:
            if not row["available"]:
                reasons.setdefault(row["reason"], []).append(row["backend"])
        available = " ".join(row["backend"] for row in cells if row["available"])
        table.add_row(name, available, "\n".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items()))
    yield table


def checks(rows: Iterable[Row]) -> Iterator[Table]:
    """The table of ``jitkernels check``."""
    table = Table("kernel", "backend", "size", "status", "value", "error", "version, or what is wrong")
    for row in rows:
        table.add_row(
            row["kernel"],
            row["backend"],
            f"{row['size']:,}",
            _status(row),
            _number(row["value"]),
            _number(row["error"]),
            row["reason"] or row["version"],
        )
    yield table


UNSETTLED = "* its first calls had not settled: a warm time that still changes is no property of the program"


def timings(rows: list[Row]) -> Iterator[Table]:
    """The tables of ``jitkernels time``: one a kernel, and what its lives were made of; then, where several kernels were
    timed, each compiler's mean speed-up."""
    names = list(dict.fromkeys(row["kernel"] for row in rows))
    for name in names:
        of_kernel = [row for row in rows if row["kernel"] == name]
        yield _timings(of_kernel, name if len(names) > 1 else None)
        yield from life_tables.details(of_kernel)
    summary = speedup.summary(rows)
    if summary and len(rows) > len({row["backend"] for row in rows}):
        yield _speedups(summary)


def _timings(rows: list[Row], title: str | None) -> Table:
    """One kernel's cells; a life that no row has gets no column."""
    lives = life_tables.columns(rows)
    columns = ("backend", "size", "warm", "25-75 %", f"{rows[0]['work_unit']} per second", "of c", "over eager", *lives)
    caption = UNSETTLED if any(_star(row) for row in rows) else None
    table = Table(*columns, "value", "error", "threads", "version", title=title, caption=caption)
    for row in rows:
        quartiles = row["warm_quartiles"]
        table.add_row(
            row["backend"],
            f"{row['size']:,}",
            f"{seconds(row['warm_seconds'])}{_star(row)}" if row["status"] == "ok" else _status(row),
            "-".join(map(seconds, quartiles)) if quartiles else "",
            f"{row['work_per_second']:.3g}{_star(row)}" if row["work_per_second"] else "",
            f"{row['fraction_of_c']:.2g}{_star(row)}" if row.get("fraction_of_c") else "",
            _times(row),
            *(text(row) for text in lives.values()),
            _number(row["value"]),
            _number(row["error"]),
            str(row.get("threads", "")),
            row["reason"] or row["version"],
        )
    return table


def _speedups(rows: list[Row]) -> Table:
    """What each compiler buys over all cells that were timed."""
    columns = ("backend", "over", "cells", "geometric mean", "deviation", "least", "most")
    table = Table(*columns, title="speed-up over the framework's own eager mode")
    for row in rows:
        figures = [f"{row[key]:.2f}x" for key in ("geomean", "geometric_deviation", "least", "most")]
        table.add_row(row["backend"], row["over"], str(row["cells"]), *figures)
    return table


def _times(row: Row) -> str:
    """The speed-up over eager mode; "~" before it where the quartiles allow none."""
    if not row.get("speedup"):
        return ""
    least, most = row["speedup_range"]
    return f"{'~' if least <= 1 <= most else ''}{row['speedup']:.3g}x{_star(row)}"


def _star(row: Row) -> str:
    """The mark of a figure that rests on calls that had not settled."""
    return "*" if row.get("settled") is False else ""


def observations(rows: Iterable[Row]) -> Iterator[Table]:
    """The table of ``jitkernels patterns``; what cannot be observed is left out, what was not expected is marked."""
    counts = ("programs", "body_runs", "graph_breaks", "printed")
    titles = [count.replace("_", " ") for count in counts]
    table = Table("kernel", "backend", "spelling", "pattern", "outcome", *titles, "held")
    for row in rows:
        if row["outcome"] == "unavailable":
            continue
        outcome = row["exception"] or row["outcome"]
        table.add_row(
            *(row[name] for name in ("kernel", "backend", "spelling", "pattern")),
            outcome if row["as_expected"] else f"{outcome} (not expected): {row['message'] or row['reason']}",
            *("" if row[count] is None else str(row[count]) for count in counts),
            ", ".join(row["held"] or ()),
        )
    yield table


def show(table: Table) -> None:
    """Print on standard output, as wide as the terminal, or as wide as it needs where there is none."""
    console = Console(markup=False)  # brackets are the rows' own: 'jitkernels[numba]'
    if not console.is_terminal:
        console = Console(width=200, markup=False)
    console.print(table)


def _status(row: Row) -> str:
    return f"{row['status']} (interpreted)" if row.get("interpreted") else str(row["status"])


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
