"""Both pages in a real browser: by keyboard, on a phone, in the dark, on paper, and by axe-core's rules."""

from pathlib import Path
from typing import Any

from browsing import (
    COLOURS,
    LOOKS,
    NARROW,
    OVERLAPS,
    Visit,
    draw_compilers_page,
    draw_releases_page,
    keep_first_rows,
    overlaps,
    take_picture,
    violations,
    wait_for_chart,
    walked,
)
from served import Served

GAPS = """(figure) => {
  const shown = (text) => text.textContent.trim() && text.getAttribute("opacity") !== "0";
  const labels = [...figure.querySelectorAll(".role-axis-label text")].filter(shown);
  const boxes = labels.map((text) => text.getBoundingClientRect());
  const after = (one) => boxes.filter((other) => Math.abs(one.top - other.top) < 2 && other.left > one.left);
  return boxes.flatMap((one) => after(one).map((other) => other.left - one.right));
}"""  # pixels between labels of one axis

# The compilers' page


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


def violations_of_all(page: Any, rules: list[str] | None = None) -> list[Any]:
    """Return what axe-core finds in the page with a table open, and in the dialog of a figure."""
    page.locator("#table-lives summary").click()
    found = violations(page, rules=rules)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#ranking .figure").first.click()
    return found + violations(page, "#provenance", rules)


def test_axe_finds_nothing(visit: Visit, stored: Served, pictures: Path) -> None:
    page = visit(stored)
    draw_compilers_page(page)
    take_picture(page, pictures / "light.png", full_page=True)
    assert violations_of_all(page) == []


def test_a_phone_s_screen_scrolls_only_downwards_and_axe_finds_nothing(visit: Visit, stored: Served, pictures: Path) -> None:
    page = visit(stored, **LOOKS["narrow"])
    draw_compilers_page(page)
    take_picture(page, pictures / "narrow.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert violations_of_all(page) == []
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= NARROW["width"]


def test_labels_of_an_axis_keep_apart_on_a_phone(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=lives", viewport={"width": 390, "height": 740})
    wait_for_chart(page, "lives")
    gaps = page.locator("#chart-lives").evaluate(GAPS)
    assert len(gaps) > 1
    assert min(gaps) >= 5


def test_paper_is_light_has_every_table_and_no_controls_and_the_dark_page_has_contrast(
    visit: Visit, stored: Served, pictures: Path
) -> None:
    page = visit(stored, **LOOKS["dark"])
    draw_compilers_page(page)
    take_picture(page, pictures / "dark.png", full_page=True)
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
    page.emulate_media(media="screen")
    assert violations_of_all(page, COLOURS) == []


# The releases' page


def test_releases_the_keyboard_reaches_every_control_and_each_shows_its_focus(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
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


def test_releases_axe_finds_nothing(visit_releases: Visit, ladder: Served, pictures: Path) -> None:
    page = visit_releases(ladder)
    draw_releases_page(page)
    take_picture(page, pictures / "releases-light.png", full_page=True)
    page.locator("#table-drift summary").click()
    keep_first_rows(page, "#rows-drift")
    found = violations(page)
    page.locator("#releases-table .figure").first.click()
    assert found + violations(page, "#provenance") == []


def test_a_phone_s_screen_scrolls_only_downwards_and_no_label_covers_another(
    visit_releases: Visit, long_ladder: Served, pictures: Path
) -> None:
    page = visit_releases(long_ladder, **LOOKS["narrow"])
    draw_releases_page(page)
    take_picture(page, pictures / "releases-narrow.png", full_page=True)
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
    visit_releases: Visit, ladder: Served, pictures: Path
) -> None:
    page = visit_releases(ladder, **LOOKS["dark"])
    draw_releases_page(page)
    take_picture(page, pictures / "releases-dark.png", full_page=True)
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
