"""What a page shows while a file is on its way, and that a file that failed is fetched again, in a real browser."""

from typing import Any

import pytest
from browsing import Visit
from served import Served

WATCH_SCROLLS = "Element.prototype.scrollIntoView = function () { (window.went ??= []).push(this.id); }"


def hold(page: Any, pattern: str) -> list[Any]:
    """Keep each request of the pattern waiting, and return a list to which they are added."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))
    return held


def test_old_numbers_do_not_stand_under_a_new_kernel_s_name(visit: Visit, stored: Served) -> None:
    page = visit(stored)
    held = hold(page, "**/dense_relu.json")
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("main[aria-busy=true]")
    page.check("#size-1000", force=True)
    assert "size=1000" in page.url
    assert "philox_pi" in page.inner_text("#ranking caption")
    page.locator("#ranking .figure").first.click()
    assert not page.is_visible("#provenance"), "its facts would be of the other kernel"
    assert "figure=" not in page.url
    held[0].continue_()
    page.wait_for_selector("main[aria-busy=false]")
    assert not page.is_visible("#provenance")
    assert "dense_relu" in page.inner_text("#ranking caption")


def test_a_slow_file_does_not_pull_a_reader_back_to_an_older_section(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=matrix", wait="#matrix-table")
    held = hold(page, "**/dense_relu.json")
    page.evaluate(WATCH_SCROLLS)
    page.click("#matrix a[data-kernel=dense_relu]")
    page.click("#sections a[data-view=environments]")
    held[0].continue_()
    page.wait_for_selector("#ranking caption:has-text('dense_relu')")
    went = [section for section in page.evaluate("window.went") if section]  # Playwright scrolls to what it clicks
    assert (went[0], went[-1]) == ("answer", "environments")


@pytest.mark.parametrize(
    ("answer", "said"), [({"status": 502}, "answered 502"), ({"body": '{"schema":'}, "is not JSON, or broke off")]
)
def test_a_file_that_failed_is_fetched_again(visit: Visit, stored: Served, answer: dict[str, Any], said: str) -> None:
    page = visit(stored, fails="502")
    page.route("**/mandelbrot.json", lambda route: route.fulfill(**answer))
    page.select_option("#kernel", "mandelbrot")
    page.wait_for_selector("#answer .notice")
    assert said in page.inner_text("#answer .notice")
    page.unroute("**/mandelbrot.json")
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("#ranking caption:has-text('dense_relu')")
    page.select_option("#kernel", "mandelbrot")
    page.wait_for_selector("#ranking caption:has-text('mandelbrot')")
