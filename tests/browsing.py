"""Open the site's pages in a real browser, watch them for forbidden actions, and walk through them by keys."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from served import Served

from jitkernels import charts, settings

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first is twice as fast
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
REASON = "no Chromium here: apt-get install chromium-headless-shell"
WIDE, NARROW = {"width": 1200, "height": 900}, {"width": 360, "height": 740}
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"color_scheme": "dark"}, "narrow": {"viewport": NARROW}}
COLOURS = ["color-contrast", "link-in-text-block"]  # axe-core's rules that other colours can break
RULES: dict[str, list[str] | None] = {"light": None, "dark": COLOURS, "narrow": None}  # to run by look; None: all
MARKS = ".mark-symbol path, .mark-rect path, .mark-bar path, .mark-rule line, .mark-line path"
HOSTILE = "<img src=x onerror=alert(1)></script>\"'&\u202e"
SHOWN = "<img src=x onerror=alert(1)></script>\"'&[U+202E]"
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective} ${blockedURI}`));
"""
FOCUSED = """() => { const node = document.activeElement, seen = node.matches("[type=radio]") ? node.nextSibling : node;
return [node.id || node.className || node.tagName, getComputedStyle(seen).outlineStyle]; }"""
OVERLAPS = """(figure) => {
  const seen = (text) => text.textContent.trim() && text.getAttribute("opacity") !== "0";
  const texts = [...figure.querySelectorAll("svg text")].filter(seen);
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], place) => boxes.slice(place + 1)
    .filter(([, b]) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
    .map(([other]) => `${one} | ${other}`));
}"""
PATIENCE = 300_000  # milliseconds: never reached if a page does what a test waits for
Visit = Callable[..., Any]


@contextmanager
def launched() -> Iterator[Any]:
    """Yield a browser. Without one the test is skipped, or fails if JITKERNELS_REQUIRE lists it."""
    if CHROMIUM is None:
        (pytest.fail if settings.is_required("browser") else pytest.skip)(REASON)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def visiting(browser: Any, table: str, file: str = "") -> Iterator[Visit]:
    """Yield a function that opens a page of a site and waits for its first table. At the end, fail if a page raised, made a
    request to another host, or did what its policy forbids."""
    opened = []

    def open_page(site: Served, hash_: str = "", *, fails: str = "nothing", wait: str = table, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": WIDE, **options})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.problems, page.elsewhere, page.dialogs = [], [], []
        page.add_init_script(WATCH)
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: line.type == "error" and fails not in line.text and page.problems.append(line.text))
        page.on(
            "request", lambda request: request.url.startswith((site.address, "data:")) or page.elsewhere.append(request.url)
        )
        page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
        opened.append(page)
        page.goto(site.address + file + hash_)
        page.wait_for_selector(wait)
        return page

    yield open_page
    for page in opened:
        assert_did_nothing_forbidden(page)
        page.context.close()


def assert_did_nothing_forbidden(page: Any) -> None:
    assert page.problems == []
    assert page.elsewhere == [], "it asked another host"
    assert page.dialogs == [], "text was run"
    assert page.evaluate("window.violations") == [], "it did what its policy forbids"


def walked(page: Any) -> list[tuple[str, str]]:
    """Return what the Tab key reaches, one by one: its id, class or tag, and the style of its outline."""
    reached = []
    for _ in range(400):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused[0] == "BODY":
            break
        reached.append(tuple(focused))
    return reached


def keep_first_rows(page: Any, table: str, count: int = 20) -> None:
    """Remove a table's further rows, which are like the first ones: axe-core takes seconds for hundreds of them."""
    rows = page.locator(f"{table} tbody tr")
    rows.first.wait_for()
    rows.evaluate_all("(rows, count) => rows.slice(count).forEach((row) => row.remove())", count)


def violations(page: Any, context: str | None = None, rules: list[str] | None = None) -> list[Any]:
    """Return what axe-core finds in the page or in one part of it, by all or some of its rules."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = Axe().run(page, context=context, options=options).response["violations"]
    return [(rule["id"], rule["help"], [node["html"] for node in rule["nodes"]][:3]) for rule in found]


def scroll_through(page: Any, sections: Sequence[str]) -> None:
    """Scroll to each chart of the sections and wait until it is drawn."""
    for section in sections:
        page.locator(f"#{section}").scroll_into_view_if_needed()
        for figure in page.locator(f"#{section} figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".chart[data-drawn]").wait_for()


def take_picture(page: Any, file: Path, **options: Any) -> None:
    """Take a picture for people to look at, which takes a second, where the variable JITKERNELS_SCREENSHOTS is set."""
    if os.environ.get("JITKERNELS_SCREENSHOTS"):
        page.screenshot(path=file, **options)


def draw_compilers_page(page: Any) -> None:
    scroll_through(page, ("time", "error", "tradeoff", "lives", "matrix", "changes", "environments"))
    page.wait_for_selector("#matrix-table")
    page.wait_for_selector("#machines")


def draw_releases_page(page: Any) -> None:
    scroll_through(page, ("releases", "kernels", "inside", "beside", "drift"))


def draw_commits_page(page: Any) -> None:
    scroll_through(page, ("commits",))


def overlaps(page: Any, names: Iterable[str] = charts.LADDER_ROWS) -> dict[str, list[str]]:
    """Return the pairs of labels that cover each other, by chart."""
    found = {name: page.locator(f"#chart-{name}").evaluate(OVERLAPS) for name in names}
    return {name: pairs for name, pairs in found.items() if pairs}


def wait_for_chart(page: Any, name: str) -> None:
    page.locator(f"#chart-{name} .chart[data-drawn]").wait_for()
