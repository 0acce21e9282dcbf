"""The rows of ``jitkernels aot`` as a table for people."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from jitkernels.quantities import seconds

Row = dict[str, Any]


def size(value: int | None) -> str:
    """Bytes with three digits and a unit (10^3 of the next); nothing for None."""
    if value is None:
        return ""
    scale, unit = next((pair for pair in ((1e6, "MB"), (1e3, "kB")) if value >= pair[0]), (1, "B"))
    return f"{value / scale:.3g} {unit}"


def ratio(row: Row) -> str:
    """Warm seconds of the file over those of the just-in-time compiler; "~" before it where the quartiles hold 1."""
    if row["ratio"] is None:
        return ""
    least, most = row["ratio_quartiles"]
    return f"{'~' if least <= 1 <= most else ''}{row['ratio']:.2f}"


def forms(rows: list[Row]) -> Iterator[Table]:
    """One table a kernel."""
    for name in dict.fromkeys(row["kernel"] for row in rows):
        yield _kernel([row for row in rows if row["kernel"] == name], name)


COLUMNS = (
    "backend", "form", "size", "status", "build", "bytes", "import", "load", "first call", "answer (jit)", "warm",
    "over jit's", "largest of ten (jit)", "other shape", "imports", "why",
)  # fmt: skip


def _kernel(rows: list[Row], title: str) -> Table:
    table = Table(*COLUMNS, title=title)
    for row in rows:
        table.add_row(
            row["backend"],
            row["form"],
            f"{row['size']:,}",
            row["status"],
            seconds(row["build_seconds"]),
            size(row["bytes"]),
            *(seconds(row[f"{name}_seconds"]) for name in ("import", "load", "first_call")),
            _both(seconds(row["answer_seconds"]), seconds(row["jit_answer_seconds"])),
            seconds(row["warm_seconds"]),
            ratio(row),
            _both(spread(row["first_calls_spread"]), spread(row["jit_first_calls_spread"])),
            row["other_shape"] or "",
            str(len(row["imports"])) if row["imports"] is not None else "",
            row["reason"] or row["other_shape_reason"] or "",
        )
    return table


def spread(value: float | None) -> str:
    """The largest of the first ten calls over their median."""
    return "" if value is None else f"{value:.3g}x"


def _both(mine: str, its: str) -> str:
    return f"{mine} ({its})" if mine else ""
