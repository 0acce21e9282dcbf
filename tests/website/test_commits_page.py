"""The commits' page in a real browser: what it shows of made-up duets, and its state in the address."""

import re
import shutil
from pathlib import Path
from typing import Any

import synthetic_duets
from browsing import (
    HOSTILE,
    MARKS,
    NARROW,
    SHOWN,
    Visit,
    draw_commits_page,
    keep_first_rows,
    overlaps,
    take_picture,
    violations,
    walked,
)
from served import Served, edited, results, served, site_of
from synthetic_duets import EXACT, SECONDS, case, duet, exact, hashes, ratio

from jitkernels import charts
from website import pages

FILE = "commits.html"
NO_CHANGE = "no change of 5\N{NARROW NO-BREAK SPACE}% is known"


def test_the_answer_says_what_changed_and_what_cannot_be_told_apart(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed)
    answer = page.inner_text(".answer")
    assert answer.startswith("Since 00000000, a warm call of philox_pi at 10,000,000 points on c became 5.0")
    assert "faster (4.8" in answer
    lede = page.inner_text(".lede")
    assert "On numba it became 1.1" in lede
    assert f"On numpy, jax, tensorflow_xla and torch_inductor {NO_CHANGE}." in lede
    assert "commits made 2 steps in time and 1 in counts and errors; 2 and 0 of these are in philox_pi" in lede
    assert page.title() == "philox_pi: Python\N{RIGHT SINGLE QUOTATION MARK}s compilers, commit by commit"


