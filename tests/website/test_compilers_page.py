"""The compilers' page in a real browser: what it shows of stored results, and its state in the address."""

import re
from pathlib import Path
from typing import Any

import pytest
from browsing import MARKS, Visit
from laboratory import Laboratory
from served import Served, edited, served

from jitkernels import charts


def test_the_answer_is_that_of_what_asv_just_measured(visit: Visit, measured: Served, published: Laboratory) -> None:
    page = visit(measured)
    values = published.values(published.git("rev-parse", "HEAD"), "philox_pi.Warm.time_call")
    times = {backend: values[f"'{backend}'", "1000"] for backend in ("python", "numpy", "c")}
    assert page.inner_text(".answer").startswith(f"{min(times, key=times.get)} has the shortest time at 1,000 points: ")
    listed = page.eval_on_selector_all(
        "#ranking tbody:first-of-type th bdi", "names => names.map((name) => name.textContent)"
    )
    assert listed == sorted(times, key=times.get)
    page.locator("#time").scroll_into_view_if_needed()
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    assert page.locator("#chart-seconds .mark-symbol path").count() == len(times)


WITHOUT_BUTTONS = {"speedup", "break_even", "roofline"}  # their tables have ratios and estimates of several figures
SHOWN_OF = {
    "philox_pi": {"seconds", "speedup", "error", "pi", "tradeoff", "lives", "stages", "break_even", "counts"},
    "dense_relu": {"seconds", "speedup", "ahead_of_time", "counts"},
}


@pytest.mark.parametrize("kernel", SHOWN_OF)
def test_every_chart_draws_marks_and_has_its_table_or_says_what_brings_it(visit: Visit, stored: Served, kernel: str) -> None:
    page = visit(stored, f"#kernel={kernel}")
    machine = page.evaluate("fetch('data/index.json').then((answer) => answer.json())")["machines"][0]
    charts_of = "(file) => fetch(file).then((answer) => answer.json()).then((content) => content.charts)"
    all_drawn = {other: page.evaluate(charts_of, file) for other, file in machine["kernels"].items()}
    drawn = all_drawn[kernel]
    assert {name for name, rows in drawn.items() if rows} == SHOWN_OF[kernel]
    for name in charts.ROWS:
        figure = page.locator(f"#chart-{name}")
        figure.scroll_into_view_if_needed()
        if not drawn[name]:
            assert "`" not in figure.inner_text()
            needed = "make bench" if name != "roofline" else "has no roof" if "pi" in kernel else "make ranking"
            assert needed in figure.inner_text(), name
            others = [link.inner_text() for link in figure.locator("a").all()]
            assert others == [other for other in sorted(all_drawn) if all_drawn[other][name]], name
            continue
        figure.locator(".chart[data-drawn]").wait_for()
        assert figure.locator(MARKS).count() >= 3, name
        figure.locator("summary").press("Enter")
        figure.locator("tbody tr").first.wait_for()  # it is made when the browser says that it is open
        assert figure.locator("tbody tr").count() == len(drawn[name]), name
        assert figure.locator("tbody .figure").count() == (0 if name in WITHOUT_BUTTONS else len(drawn[name])), name


