"""The tables of docs/findings.md, docs/aot.md and docs/releases.md, drawn from the measured rows beside them:
``python tools/findings.py`` writes them anew.

A table stands between ``<!-- NAME -->`` and ``<!-- end -->``; NAME is a word of TABLES.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import step_tables

from jitkernels import speedup
from jitkernels.aot import table as aot
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


def forms_cost() -> str:
    """Rows: each file of each kernel; columns: what it takes to make, to ship, and to get a first answer from."""
    lines = []
    for row in [row for row in _rows("aot") if row["status"] == "ok"]:
        figures = [seconds(row[f"{name}_seconds"]) for name in ("import", "load", "first_call", "answer", "jit_answer")]
        built = [_words(row["form"]), seconds(row["build_seconds"]), aot.size(row["bytes"])]
        lines.append([row["kernel"], f"`{row['backend']}`", *built, *(figure or "-" for figure in figures)])
    heads = ["kernel", "backend", "file", "build", "bytes", "import", "load", "first call", "first answer", "just in time's"]
    return _table(heads, lines)


def forms_calls() -> str:
    """Rows: each file that was run; columns: its warm call over the just-in-time compiler's, and the first ten of both."""
    lines = []
    for row in _rows("aot"):
        if row["ratio"] is None:
            continue
        warm = [seconds(row["warm_seconds"]), aot.ratio(row), "{:.2f} to {:.2f}".format(*row["ratio_quartiles"])]
        spreads = [aot.spread(row[name]) for name in ("first_calls_spread", "jit_first_calls_spread")]
        lines.append([row["kernel"], f"`{row['backend']}`", _words(row["form"]), *warm, *spreads])
    heads = ["kernel", "backend", "file", "warm call", "over just in time", "quartiles", "largest of ten", "just in time's"]
    return _table(heads, lines)


def forms_needs() -> str:
    """Rows: each kind of file; columns: what it needs where it is loaded, and what another shape does, by kernel."""
    lines = []
    rows = [row for row in _rows("aot") if row["status"] == "ok"]
    for kind in dict.fromkeys((row["backend"], row["form"]) for row in rows):
        own = [row for row in rows if (row["backend"], row["form"]) == kind]
        shapes: dict[str, list[str]] = {}
        for row in own:
            shapes.setdefault(row["other_shape"] or "-", []).append(row["kernel"])
        needs = [str(len(own[0]["imports"])), "yes" if own[0]["front_end"] else "no"] if own[0]["imports"] else ["-", "-"]
        another = "; ".join(f"{shape}: {', '.join(names)}" for shape, names in shapes.items())
        lines.append([f"`{kind[0]}`", _words(kind[1]), *needs, own[0]["left"] or "nothing", another, own[0]["platform"]])
    heads = ["backend", "file", "packages", "front end", "still compiled", "another shape", "tied to"]
    return _table(heads, lines)


TABLES: dict[str, Callable[[], str]] = {
    "speedups": speedups,
    "models": lambda: seconds_of("models"),
    "fusion": lambda: seconds_of("fusion"),
    "kernels": lambda: seconds_of("kernels"),
    "branch": lambda: patterns("square_or_cube"),
    "loop": lambda: patterns("repeated_multiply"),
    "caching": lambda: patterns("side_effect"),
    "effects": effects,
    "aot_cost": forms_cost,
    "aot_calls": forms_calls,
    "aot_needs": forms_needs,
    **step_tables.tables(),
}
PAGES = ("findings", "aot", "releases")


def main() -> int:
    for page in PAGES:
        file = DOCS / f"{page}.md"
        file.write_text(filled(file.read_text()))
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


def _words(form: str) -> str:
    return form.replace("_", " ")


def _held(types: list[str]) -> str:
    return ", ".join(f"{types.count(name)} {name}" for name in dict.fromkeys(types)) or "nothing"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, ["---"] * len(heads), *lines])


if __name__ == "__main__":
    sys.exit(main())
