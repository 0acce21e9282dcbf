"""Write the pages of compilers, commits and releases into the site, and the charts that these pages draw.

Scripts and styles are copied from ``page/``. Vega comes from vl-convert-python and is never committed. The charts' specs and
the backends' colours come from ``jitkernels.charts``.
"""

import hashlib
import importlib.metadata
import json
import posixpath
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Any

import vl_convert

from jitkernels import charts
from jitkernels.backends import table
from jitkernels.charts import description, palette, pictures

PAGE = Path(__file__).parent / "page"
PAGES = {  # the first module of each
    "index.html": "compilers/screen.js",
    "commits.html": "commits/screen.js",
    "releases.html": "releases/screen.js",
}
FRAME = PAGE / "frame" / "page.html"  # what all pages share
MASTHEAD = "<!-- masthead -->"  # separates the head of a page's file from its masthead
BUNDLE = "window.vegaEmbed = vegaEmbed;"  # the only name of Vega's that the pages use
ROOT = '<div id="root"></div>'  # the element that asv-tachyon's page fills
BACK = "data-compilers-page"
BAR = (
    '<a href="../index.html">← The compilers, side by side</a>'
    "Times here were measured hours or days apart: a change can be the machine's, and Regressions lists none. "
    '<a href="../commits.html">Commits measured in turn</a>'
)
IMPORTED = re.compile(r'^(?:import|\}).* from "(\.[\w./]+)";$', re.MULTILINE)


def build(site: Path) -> None:
    """Write the pages into ``site``, beside data/ and history/, and link the history back to the compilers' page.

    Raises RuntimeError if the link cannot be inserted into the history's page.
    """
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / "page", ignore_errors=True)  # modules of an older build must not stay
    shutil.copytree(PAGE, site / "page", ignore=shutil.ignore_patterns("*.html"))
    for page, first in PAGES.items():
        write(site / page, html_of(page, first))
    write_charts(site / "charts")
    (site / ".nojekyll").touch()  # otherwise GitHub Pages leaves out names with a leading underscore
    if (site / "history" / "index.html").exists():
        link_back(site / "history")


def html_of(page: str, first: str) -> str:
    """Return a page. first: its first module."""
    head, masthead = (PAGE / page).read_text(encoding="utf-8").split(MASTHEAD)
    frame = Template(FRAME.read_text(encoding="utf-8"))
    preload = '<link rel="modulepreload" href="page/{}">'  # so that all modules are fetched at once
    modules = "\n".join(preload.format(module) for module in sorted(modules_of(first)))
    text = frame.substitute(head=head.strip(), masthead=masthead.strip("\n"), modules=modules, first=first)
    return text.replace(f'data-page="{page}"', f'data-page="{page}" aria-current="page"')


def modules_of(first: str) -> set[str]:
    """Return a module and all modules that it imports, directly or through others, as paths below ``page/``."""
    modules, left = set[str](), [first]
    while left:
        if (module := left.pop()) not in modules:
            modules.add(module)
            imported = IMPORTED.findall((PAGE / module).read_text(encoding="utf-8"))
            left += [posixpath.normpath(posixpath.join(posixpath.dirname(module), path)) for path in imported]
    return modules


def write_charts(directory: Path) -> None:
    """Write the charts' specs and Vega, which takes seconds, unless the directory has them from the same sources."""
    sources, stamp = hash_of_sources(), directory / "made-of.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == sources:
        return
    for name, chart in charts.CHARTS.items():
        write(directory / f"{name}.json", json.dumps(pictures.spec(chart), allow_nan=False))
    for page, drawn in {"index": charts.ROWS, "ladder": charts.LADDER_ROWS, "commits": charts.COMMIT_ROWS}.items():
        write(directory / f"{page}.json", json.dumps(descriptions(drawn), allow_nan=False))
    write(directory / "vega.js", vl_convert.javascript_bundle(BUNDLE))
    write(stamp, sources)


def hash_of_sources() -> str:
    """Return a hash of the modules that describe the charts and of the packages that draw them."""
    sources = [Path(__file__), Path(table.__file__), *sorted(Path(charts.__file__).parent.rglob("*.py"))]
    versions = [importlib.metadata.version(package) for package in ("altair", "vl-convert-python")]
    texts = [source.read_text(encoding="utf-8") for source in sources]
    return hashlib.sha256("\0".join([*versions, *texts]).encode()).hexdigest()


def descriptions(drawn: Mapping[str, description.Chart]) -> dict[str, Any]:
    """Return what a page needs before it draws: kinds and looks of backends, Vega's config, each chart's texts."""
    backends = table.BACKENDS.values()
    return {
        "backends": {name: asdict(palette.style(name)) for name in table.BACKENDS},
        "unknown": asdict(palette.style("")),
        "just_in_time": [backend.name for backend in backends if backend.kind == "compiler"],
        "needs_threads": [backend.name for backend in backends if backend.needs_threads],
        "one_thread": [
            *(backend.name for backend in backends if backend.one_thread),
            *(f"an interpreted {backend.name}" for backend in backends if backend.framework.interpreted_on),
        ],
        "config": palette.config(palette.PAGE),
        "interpreted": list(palette.style(description.name_of("python", True)).dash),
        "charts": {name: _chart(chart) for name, chart in drawn.items()},
    }


def _chart(chart: description.Chart) -> dict[str, Any]:
    texts = {key: getattr(chart, key) for key in ("title", "what", "wants", "width", "across")}
    return {**texts, "fields": [asdict(field) for field in chart.fields]}


def link_back(history: Path) -> None:
    """Put a bar on top of the history's page, unless it is there: a link back, and how its points were measured.

    Raises RuntimeError if the page does not have asv-tachyon's known layout.
    """
    page = history / "index.html"
    text = page.read_text(encoding="utf-8")
    if BACK in text:
        return
    if text.count(ROOT) != 1 or text.count("</head>") != 1:
        raise RuntimeError(
            f"{page} must have {ROOT} and </head> exactly once for the link to the compilers' page: website/pages.py does "
            "not know the layout of this asv-tachyon (pyproject.toml pins a version that it knows)"
        )
    style = (PAGE / "styles" / "back.css").read_text(encoding="utf-8")  # within the page: browsers cache its files for long
    bar = f"<nav {BACK}>{BAR}</nav>\n    "
    write(page, text.replace(ROOT, bar + ROOT).replace("</head>", f"  <style>\n{style}</style>\n  </head>"))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
