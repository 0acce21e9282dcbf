"""``jitkernels.compare``, and what it returns: rows, sentences, tables, charts and a page."""

import dataclasses
import html
import importlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jitkernels.case import DEFAULT_SEED
from jitkernels.functions import arguments, comparison, transport
from jitkernels.functions.comparison import TIMEOUT, Progress
from jitkernels.functions.labels import Function
from jitkernels.functions.texts import Outcome
from jitkernels.measure import ranking
from jitkernels.measure.rows import Row

CHARTS = ("seconds", "speedup", "lives", "break_even", "stages")
"""The charts of a page, in order. A chart without rows is left out."""
SCHEMA = 1


class Report(Outcome):
    """The outcome of a comparison. In a notebook it shows itself.

    rows: a dictionary for each function and size, with the keys of ``jitkernels time --json`` (docs/measures.md), except
    ``label`` instead of ``kernel``. Further keys: ``nan``: how many entries of the answer are NaN; ``jitted``: True if the
    function came compiled; ``argument_dtypes``, ``answer_dtypes``: of its arrays. reference: the label of the function with
    the true answers. title: of the page. with_stages: True if tables show the stages of compiling.
    """

    title = "Your functions"

    def as_json(self) -> Row:
        about = {"schema": SCHEMA, "title": self.title, "reference": self.reference}
        return {**about, "answer": self.answer(), "rows": self.rows}

    def to_json(self, file: str | os.PathLike[str]) -> None:
        """Write the rows and the answer as JSON."""
        Path(file).write_text(json.dumps(self.as_json(), allow_nan=False, indent=1) + "\n", encoding="utf-8")

    def to_html(self, file: str | os.PathLike[str]) -> None:
        """Write a page that needs no network: the answer, the table and the charts. It needs the extra ``[chart]``."""
        pictures = _drawing()
        drawn = [picture for picture in map(self._picture, CHARTS) if picture.rows]
        top = f"<h1>{html.escape(self.title)}</h1>\n{self._repr_html_()}"
        pictures.write(Path(file), pictures.document(top, drawn, title=self.title))

    def chart(self, file: str | os.PathLike[str], name: str = "seconds", theme: str = "light") -> None:
        """Draw one chart to an SVG, PNG or HTML file. ValueError if there is nothing to draw, or for another ending.

        theme: "light" or "dark".
        """
        pictures, path = _drawing(), Path(file)
        ending = path.suffix.removeprefix(".")
        if ending not in pictures.ENDINGS:
            raise ValueError(f"a chart's file must end in .{', .'.join(pictures.ENDINGS)}, got {path.name!r}")
        if theme not in (themes := pictures.palette.THEMES):
            raise ValueError(f"unknown theme {theme!r}; known: {', '.join(themes)}")
        picture = self._picture(name, theme)
        if not picture.rows:
            raise ValueError(f"there is no row to draw {name} from: it wants {picture.chart.wants}")
        pictures.write(path, picture.draw(ending))

    def _picture(self, name: str, theme: str = "light") -> Any:
        from jitkernels import charts

        chart = charts.chart(name)
        what = chart.what.replace(charts.warm.OF_C, "")  # C compiles no function of Python's
        chart = dataclasses.replace(chart, what=what)
        return _drawing().Picture(chart, chart(self._data()), "size", chart.title, theme=theme)

    def _data(self) -> Mapping[str, Any]:
        from jitkernels.charts import timings

        paid = self.break_even("numpy") if self.has_first_calls and "numpy" in self.labels else {}
        rows = []
        for row in self.rows:
            calls = paid.get(row["label"], {}).get(row["size"])  # or the reason why there is no number
            even = {"numpy" if isinstance(calls, int) else "numpy_reason": calls} if calls is not None else None
            rows.append({**row, "backend": row["label"], "break_even": even})
        return timings.data(rows)


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

    >>> report = jitkernels.compare({"numpy": f, "numba": g}, lambda size, rng: (rng.random(size),), [100, 10_000])

    functions: by label: a backend's name ("numba"), or "backend: variant" ("numba: tiled"). An undecorated function is
        compiled as its backend's user would; "array_api" is the label of ``f(xp, ...)`` for NumPy, JAX and torch.
    inputs: ``inputs(size, rng)`` -> NumPy arrays and numbers, the positional arguments; rng: a Generator of ``seed``.
    reference: the label of the function whose answer to float64 inputs is the truth; by default numpy or python.
    rtol, atol: an entry may differ by atol + rtol * the largest entry of its array; whole numbers and booleans by atol.
    static: names of arguments that compilers see as constants.
    lives: beside the warm call "cold", "cached", "retrace", "memory" (docs/measures.md).
    processes: of each function, in turn. Two functions differ if all processes (at least five) of one are faster.
    timeout: seconds within which a process must answer. progress: ``progress(steps, total=N)`` -> the same steps, such as
        tqdm; by default a bar on a terminal.

    Inside the clock of a warm call: the calls and the waits. Answers are checked before it, and the last one after it.
    Raises ValueError, in one line, for invalid arguments. A function that fails is a row with its reason.
    """
    if transport.is_read(sys._getframe(1)):
        raise transport.Reached
    named = arguments.names(static, "static", "n"), arguments.names(lives, "lives", "cold")
    options = arguments.Options(rtol, atol, *named, processes, seed, timeout)
    return Report(*comparison.measure(functions, inputs, sizes, reference, options, progress))


def _drawing() -> Any:
    """Return the module that draws; ModuleNotFoundError, in one line, if the extra is missing."""
    try:
        return importlib.import_module("jitkernels.charts.pictures")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error.name} draws the charts: pip install 'jitkernels[chart]'", name=error.name
        ) from None
