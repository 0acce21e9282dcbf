"""The compilers' page and that of their releases: puts together what a browser loads beside the data.

Their own files are copied from ``page/``. Vega comes out of vl-convert-python, which carries it, and is never committed; the
charts' specs and the colours of backends come from ``jitkernels.charts``.
"""

import hashlib
import html
import importlib.metadata
import json
import re
import shutil
from collections.abc import Container
from dataclasses import asdict
from pathlib import Path
from typing import Any

import vl_convert

from jitkernels import backends, charts
from jitkernels.backends.table import BACKENDS
from jitkernels.charts import drawing, palette

PAGE = Path(__file__).parent / "page"
PAGES = {"index.html": "main.js", "releases.html": "releases.js"}  # and the module that each begins with
BUNDLE = "window.vegaEmbed = vegaEmbed;"  # the one name that the page calls
ROOT = '<div id="root"></div>'  # where asv-tachyon's page puts everything
CLASSIC = 'src="asv.js"'  # in asv's own page, which stays where asv-tachyon is not installed, and gets no link
BACK = "data-compilers-page"
IMPORTED = re.compile(r'^(?:import|\}).* from "\./([\w.]+)";$', re.MULTILINE)
MODULES = "<!-- modules -->"  # in the page: where links to them go


class LayoutChangedError(RuntimeError):
    """A page that somebody else writes is not as this expects it; says which, and what is not found in it."""


def build(site: Path) -> None:
    """Write the pages into ``site``, beside data/ and history/, and lead from the history back to the first of them.

    Raises LayoutChangedError where the history's page has no place for the link.
    """
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / "page", ignore_errors=True)  # a module that is gone must not stay
    shutil.copytree(PAGE, site / "page", ignore=shutil.ignore_patterns("*.html"))
    for page, first in PAGES.items():
        write(site / page, (PAGE / page).read_text(encoding="utf-8").replace(MODULES, preloads(first)))
    draw(site / "charts")
    (site / ".nojekyll").touch()  # else GitHub's pages drop what begins with an underscore
    if (site / "history" / "index.html").exists():
        lead_back(site / "history")


def preloads(first: str) -> str:
    """A link to each module that a page needs, so that a browser asks for all at once, and not for each when another has
    named it."""
    return "\n".join(f'<link rel="modulepreload" href="page/{module}">' for module in sorted(needed(first)))


def needed(first: str) -> set[str]:
    """The names of a module and of all that it imports, itself or through others."""
    found, left = set[str](), [first]
    while left:
        if (module := left.pop()) not in found:
            found.add(module)
            left += IMPORTED.findall((PAGE / module).read_text(encoding="utf-8"))
    return found


def draw(directory: Path) -> None:
    """Write the charts' specs and what draws them; nothing where both are there and made of the same, because to make them
    takes longer than to join a year of results."""
    made_of, stamp = origin(), directory / "made-of.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == made_of:
        return
    for name, chart in charts.CHARTS.items():
        write(directory / f"{name}.json", json.dumps(drawing.spec(chart), allow_nan=False))
    for name, drawn in {"index": charts.ROWS, "ladder": charts.LADDER_ROWS}.items():
        write(directory / f"{name}.json", json.dumps(described(drawn), allow_nan=False))
    write(directory / "vega.js", vl_convert.javascript_bundle(BUNDLE))
    write(stamp, made_of)


def origin() -> str:
    """A hash of what the charts are made of: the modules that describe them, and the packages that draw them."""
    sources = [Path(__file__), Path(backends.__file__), *sorted(Path(charts.__file__).parent.rglob("*.py"))]
    versions = [importlib.metadata.version(package) for package in ("altair", "vl-convert-python")]
    texts = [source.read_text(encoding="utf-8") for source in sources]
    return hashlib.sha256("\0".join([*versions, *texts]).encode()).hexdigest()


def described(names: Container[str]) -> dict[str, Any]:
    """What a page must know of its charts before it draws any: backends' looks, and each chart's words and columns."""
    return {
        "backends": {name: asdict(palette.style(name)) for name in BACKENDS},
        "unknown": asdict(palette.style("")),
        "interpreted": list(palette.style(palette.shown("python", True)).dash),
        "charts": {
            name: {
                "title": chart.title, "what": chart.what, "wants": chart.wants, "width": chart.width, "across": chart.across,
                "fields": [asdict(field) for field in charts.fields(name)],
            }
            for name, chart in charts.CHARTS.items()
            if name in names
        },
    }  # fmt: skip


def lead_back(history: Path) -> None:
    """Put a link to the compilers' page into the history's own page, above everything; twice does it once.

    Raises LayoutChangedError where the page is neither asv-tachyon's as it is known nor asv's classic one.
    """
    page = history / "index.html"
    text = page.read_text(encoding="utf-8")
    if BACK in text or CLASSIC in text:
        return
    if text.count(ROOT) != 1:
        raise LayoutChangedError(
            f"{page}: {ROOT} is not in it once, so the link to the compilers' page has no place: asv-tachyon's layout "
            "is not the one that website/pages.py knows (asv-tachyon in pyproject.toml is pinned to one that it does)"
        )
    style = (PAGE / "back.css").read_text(encoding="utf-8")
    name = f"back-{hashlib.sha256(style.encode()).hexdigest()[:8]}.css"  # browsers keep the assets of the history for long
    write(history / name, style)
    link = f'<a {BACK} href="../index.html">{html.escape("← The compilers, side by side")}</a>\n    '
    text = text.replace(ROOT, link + ROOT)
    if text.count("</head>") != 1:
        raise LayoutChangedError(f"{page}: </head> is not in it once, so the link's style has no place")
    write(page, text.replace("</head>", f'  <link rel="stylesheet" href="./{name}">\n  </head>'))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
