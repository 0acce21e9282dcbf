"""A chart without its drawing: its words, the function that makes its rows, and the columns of its table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

INTERPRETED = " (interpreted)"
"""Added to a backend's name if an interpreter ran its calls, so that the time says nothing about the compiler's speed."""

ENDINGS = ("svg", "png", "html")  # of a picture's file
WIDTH, HALF, NARROW = 640, 320, 190  # pixels: a page's column of text, and one of two or three views side by side

# A flat row of a chart: JSON numbers, texts, booleans and nulls, by the names of the chart's fields. docs/site-data.md
# names the files that hold them.
Row = dict[str, Any]

# The source of rows: the content of one of the site's files (docs/site-data.md).
# - A kernel's file: {"rows", "observations", "rankings"}. A row there is a case: {"backend", "size", "status",
#   "interpreted", "figures": {name: figure}}; an observation has no size (null). A figure is {"value", "low", "high"
#   (quartiles of the samples, or null), "samples", "settled"}; a figure that was not measured is absent. `timings.data`
#   makes the same from the rows of `jitkernels time`.
# - A kernel's file of a compiler's releases: {"releases", "series", "commits"}; a compiler's: also "kernels", "drift".
Data = Mapping[str, Any]
Rows = Callable[[Data], list[Row]]

# The order in rows and in drawings.
LIVES = ("cold", "cached", "retrace", "warm")  # of a call
FRAMEWORKS = ("numba", "jax", "tensorflow", "triton", "torch")  # with a compiler: the article's four, and torch
REFERENCE, KERNEL = "The reference release, turn by turn", "The C kernel, release by release"
RELEASES, COMMITS = "Release by release", "Commit by commit of this library"


def name_of(backend: str, interpreted: bool | None) -> str:
    """Return the name that a reader sees."""
    return backend + INTERPRETED if interpreted else backend


@dataclass(frozen=True)
class Field:
    """A column."""

    name: str  # the key in the rows
    title: str  # its heading
    unit: str = ""  # "seconds", "bytes", "text", or "" (a plain number)


@dataclass(frozen=True)
class Chart:
    """A chart; a call of it makes its rows."""

    rows: Rows
    title: str  # its heading
    what: str  # how to read it; also its text for a screen reader
    fields: tuple[Field, ...]  # the columns of its table
    wants: str  # what must be measured so that it has rows
    across: int = 1  # how many views stand side by side
    named: bool = False  # True if the names of backends stand in the drawing, so that it needs no legend

    def __call__(self, data: Data) -> list[Row]:
        return self.rows(data)

    @property
    def name(self) -> str:
        """The name of the function that makes its rows."""
        return self.rows.__name__

    @property
    def width(self) -> int:
        """The width of one view in pixels."""
        return {1: WIDTH, 2: HALF, 3: NARROW}[self.across]


def chart(*words: Any, **how: Any) -> Callable[[Rows], Chart]:
    """Return a decorator: it makes a chart of the function that makes its rows. words, how: the chart's other fields."""
    return lambda rows: Chart(rows, *words, **how)


def text(name: str, title: str = "") -> Field:
    return Field(name, title or name, "text")


def number(name: str, title: str = "") -> Field:
    return Field(name, title or name)


NAME = text("name", "backend")
SIZE = number("size", "{size}")
SECONDS = Field("seconds", "seconds", "seconds")
QUARTILES = (Field("low", "lower quartile", "seconds"), Field("high", "upper quartile", "seconds"))
SETTLED = number("settled")
SAMPLES = number("samples")
INTERVAL = (Field("low", "from", "seconds"), Field("high", "to", "seconds"))  # of a duet's ratio, or quartiles
RANGE = (number("low", "from"), number("high", "to"))  # of a ratio, from quartiles
WARM = (Field("seconds", "seconds a call", "seconds"), *QUARTILES)
