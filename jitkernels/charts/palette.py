"""How a backend looks in every chart: the colour of its framework, the dash and the shape of its mode.

The colours are Okabe and Ito's ("Color universal design", 2008), changed as little as necessary. Each has a contrast of at
least 3:1 with a white page and with a dark one (WCAG 2.2, 1.4.11). Readers who see no red or no green can tell any two
frameworks apart. Greys and a darker blue replace black and yellow, because each of these is invisible on one of the pages.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from jitkernels.backends.table import BACKENDS, INTERPRETER, PYTHON, catalogue
from jitkernels.charts.description import INTERPRETED, name_of

THEMES = {
    "light": {"background": "#ffffff", "ink": "#1f2328", "quiet": "#59636e", "grid": "#e4e7eb"},
    "dark": {"background": "#111111", "ink": "#e6e6e6", "quiet": "#a3a3a3", "grid": "#303030"},
}
# Everything but the marks has the colour of the text around it, and so follows the reader's scheme and the printer's.
PAGE = {"background": "transparent", **dict.fromkeys(("ink", "quiet", "grid"), "currentColor")}
VARIANTS = (((8, 3), "square"), ((5, 2, 1, 2), "diamond"), ((3, 3), "triangle-up"), ((12, 3), "cross"), ((2, 2), "circle"))
FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"


@dataclass(frozen=True)
class Style:
    """colour: "#rrggbb". dash: lengths of strokes and gaps in pixels. shape: a symbol's name in Vega."""

    colour: str
    dash: tuple[int, ...]
    shape: str


def style(name: str) -> Style:
    """Return the look of a shown name; a backend that is not in the table is grey and dotted.

    A variant of a backend ("numba: tiled") has the backend's colour. The variant's name decides its dash and its shape.
    """
    label, _, variant = name.removesuffix(INTERPRETED).partition(":")
    backend = catalogue().get(label)
    if backend is None:
        return Style(PYTHON.colour, (1, 1), "stroke")
    if variant:
        return Style(backend.framework.colour, *VARIANTS[zlib.crc32(variant.encode()) % len(VARIANTS)])
    dash = INTERPRETER if name.endswith(INTERPRETED) else backend.dash
    return Style(backend.framework.colour, dash, backend.shape)


def names() -> list[str]:
    """Return every name of a built-in backend that can be shown, in the order of the backends' table."""
    return [name_of(backend, interpreted) for interpreted in (False, True) for backend in BACKENDS]


def config(colours: Mapping[str, str]) -> dict[str, object]:
    """Return Vega-Lite's config, which a specification leaves out. colours: of a theme in ``THEMES``, or ``PAGE``."""
    ink, quiet, grid = colours["ink"], colours["quiet"], colours["grid"]
    axis = {"domainColor": quiet, "gridColor": grid, "labelColor": ink, "tickColor": quiet, "titleColor": ink}
    axis_text = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 8}
    keys = {"labelLimit": 300, "symbolLimit": 40, "symbolSize": 80}
    subtitle = {"subtitleColor": quiet, "subtitleFontSize": 12}
    return {
        "background": colours["background"],
        "font": FONT,
        "axis": {**axis, **axis_text},
        "header": {"labelColor": ink, "titleColor": ink, "labelFontSize": 13, "labelFontWeight": "bold"},
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, **keys},
        "text": {"color": ink, "fontSize": 12},
        "title": {"color": ink, "fontSize": 15, "anchor": "start", "offset": 12, **subtitle},
        "view": {"stroke": None},
    }
