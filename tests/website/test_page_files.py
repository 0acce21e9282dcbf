"""Both pages in a real browser: which files they fetch, and what they show when a file is missing or hostile."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from browsing import HOSTILE, SHOWN, Visit, draw_compilers_page, draw_releases_page, overlaps, take_picture, wait_for_chart
from served import Served, edited, results, served, site_of

from website import pages

FILE = "releases.html"
FIRST_VIEW_BYTES = 500_000
Laddered = Callable[..., Path]


# The compilers' page


def test_the_first_view_is_light_and_all_its_modules_are_asked_for_at_once(visit: Visit, stored: Served) -> None:
    stored.requests.clear()
    visit(stored).wait_for_load_state("networkidle")
    assert stored.sent < FIRST_VIEW_BYTES, stored.requests
    assert modules(path for path, _ in stored.requests) == pages.modules_of(pages.PAGES["index.html"])


def test_files_are_asked_for_when_they_are_looked_at_and_only_once(visit: Visit, stored: Served) -> None:
    stored.requests.clear()
    page = visit(stored, viewport={"width": 1200, "height": 300})
    page.wait_for_load_state("networkidle")
    first = [path for path, _ in stored.requests]
    later = {"charts/vega.js", "data/vm/matrix.json", "data/changes.json", "data/environments.json"}
    assert not later & set(first)
    draw_compilers_page(page)
    after = [path for path, _ in stored.requests]
    assert later <= set(after)
    assert "data/vm/dense_relu.json" not in after
    assert len(after) == len(set(after))
    assert stored.strays == [], "an address that leaves the site's sub-path"


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
    visit: Visit, site_copy: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    spoil(site_copy / "data" / "vm" / "philox_pi.json")
    spoil(site_copy / "data" / "changes.json")
    with served(site_copy) as here:
        page = visit(here, fails="404", wait="#answer .notice")
        assert said in page.inner_text("#answer .notice")
        page.locator("#changes").scroll_into_view_if_needed()
        page.wait_for_selector("#changes .notice")
        page.locator("#matrix").scroll_into_view_if_needed()
        page.wait_for_selector("#matrix-table")
        page.select_option("#kernel", "mandelbrot")
        page.wait_for_selector("#ranking")


def test_hostile_names_are_text(visit: Visit, step: dict[str, Any], tmp_path: Path) -> None:
    def poison(result: dict[str, Any]) -> None:
        result["params"]["machine"] = result["env_name"] = result["python"] = HOSTILE
        result["requirements"][HOSTILE] = HOSTILE
        for row in result["results"].values():
            row[1][0] = [repr(HOSTILE) if backend == "'numba'" else backend for backend in row[1][0]]
        result["results"][f"{HOSTILE}.Warm.time_call"] = result["results"]["philox_pi.Warm.time_call"]

    hostile = {
        **step,
        "benchmark": HOSTILE,
        "cell": [HOSTILE],
        "machine": HOSTILE,
        "to": {**step["to"], "subject": HOSTILE},
    }
    directory = results(tmp_path / "results", poison)
    with edited(directory / "vm" / "machine.json") as described:
        described["machine"] = HOSTILE
    site = site_of(tmp_path / "site", directory, [hostile], subject=HOSTILE)
    with served(site) as here:
        page = visit(here, "#size=1000&figure=" + HOSTILE)
        page.wait_for_selector("#provenance >> text=Not found")
        page.keyboard.press("Escape")
        page.wait_for_selector("#provenance", state="hidden")
        draw_compilers_page(page)
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


def test_opened_as_a_file_it_says_how_to_serve_it(browser: Any, stored_site: Path) -> None:
    page = browser.new_page()
    page.goto((stored_site / "index.html").as_uri())
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
    with pytest.raises(RuntimeError, match="layout of this asv-tachyon"):
        pages.link_back(tmp_path)
    (tmp_path / "index.html").write_text(f"<html><body>{pages.ROOT}</body></html>")
    with pytest.raises(RuntimeError, match="</head>"):
        pages.link_back(tmp_path)


def test_the_way_back_is_put_in_once(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<html><head></head><body>{pages.ROOT}</body></html>")
    pages.link_back(tmp_path)
    once = (tmp_path / "index.html").read_text()
    pages.link_back(tmp_path)
    assert (tmp_path / "index.html").read_text() == once
    assert once.count('href="../index.html"') == once.count('href="../commits.html"') == 1


# The releases' page


def test_the_first_view_is_light_each_file_is_asked_for_once_and_no_label_covers_another(
    visit_releases: Visit, long_ladder: Served, pictures: Path
) -> None:
    long_ladder.requests.clear()
    page = visit_releases(long_ladder, viewport={"width": 1200, "height": 300})
    page.wait_for_load_state("networkidle")
    assert long_ladder.sent < FIRST_VIEW_BYTES, long_ladder.requests
    first = {path for path, _ in long_ladder.requests}
    assert "charts/drift.json" not in first
    assert modules(first) == pages.modules_of(pages.PAGES[FILE])
    draw_releases_page(page)
    take_picture(page, pictures / "releases-many.png", full_page=True)
    assert overlaps(page) == {}
    after = [path for path, _ in long_ladder.requests]
    assert "charts/drift.json" in after
    assert "data/vm/philox_pi.json" not in after, "the compilers' page's"
    assert "data/vm/releases/numba/1.json" not in after, "another kernel's"
    assert len(after) == len(set(after))
    assert long_ladder.strays == [], "an address that leaves the site's sub-path"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.unlink(), "could not be fetched: the server answered 404"),
        (lambda file: file.write_text('{"schema": 99}'), "has schema 99, and this page reads schema 1"),
    ],
    ids=["missing", "of another schema"],
)
def test_a_file_that_cannot_be_read_costs_its_own_sections(
    visit_releases: Visit, laddered: Laddered, spoil: Callable[[Path], Any], said: str
) -> None:
    site = laddered()
    spoil(site / "data" / "vm" / "releases" / "numba" / "0.json")
    with served(site) as here:
        page = visit_releases(here, fails="404", wait="#answer .notice")
        assert said in page.inner_text("#answer .notice")
        page.locator("#kernels").scroll_into_view_if_needed()
        wait_for_chart(page, "release_factors")
        page.select_option("#kernel", "mandelbrot")
        page.wait_for_selector("#steps")
        (site / "data" / "vm" / "releases" / "numba.json").unlink()
        page = visit_releases(here, fails="404", wait="#answer .notice")
        assert "could not be fetched" in page.inner_text("#missing .notice")


def test_releases_hostile_names_are_text(visit_releases: Visit, laddered: Laddered) -> None:
    with served(laddered(rename=lambda text: f"{text} {HOSTILE}")) as here:
        page = visit_releases(here, "#figure=" + HOSTILE, wait="#provenance >> text=Not found")
        page.keyboard.press("Escape")
        page.wait_for_selector("#provenance", state="hidden")
        draw_releases_page(page)
        for place in (".answer", ".lede", "#steps", "#compiler", "#kernel", ".without", "#releases-table", ".legend"):
            assert SHOWN in page.locator(place).first.text_content(), place
        page.locator("#releases-table .figure").first.click()
        assert page.inner_text("#provenance").count(SHOWN) >= 3
        assert page.locator("img, a[href^=javascript]").count() == 0


def test_without_a_ladder_it_says_what_brings_one(visit_releases: Visit, stored_site: Path) -> None:
    with served(stored_site) as here:
        page = visit_releases(here, wait="#message:not([hidden])")
        assert "make releases" in page.inner_text("#message")
        assert not page.is_visible("#unserved")
        page.click(".masthead a[data-page]")
        page.wait_for_selector("#ranking")


def modules(paths: Iterable[str]) -> set[str]:
    """The scripts of the page among the paths; the page links to all of them, so that none waits for its importer."""
    return {path.removeprefix("page/") for path in paths if path.startswith("page/") and path.endswith(".js")}
