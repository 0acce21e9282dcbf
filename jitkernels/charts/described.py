"""What is said of a chart before it is drawn: its words, and the columns of its table."""

from dataclasses import dataclass

WIDTH = 640  # pixels: what a page's column of text takes, and a README's picture
NARROW = 190  # pixels: of one of several views side by side


@dataclass(frozen=True)
class Field:
    """A column. name: the key in the rows. title: its heading. unit: "seconds", "bytes", "text", or "" (a plain number).

    shown: whether it is a column of the chart's table; others only say where to draw.
    """

    name: str
    title: str
    unit: str = ""
    shown: bool = True


@dataclass(frozen=True)
class Chart:
    """One chart. title: its heading. what: how to read it, in one or two sentences; also its text for who can't see it.

    wants: what has to be measured for it to have rows. width: of one view, in pixels; across: how many stand side by side.
    named: whether backends' names stand in it, so that it needs no legend.
    """

    name: str
    title: str
    what: str
    fields: tuple[Field, ...]
    wants: str
    width: int = WIDTH
    across: int = 1
    named: bool = False


NAME = Field("name", "backend", "text")
SIZE = Field("size", "{size}")
SETTLED = Field("settled", "settled")
LOW, HIGH = Field("low", "lower quartile", "seconds"), Field("high", "upper quartile", "seconds")
SAMPLES = Field("samples", "samples")
