"""The gate's section of the compilers' page: how often the gate is wrong."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gate_summaries
import pytest
from browsing import HOSTILE, LOOKS, RULES, SHOWN, Visit, violations
from gate_summaries import summary
from served import Served, results, served, site_of


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("calibrated")
    gate_summaries.write(
        results(directory / "results"),
        summary(),
        summary(processor=HOSTILE, machine=HOSTILE, whole=False, kernels=["relu/jax", "nbody"]),
    )
    with served(site_of(directory / "site", directory / "results", [])) as site:
        yield site


def opened(visit: Visit, site: Served, **options: Any) -> Any:
    page = visit(site, "#view=gate", **options)
    page.locator("#gate-rates-0").wait_for()
    return page


def test_the_rates_are_said_and_tabled(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    told = page.inner_text("#gate")
    assert "The gate judged two builds of the same code 20 times on " in told
    assert "2026-01-01 to 2026-01-02, commit cccccccc. In all but 5 of these verdicts a few benchmarks had a fault" in told
    assert "False alarms: in 0 verdicts. A verdict judged 103 benchmarks" in told
    assert "(of all kernels) in 10.5 minutes (median), at most" in told
    assert "judged at most 103 benchmarks in" in told and "one of these: relu/jax and nbody." in told
    rows = page.eval_on_selector_all("#gate-rates-0 tbody tr", "rows => rows.map((row) => row.innerText.split('\\t'))")
    assert rows[0] == ["nothing: false alarms", "the verdict", "0", "20", "0 % (0 % to 16.8 %)"]
    assert rows[3] == ["a warm call slower by 5 %", "the verdict", "9", "10", "90.0 % (0 % to 16.8 %)"]
    assert rows[4][0] == "a wrong answer"


def test_the_noise_of_each_benchmark_opens_and_sorts(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    page.click("#gate-noise-0 > summary")
    assert "slower by 5 %: found in 95 % of verdicts for 0 of 1" in page.inner_text("#gate-noise-0 > summary")
    names = "#gate-noise-0-table tbody th"
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('jax', 1)"
    page.click("#gate-noise-0-table [data-sort=spread]")
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('c', 1)"
    page.reload()
    page.locator(names).first.wait_for()
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('c', 1)", "the address keeps it"


def test_what_comes_from_results_is_text(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    assert SHOWN in page.inner_text("#gate")
    assert page.dialogs == []


@pytest.mark.parametrize("look", LOOKS)
def test_it_breaks_no_rule_of_accessibility(visit: Visit, calibrated: Served, look: str) -> None:
    page = opened(visit, calibrated, **LOOKS[look])
    page.click("#gate-noise-0 > summary")
    assert violations(page, "#gate", RULES[look]) == [], "the other sections are as on the page without a calibration"


def test_where_nothing_was_calibrated_it_says_how_to(visit: Visit, tmp_path: Path) -> None:
    with served(site_of(tmp_path / "site", results(tmp_path / "results"), [])) as site:
        page = visit(site, "#view=gate")
        page.locator("#gate code").first.wait_for()
        assert "python -m gate calibrate --runs 20" in page.inner_text("#gate")
