"""Rows as tables for people. ``time_tables`` has those of ``jitkernels time``."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, TypeVar

from rich.console import Console
from rich.table import Table

from jitkernels.measure.rows import AheadRow, CheckRow, Observation
from jitkernels.quantities import seconds

R = TypeVar("R", bound=Mapping[str, Any])


class ListRow(TypedDict):
    """A case of ``jitkernels list``; ``reason``: why it is not available here."""

    kernel: str
    backend: str
    available: bool
    reason: str | None


def build(rows: Sequence[R], columns: Mapping[str, Callable[[R], object]], **options: Any) -> Table:
    """Return a table with these columns: by title, the text of a row's cell. None shows as nothing. options: Rich's."""
    table = Table(*columns, **options)
    for row in rows:
        values = [value(row) for value in columns.values()]
        table.add_row(*("" if value is None else str(value) for value in values))
    return table


def plain(*keys: str) -> dict[str, Callable[[Mapping[str, Any]], object]]:
    """Return columns that show these keys' values as they are, and whole numbers with commas."""

    def column(key: str) -> Callable[[Mapping[str, Any]], object]:
        return lambda row: f"{row[key]:,}" if isinstance(row[key], int) else row[key]

    return {key.replace("_", " "): column(key) for key in keys}


def show(table: Table) -> None:
    """Print on standard output, as wide as the terminal, or 200 characters wide where there is none."""
    console = Console(markup=False)  # brackets are the rows' own: 'jitkernels[numba]'
    if not console.is_terminal:
        console = Console(width=200, markup=False)
    console.print(table)


def by_kernel(rows: Sequence[R]) -> dict[str, list[R]]:
    """Return the rows of each kernel."""
    return {name: [row for row in rows if row["kernel"] == name] for name in dict.fromkeys(row["kernel"] for row in rows)}


def listing(rows: Sequence[ListRow]) -> Iterator[Table]:
    """Yield the table of ``jitkernels list``: a kernel a row, reasons with the backends that share them."""

    def reasons(own: list[ListRow]) -> str:
        names: dict[str, list[str]] = {}
        for row in own:
            if row["reason"] is not None:
                names.setdefault(row["reason"], []).append(row["backend"])
        return "\n".join(f"{', '.join(backends)}: {reason}" for reason, backends in names.items())

    table = Table("kernel", "runs here on", "not on, because", show_lines=True)
    for name, own in by_kernel(rows).items():
        table.add_row(name, " ".join(row["backend"] for row in own if row["available"]), reasons(own))
    yield table


def checks(rows: Sequence[CheckRow]) -> Iterator[Table]:
    """Yield the table of ``jitkernels check``."""
    yield build(
        rows,
        {
            **plain("kernel", "backend", "size"),
            "status": status,
            "value": lambda row: number(row["value"]),
            "error": lambda row: number(row["error"]),
            "version, or what is wrong": lambda row: row["reason"] or row["version"],
        },
    )


def observations(rows: Sequence[Observation]) -> Iterator[Table]:
    """Yield the table of ``jitkernels patterns``. What cannot be observed is left out; what was not expected is marked."""

    def outcome(row: Observation) -> str:
        text = row["exception"] or row["outcome"]
        return text if row["as_expected"] else f"{text} (not expected): {row['message'] or row['reason']}"

    yield build(
        [row for row in rows if row["outcome"] != "unavailable"],
        {
            **plain("kernel", "backend", "spelling", "pattern"),
            "outcome": outcome,
            **plain("programs", "body_runs", "graph_breaks", "printed"),
            "held": lambda row: ", ".join(row["held"] or ()),
        },
    )


def forms(rows: Sequence[AheadRow]) -> Iterator[Table]:
    """Yield the tables of ``jitkernels aot``, one a kernel. In brackets: the just-in-time compiler's figure."""
    columns: dict[str, Callable[[AheadRow], object]] = {
        **plain("backend", "form", "size", "status"),
        "build": lambda row: seconds(row["build_seconds"]),
        "bytes": lambda row: file_size(row["bytes"]),
        "import": lambda row: seconds(row["import_seconds"]),
        "load": lambda row: seconds(row["load_seconds"]),
        "first call": lambda row: seconds(row["first_call_seconds"]),
        "answer (jit)": lambda row: _both(row["answer_seconds"], row["jit_answer_seconds"], seconds),
        "warm": lambda row: seconds(row["warm_seconds"]),
        "over jit's": lambda row: ratio(row["ratio"], row["ratio_quartiles"], ".2f"),
        "largest of ten (jit)": lambda row: _both(
            row["first_calls_spread"], row["jit_first_calls_spread"], "{:.3g}x".format
        ),
        **plain("other_shape"),
        "imports": lambda row: None if row["imports"] is None else len(row["imports"]),
        "why": lambda row: row["reason"] or row["other_shape_reason"],
    }
    for name, own in by_kernel(rows).items():
        yield build(own, columns, title=name)


def _both(own: float | None, others: float | None, text: Callable[[float], str]) -> str:
    return "" if own is None or others is None else f"{text(own)} ({text(others)})"


def file_size(value: int | None) -> str:
    """Return bytes with three digits and a unit of powers of 1000; nothing for None."""
    if value is None:
        return ""
    scale, unit = next((pair for pair in ((1e6, "MB"), (1e3, "kB")) if value >= pair[0]), (1, "B"))
    return f"{value / scale:.3g} {unit}"


def ratio(value: float | None, quartiles: Sequence[float] | None, digits: str) -> str:
    """Return the ratio, with "~" before it where the quartiles hold 1: no difference."""
    if value is None or not quartiles:
        return ""
    return f"{'~' if quartiles[0] <= 1 <= quartiles[1] else ''}{value:{digits}}"


def status(row: CheckRow) -> str:
    return f"{row['status']} (interpreted)" if row.get("interpreted") else str(row["status"])


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
