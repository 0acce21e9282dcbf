"""Print what a command has measured: its progress, its rows or the reason why there are none; and its exit code."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.console import Console
from rich.progress import track
from rich.table import Table

from jitkernels import kernels, settings
from jitkernels.availability import absent
from jitkernels.backends.table import find_backend
from jitkernels.measure import comparisons, lives, words
from jitkernels.measure.rows import PROCESS, Row, by_kernel
from jitkernels.measure.timing import Request

OK, FAILED, USAGE, INTERRUPTED, CLOSED = 0, 1, 2, 130, 141  # the last two as for a process ended by SIGINT or SIGPIPE
STEP = ("kernel", "label", "backend", "form", "spelling", "pattern", "size", PROCESS, "status", "outcome")
"""Keys that name a step."""
LEAST_WIDTH = 7  # characters of a column with long words: in a narrower one, folded names and numbers cannot be read


def collect(steps: Iterable[Row], total: int) -> list[Row]:
    """Return the steps that are rows, in the order of their kernels. Shows progress."""
    rows = [step for step in with_progress(steps, total) if PROCESS not in step]
    return [row for of_kernel in by_kernel(rows).values() for row in of_kernel]


def timings(request: Request) -> list[Row]:
    """Return the rows of ``jitkernels time``. Shows progress."""
    rows = collect(lives.steps(request), request.steps)
    comparisons.add_all(rows)
    return rows


def with_progress(steps: Iterable[Row], total: int) -> Iterator[Row]:
    """Yield the steps. Shows a bar on a terminal and prints a line for each step elsewhere, both on standard error."""
    if sys.stderr.isatty():
        yield from track(steps, "measuring", total, console=Console(stderr=True), transient=True, refresh_per_second=1)
        return
    for count, step in enumerate(steps, 1):
        print(f"{count}/{total}", *(step[key] for key in STEP if key in step), file=sys.stderr)
        yield step


def print_rows(rows: Sequence[Row], as_text: Callable[[Sequence[Row]], Iterable[Table | str]], as_json: bool) -> None:
    """Print the rows on standard output, as JSON only, or as sentences and tables with the machine below."""
    if as_json:
        print_json(rows)
        return
    for part in as_text(rows):
        print_part(part)
    for machine in words.machines(rows):
        print(f"on {machine}")


def print_json(value: object) -> None:
    """Print JSON, in which no number is infinite or NaN."""
    print(json.dumps(value, indent=1, allow_nan=False))


def print_part(part: Table | str) -> None:
    """Print a sentence on one line, or a table as wide as the terminal (200 characters without one). Long words are folded,
    not cut. If columns would be too narrow, the table is printed with one field on each line.
    """
    console = Console(markup=False)  # brackets are text, as in 'jitkernels[numba]'
    if not console.is_terminal:
        console = Console(width=200, markup=False)
    if isinstance(part, Table):
        for column in part.columns:
            column.overflow = "fold"
        part = part if _least_width(part) <= console.width else _fields(part)
    with console.capture() as capture:
        console.print(part, highlight=False, soft_wrap=isinstance(part, str))
    print(capture.get(), end="", flush=True)  # not by Rich, which exits with 1 if the pipe is closed


def _least_width(table: Table) -> int:
    """Return the width that a table needs: its borders, and LEAST_WIDTH for each column."""
    widest = [max(len(str(text)) for text in (column.header, *column.cells)) for column in table.columns]
    return 1 + sum(3 + min(width, LEAST_WIDTH) for width in widest)


def _fields(table: Table) -> str:
    """Return a table as text: one field on each line, a blank line between rows, no empty fields."""
    rows = zip(*(column.cells for column in table.columns), strict=True)
    lines = ((f"{column.header}: {cell}\n" for column, cell in zip(table.columns, row, strict=True) if cell) for row in rows)
    return (f"{table.title}\n" if table.title else "") + "\n".join(map("".join, lines))


def fail(message: str) -> int:
    """Print the reason on standard error, in one line, and return FAILED."""
    print(f"jitkernels: {message}", file=sys.stderr)
    return FAILED


def exit_code(rows: Sequence[Row], is_named: bool = False) -> int:
    """Return FAILED if a row is wrong or failed, or is unavailable although it is required.

    JITKERNELS_REQUIRE names required backends. is_named: the user has named the backends, so all of them are required, and
    at least one row must have run. A kernel that is not written for a backend is not required.
    """
    for row in rows:
        backend = find_backend(row["backend"])
        is_missing = row["status"] == "unavailable" and not absent(kernels.load(row["kernel"]), backend)
        is_required = is_named or settings.is_required(backend.name, backend.dialect)
        if (is_missing and is_required) or row["status"] in ("wrong", "failed"):
            return FAILED
    return FAILED if is_named and all(row["status"] == "unavailable" for row in rows) else OK
