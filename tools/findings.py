"""The tables of docs/findings.md, drawn from the measured rows beside it: ``python tools/findings.py`` writes them anew.

A table stands between ``<!-- NAME -->`` and ``<!-- end -->``; NAME is a word of TABLES.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitkernels import speedup
from jitkernels.backends import BACKENDS
from jitkernels.tables import seconds

DOCS = Path(__file__).parents[1] / "docs"
Row = dict[str, Any]


def speedups() -> str:
    """Rows: each compiler; columns: each model, and the mean over all."""
    rows = _rows("models")
    cells = list(dict.fromkeys((row["kernel"], row["size"]) for row in rows))
    lines = []
    for mean in speedup.summary(rows):
        own = {(row["kernel"], row["size"]): row for row in rows if row["backend"] == mean["backend"]}
        figures = [_times(own.get(cell)) for cell in cells]
        overall = [f"**{mean['geomean']:.2f}**", f"{mean['geometric_deviation']:.2f}"]
        lines.append([f"`{mean['backend']}`", *figures, *overall, f"{mean['least']:.2f} to {mean['most']:.2f}"])
    heads = [f"{kernel} {size}" for kernel, size in cells]
    return _table(["compiler", *heads, "geometric mean", "deviation", "range"], lines)


def seconds_of(name: str) -> str:
    """Rows: each backend; columns: warm seconds of each kernel and size."""
    rows = _rows(name)
    cells = list(dict.fromkeys((row["kernel"], row["size"]) for row in rows))
    found = {(row["backend"], row["kernel"], row["size"]): row for row in rows}
    backends = [name for name in BACKENDS if any(row["backend"] == name and row["warm_seconds"] for row in rows)]
    lines = [[f"`{backend}`", *(_seconds(found.get((backend, *cell))) for cell in cells)] for backend in backends]
    return _table(["backend", *(f"{kernel} {size:,}" for kernel, size in cells)], lines)


def patterns(kernel: str) -> str:
    """Rows: each compiler; columns: each spelling under each call pattern; programs for three calls, or the error."""
    rows = [row for row in _rows("patterns") if row["kernel"] == kernel and row["outcome"] != "unavailable"]
    columns = list(dict.fromkeys((row["spelling"], row["pattern"]) for row in rows))
    found = {(row["backend"], row["spelling"], row["pattern"]): row for row in rows}
    compilers = [name for name in BACKENDS if any(row["backend"] == name and row["programs"] for row in rows)]
    lines = [[f"`{name}`", *(_outcome(found.get((name, *column))) for column in columns)] for name in compilers]
    return _table(["compiler", *(f"`{spelling}`, {pattern.replace('_', ' ')}" for spelling, pattern in columns)], lines)


def effects() -> str:
    """Rows: each backend; columns: what became of a print and an append in three calls of one function."""
    rows = {
        (row["backend"], row["spelling"]): row
        for row in _rows("patterns")
        if (row["kernel"], row["pattern"]) == ("side_effect", "new_value") and row["outcome"] != "unavailable"
    }
    lines = []
    for backend in [name for name in BACKENDS if (name, "prints") in rows]:
        prints, appends = rows[backend, "prints"], rows[backend, "appends"]
        held = f"`{appends['exception']}`" if appends["exception"] else _held(appends["held"])
        figures = [str(prints[key]) for key in ("body_runs", "printed", "graph_breaks")]
        lines.append([f"`{backend}`", *figures, held, str(appends["programs"])])
    return _table(["backend", "runs of the body", "prints", "breaks", "in the list", "programs when it appends"], lines)


TABLES: dict[str, Callable[[], str]] = {
    "speedups": speedups,
    "models": lambda: seconds_of("models"),
    "fusion": lambda: seconds_of("fusion"),
    "kernels": lambda: seconds_of("kernels"),
    "branch": lambda: patterns("square_or_cube"),
    "loop": lambda: patterns("repeated_multiply"),
    "caching": lambda: patterns("side_effect"),
    "effects": effects,
}


def main() -> int:
    page = DOCS / "findings.md"
    page.write_text(filled(page.read_text()))
    return 0


def filled(text: str) -> str:
    """``text`` with every table as the rows give it; KeyError for a table that nobody draws."""
    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", lambda found: _block(found[1]), text, flags=re.DOTALL)


def _block(name: str) -> str:
    return f"<!-- {name} -->\n{TABLES[name]()}\n<!-- end -->"


def _rows(name: str) -> list[Row]:
    rows: list[Row] = json.loads((DOCS / "rows" / f"{name}.json").read_text())
    return rows


def _times(row: Row | None) -> str:
    """A speed-up; "~" before it where the quartiles of the two overlap."""
    if not row or not row.get("speedup"):
        return ""
    least, most = row["speedup_range"]
    return f"{'~' if least <= 1 <= most else ''}{row['speedup']:.2f}"


def _seconds(row: Row | None) -> str:
    """Warm seconds, or a dash where there are none."""
    if not row or not row["warm_seconds"]:
        return "-"
    return f"({seconds(row['warm_seconds'])})" if row.get("interpreted") else seconds(row["warm_seconds"])


def _outcome(row: Row | None) -> str:
    if not row:
        return "-"
    return f"`{row['exception']}`" if row["outcome"] == "raised" else str(row["programs"])


def _held(types: list[str]) -> str:
    return ", ".join(f"{types.count(name)} {name}" for name in dict.fromkeys(types)) or "nothing"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, ["---"] * len(heads), *lines])


if __name__ == "__main__":
    sys.exit(main())
