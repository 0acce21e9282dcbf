"""The compilers' page in a real browser: what it says, what it asks of whom, and who can reach it how."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import HOSTILE, LOOKS, MARKS, NARROW, SHOWN, Visit, launched, violations, visiting, walked
from laboratory import Laboratory
from served import Served, results, served, site_of

from jitkernels import charts
from website import pages

FIRST_VIEW_BYTES = 500_000
FIRST_TABLE_SECONDS = 1.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site of the stored results of all compilers."""
    directory = tmp_path_factory.mktemp("stored")
    with served(site_of(directory / "site", results(directory / "results"), [STEP])) as site:
        yield site


@pytest.fixture(scope="module")
def measured(laboratory: Laboratory) -> Iterator[Served]:
    """The site that ``asv publish`` makes of what asv has just measured."""
    assert laboratory.asv("publish").returncode == 0
    with served(laboratory.path / "site") as site:
        yield site


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    with visiting(browser, "#ranking") as open_page:
        yield open_page


COMMIT = {"commit": "c" * 40, "short": "c" * 8, "subject": "Begin", "date": "2026-01-01T00:00:00Z"}
STEP = {
    "kind": "commit", "benchmark": "philox_pi.Warm.time_call", "cell": ["numba", 1000], "machine": "vm",
    "from": COMMIT, "to": {**COMMIT, "subject": "Unroll the loop"}, "before": 2e-6, "after": 1e-6, "factor": 0.5,
    "unit": "seconds", "direction": "lower", "link": "history/index.html#bench=philox_pi.Warm.time_call",
}  # fmt: skip


# What it says


def test_the_answer_is_that_of_what_asv_just_measured(
    visit: Callable[..., Any], measured: Served, laboratory: Laboratory
) -> None:
    page = visit(measured)
    values = laboratory.values(laboratory.git("rev-parse", "HEAD"), "philox_pi.Warm.time_call")
    times = {backend: values[f"'{backend}'", "1000"] for backend in ("python", "numpy", "c")}
    assert page.inner_text(".answer").startswith(f"{min(times, key=times.get)} is fastest at 1,000 points: ")
    listed = page.eval_on_selector_all(
        "#ranking tbody:first-of-type th bdi", "names => names.map((name) => name.textContent)"
    )
    assert listed == sorted(times, key=times.get)
    page.locator("#time").scroll_into_view_if_needed()
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    assert page.locator("#chart-seconds .mark-symbol path").count() == len(times)


SHOWN_OF = {
    "philox_pi": {"seconds", "speedup", "error", "pi", "tradeoff", "lives", "stages", "break_even", "counts"},
    "dense_relu": {"seconds", "speedup", "ahead_of_time", "counts"},
}


@pytest.mark.parametrize("kernel", SHOWN_OF)
def test_every_chart_draws_marks_and_has_its_table_or_says_what_brings_it(visit: Visit, stored: Served, kernel: str) -> None:
    page = visit(stored, f"#kernel={kernel}")
    drawn = page.evaluate(f"fetch('data/vm/{kernel}.json').then((answer) => answer.json())")["charts"]
    assert {name for name, rows in drawn.items() if rows} == SHOWN_OF[kernel]
    for name in charts.ROWS:
        figure = page.locator(f"#chart-{name}")
        figure.scroll_into_view_if_needed()
        if not drawn[name]:
            assert "`" not in figure.inner_text()
            assert "make bench" in figure.inner_text(), name
            continue
        figure.locator(".chart[data-drawn]").wait_for()
        assert figure.locator(MARKS).count() >= 3, name
        figure.locator("summary").press("Enter")
        figure.locator("tbody tr").first.wait_for()  # it is made when the browser says that it is open
        assert figure.locator("tbody tr").count() == len(drawn[name]), name


