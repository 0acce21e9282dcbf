"""The ranked table in a real browser: what a run of make ranking tells apart, and with how many threads."""

from collections.abc import Iterator

import pytest
from browsing import Visit, violations
from served import Served, results, served, site_of
from site_files import add_run, processes

OWN = {"jax": processes(0.001), "c": processes(0.002), "numba": processes(0.00201), "torch_inductor": processes(0.004)}
ONE = {**OWN, "jax": processes(0.0021, 0.06)}


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The stored site with a run at a million points. asv has no time of torch_inductor there."""
    directory = tmp_path_factory.mktemp("ranked")
    stored = results(directory / "results")
    add_run(stored / "vm", OWN, {"jax": 2}, size=1_000_000, empty={"triton": "there is no GPU"})
    add_run(stored / "vm", ONE, size=1_000_000, limit=1)
    with served(site_of(directory / "site", stored)) as site:
        yield site


def test_the_sentence_says_what_the_ranking_rests_on(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)  # the size with a run is the one to begin with
    assert page.inner_text(".answer").startswith("jax is fastest at 1,000,000 points: 1.00\N{NARROW NO-BREAK SPACE}ms")
    lede = page.inner_text(".lede")
    assert "5 processes a backend, in rounds over all backends, of commit cccccccc" in lede
    assert "on A processor (AVX2), 2 cores, 2026-11-22." in lede
    assert page.locator("#ranking tbody").first.locator("tr").all_inner_texts()[2].startswith("2=")
    assert "there is no GPU" in page.inner_text(".without")
    assert violations(page, "#answer") == []


def test_threads_stand_beside_every_time(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)
    heads = page.locator("#ranking thead th").all_inner_texts()
    (place,) = (place for place, head in enumerate(heads) if head.startswith("Threads"))
    rows = page.locator("#ranking tbody").first.locator("tr")
    assert [row.locator("td, th").all_inner_texts()[place] for row in rows.all()] == ["2", "1", "1", "1"]


def test_a_switch_compares_one_thread_with_one_and_is_in_the_address(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)
    page.check("#threads-1", force=True)
    page.wait_for_selector("text=with one thread each")
    answer = page.inner_text(".answer")
    assert answer.startswith("c is fastest at 1,000,000 points, with one thread each: 2.00\N{NARROW NO-BREAK SPACE}ms")
    assert "; numba and jax can" in answer
    assert "threads=1" in page.url
    page.go_back()
    page.wait_for_selector("text=jax is fastest")
    page.select_option("#kernel", "mandelbrot")
    page.wait_for_selector("caption:has-text('mandelbrot')")
    assert page.locator("#threads-1").count() == 0, "no run, no switch"


def test_a_time_of_a_run_tells_which_run_and_how_to_repeat_it(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)
    page.locator("#ranking .figure").first.click()
    text = page.inner_text("#provenance")
    for part in (
        "990\N{NARROW NO-BREAK SPACE}µs to 1.01\N{NARROW NO-BREAK SPACE}ms, 5 processes",
        "numpy 2.4.6",
        "2 threads",
        "make ranking KERNEL=philox_pi",
    ):
        assert part in text, part
    again = visit(ranked, page.url.removeprefix(ranked.address), wait="#provenance[open]")
    assert again.inner_text("#provenance h2") == page.inner_text("#provenance h2")


def test_without_a_run_there_are_no_ranks_and_the_page_says_what_brings_them(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#size=1000")
    assert "has the shortest time at 1,000 points" in page.inner_text(".answer")
    assert "make ranking measures five processes of each in turns" in page.inner_text(".lede")
    assert not page.locator("#ranking thead th").first.inner_text().startswith("Rank")
