"""``jitkernels.compare``, and what it returns: rows, sentences, tables, charts and a page."""

import html
import io
import itertools
import json
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jitkernels.case import DEFAULT_SEED
from jitkernels.functions import comparison, transport
from jitkernels.functions.comparison import TIMEOUT, Function, Progress
from jitkernels.measure import comparisons, ranking
from jitkernels.measure.rows import Row
from jitkernels.quantities import megabytes, seconds

CHARTS = ("seconds", "speedup", "lives", "break_even", "stages", "error")
"""Those of a page, in its order; a chart without rows is left out."""
SCHEMA = 1


class Report:
    """The outcome of a comparison. In a notebook it shows itself.

    rows: a dictionary for each function and size, with the keys of ``jitkernels time --json`` (docs/measures.md), but
    ``label`` for ``kernel``. reference: the label of the function whose answers are the truth. title: of the page.
    with_stages: whether tables have the stages of compiling.
    """

    def __init__(self, rows: Sequence[Row], reference: str) -> None:
        self.rows, self.reference, self.title, self.with_stages = list(rows), reference, "Your functions", False

    @property
    def ok(self) -> bool:
        """True if every function ran and gave right answers; one that cannot run on this machine does not count."""
        return all(row["status"] in ("ok", "unavailable") for row in self.rows)

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(row["label"] for row in self.rows))

    @property
    def sizes(self) -> list[int]:
        return sorted({row["size"] for row in self.rows})

    def ranking(self, size: int) -> list[ranking.Place]:
        """Return the places of the functions that gave right answers at a size, fastest first."""
        own = [row for row in self.rows if row["size"] == size and row["warm_processes"] and not row.get("interpreted")]
        return ranking.places({row["label"]: row["warm_processes"] for row in own})

    def fastest(self, size: int) -> list[str]:
        """Return the label of the fastest function at a size; several that cannot be told apart; none where none ran."""
        return [place.backend for place in self.ranking(size) if place.rank == 1]

    def break_even(self, rival: str | None = None) -> dict[str, dict[int, int | str]]:
        """Return by label and size the warm calls after which compiling has paid, or why it never does.

        That is the fewest calls after the first by which the function has taken no longer in all than the rival. rival: a
        label, by default the reference. ValueError for another one, or where first calls were not measured.
        """
        rival = rival or self.reference
        if rival not in self.labels:
            raise ValueError(f"unknown rival {rival!r}; known: {', '.join(self.labels)}")
        if not any(row["cold_seconds"] for row in self.rows):
            raise ValueError("first calls were not measured: lives=('cold',) measures them")
        others = {row["size"]: row for row in self.rows if row["label"] == rival}
        paid: dict[str, dict[int, int | str]] = {}
        for row in self.rows:
            if row["label"] != rival and row["cold_seconds"] and others[row["size"]]["cold_seconds"]:
                calls, reason = comparisons.calls_until_paid(row, others[row["size"]])
                paid.setdefault(row["label"], {})[row["size"]] = reason or "" if calls is None else calls
        return paid

    def answer(self) -> str:
        """Return in a sentence who is fastest from which size on, and after how many calls compiling has paid."""
        parts = list(self._fastest_by_size())
        if not parts:
            return "No function gave a right answer."
        with_cold = any(row["cold_seconds"] for row in self.rows)
        size = self.sizes[-1]
        paid = self.break_even() if with_cold else {}
        numbers = {label: own[size] for label, own in paid.items() if isinstance(own.get(size), int)}
        calls = [f"{label} pays after {count:,} calls" for label, count in sorted(numbers.items(), key=lambda pair: pair[1])]
        at = f" (over {self.reference}, at {size:,})" if calls else ""
        wrong = [label for label in self.labels if any(r["status"] in ("wrong", "failed") for r in self._of(label))]
        trouble = f" No right answer everywhere, for the reasons below: {', '.join(wrong)}." if wrong else ""
        return f"{'; '.join([', '.join(parts), *([', '.join(calls) + at] if calls else [])])}.{trouble}"

    @property
    def _processes(self) -> int:
        """The most processes that gave samples of a function."""
        return max((len(row["warm_processes"]) for row in self.rows if row["warm_processes"]), default=0)

    def _of(self, label: str) -> list[Row]:
        return [row for row in self.rows if row["label"] == label]

    def _fastest_by_size(self) -> Iterator[str]:
        """Yield the fastest functions of each range of sizes."""
        is_few = self._processes < ranking.FEWEST
        first = {
            size: [place.backend for place in self.ranking(size)][:1] if is_few else self.fastest(size)
            for size in self.sizes
        }
        by_names = itertools.groupby(self.sizes, key=lambda size: tuple(first[size]))
        groups = [(names, list(sizes)) for names, sizes in by_names if names]
        for names, sizes in groups:
            where = f"at {sizes[0]:,}" if len(sizes) == 1 else f"from {sizes[0]:,} to {sizes[-1]:,}"
            if len(groups) > 1 and sizes[-1] == self.sizes[-1]:
                where = f"from {sizes[0]:,} on"
            verb = "is fastest" if len(names) == 1 else "are not told apart and fastest"
            yield f"{_listed(names)} {'has the shortest time' if is_few else verb} {where}"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the titles and the rows of the table as texts, fastest first within each size."""
        paid = self.break_even() if any(row["cold_seconds"] for row in self.rows) else {}
        columns: dict[str, Callable[[Row], str]] = {
            "size": lambda row: f"{row['size']:,}",
            "function": lambda row: row["label"],
            "warm call": _warm,
            "25-75 %": lambda row: "-".join(map(seconds, row["warm_quartiles"] or ())),
            "times the fastest": self._times,
            "first call": lambda row: seconds(row["cold_seconds"]),
            "cached": lambda row: seconds(row["cached_seconds"]),
            "retrace": lambda row: seconds(row["retrace_seconds"]),
            "memory": lambda row: megabytes(row["peak_bytes"]),
            f"pays over {self.reference}": lambda row: _calls(paid.get(row["label"], {}).get(row["size"])),
            "stages of a first call": lambda row: _stages(row) if self.with_stages else "",
            "error": lambda row: "" if row["error"] is None else f"{row['error']:.2g}",
            "threads": lambda row: str(row.get("threads") or ""),
            "reason": lambda row: row["reason"] or "",
        }
        texts = [[text(row) for text in columns.values()] for row in sorted(self.rows, key=_speed)]
        shown = [place for place in range(len(columns)) if any(row[place] for row in texts)]
        return [list(columns)[place] for place in shown], [[row[place] for place in shown] for row in texts]

    def _times(self, row: Row) -> str:
        best = self.ranking(row["size"])
        if not best or not row["warm_seconds"]:
            return ""
        return f"{statistics.median(row['warm_processes']) / best[0].seconds:.3g}"

    def notes(self) -> list[str]:
        """Return what the table's words mean, and where it was measured."""
        ends = [f"{label}: {row['version']}" for label in self.labels if (row := self._of(label)[-1])["version"]]
        notes = [
            "warm call: the median of a call and its wait, of several processes; answers checked before and after",
            f"two are told apart if all processes of one were faster than all of the other's; it takes {ranking.FEWEST}",
        ]
        if any(row["settled"] is False for row in self.rows):
            notes.append("* its calls had not settled: take a larger size, or more processes")
        where = {f"{row['processor']}, {row['device']}" for row in self.rows if row.get("processor")}
        return [*notes, *sorted(where), "; ".join(ends)]

    def __repr__(self) -> str:
        """Return the answer and the table as text."""
        from rich.console import Console
        from rich.table import Table

        titles, texts = self.table()
        table = Table(*titles)
        for row in texts:
            table.add_row(*row)
        console = Console(file=io.StringIO(), width=200, markup=False, color_system=None, force_jupyter=False)
        console.print(self.answer(), table, *self.notes(), sep="\n")
        file: Any = console.file
        return str(file.getvalue()).rstrip()

    def _repr_html_(self) -> str:
        """Return the same as HTML, for a notebook."""
        titles, texts = self.table()
        heads = "".join(f"<th scope=col>{html.escape(title)}</th>" for title in titles)
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in texts)
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes() if note)
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        return f'<p class="answer">{html.escape(self.answer())}</p>{table}<ul>{notes}</ul>'

    def as_json(self) -> Row:
        return {
            "schema": SCHEMA,
            "title": self.title,
            "reference": self.reference,
            "answer": self.answer(),
            "rows": self.rows,
        }

    def to_json(self, file: str | os.PathLike[str]) -> None:
        """Write the rows, and the answer."""
        Path(file).write_text(json.dumps(self.as_json(), allow_nan=False, indent=1) + "\n", encoding="utf-8")

    def to_html(self, file: str | os.PathLike[str]) -> None:
        """Write a page that needs no network: the answer, the table and the charts. It needs the extra ``[chart]``."""
        from jitkernels import charts
        from jitkernels.charts import pictures

        drawn = [self._picture(name) for name in CHARTS if charts.ROWS[name](self._data())]
        top = f"<h1>{html.escape(self.title)}</h1>\n{self._repr_html_()}"
        pictures.write(Path(file), pictures.document(top, drawn, title=self.title))

    def chart(self, file: str | os.PathLike[str], name: str = "seconds", theme: str = "light") -> None:
        """Draw one chart to an SVG, PNG or HTML file. ValueError where there is nothing to draw, or another ending."""
        from jitkernels import charts
        from jitkernels.charts import pictures

        path = Path(file)
        ending = path.suffix.removeprefix(".")
        if ending not in pictures.ENDINGS:
            raise ValueError(f"a chart's file must end in .{', .'.join(pictures.ENDINGS)}, got {path.name!r}")
        if charts.chart(name) and not charts.ROWS[name](self._data()):
            raise ValueError(f"there is no row to draw {name} from: it wants {charts.chart(name).wants}")
        pictures.write(path, self._picture(name, theme).draw(ending))

    def _picture(self, name: str, theme: str = "light") -> Any:
        from jitkernels import charts
        from jitkernels.charts import pictures

        chart = charts.chart(name)
        return pictures.Picture(chart, chart.rows(self._data()), "size", chart.title, theme=theme)

    def _data(self) -> Mapping[str, Any]:
        from jitkernels.charts import timings

        paid = self.break_even() if any(row["cold_seconds"] for row in self.rows) else {}
        rows = [
            {
                **row,
                "backend": row["label"],
                "kernel": self.title,
                "break_even": _as_break_even(paid.get(row["label"], {}).get(row["size"])),
            }
            for row in self.rows
        ]
        return timings.data_of(self.title, "size", rows)


