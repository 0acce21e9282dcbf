"""The dialog of a number, in a real browser: numbers without a file, at another size, and without an interval."""

import re
from pathlib import Path
from typing import Any

from browsing import Visit
from served import Served, results, served, site_of
from site_files import add_run, processes

NOT_FOUND = "There is no such number here, or its file could not be fetched."
OF_ONE = """async () => {
  const { closureView } = await import("./page/releases/closure.js");
  const named = { backend: "c", figure: "warm_seconds", kernel: "k", chain_low: 1, chain_high: 1, low: 1, high: 1 };
  const repeated = [{ ...named, at: "2026-11-01", agrees: true, chain: 1, measured: 1 }];
  const text = () => "";
  const of_page = { isOpen: text, sortOf: text, kernelLink: text, atSize: text, backendName: text };
  const duets = { between_days: 1.04, closures: [], repeated, control_low: null };
  return closureView({ ...of_page, ladder: { duets } }).filter(Boolean).map((node) => node.textContent).join(" ");
}"""


def test_a_number_whose_file_cannot_be_fetched_says_so_and_can_be_chosen_again(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=matrix", wait="#matrix-table", fails="Failed to load")
    page.route("**/dense_relu.json", lambda route: route.abort())
    number = page.locator("#matrix-table tr:has(a[data-kernel=dense_relu]) .figure").first
    number.click()
    page.wait_for_selector("#provenance[open]")
    assert NOT_FOUND in page.inner_text("#provenance")
    page.keyboard.press("Escape")
    page.wait_for_url(lambda address: "figure=" not in address)
    page.unroute("**/dense_relu.json")
    number.click()
    page.wait_for_selector("#provenance >> text=asv run")
    page.evaluate("location.hash += '&sort=ranking:backend'")
    page.wait_for_selector("#ranking [aria-sort=ascending]", state="attached")
    assert page.is_visible("#provenance"), "another part of the address changed"
    assert "figure=" in page.url


def test_a_number_of_a_run_opens_at_its_own_size_and_one_of_another_size_is_not_found(visit: Visit, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    for size, began in ((1_000, "2026-11-21T10:00:00Z"), (10_000, "2026-11-22T10:00:00Z")):
        add_run(stored / "vm", {"c": processes(0.001), "jax": processes(0.002)}, size=size, began=began)
    with served(site_of(tmp_path / "site", stored)) as site:
        page = visit(site, "#figure=run/c/1000", wait="#provenance[open]")
        assert "philox_pi at 1,000 points" in page.inner_text("#provenance h2")
        assert "10,000 points" in page.inner_text("#ranking caption")
        page = visit(site, "#figure=run/c/7", wait="#provenance[open]")
        assert NOT_FOUND in page.inner_text("#provenance")


def test_the_newest_release_has_a_ratio_of_one_without_an_interval_and_each_has_its_pairs(visit_duets: Visit) -> None:
    name = "#figure=point/philox_pi/numba/1000000/warm_seconds/"
    newest, older = (visit_duets(f"{name}{each}", wait="#provenance[open]") for each in ("0.64.0", "0.61.0"))
    assert "1: it is the newest release with a number" in newest.inner_text("#provenance")
    assert "95 % interval" not in newest.inner_text("#provenance")
    assert "95 % interval" in older.inner_text("#provenance")
    for page in (newest, older):
        assert re.search(r"Its duet\n\d+ pairs of processes", page.inner_text("#provenance"))


def test_a_chart_s_table_has_only_columns_with_values(visit_duets: Visit, visit_releases: Visit, ladder: Served) -> None:
    heads = "#rows-releases thead"
    of_duets = visit_duets("#open=table-releases", wait=heads).inner_text(heads)
    of_asv = visit_releases(ladder, "#open=table-releases", wait=heads).inner_text(heads)
    assert "from" in of_duets.split()
    for name in ("samples", "settled"):
        assert (name in of_duets, name in of_asv) == (False, True), name


def test_one_repeated_ratio_is_no_plural(modules: Any) -> None:
    words = modules.evaluate(OF_ONE)
    assert "1 ratio of 2026-11-01 was measured again later." in words
    assert "In 1 of 1 case both agree" in words
    assert "No releases further apart were measured" in words and "To check it" not in words