def test_what_changed_leads_to_the_releases_and_keeps_kernel_and_machine(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#kernel=mandelbrot&view=changes", wait=".changes")
    for link in page.locator("a[data-page]").all():
        assert link.get_attribute("href") == "releases.html#kernel=mandelbrot&machine=vm"
    assert page.locator("#changes a[data-page]").count() == 1
    page.select_option("#kernel", "philox_pi")
    page.wait_for_selector("#changes a[href*=philox_pi]")


def test_every_cell_of_the_matrix_is_a_number_or_a_reason(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=matrix", wait="#matrix-table")
    cells = page.locator("#matrix-table tbody td")
    assert cells.count() == 3 * 16
    reasons = page.locator(".reasons dt").all_inner_texts()
    for text in cells.all_inner_texts():
        assert re.match(r"[\d.,]+\s(s|ms|µs|ns)", text) or text.partition("\n")[0] in reasons, text


def test_a_number_tells_where_it_comes_from_and_how_to_repeat_it(visit: Visit, stored: Served) -> None:
    page = visit(stored, permissions=["clipboard-read", "clipboard-write"])
    number = page.locator("#ranking tbody:first-of-type .figure").first
    number.hover()
    assert "commit" in page.inner_text("#tip")
    number.click()
    said = page.inner_text("#provenance")
    for word in ("Quartiles", "samples", "Commit", "Machine", "Processor", "Python", "asv run", "philox_pi.Warm.time_call"):
        assert word in said, word
    page.click("#provenance .copy")
    page.wait_for_selector("text=Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#provenance .command code")
    page.keyboard.press("Escape")
    assert not page.locator("#provenance").is_visible()


def test_a_mark_tells_where_it_comes_from_too(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=time")
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    page.locator("#chart-seconds .mark-symbol path").last.click(force=True)
    page.wait_for_selector("#provenance[open]")
    assert "asv run" in page.inner_text("#provenance")


def test_a_number_leads_to_its_history_and_the_history_leads_back(visit: Visit, measured: Served) -> None:
    page = visit(measured, fails="404")  # asv-tachyon asks for every benchmark's curves, and most were not measured
    page.locator("#ranking .figure").first.click()
    page.click("text=its history")
    page.wait_for_selector("text=philox_pi.Warm.time_call", timeout=30_000)
    page.wait_for_selector("canvas")
    page.click("a[data-compilers-page]")
    page.wait_for_selector("#ranking")


def test_steps_of_the_history_are_listed(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=changes", wait=".changes")
    assert "2.00\N{MULTIPLICATION SIGN} faster philox_pi.Warm.time_call(numba, 1000)" in page.inner_text(".changes").replace(
        "\n", " "
    )
    assert page.get_attribute(".changes a", "href") == STEP["link"]


def test_what_had_not_settled_or_was_interpreted_is_marked(visit: Visit, tmp_path: Path) -> None:
    page_data = tmp_path / "site" / "data" / "vm" / "philox_pi.json"
    site = site_of(tmp_path / "site", results(tmp_path / "results"))
    content = json.loads(page_data.read_text())
    ranking = next(ranking for ranking in content["rankings"] if ranking["size"] == 1000)
    ranking["entries"][0]["settled"] = False
    ranking["entries"][1].update(rank=None, interpreted=True, reason="an interpreter stands in for it")
    page_data.write_text(json.dumps(content))
    with served(site) as here:
        page = visit(here, "#size=1000")
        assert "*" in page.locator("#ranking tbody tr").first.inner_text()
        assert "had not settled" in page.inner_text(".notes")
        assert "interpreted" in page.inner_text("#ranking tbody:last-of-type")


# Its state


def test_what_it_shows_is_in_its_address_and_back_and_forward_work(visit: Callable[..., Any], stored: Served) -> None:
    page = visit(stored)
    page.select_option("#kernel", "mandelbrot")
    page.wait_for_selector("caption:has-text('mandelbrot')")
    page.click("[data-sort=backend]")
    page.locator("#chart-seconds [data-backend=c]").click()
    assert "kernel=mandelbrot" in page.url
    assert "hide=c" in page.url
    assert page.get_attribute("th[aria-sort=ascending]", "class") == "backend"
    again = visit(stored, page.url.removeprefix(stored.address))
    again.wait_for_selector("caption:has-text('mandelbrot')")
    assert again.inner_text("#ranking") == page.inner_text("#ranking")
    assert again.get_attribute("#chart-seconds [data-backend=c]", "aria-pressed") == "false"
    for _ in range(3):
        page.go_back()
    page.wait_for_selector("caption:has-text('philox_pi')")
    assert page.get_attribute("#chart-seconds [data-backend=c]", "aria-pressed") == "true"
    page.go_forward()
    page.wait_for_selector("caption:has-text('mandelbrot')")


def test_a_hidden_backend_leaves_every_chart(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=time")
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    before = page.locator("#chart-seconds .mark-symbol path").count()
    page.locator("#chart-seconds [data-backend=numba]").click()
    page.wait_for_function(f"document.querySelectorAll('#chart-seconds .mark-symbol path').length < {before}")
    assert page.get_attribute("#chart-tradeoff [data-backend=numba]", "aria-pressed") == "false"
    assert page.evaluate("document.activeElement.dataset.backend") == "numba", "the keyboard lost its place"


def test_an_address_of_what_there_is_not_shows_the_nearest_and_says_so(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#kernel=no_such&size=7&figure=%ff&hide=%")
    assert "no results for kernel no_such" in page.inner_text("#message")
    assert "philox_pi" in page.inner_text("#ranking caption")


# Who reaches it


def test_the_keyboard_reaches_every_control_and_each_shows_its_focus(visit: Visit, stored: Served) -> None:
    page = visit(stored)
    reached = walked(page)
    names = {name for name, _ in reached}
    assert {"skip", "kernel", "sort", "figure", "region", "history"} <= names
    assert any(name.startswith("size-") for name in names)
    assert [focused for focused in reached if focused[1] == "none"] == [], "a focus that can't be seen"


def test_keys_work_the_controls(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#size=1000")
    page.focus("#size-1000")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("caption:has-text('10,000 points')")
    assert page.evaluate("document.activeElement.id") == "size-10000"
    page.focus("#ranking .figure")
    assert page.is_visible("#tip")
    page.keyboard.press("Enter")
    page.wait_for_selector("#provenance[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#provenance", state="hidden")
    assert page.evaluate("document.activeElement.className") == "figure"
    page.focus("[data-sort=seconds]")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('th').ariaSort") == "descending"
    page.focus("#chart-seconds [data-backend]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator("#chart-seconds [aria-pressed=false]").count() == 1
    page.focus("#kernel")
    page.keyboard.press("Home")
    page.wait_for_selector("caption:has-text('dense_relu')")


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(visit: Visit, stored: Served, look: str, pictures: Path) -> None:
    page = visit(stored, **LOOKS[look])
    draw_all(page)
    page.screenshot(path=pictures / f"{look}.png", full_page=True)
    page.locator("#table-lives summary").click()
    found = violations(page)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#ranking .figure").first.click()
    assert found + violations(page, "#provenance") == []


def test_a_phone_s_screen_scrolls_only_downwards(visit: Visit, stored: Served) -> None:
    page = visit(stored, viewport=NARROW)
    draw_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    page.locator("#ranking .figure").first.click()
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= NARROW["width"]


def test_paper_is_light_has_every_table_and_no_controls(visit: Visit, stored: Served, pictures: Path) -> None:
    page = visit(stored, color_scheme="dark")
    draw_all(page)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not page.is_visible("#controls")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("#rows-seconds tbody tr").count() > 0
    paper = page.pdf(path=pictures / "paper.pdf", format="A4")
    assert paper.startswith(b"%PDF")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    assert "open=" not in page.url, "paper is no wish of the reader's"


# What it asks for


def test_the_first_view_is_light_and_quick(visit: Visit, stored: Served) -> None:
    drawn = []
    for _ in range(3):  # what else runs on this machine can only add
        stored.requests.clear()
        page = visit(stored)
        page.wait_for_load_state("networkidle")
        drawn.append(page.evaluate("tableDrawn - performance.getEntriesByType('navigation')[0].responseEnd") / 1000)
    assert stored.sent < FIRST_VIEW_BYTES, stored.requests
    assert min(drawn) < FIRST_TABLE_SECONDS


def test_files_are_asked_for_when_they_are_looked_at_and_only_once(visit: Visit, stored: Served) -> None:
    stored.requests.clear()
    page = visit(stored, viewport={"width": 1200, "height": 300})
    page.wait_for_load_state("networkidle")
    first = [path for path, _ in stored.requests]
    later = {"charts/vega.js", "data/vm/matrix.json", "data/changes.json", "data/environments.json"}
    assert not later & set(first)
    draw_all(page)
    after = [path for path, _ in stored.requests]
    assert later <= set(after)
    assert "data/vm/dense_relu.json" not in after
    assert len(after) == len(set(after))
    assert stored.strays == [], "an address that leaves the site's sub-path"


# What goes wrong


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.unlink(), "could not be fetched: the server answered 404"),
        (lambda file: file.write_text('{"schema": 99}'), "has schema 99, and this page reads schema 1"),
        (lambda file: file.write_text('{"schema": 1, "rows": ['), "is not JSON"),
    ],
    ids=["missing", "of another schema", "cut off"],
)
def test_a_file_that_cannot_be_read_costs_its_own_section(
    visit: Visit, tmp_path: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    site = site_of(tmp_path / "site", results(tmp_path / "results"))
    spoil(site / "data" / "vm" / "philox_pi.json")
    spoil(site / "data" / "changes.json")
    with served(site) as here:
        page = visit(here, fails="404", wait="#answer .notice")
        assert said in page.inner_text("#answer .notice")
        page.locator("#changes").scroll_into_view_if_needed()
        page.wait_for_selector("#changes .notice")
        page.locator("#matrix").scroll_into_view_if_needed()
        page.wait_for_selector("#matrix-table")
        page.select_option("#kernel", "mandelbrot")
        page.wait_for_selector("#ranking")


def test_hostile_names_are_text(visit: Visit, tmp_path: Path) -> None:
    def poison(result: dict[str, Any]) -> None:
        result["params"]["machine"] = result["env_name"] = result["python"] = HOSTILE
        result["requirements"][HOSTILE] = HOSTILE
        for row in result["results"].values():
            row[1][0] = [repr(HOSTILE) if backend == "'numba'" else backend for backend in row[1][0]]
        result["results"][f"{HOSTILE}.Warm.time_call"] = result["results"]["philox_pi.Warm.time_call"]

    step = {
        **STEP,
        "benchmark": HOSTILE,
        "cell": [HOSTILE],
        "machine": HOSTILE,
        "to": {**COMMIT, "subject": HOSTILE},
        "link": "javascript:alert(1)",
    }
    site = site_of(tmp_path / "site", results(tmp_path / "results", poison), [step], subject=HOSTILE)
    with served(site) as here:
        page = visit(here, "#size=1000&figure=" + HOSTILE)
        draw_all(page)
        for place in (
            "#ranking",
            "#kernel",
            "#machine",
            "#matrix-table",
            ".changes",
            "#environments",
            "#chart-seconds .legend",
        ):
            assert SHOWN in page.locator(place).text_content(), place
        page.locator("#ranking tr", has_text=SHOWN).locator(".figure").first.click()
        assert page.inner_text("#provenance").count(SHOWN) >= 4
        assert page.locator("img, a[href^=javascript]").count() == 0
        page.keyboard.press("Escape")
        page.select_option("#kernel", HOSTILE)
        page.wait_for_selector("caption:has-text('<img')")


def test_opened_as_a_file_it_says_how_to_serve_it(browser: Any, tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", results(tmp_path / "results"))
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.wait_for_selector("#unserved")
    assert "make preview" in page.inner_text("#unserved")
    assert "python3 -m http.server --directory site" in page.inner_text("#unserved")
    page.close()


@pytest.mark.parametrize("data", [True, False], ids=["no results", "no data"])
def test_a_site_without_results_says_what_to_run(visit: Visit, tmp_path: Path, data: bool) -> None:
    empty = tmp_path / "results"
    empty.mkdir()
    (empty / "benchmarks.json").write_text("{}")
    site = site_of(tmp_path / "site", empty)
    if not data:
        shutil.rmtree(site / "data")
    with served(site) as here:
        page = visit(here, fails="404", wait="#message:not([hidden])")
        assert "make bench" in page.inner_text("#message")
        assert not page.is_visible("#unserved")


def test_results_that_could_not_be_read_are_named(visit: Visit, tmp_path: Path) -> None:
    directory = results(tmp_path / "results")
    (directory / "vm" / "cut-off.json").write_text('{"version": 2, ')
    with served(site_of(tmp_path / "site", directory)) as here:
        assert "cut-off.json" in visit(here).inner_text("#unread")


def test_a_history_of_another_layout_fails_by_name(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html><head></head><body><main></main></body></html>")
    with pytest.raises(pages.LayoutChangedError, match="layout of this asv-tachyon"):
        pages.link_back(tmp_path)
    (tmp_path / "index.html").write_text(f"<html><body>{pages.ROOT}</body></html>")
    with pytest.raises(pages.LayoutChangedError, match="</head>"):
        pages.link_back(tmp_path)


def test_the_way_back_is_put_in_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<html><head></head><body>{pages.ROOT}</body></html>")
    pages.link_back(tmp_path)
    once = (tmp_path / "index.html").read_text()
    pages.link_back(tmp_path)
    assert (tmp_path / "index.html").read_text() == once
    assert once.count('href="../index.html"') == 1


def draw_all(page: Any) -> None:
    """Scroll through the page, so that everything is fetched and drawn."""
    for section in ("time", "error", "tradeoff", "lives", "matrix", "changes", "environments"):
        page.locator(f"#{section}").scroll_into_view_if_needed()
        for figure in page.locator(f"#{section} figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".chart[data-drawn]").wait_for()
    page.wait_for_selector("#matrix-table")
    page.wait_for_selector("#machines")


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures of the page go, to be looked at: JITKERNELS_SCREENSHOTS, or nowhere that stays."""
    directory = Path(os.environ.get("JITKERNELS_SCREENSHOTS") or tmp_path)
    directory.mkdir(parents=True, exist_ok=True)
    return directory
