"""The releases' page in a real browser: what it shows of a made-up ladder, and its state in the address."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import synthetic_ladder
from browsing import MARKS, Visit, wait_for_chart
from served import Served, edited, served
from synthetic_ladder import BROKEN, FAILED, MENDED, SPIKE, WORSE

from jitkernels import charts

FILE = "releases.html"
HOURS = "measured at different hours"
NOISE = "a difference may be noise, so none is claimed"


def test_the_answer_says_that_seconds_without_duets_are_not_compared_and_what_could_not_be_measured(
    visit_releases: Visit, ladder: Served
) -> None:
    page = visit_releases(ladder)
    call = "A warm call of philox_pi at 10,000,000 points on numba"
    said = page.inner_text(".answer")
    assert said == f"{call} was measured with 19 releases at different hours: such seconds are not compared."
    notes = page.inner_text("#answer .notes")
    assert f"Seconds {HOURS} are not compared, so no time has a step here." in notes
    assert "make release-duets measures releases in turn." in notes
    lede = page.inner_text(".lede")
    assert "0.53.1 could not be measured" in lede
    assert "became" not in lede and "took" not in lede
    assert NOISE in page.inner_text("#chart-release_factors")
    assert page.title() == "philox_pi: numba, release by release"


def test_a_ladder_without_any_step_says_why(visit_releases: Visit, laddered: Callable[[], Path]) -> None:
    site = laddered()
    with edited(site / "data" / "vm" / "releases" / "numba.json") as ladder:
        ladder["steps"] = []
    with served(site) as copy:
        page = visit_releases(copy, wait=".answer")
        assert f"Seconds {HOURS} are not compared" in page.inner_text("#answer")
        assert "became" not in page.inner_text("#answer")
        assert NOISE in page.inner_text("#kernels")


def test_steps_are_listed_newest_first_this_kernel_s_before_the_others(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
    own = page.locator("#steps tbody").first.locator("tr")
    assert set(own.locator("td:nth-child(3)").all_inner_texts()) == {"philox_pi"}
    releases = [re.match(r"[\d.]+", text)[0] for text in own.locator("th").all_inner_texts()]
    assert releases == sorted(releases, reverse=True)
    first = own.first.inner_text()
    assert "0.56.0" in first
    assert "\N{DAGGER}" in first, "measured by another commit of this library"
    page.click("text=Show all")
    page.wait_for_function("!document.querySelector('#answer').innerText.includes('Show all')")
    assert page.locator("#steps tr", has_text="0.52.1").locator("visible=true").count() == 2, "a count of each backend"


def test_a_step_leads_to_its_kernel_s_chart(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
    page.locator("#steps tbody").nth(1).locator("a[data-kernel=mandelbrot]").first.click()
    page.wait_for_selector("#steps caption:has-text('those of mandelbrot')")
    assert "kernel=mandelbrot" in page.url
    assert "view=releases" in page.url
    assert page.evaluate("document.activeElement.id") == "releases-title"


def test_every_chart_draws_marks_and_has_its_table(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
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


def test_a_release_without_a_number_stands_on_the_axis_and_says_why(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder, "#view=releases")
    wait_for_chart(page, "releases")
    crosses = page.locator("#chart-releases .mark-text text", has_text="\N{MULTIPLICATION SIGN}").locator("visible=true")
    assert crosses.count() == 2 * 3 + 1, "two releases in each view of warm calls, one in that of cold ones"
    assert page.locator("#chart-releases svg text", has_text="0.53.1").count() == 1
    crosses.first.hover(force=True)
    page.wait_for_selector("#tip:not([hidden])")
    assert any(reason in page.inner_text("#tip") for reason in ("LoweringError", "Could not find a version"))
    page.locator("#chart-releases .mark-symbol path[stroke]").last.hover(force=True)
    page.wait_for_function("document.querySelector('#tip').innerText.includes('samples: ')")
    assert "not measured" not in page.inner_text("#tip"), "a line without a value is left out"


def test_what_could_not_be_measured_stands_below_with_its_reason(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder, "#view=missing")
    said = page.inner_text("#missing .without")
    assert synthetic_ladder.REASON in said
    assert "the whole release: 0.53.1" in said
    assert synthetic_ladder.WHY in said
    assert "numba_parallel, warm call at 10,000,000 points: 0.51.1" in said
    assert "3 cases of all kernels, measured without the cache: 0.51.1" in said
    assert page.locator("#releases-table tbody tr").count() == 20
    page.locator("#releases-table .figure", has_text="0.53.1").click()
    assert "Could not find a version" in page.inner_text("#provenance")
    assert "make releases COMPILER=numba ONLY=0.53.1" in page.inner_text("#provenance .command")


def test_a_mark_tells_where_it_comes_from_what_was_divided_out_and_how_to_repeat_it(
    visit_releases: Visit, ladder: Served
) -> None:
    page = visit_releases(ladder, "#view=releases")
    wait_for_chart(page, "releases")
    page.locator("#chart-releases .mark-symbol path").last.click(force=True)
    page.wait_for_selector("#provenance[open]")
    said = page.inner_text("#provenance")
    for word in ("Release", "As it was measured", "is divided out", "Quartiles", "Commit", "Threads", "llvmlite 0.44.0"):
        assert word in said, word
    assert page.inner_text("#provenance .command code") == synthetic_ladder.COMMAND
    shown = re.search(
        r"([\d.]+)\s(\w+)\s.*As it was measured\s+([\d.]+)\s(\w+); the machine.s drift, ([\d.]+)", said, re.DOTALL
    )
    assert shown, said
    value, unit, raw, unit_of_raw, drift = shown.groups()
    assert (float(raw) / float(drift), unit_of_raw) == (pytest.approx(float(value), rel=0.01), unit)
    address = page.url
    page.keyboard.press("Escape")
    again = visit_releases(ladder, address.partition(FILE)[2], wait="#provenance[open]")
    assert again.inner_text("#provenance") == said, "its address names it"


def test_drift_is_told_and_said_to_be_divided_out(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
    said = page.inner_text("#drift")
    assert "numba 0.59.0 was measured 6 times between the others" in said
    assert "is divided by this drift" in said


def test_each_page_leads_to_the_other_and_keeps_kernel_and_machine(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder, "#kernel=mandelbrot&machine=vm")
    page.click(".masthead a[data-page='index.html']")
    page.wait_for_selector("#ranking caption:has-text('mandelbrot')")
    page.click(".masthead a[data-page='releases.html']")
    page.wait_for_selector("#steps caption:has-text('those of mandelbrot')")
    assert "machine=vm" in page.url


def test_what_it_shows_is_in_its_address_and_back_and_forward_work(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder)
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    page.click("#steps [data-sort=factor]")
    page.locator("#chart-releases [data-backend=numba]").click()
    for part in ("kernel=dense_relu", "sort=steps:factor", "hide=numba"):
        assert part in page.url.replace("%3A", ":")
    again = visit_releases(ladder, page.url.partition(FILE)[2])
    again.wait_for_selector("#steps caption:has-text('those of dense_relu')")
    assert again.inner_text("#steps") == page.inner_text("#steps")
    assert again.get_attribute("#chart-releases [data-backend=numba]", "aria-pressed") == "false"
    for _ in range(3):
        page.go_back()
    page.wait_for_selector("#steps caption:has-text('those of philox_pi')")
    page.go_forward()
    page.wait_for_selector("#steps caption:has-text('those of dense_relu')")


def test_an_address_of_what_there_is_not_shows_the_nearest_and_says_so(visit_releases: Visit, ladder: Served) -> None:
    page = visit_releases(ladder, "#compiler=no_such&kernel=nor_this&figure=point/%ff&open=%")
    assert "no results for compiler no_such; numba is shown." in page.inner_text("#message")
    assert "no results for kernel nor_this; philox_pi is shown." in page.inner_text("#message")
    assert "philox_pi" in page.inner_text("#steps caption")


def test_a_compiler_that_another_machine_alone_has_is_offered_and_leads_there(
    visit_releases: Visit, laddered: Callable[[], Path]
) -> None:
    site = laddered()
    with edited(site / "data" / "index.json") as index:
        index["releases"].append({**index["releases"][0], "compiler": "jax", "machine": "another"})
    with served(site) as copy:
        page = visit_releases(copy, "#from=0.51.0&to=0.52.0&at=0.51.0")
        options = page.locator("#compiler option").all_inner_texts()
        assert [option.endswith(", on another") for option in options] == [True, False]
        page.select_option("#compiler", "jax")
        page.wait_for_function("document.querySelector('#machine').value === 'another'")
        assert page.input_value("#compiler") == "jax"
        assert not page.locator("#message").is_visible(), "it is what the reader chose"
        assert not re.search(r"\b(from|to|at)=", page.url), "releases of the other compiler"
        page.select_option("#compiler", "numba")
        page.wait_for_function("document.querySelector('#machine').value === 'vm'")


def test_a_chart_without_rows_leads_to_the_machine_that_has_them(
    visit_releases: Visit, laddered: Callable[[], Path]
) -> None:
    site = laddered()
    with edited(site / "data" / "index.json") as index:
        other = {**index["releases"][0], "machine": "another", "duets": -1, "charts": {"release_counts": ["philox_pi"]}}
        index["releases"].append(other)
    with edited(site / "data" / "vm" / "releases" / "numba" / "0.json") as kernel:
        kernel["charts"]["release_counts"] = []
    with served(site) as copy:
        page = visit_releases(copy, "#machine=vm")
        link = page.locator("#chart-release_counts a")
        assert "It is measured on another" in page.inner_text("#chart-release_counts")
        link.click()
        page.wait_for_function("document.querySelector('#machine').value === 'another'")
        assert "kernel=philox_pi&machine=another" in page.url
        assert "compiler=numba" in page.url


def test_the_ladder_s_places_are_those_that_the_tests_speak_of() -> None:
    made = synthetic_ladder.SyntheticLadder("vm", 20, str)
    named = {place: made.releases[place]["release"] for place in (BROKEN, FAILED, SPIKE, MENDED, WORSE)}
    assert list(named.values()) == ["0.51.1", "0.53.1", "0.55.0", "0.56.0", "0.58.0"]