def test_an_empty_chart_leads_to_a_kernel_that_has_it(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#kernel=dense_relu")
    page.locator("#chart-stages a", has_text="philox_pi").click()
    page.locator("#chart-stages .chart[data-drawn]").wait_for()
    assert (page.input_value("#kernel"), "view=lives" in page.url) == ("philox_pi", True)


def test_compilers_that_pay_off_are_read_from_a_run_or_are_estimates(modules: Any) -> None:
    def row(backend: str, size: int, calls: int | None, verdict: str = "") -> dict[str, Any]:
        return {"over": "numpy", "size": size, "backend": backend, "calls": calls, "verdict": verdict}

    ranked = {"size": 10, "entries": [{"backend": "numpy", "processes": 5}]}
    few = {"size": 1000, "entries": [{"backend": "numpy", "processes": None}]}
    reading = """([rows, rankings]) => import('./page/compilers/readings.js').then((page) =>
        page.breakEven({ unit: 'points', data: { rankings } }, rows))"""

    def words(*rows: dict[str, Any]) -> str:
        return modules.evaluate(reading, [rows, [few, ranked]]).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")

    slow, estimates = row("jax", 1000, None, "took longer"), " These are estimates from few processes."
    first = "numba pays off first against NumPy, after about 1 call"
    assert words(row("numba", 1000, 1), slow) == (
        f"At 1,000 points, {first}; a warm call of jax took longer than NumPy's.{estimates}"
    )
    both = [row("numba", 10, 0), row("c", 10, 0)]
    paid = "At 10 points, numba and c pay off first against NumPy, with their first call"
    assert words(row("numba", 1000, 1), slow, slow, *both) == f"{paid}."
    assert words(*both, row("jax", 10, None, "never")) == f"{paid}; jax never pays off."
    assert words(row("numba", 10, 12)) == "At 10 points, numba pays off first against NumPy, after 12 calls."


def test_the_shortest_calls_are_named_without_a_reason_that_was_not_measured(modules: Any) -> None:
    rows = [{"backend": name, "size": size, "seconds": size * 1e-6} for name, size in (("c", 100), ("jax", 1000))]
    reading = "(rows) => import('./page/compilers/readings.js').then((page) => page.seconds({ unit: 'rows' }, rows))"
    words = modules.evaluate(reading, rows).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert words == "At 100 rows c has the shortest time, 100 µs. At 1,000 rows jax has the shortest time, 1.00 ms."


def test_a_compiler_is_slower_only_if_its_range_says_so(modules: Any) -> None:
    reading = "(rows) => import('./page/compilers/readings.js').then((page) => page.speedup({ unit: 'rows' }, rows))"

    def words(*rows: tuple[str, float, float | None]) -> str:
        keys = ("backend", "times", "high")
        return modules.evaluate(
            reading, [{"over": "eager", "size": 10, **dict(zip(keys, row, strict=True))} for row in rows]
        )

    assert words(("jax", 2.0, None), ("numba", 0.9, 0.98)).endswith("numba took longer than eager at some size.")
    assert words(("jax", 2.0, None), ("numba", 0.9, 1.1)).endswith("No compiler is known to take longer than eager.")
    assert words(("jax", 2.0, None)).endswith("No compiler took longer than eager at any size measured.")


def test_the_slowest_first_call_is_one_of_the_commonest_size(modules: Any) -> None:
    calls = ("c", 10, 1.0), ("jax", 10, 2.0), ("torch_inductor", 1000, 9.0)
    cold = [{"backend": name, "size": size, "seconds": seconds, "life": "cold"} for name, size, seconds in calls]
    reading = """(rows) => import('./page/compilers/readings.js').then((page) =>
        page.lives({ atSize: (size) => ` at ${size} rows` }, rows))"""
    words = modules.evaluate(reading, cold).replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert words == "jax has the slowest first call at 10 rows, 2.00 s."


def test_what_changed_leads_to_commits_and_releases_and_keeps_kernel_and_machine(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#kernel=mandelbrot&machine=vm&view=changes", wait=".changes")
    for link in page.locator("a[data-page]").all():
        assert link.get_attribute("href") == f"{link.get_attribute('data-page')}#kernel=mandelbrot&machine=vm"
    assert page.locator("#changes a[data-page]").count() == 2
    others = visit(stored, "#kernel=mandelbrot").locator("a[data-page]").all()
    assert not any("machine" in (link.get_attribute("href") or "") for link in others), "the reader chose none"
    page.select_option("#kernel", "philox_pi")
    page.wait_for_selector("#changes a[data-page][href*=philox_pi]")


def test_every_cell_of_the_matrix_is_a_number_or_a_reason(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=matrix", wait="#matrix-table")
    cells = page.locator("#matrix-table tbody td")
    assert cells.count() == 3 * 16
    reasons = page.locator(".reasons dt").all_inner_texts()
    for text in cells.all_inner_texts():
        assert re.match(r"[\d.,]+\s(s|ms|µs|ns)", text) or text.partition("\n")[0] in reasons, text


def test_a_number_tells_where_it_comes_from_and_how_to_repeat_it(visit: Visit, stored: Served) -> None:
    page = visit(stored, permissions=["clipboard-read", "clipboard-write"])
    number = page.locator("#ranking tbody:first-of-type .figure").first
    number.hover()
    assert "commit" in page.inner_text("#tip")
    number.click()
    said = page.inner_text("#provenance")
    for word in ("Quartiles", "samples", "Commit", "Machine", "Processor", "Python", "asv run", "philox_pi.Warm.time_call"):
        assert word in said, word
    page.click("#provenance .copy")
    page.wait_for_selector("text=Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#provenance .command code")
    page.keyboard.press("Escape")
    assert not page.locator("#provenance").is_visible()


def test_a_package_that_is_not_as_required_is_named_with_both_versions(visit: Visit, site_copy: Path) -> None:
    with edited(site_copy / "data" / "vm" / "philox_pi.json") as content:
        for source in content["sources"]:
            source["installed"] = {"numba": {"numpy": "2.4.5", "numba": "0.68.1"}, "jax": {"jax": "0.10.2"}}
            source["mismatches"] = [{"package": "numpy", "asked": "2.4.6", "installed": "2.4.5"}]
    with served(site_copy) as here:
        page = visit(here)
        shown = {}
        for backend in ("numba", "jax"):
            row = page.locator("#ranking tr", has=page.get_by_text(backend, exact=True))
            row.locator(".figure").first.click()
            page.wait_for_selector("#provenance[open]")
            shown[backend] = page.inner_text("#provenance")
            page.keyboard.press("Escape")
            page.wait_for_selector("#provenance", state="hidden")
    assert "numpy: installed 2.4.5, required 2.4.6" in shown["numba"]
    assert "Not as required" not in shown["jax"], "it has no NumPy of its own here"


def test_a_mark_tells_where_it_comes_from_too(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=time")
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    page.locator("#chart-seconds .mark-symbol path").last.click(force=True)
    page.wait_for_selector("#provenance[open]")
    assert "asv run" in page.inner_text("#provenance")


def test_a_count_of_call_patterns_tells_where_it_comes_from(visit: Visit, site_copy: Path) -> None:
    with edited(site_copy / "data" / "vm" / "philox_pi.json") as content:
        row = next(row for row in content["rows"] if "warm_seconds" in row["figures"])
        counted = {**row["figures"]["warm_seconds"], "value": 7, "unit": "programs"}
        content["observations"] = [{**row, "size": None, "figures": {"Caching.track_programs.run.same": counted}}]
        content["charts"]["counts"] = charts.ROWS["counts"]({**content, "rows": []})
    with served(site_copy) as here:
        number = visit(here, "#open=table-counts").locator("#rows-counts tbody .figure")
        assert number.count() == 1
        number.click()
        said = number.page.inner_text("#provenance")
    assert "Caching, track programs, run, same" in said
    assert "asv run" in said


def test_a_number_leads_to_its_history_and_the_history_leads_back(visit: Visit, measured: Served) -> None:
    page = visit(measured, fails="404")  # asv-tachyon asks for every benchmark's curves, and most were not measured
    page.locator("#ranking .figure").first.click()
    page.click("text=its history")
    page.wait_for_selector("text=philox_pi.Warm.time_call")
    page.wait_for_selector("canvas")
    assert "measured hours" in page.inner_text("[data-compilers-page]")
    page.click("[data-compilers-page] >> text=The compilers")
    page.wait_for_selector("#ranking")


def test_steps_of_the_history_are_listed(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=changes", wait=".changes")
    assert "2.00\N{MULTIPLICATION SIGN} faster philox_pi.Warm.time_call(numba, 1000)" in page.inner_text(".changes").replace(
        "\n", " "
    )


def test_a_count_s_step_has_the_count_s_name(modules: Any, step: dict[str, Any]) -> None:
    count = {**step, "figure": "counts.code_bytes", "unit": "of the count's own unit", "before": 5867, "after": 7442}
    text = """(step) => import('./page/compilers/changes.js').then(({ changesView }) => {
        const page = { isOpen: () => false, machineName: String, addressOf: String, commit: String };
        return changesView(page, { changes: [step] })[1].textContent;
    })"""
    assert "5,867 → 7,442 code bytes" in modules.evaluate(text, count)


def test_a_size_that_is_a_number_is_no_amount(modules: Any) -> None:
    counted = "import('./page/parts/format.js').then(({ counted }) => [counted(3, 'number'), counted(1, 'rows')])"
    assert modules.evaluate(counted) == ["the number 3", "1 row"]


def test_a_share_above_the_whole_keeps_its_digits(modules: Any) -> None:
    shares = "import('./page/parts/format.js').then(({ percent }) => [0.5, 0.994, 0.996, 1.031].map(percent))"
    assert [each[:-2] for each in modules.evaluate(shares)] == ["50", "99", "99.6", "103"]


def test_what_had_not_settled_or_was_interpreted_is_marked(visit: Visit, site_copy: Path) -> None:
    with edited(site_copy / "data" / "vm" / "philox_pi.json") as content:
        ranking = next(ranking for ranking in content["rankings"] if ranking["size"] == 1000)
        ranking["entries"][0]["settled"] = False
        ranking["entries"][1].update(rank=None, interpreted=True, reason="an interpreter stands in for it")
    with served(site_copy) as here:
        page = visit(here, "#size=1000")
        assert "*" in page.locator("#ranking tbody tr").first.inner_text()
        assert "had not settled" in page.inner_text(".notes")
        assert "interpreted" in page.inner_text("#ranking tbody:last-of-type")


def test_calls_against_eager_have_no_dash_above_them_where_numpy_was_not_compared(visit: Visit, site_copy: Path) -> None:
    reason = "the run that ranks these backends did not measure five processes of both"
    paid = {"numpy": None, "numpy_reason": reason, "eager": 8, "eager_reason": None}
    with edited(site_copy / "data" / "vm" / "philox_pi.json") as content:
        for ranking in content["rankings"]:
            for entry in ranking["entries"]:
                entry["cold_seconds"], entry["break_even"] = 1.0, paid
    with served(site_copy) as here:
        page = visit(here)
        heads = page.locator("#ranking thead th").all_inner_texts()
        place = [head.startswith("Paid off") for head in heads].index(True)
        row = page.locator("#ranking tbody tr", has=page.get_by_text("jax", exact=True))
        text = row.locator("th, td").nth(place).inner_text()
    assert text.split("\n")[0].startswith("8 against eager")
    assert "\N{EN DASH}" not in text
    assert reason in text, "a screen reader hears why"


def test_what_it_shows_is_in_its_address_and_back_and_forward_work(visit: Visit, stored: Served) -> None:
    page = visit(stored)
    page.select_option("#kernel", "mandelbrot")
    page.wait_for_selector("caption:has-text('mandelbrot')")
    page.click("[data-sort=backend]")
    page.locator("#chart-seconds [data-backend=c]").click()
    assert "kernel=mandelbrot" in page.url
    assert "hide=c" in page.url
    assert page.get_attribute("th[aria-sort=ascending]", "class") == "backend"
    again = visit(stored, page.url.removeprefix(stored.address))
    again.wait_for_selector("caption:has-text('mandelbrot')")
    assert again.inner_text("#ranking") == page.inner_text("#ranking")
    assert again.get_attribute("#chart-seconds [data-backend=c]", "aria-pressed") == "false"
    for _ in range(3):
        page.go_back()
    page.wait_for_selector("caption:has-text('philox_pi')")
    assert page.get_attribute("#chart-seconds [data-backend=c]", "aria-pressed") == "true"
    page.go_forward()
    page.wait_for_selector("caption:has-text('mandelbrot')")


def test_a_hidden_backend_leaves_every_chart(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#view=time")
    page.locator("#chart-seconds .chart[data-drawn]").wait_for()
    before = page.locator("#chart-seconds .mark-symbol path").count()
    page.locator("#chart-seconds [data-backend=numba]").click()
    page.wait_for_function(f"document.querySelectorAll('#chart-seconds .mark-symbol path').length < {before}")
    assert page.get_attribute("#chart-tradeoff [data-backend=numba]", "aria-pressed") == "false"
    assert page.evaluate("document.activeElement.dataset.backend") == "numba", "the keyboard lost its place"


def test_an_address_of_what_there_is_not_shows_the_nearest_and_says_so(visit: Visit, stored: Served) -> None:
    page = visit(stored, "#kernel=no_such&size=7&threads=7&figure=%ff&hide=%")
    message = "There are no results for kernel no_such; philox_pi is shown. There are no results for size 7 and threads 7; "
    assert page.inner_text("#message").startswith(message)
    assert "philox_pi" in page.inner_text("#ranking caption")
