"""The releases' page in a real browser: what it says of a made-up ladder, what it asks of whom, who can reach it how."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import made_ladder
import pytest
from browsing import HOSTILE, LOOKS, MARKS, NARROW, SHOWN, Visit, launched, violations, visiting, walked
from made_ladder import BROKEN, FAILED, MENDED, SPIKE, WORSE
from served import Served, results, served, site_of

from jitkernels import charts
from website import pages

FILE = "releases.html"
FIRST_VIEW_BYTES = 500_000
SECTIONS = ("releases", "kernels", "inside", "beside", "drift")
MANY = 33  # releases: as many as the longest ladder has
OVERLAPS = """(figure) => {
  const seen = (text) => text.textContent.trim() && text.getAttribute("opacity") !== "0";
  const texts = [...figure.querySelectorAll("svg text")].filter(seen);
  const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
  return boxes.flatMap(([one, a], place) => boxes.slice(place + 1)
    .filter(([, b]) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
    .map(([other]) => `${one} | ${other}`));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the stored results of all compilers, without a ladder."""
    directory = tmp_path_factory.mktemp("stored")
    return site_of(directory / "site", results(directory / "results"))


@pytest.fixture(scope="module")
def ladder(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(laddered(stored, tmp_path_factory.mktemp("ladder"))) as site:
        yield site


@pytest.fixture(scope="module")
def long_ladder(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(laddered(stored, tmp_path_factory.mktemp("long"), count=MANY)) as site:
        yield site


def laddered(stored: Path, directory: Path, **options: Any) -> Path:
    """A copy of that site, with a made-up ladder."""
    site = shutil.copytree(stored, directory / "site")
    made_ladder.write(site, **options)
    return site


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    with visiting(browser, "#steps", FILE) as open_page:
        yield open_page


# What it says


def test_the_answer_says_what_the_releases_changed_and_which_could_not_be_measured(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    said = page.inner_text(".answer")
    assert said.startswith("From numba 0.50.0 to 0.59.1, a warm call of philox_pi at 10,000,000 points on numba became 1.")
    assert " slower (1." in said
    lede = page.inner_text(".lede")
    for words in (
        "The same call on numba_parallel became",
        "The first call on numba became",
        "0.53.1 could not be measured",
    ):
        assert words in lede
    assert "24 steps in time of 5\N{NO-BREAK SPACE}% or more, 12 of them with philox_pi" in lede
    assert page.title() == "philox_pi: numba, release by release"


def test_steps_are_listed_newest_first_this_kernel_s_before_the_others(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    own = page.locator("#steps tbody").first.locator("tr")
    assert set(own.locator("td:nth-child(3)").all_inner_texts()) == {"philox_pi"}
    releases = [re.match(r"[\d.]+", text)[0] for text in own.locator("th").all_inner_texts()]
    assert releases == sorted(releases, reverse=True)
    first = own.first.inner_text()
    assert "0.58.0" in first
    assert "\N{DAGGER}" in first, "measured by another commit of this library"
    page.click("text=Show all")
    page.wait_for_function("!document.querySelector('#answer').innerText.includes('Show all')")
    spiked = page.locator("#steps tr", has_text="0.55.0").locator("visible=true")
    assert any("slower" in text and "numba" in text for text in spiked.all_inner_texts())


def test_a_step_leads_to_its_kernel_s_chart_and_to_its_history(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    page.locator("#steps tbody").nth(1).locator("a[data-kernel=mandelbrot]").first.click()
    page.wait_for_selector("#steps caption:has-text('those of mandelbrot')")
    assert "kernel=mandelbrot" in page.url
    assert "view=releases" in page.url
    assert page.evaluate("document.activeElement.id") == "releases-title"
    assert page.locator(f"#steps a[href='{made_ladder.LINK}']").count() > 0


def test_every_chart_draws_marks_and_has_its_table(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    read = "(file) => fetch(file).then((answer) => answer.json())"
    files = [page.evaluate(read, f"data/vm/releases/numba{part}.json") for part in ("", "/0")]
    rows = {**files[0]["charts"], **files[1]["charts"]}
    assert set(rows) == set(charts.LADDER_ROWS)
    for name in charts.LADDER_ROWS:
        figure = page.locator(f"#chart-{name}")
        figure.scroll_into_view_if_needed()
        figure.locator(".chart[data-drawn]").wait_for()
        assert figure.locator(MARKS).count() >= 12, name
        figure.locator("summary").press("Enter")
        figure.locator("tbody tr").first.wait_for()
        assert figure.locator("tbody tr").count() == len(rows[name]), name
        assert "{size}" not in figure.inner_text()


def test_a_release_without_a_number_stands_on_the_axis_and_says_why(visit: Visit, ladder: Served) -> None:
    page = visit(ladder, "#view=releases")
    drawn(page, "releases")
    crosses = page.locator("#chart-releases .mark-text text", has_text="\N{MULTIPLICATION SIGN}").locator("visible=true")
    assert crosses.count() >= 2 * 4, "two releases in each view of warm calls, one in that of cold ones"
    assert page.locator("#chart-releases svg text", has_text="0.53.1").count() == 1
    crosses.first.hover(force=True)
    page.wait_for_selector("#tip:not([hidden])")
    assert any(reason in page.inner_text("#tip") for reason in ("LoweringError", "Could not find a version"))


def test_what_could_not_be_measured_stands_below_with_its_reason(visit: Visit, ladder: Served) -> None:
    page = visit(ladder, "#view=missing")
    said = page.inner_text("#missing .without")
    assert made_ladder.REASON in said
    assert "the whole release: 0.53.1" in said
    assert made_ladder.WHY in said
    assert "numba_parallel, warm call at 10,000,000 points: 0.51.1" in said
    assert "measured without, 3 cases of all kernels: 0.51.1" in said
    assert page.locator("#releases-table tbody tr").count() == 20
    page.locator("#releases-table .figure", has_text="0.53.1").click()
    assert "Could not find a version" in page.inner_text("#provenance")
    assert "make releases COMPILER=numba ONLY=0.53.1" in page.inner_text("#provenance .command")


def test_a_mark_tells_where_it_comes_from_what_was_divided_out_and_how_to_repeat_it(visit: Visit, ladder: Served) -> None:
    page = visit(ladder, "#view=releases")
    drawn(page, "releases")
    page.locator("#chart-releases .mark-symbol path").last.click(force=True)
    page.wait_for_selector("#provenance[open]")
    said = page.inner_text("#provenance")
    for word in ("Release", "As it was measured", "is divided out", "Quartiles", "Commit", "Threads", "llvmlite 0.44.0"):
        assert word in said, word
    assert page.inner_text("#provenance .command code") == made_ladder.COMMAND
    address = page.url
    page.keyboard.press("Escape")
    again = visit(ladder, address.partition(FILE)[2], wait="#provenance[open]")
    assert again.inner_text("#provenance") == said, "its address names it"


def test_drift_is_told_and_said_to_be_divided_out(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    said = page.inner_text("#drift")
    assert "numba 0.59.0 was measured 6 times between the others" in said
    assert "is divided by its ratio to its median then" in said


def test_each_page_leads_to_the_other_and_keeps_kernel_and_machine(visit: Visit, ladder: Served) -> None:
    page = visit(ladder, "#kernel=mandelbrot")
    page.click(".masthead a[data-page]")
    page.wait_for_selector("#ranking caption:has-text('mandelbrot')")
    page.click(".masthead a[data-page]")
    page.wait_for_selector("#steps caption:has-text('those of mandelbrot')")
    assert "machine=vm" in page.url


# Its state


def test_what_it_shows_is_in_its_address_and_back_and_forward_work(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    page.click("#steps [data-sort=factor]")
    page.locator("#chart-releases [data-backend=numba]").click()
    for part in ("kernel=dense_relu", "sort=steps:factor", "hide=numba"):
        assert part in page.url.replace("%3A", ":")
    again = visit(ladder, page.url.partition(FILE)[2])
    again.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    assert again.inner_text("#steps") == page.inner_text("#steps")
    assert again.get_attribute("#chart-releases [data-backend=numba]", "aria-pressed") == "false"
    for _ in range(3):
        page.go_back()
    page.wait_for_selector("#steps caption:has-text('those of philox_pi')")
    page.go_forward()
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")


def test_an_address_of_what_there_is_not_shows_the_nearest_and_says_so(visit: Visit, ladder: Served) -> None:
    page = visit(ladder, "#compiler=no_such&kernel=nor_this&figure=point/%ff&open=%")
    assert "no results for compiler no_such" in page.inner_text("#message")
    assert "no results for kernel nor_this" in page.inner_text("#message")
    assert "philox_pi" in page.inner_text("#steps caption")


# Who reaches it


def test_the_keyboard_reaches_every_control_and_each_shows_its_focus(visit: Visit, ladder: Served) -> None:
    page = visit(ladder)
    reached = walked(page)
    names = {name for name, _ in reached}
    assert {"skip", "compiler", "kernel", "machine", "sort", "figure", "region", "history"} <= names
    assert [focused for focused in reached if focused[1] == "none"] == [], "a focus that can't be seen"
    page.focus("#kernel")
    page.keyboard.press("End")
    page.wait_for_selector("#steps caption:has-text('those of mlp_train')")
    page.focus("#releases-table .figure")
    page.keyboard.press("Enter")
    page.wait_for_selector("#provenance[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#provenance", state="hidden")
    assert page.evaluate("document.activeElement.className") == "figure"


def test_axe_finds_nothing(visit: Visit, ladder: Served, pictures: Path) -> None:
    page = visit(ladder)
    draw_all(page)
    page.screenshot(path=pictures / "releases-light.png", full_page=True)
    page.locator("#table-drift summary").click()
    found = violations(page)
    page.locator("#releases-table .figure").first.click()
    assert found + violations(page, "#provenance") == []


def test_a_phone_s_screen_scrolls_only_downwards_and_no_label_covers_another(
    visit: Visit, long_ladder: Served, pictures: Path
) -> None:
    page = visit(long_ladder, **LOOKS["narrow"])
    draw_all(page)
    page.screenshot(path=pictures / "releases-narrow.png", full_page=True)
    assert violations(page, rules=["scrollable-region-focusable", "target-size"]) == []
    assert overlaps(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    page.locator("#releases-table .figure").first.click()
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= NARROW["width"]


def test_the_measure_of_overlap_can_fail(browser: Any) -> None:
    page = browser.new_page()
    text = '<text x="{}" y="20">label</text>'
    page.set_content(f'<div><svg><g class="mark-text">{text.format(0)}{text.format(5)}{text.format(90)}</g></svg></div>')
    assert page.locator("div").evaluate(OVERLAPS) == ["label | label"]
    page.close()


def test_the_dark_page_has_contrast_and_paper_is_light_has_every_table_and_no_controls(
    visit: Visit, ladder: Served, pictures: Path
) -> None:
    page = visit(ladder, **LOOKS["dark"])
    draw_all(page)
    page.screenshot(path=pictures / "releases-dark.png", full_page=True)
    assert violations(page, rules=["color-contrast"]) == []
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not page.is_visible("#controls")
    assert page.locator("details:not([open])").count() == 0
    assert page.locator("#rows-releases tbody tr").count() > 0
    assert page.pdf(path=pictures / "releases.pdf", format="A4").startswith(b"%PDF")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert "open=" not in page.url, "paper is no wish of the reader's"


# What it asks for


def test_the_first_view_is_light_each_file_is_asked_for_once_and_no_label_covers_another(
    visit: Visit, long_ladder: Served, pictures: Path
) -> None:
    long_ladder.requests.clear()
    page = visit(long_ladder, viewport={"width": 1200, "height": 300})
    page.wait_for_load_state("networkidle")
    assert long_ladder.sent < FIRST_VIEW_BYTES, long_ladder.requests
    first = {path for path, _ in long_ladder.requests}
    assert "charts/drift.json" not in first
    assert {
        path.removeprefix("page/") for path in first if path.endswith(".js") and path.startswith("page/")
    } == pages.needed(pages.PAGES[FILE])
    draw_all(page)
    page.screenshot(path=pictures / f"releases-{MANY}.png", full_page=True)
    assert overlaps(page) == {}
    after = [path for path, _ in long_ladder.requests]
    assert "charts/drift.json" in after
    assert "data/vm/philox_pi.json" not in after, "the compilers' page's"
    assert "data/vm/releases/numba/1.json" not in after, "another kernel's"
    assert len(after) == len(set(after))
    assert long_ladder.strays == [], "an address that leaves the site's sub-path"


# What goes wrong


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.unlink(), "could not be fetched: the server answered 404"),
        (lambda file: file.write_text('{"schema": 99}'), "has schema 99, and this page reads schema 1"),
    ],
    ids=["missing", "of another schema"],
)
def test_a_file_that_cannot_be_read_costs_its_own_sections(
    visit: Visit, stored: Path, tmp_path: Path, spoil: Callable[[Path], Any], said: str
) -> None:
    site = laddered(stored, tmp_path)
    spoil(site / "data" / "vm" / "releases" / "numba" / "0.json")
    with served(site) as here:
        page = visit(here, fails="404", wait="#answer .notice")
        assert said in page.inner_text("#answer .notice")
        page.locator("#kernels").scroll_into_view_if_needed()
        drawn(page, "release_factors")
        page.select_option("#kernel", "mandelbrot")
        page.wait_for_selector("#steps")
        (site / "data" / "vm" / "releases" / "numba.json").unlink()
        page = visit(here, fails="404", wait="#answer .notice")
        assert "could not be fetched" in page.inner_text("#missing .notice")


def test_hostile_names_are_text(visit: Visit, stored: Path, tmp_path: Path) -> None:
    with served(laddered(stored, tmp_path, rename=lambda text: f"{text} {HOSTILE}")) as here:
        page = visit(here, "#figure=" + HOSTILE)
        draw_all(page)
        for place in (".answer", ".lede", "#steps", "#compiler", "#kernel", ".without", "#releases-table", ".legend"):
            assert SHOWN in page.locator(place).first.text_content(), place
        page.locator("#releases-table .figure").first.click()
        assert page.inner_text("#provenance").count(SHOWN) >= 3
        assert page.locator("img, a[href^=javascript]").count() == 0


def test_without_a_ladder_it_says_what_brings_one(visit: Visit, stored: Path) -> None:
    with served(stored) as here:
        page = visit(here, wait="#message:not([hidden])")
        assert "make releases" in page.inner_text("#message")
        assert not page.is_visible("#unserved")
        page.click(".masthead a[data-page]")
        page.wait_for_selector("#ranking")


def test_the_ladder_s_places_are_those_that_the_tests_speak_of() -> None:
    made = made_ladder.Ladder("vm", 20, str)
    named = {place: made.releases[place]["release"] for place in (BROKEN, FAILED, SPIKE, MENDED, WORSE)}
    assert list(named.values()) == ["0.51.1", "0.53.1", "0.55.0", "0.56.0", "0.58.0"]


def overlaps(page: Any) -> dict[str, list[str]]:
    """The pairs of labels that cover each other, by chart."""
    found = {name: page.locator(f"#chart-{name}").evaluate(OVERLAPS) for name in charts.LADDER_ROWS}
    return {name: pairs for name, pairs in found.items() if pairs}


def drawn(page: Any, name: str) -> None:
    page.locator(f"#chart-{name} .chart[data-drawn]").wait_for()


def draw_all(page: Any) -> None:
    """Scroll through the page, so that everything is fetched and drawn."""
    for section in SECTIONS:
        for figure in page.locator(f"#{section} figure").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".chart[data-drawn]").wait_for()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures of the page go, to be looked at: JITKERNELS_SCREENSHOTS, or nowhere that stays."""
    directory = Path(os.environ.get("JITKERNELS_SCREENSHOTS") or tmp_path)
    directory.mkdir(parents=True, exist_ok=True)
    return directory
