"""The published history in a real browser, without a network."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import PATIENCE
from served import Served

SCROLLED_TO = """(text) => {
  for (const node of document.querySelectorAll("*")) if (node.scrollHeight > node.clientHeight) node.scrollTop += 200;
  return document.body.innerText.includes(text);
}"""  # tiles come with scrolling, some at a time


@pytest.fixture(scope="module")
def page(measured: Served, browser: Any) -> Iterator[Any]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.problems, page.elsewhere = [], []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: request.url.startswith(measured.address) or page.elsewhere.append(request.url))
    page.goto(f"{measured.address}history/")
    page.wait_for_selector("text=Warm.time_call")
    page.wait_for_function(SCROLLED_TO, arg="philox_pi.Warm.time_call", polling=100)
    yield page
    page.close()


def test_every_benchmark_that_has_results_is_listed_and_no_other(page: Any, measured: Served) -> None:
    text, results = page.inner_text("body"), page.request.get(f"{measured.address}history/index.json").json()["benchmarks"]
    assert {"philox_pi.Warm.time_call", "philox_pi.Accuracy.track_hits"} < set(results)
    assert [name for name in results if name not in text] == []
    assert "Cold.time_first_call" not in text


def test_a_benchmark_s_page_shows_its_curves(page: Any) -> None:
    page.click("text=philox_pi.Warm.time_call")
    page.wait_for_selector("text=backend='numpy', points=1000")
    page.wait_for_selector("canvas")


def test_nothing_is_asked_of_another_host_and_nothing_raises(page: Any) -> None:
    assert page.elsewhere == []
    assert page.problems == []
