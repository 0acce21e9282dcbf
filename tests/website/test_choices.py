"""What a reader chose stays chosen: size, threads, kernel, machine and the order of a table, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Visit
from served import Served, results, served, site_of
from site_files import add_run, processes

TIMES = {"jax": processes(0.002), "c": processes(0.003)}
LINKS_OF = """(steps) => import('./page/compilers/changes.js').then(({ changesView }) => {
  const addressOf = (file, { kernel, machine, compiler } = {}) => [file, kernel, machine, compiler].join(" ");
  const commit = ({ short }) => Object.assign(document.createElement("a"), { href: `#${short}` });
  const page = { isOpen: () => false, machineName: String, addressOf, commit };
  return [...changesView(page, { changes: steps })[1].querySelectorAll("a")].map((link) => link.getAttribute("href"));
})"""


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The stored site with runs at two sizes, and at one of these on another machine."""
    directory = tmp_path_factory.mktemp("chosen")
    stored = results(directory / "results")
    (stored / "other").mkdir()
    for limit in (None, 1):
        for size in (1_000, 1_000_000):
            add_run(stored / "vm", TIMES, {"jax": 1 if limit else 2}, limit=limit, size=size)
        add_run(stored / "vm", TIMES, {"jax": 1 if limit else 2}, limit=limit, kernel="dense_relu", size=100)
        add_run(stored / "other", TIMES, {"jax": 1 if limit else 2}, limit=limit, size=1_000)
    with served(site_of(directory / "site", stored)) as site:
        yield site


def test_another_machine_keeps_the_size_and_a_size_that_it_lacks_is_said(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#machine=vm&size=1000")
    page.select_option("#machine", "other")
    page.wait_for_selector("#ranking:not(:has-text('numba'))")
    assert "size=1000" in page.url
    assert not page.is_visible("#message")
    page = visit(ranked, "#machine=vm&size=1000000")
    page.select_option("#machine", "other")
    page.wait_for_selector("#message:not([hidden])")
    assert page.inner_text("#message") == "There are no results for size 1000000; 1000 is shown."
    page.select_option("#machine", "vm")
    page.wait_for_selector("#message", state="hidden")
    assert "1,000,000 points" in page.inner_text("#ranking caption")


def test_the_message_about_a_size_goes_when_a_reader_chooses_one(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#machine=vm&size=7", wait="#message:not([hidden])")
    page.check("#size-1000", force=True)
    page.wait_for_selector("#message", state="hidden")


def test_a_link_in_all_kernels_keeps_the_choice_of_threads(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#machine=vm&view=matrix", wait="#matrix-table")
    page.check("#threads-1", force=True)
    page.wait_for_selector("#ranking caption:has-text('per warm call with one thread each, fastest first')")
    page.click("#matrix a[data-kernel=dense_relu]")
    page.wait_for_selector("#ranking caption:has-text('dense_relu')")
    assert "threads=1" in page.url
    assert "with one thread each" in page.inner_text("#ranking caption")


def test_a_table_can_be_put_back_into_its_first_order_and_its_caption_says_how_it_is_sorted(
    visit: Visit, stored: Served
) -> None:
    page = visit(stored)
    names = page.locator("#ranking tbody").first.locator("th").all_inner_texts
    first, caption = names(), page.inner_text("#ranking caption")
    for way in ("ascending", "descending"):
        page.click("#ranking [data-sort=backend]")
        page.wait_for_selector(f"#ranking [aria-sort={way}]")
        assert page.inner_text("#ranking caption") == f"{caption} (now sorted by Backend)"
        assert page.inner_text("#announcement") == f"Sorted by Backend, {way}."
    page.click("#ranking [data-sort=backend]")
    page.wait_for_selector("#ranking:not(:has([aria-sort=ascending], [aria-sort=descending]))")
    assert (names(), page.inner_text("#ranking caption")) == (first, caption)
    assert "sort=" not in page.url


def test_a_step_leads_to_the_curve_and_to_the_commit(modules: Any, step: dict[str, Any]) -> None:
    end = {"compiler": "numba", "release": "0.61.0", "date": None}
    links = modules.evaluate(LINKS_OF, [step, {**step, "kind": "release", "from": end, "to": end}])
    assert links == ["commits.html philox_pi vm ", "#cccccccc", "releases.html philox_pi vm numba"]


def test_each_page_has_a_link_to_its_data(
    visit: Visit, visit_commits: Visit, visit_releases: Visit, committed: Served, ladder: Served
) -> None:
    pages = visit(ladder, "#kernel=dense_relu"), visit_commits(committed), visit_releases(ladder)
    links = [page.get_attribute("#data-file", "href") for page in pages]
    assert links == ["data/vm/dense_relu.json", "data/vm/commits/philox_pi.json", "data/vm/releases/numba.json"]