def compare(
    functions: Mapping[str, Function],
    inputs: Function,
    sizes: Sequence[int],
    *,
    reference: str | None = None,
    rtol: float = 1e-5,
    atol: float = 0.0,
    static: Sequence[str] = (),
    lives: Sequence[str] = ("cold",),
    processes: int = ranking.FEWEST,
    seed: int = DEFAULT_SEED,
    timeout: float = TIMEOUT,
    progress: Progress | None = None,
) -> Report:
    """Compare functions that compute the same, each in processes of its own. docs/tutorial.md has examples.

    functions: by label, a backend's name ("numba"), or that and a variant's ("numba: tiled"). One that is not decorated is
        compiled as its backend's user would; "array_api" is the label of ``f(xp, ...)`` for NumPy, JAX and torch.
    inputs: ``inputs(size, rng)`` -> NumPy arrays and numbers, the positional arguments; rng: a Generator of ``seed``.
    reference: the label of the function whose answer to the inputs in float64 is the truth; by default numpy or python.
    rtol, atol: an entry may be off by atol + rtol * the largest entry of its array.
    static: names of arguments that compilers see as constants.
    lives: beside the warm call "cold", "cached", "retrace", "memory" (docs/measures.md).
    processes: of each function, in turn. Two are told apart if all of five are faster than all of the other's.
    timeout: seconds within which a process must answer. progress: ``progress(rows, total)`` -> rows; a bar on a terminal.

    Inside the clock of a warm call: the calls and the waits. Answers are checked before it, and the last one after it.
    Raises ValueError, in one line, for arguments that cannot be; a function that fails is a row with its reason.
    """
    if transport.is_child():
        raise transport.Reached
    options = comparison.Options(rtol, atol, tuple(static), tuple(lives), processes, seed, timeout)
    return Report(*comparison.measure(functions, inputs, sizes, reference, options, progress))


def _as_break_even(paid: int | str | None) -> Row | None:
    """Return the number of calls as the chart of kernels has it, whose rival is NumPy."""
    if paid is None:
        return None
    return {"numpy": paid, "numpy_reason": None} if isinstance(paid, int) else {"numpy": None, "numpy_reason": paid}


def _speed(row: Row) -> tuple[int, bool, float]:
    return row["size"], row["warm_seconds"] is None, row["warm_seconds"] or 0.0


def _warm(row: Row) -> str:
    if row["status"] != "ok":
        return str(row["status"])
    marks = ("*" if row["settled"] is False else "") + (" (interpreted)" if row.get("interpreted") else "")
    return f"{seconds(row['warm_seconds'])}{marks}"


def _stages(row: Row) -> str:
    return ", ".join(f"{stage} {seconds(taken)}" for stage, taken in (row["stages"] or {}).items())


def _calls(paid: int | str | None) -> str:
    """Return the number of calls, or the first words of the reason."""
    return f"{paid:,} calls" if isinstance(paid, int) else (paid or "").partition(":")[0]


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