def test_a_change_since_another_commit_than_the_headline_s_names_it(
    visit_commits: Visit, committed_site: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(committed_site, tmp_path / "site")
    with edited(site / "data" / "vm" / "commits" / "philox_pi.json") as kernel:
        for series in kernel["series"]:
            if series["backend"] == "numba":
                series["change"]["from"] = "00000005"
    with served(site) as here:
        lede = visit_commits(here).inner_text(".lede")
        assert "Since 00000005, on numba it became 1.1" in lede


def test_steps_are_listed_newest_first_with_commit_factor_interval_and_diff(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed)
    own = page.locator("#steps tbody").first.locator("tr")
    slower, faster = own.all_inner_texts()
    for words in (
        "00000014",
        "Measure",
        "1.12\N{MULTIPLICATION SIGN} slower",
        "1.10 to 1.14",
        "numba",
        "warm call",
        "1,000,000 points",
    ):
        assert words in slower, words
    for words in ("0000000a", "5.00\N{MULTIPLICATION SIGN} faster", "4.90 to 5.10", "3.10", "620"):
        assert words in faster, words
    diff = own.first.locator("th a").get_attribute("href")
    assert diff == f"https://github.com/owner/repo/commit/{hashes(30)[20]}"
    (other,) = page.locator("#steps tbody").nth(1).locator("tr").all_inner_texts()
    assert "2.00\N{MULTIPLICATION SIGN} more" in other
    assert "it can differ from the ratio of the two medians" in page.inner_text("#answer .notes")
    page.locator("#steps a[data-kernel=dense_relu]").click()
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    assert page.evaluate("document.activeElement.id") == "commits-title"


def test_the_chart_draws_bands_lines_and_marks_and_has_its_table(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed)
    draw_commits_page(page)
    figure = page.locator("#chart-by_commit")
    assert figure.locator(".mark-symbol path").count() >= 2 * len(SECONDS) * 30
    assert figure.locator(".mark-area path").count() == 2 * len(SECONDS)
    assert figure.locator(MARKS).count() > 0
    assert "ratio to the anchor 00000000 in a duet" in figure.inner_text()
    assert figure.locator("svg text", has_text="5\N{MULTIPLICATION SIGN}").count() == 1
    figure.locator("summary").press("Enter")
    figure.locator("tbody tr").first.wait_for()
    assert figure.locator("tbody tr").count() == 2 * len(SECONDS) * 30
    page.locator("#chart-by_commit [data-backend=numpy]").click()
    assert "hide=numpy" in page.url
    assert "triton, warm call at 1,000,000 points: 00000001 to 0000001d, 29 commits" in page.inner_text("#missing .without")


def test_a_number_and_a_step_say_where_they_come_from_and_how_to_repeat_them(
    visit_commits: Visit, committed: Served
) -> None:
    page = visit_commits(committed, "#open=table-by_commit", wait="#rows-by_commit")
    page.locator("#rows-by_commit .figure").last.click()
    page.wait_for_selector("#provenance[open]")
    shown = page.inner_text("#provenance")
    words = (
        "95 % interval",
        "3 pairs of processes",
        "Ratio",
        "Duet against",
        "0000000f",
        "Measured",
        "numba 0.68.1",
        "2 cores",
    )
    for word in words:
        assert word in shown, word
    command = page.inner_text("#provenance .command code")
    assert command.startswith(f"make history COMMITS='0000000f {hashes(30)[-1]}' AGAIN=1 BENCH=")
    assert "measures both commits in turn with the anchor of the machine that it runs on" in shown
    again = visit_commits(committed, page.url.partition(FILE)[2], wait="#provenance[open]")
    assert again.inner_text("#provenance") == shown, "its address names it"
    page.keyboard.press("Escape")
    page.locator("#steps .figure").first.click()
    page.wait_for_selector("#provenance[open]")
    shown = page.inner_text("#provenance")
    for word in (
        "1.12\N{MULTIPLICATION SIGN} slower",
        "1.10 to 1.14, 7 pairs of processes",
        "Before",
        "00000013",
        "After",
        "00000014",
    ):
        assert word in shown, word
    again = visit_commits(committed, page.url.partition(FILE)[2], wait="#provenance[open]")
    assert again.inner_text("#provenance") == shown


def test_each_page_leads_to_the_others_and_keeps_kernel_and_machine(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed, "#kernel=dense_relu&machine=vm")
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    assert page.locator(".masthead [aria-current=page]").inner_text() == "Commit by commit"
    assert page.locator("#history").get_attribute("href") == "history/"
    page.click(".masthead a[data-page='index.html']")
    page.wait_for_selector("#ranking")
    assert "kernel=dense_relu&machine=vm" in page.url
    page.click(".masthead a[data-page='commits.html']")
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    page = visit_commits(committed, "#kernel=mandelbrot&machine=other")
    link = page.get_attribute(".masthead a[data-page='index.html']", "href")
    assert link == "index.html#kernel=mandelbrot&machine=other", "what the reader chose, though this page lacks it"


def test_what_it_shows_is_in_its_address_and_back_works(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed)
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    page.click("#steps [data-sort=factor]")
    again = visit_commits(committed, page.url.partition(FILE)[2])
    again.wait_for_selector("#steps [aria-sort=ascending]")
    assert again.inner_text("#steps") == page.inner_text("#steps")
    page.go_back()
    page.go_back()
    page.wait_for_selector("#steps caption:has-text('those of philox_pi')")
    page = visit_commits(committed, "#kernel=no_such&machine=nowhere&figure=step/%ff")
    message = page.inner_text("#message")
    assert message == "There are no results for kernel no_such and machine nowhere; philox_pi and vm are shown."


def test_without_duets_it_says_what_brings_them(visit_commits: Visit, stored: Served) -> None:
    page = visit_commits(stored, wait="#message:not([hidden])")
    assert "make history" in page.inner_text("#message")
    page.click(".masthead a[data-page='index.html']")
    page.wait_for_selector("#ranking")


def test_a_kernel_that_did_not_change_says_so(visit_commits: Visit, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    first, second = hashes(2)
    synthetic_duets.write(stored, [duet(first, second, {case(name, 20, "relu"): ratio(1.001) for name in ("c", "numba")})])
    with served(site_of(tmp_path / "site", stored)) as here:
        page = visit_commits(here, wait=".answer")
        answer = page.inner_text(".answer")
        assert answer.startswith(f"From 00000000 to 00000001, {NO_CHANGE} in a warm call of relu at 20 rows on c")
        assert re.search(r" of the time\) and numba \(\S+ to \S+\)\.$", answer), answer
        assert "No step so far" in page.inner_text("#answer")


def test_a_change_below_five_per_cent_heads_no_page(visit_commits: Visit, tmp_path: Path) -> None:
    stored, (first, second) = results(tmp_path / "results"), hashes(2)
    cells = {case("c", 20, "relu"): ratio(1.03, spread=0.001), case("numba", 20, "relu"): ratio(1.0, spread=0.001)}
    synthetic_duets.write(stored, [duet(first, second, cells)])
    with served(site_of(tmp_path / "site", stored)) as here:
        answer = visit_commits(here, wait=".answer").inner_text(".answer")
        assert answer.startswith(f"From 00000000 to 00000001, {NO_CHANGE} in a warm call of relu at 20 rows on c (1.03")


def test_a_headline_lists_no_more_than_three_backends(visit_commits: Visit, tmp_path: Path) -> None:
    stored, (first, second) = results(tmp_path / "results"), hashes(2)
    cells = {case(name, 20, "relu"): ratio(1.001) for name in ("c", "numba", "jax", "torch_eager")}
    synthetic_duets.write(stored, [duet(first, second, cells)])
    with served(site_of(tmp_path / "site", stored)) as here:
        answer = visit_commits(here, wait=".answer").inner_text(".answer")
        assert re.search(r" on 4 backends; the least certain, \w+, takes \S+ to \S+ of the time\.$", answer), answer


def test_a_kernel_without_a_curve_leads_to_those_that_have_one(visit_commits: Visit, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    first, second = hashes(2)
    synthetic_duets.write(stored, [duet(first, second, {case("c"): ratio(2.0)}), exact(second, {EXACT: 1})])
    with served(site_of(tmp_path / "site", stored)) as here:
        page = visit_commits(here, "#kernel=dense_relu", wait="#chart-by_commit")
        assert "On this machine it is drawn for philox_pi." in page.inner_text("#chart-by_commit")
        page.click("#chart-by_commit a")
        page.wait_for_selector("#chart-by_commit .chart[data-drawn]")


def test_the_first_view_is_light_and_a_file_that_is_missing_costs_its_own_sections(
    visit_commits: Visit, committed_site: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(committed_site, tmp_path / "site")
    with served(site) as here:
        page = visit_commits(here, viewport={"width": 1200, "height": 300})
        page.wait_for_load_state("networkidle")
        assert here.sent < 500_000, here.requests
        asked = [path for path, _ in here.requests]
        assert len(asked) == len(set(asked))
        modules = {path.removeprefix("page/") for path in asked if path.endswith(".js")}
        assert modules == pages.modules_of(pages.PAGES[FILE])
        (site / "data" / "vm" / "commits" / "steps.json").unlink()
        page = visit_commits(here, fails="404", wait="#answer .notice")
        draw_commits_page(page)
        (site / "data" / "vm" / "commits" / "philox_pi.json").write_text("{")
        page = visit_commits(here, fails="404", wait="#commits .notice")
        assert "is not JSON" in page.inner_text("#answer .notice")


def test_hostile_names_are_text(visit_commits: Visit, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    name, (first, second) = case("c").replace("'c'", repr(HOSTILE)), hashes(2)
    more: Any = {"machine": HOSTILE, "processor": HOSTILE, "requirements": {HOSTILE: HOSTILE}, "python": HOSTILE}
    lines = [
        duet(first, second, {name: ratio(2.0)}, role=role, empty={case("c"): HOSTILE}, **more) for role in ("anchor", "step")
    ]
    synthetic_duets.write(stored, lines)
    with served(site_of(tmp_path / "site", stored, subject=HOSTILE, diffs="javascript:alert(1)//")) as here:
        page = visit_commits(here)
        draw_commits_page(page)
        for place in (".answer", "#steps", "#machine", ".without"):
            assert SHOWN in page.locator(place).first.text_content(), place
        page.locator("#steps .figure").first.click()
        assert page.inner_text("#provenance").count(SHOWN) >= 5
        assert page.locator("img, a[href^=javascript]").count() == 0


def test_the_keyboard_reaches_every_control_and_each_shows_its_focus(visit_commits: Visit, committed: Served) -> None:
    page = visit_commits(committed)
    reached = walked(page)
    assert {"skip", "kernel", "machine", "sort", "figure", "region", "history"} <= {name for name, _ in reached}
    assert [focused for focused in reached if focused[1] == "none"] == [], "a focus that can't be seen"
    page.focus("#steps .figure")
    page.keyboard.press("Enter")
    page.wait_for_selector("#provenance[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#provenance", state="hidden")
    assert page.evaluate("document.activeElement.className") == "figure"


def test_axe_finds_nothing_and_a_phone_s_screen_scrolls_only_downwards(
    visit_commits: Visit, committed: Served, pictures: Path
) -> None:
    page = visit_commits(committed, viewport=NARROW)
    draw_commits_page(page)
    take_picture(page, pictures / "commits-narrow.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert overlaps(page, charts.COMMIT_ROWS) == {}
    page.locator("#table-by_commit summary").click()
    keep_first_rows(page, "#rows-by_commit")
    found = violations(page)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#steps .figure").first.click()
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= NARROW["width"]
    assert found + violations(page, "#provenance") == []


def test_the_dark_page_has_contrast_and_paper_is_light_has_the_table_and_no_controls(
    visit_commits: Visit, committed: Served, pictures: Path
) -> None:
    page = visit_commits(committed, color_scheme="dark")
    draw_commits_page(page)
    take_picture(page, pictures / "commits-dark.png", full_page=True)
    assert violations(page, rules=["color-contrast"]) == []
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert not page.is_visible("#controls")
    assert page.locator("#rows-by_commit tbody tr").count() > 0
    assert page.pdf(path=pictures / "commits.pdf", format="A4").startswith(b"%PDF")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert "open=" not in page.url, "paper is no wish of the reader's"
