"""The ranked table in a real browser: what a run of make ranking tells apart, and with how many threads."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import OVERLAPS, Visit, assert_did_nothing_forbidden, violations, visiting
from served import Served, results, served, site_of
from site_files import ROOF, add_run, processes
from synthetic import ROOT

OWN = {"jax": processes(0.001), "c": processes(0.002), "numba": processes(0.00201), "torch_inductor": processes(0.004)}
COST = {"flop": 5e4, "bytes": 1e5}
TWICE = {"flop_per_second": 2e9, "bytes_per_second": 2e8}
ROOFS = {"c": {**ROOF, **COST, "seconds": 5e-5}, "jax": {**ROOF, **COST, **TWICE, "by": "bytes", "seconds": 2e-5}}
ONE = {**OWN, "jax": processes(0.0021, 0.06)}

SPACE = "\N{NARROW NO-BREAK SPACE}"
SHARE = 5  # the place of the share of the roof among a row's cells but its head


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The stored site with a run at a million points, and an older one of more backends at ten million. asv has no time of
    torch_inductor at a million."""
    directory = tmp_path_factory.mktemp("ranked")
    stored = results(directory / "results")
    add_run(stored / "vm", OWN, {"jax": 2}, size=1_000_000, empty={"triton": "there is no GPU"})
    add_run(stored / "vm", ONE, size=1_000_000, limit=1)
    older = {"began": "2026-11-21T10:00:00Z", "at": "2026-11-21T10:15:00Z"}
    more = {**OWN, "numpy": processes(0.02), "torch_eager": processes(0.01)}
    add_run(stored / "vm", more, {"torch_eager": 2}, size=10_000_000, **older)
    seconds = {"c": processes(1e-4), "jax": processes(4e-5), "numba": processes(2e-4)}
    add_run(stored / "vm", seconds, {"jax": 2}, roofs=ROOFS, kernel="dense_relu", size=100)
    (stored / "lone").mkdir()  # a machine that asv has measured nothing on
    later = {"began": "2027-11-21T10:00:00Z", "at": "2027-11-21T10:15:00Z"}
    add_run(stored / "lone", OWN, {"jax": 2}, size=1_000_000, commit="d" * 10, **later)
    with served(site_of(directory / "site", stored)) as site:
        yield site


@pytest.fixture(scope="module")
def _page_at_its_default(browser: Any, ranked: Served) -> Iterator[Any]:
    with visiting(browser, "#ranking") as open_page:
        yield open_page(ranked)


@pytest.fixture
def default_view(_page_at_its_default: Any) -> Iterator[Any]:
    """The page as it opens, for tests that only read it."""
    yield _page_at_its_default
    assert_did_nothing_forbidden(_page_at_its_default)


def test_the_sentence_says_what_the_ranking_rests_on(default_view: Any) -> None:
    page = default_view  # the size of the newest run is the one to begin with
    assert page.inner_text(".answer").startswith("jax is fastest at 1,000,000 points: 1.00\N{NARROW NO-BREAK SPACE}ms")
    lede = page.inner_text(".lede")
    assert "5 processes of each backend, in rounds over these 4 backends; commit cccccccc" in lede
    assert "on A processor (AVX2), 2 cores, 2026-11-22." in lede
    assert page.locator("#ranking tbody").first.locator("tr").all_inner_texts()[2].startswith("2=")
    assert "there is no GPU" in page.inner_text(".without")
    assert violations(page, "#answer") == []


def test_labels_of_the_drawing_s_axis_do_not_touch(modules: Any) -> None:
    labels = modules.evaluate("""async () => {
      const { axis, logarithmic } = await import("./page/compilers/strip.js");
      const labels = (...times) => [...axis(logarithmic(times.map((seconds) => ({ seconds }))))[1].querySelectorAll("text")];
      return [[1.5e-4, 2.3e-2], [1e-4, 1e-2], [1e-4, 1e-3]].map((times) => labels(...times).map((each) => each.textContent));
    }""")
    assert labels == [["1 ms"], ["100 µs", "10 ms"], ["100 µs", "1 ms"]]


def test_the_page_opens_on_the_machine_with_most_charts_and_not_on_a_newer_one(default_view: Any) -> None:
    machines = default_view.eval_on_selector_all("#machine option", "options => options.map(({ value }) => value)")
    assert (machines[0], default_view.input_value("#machine")) == ("lone", "vm")


def test_a_shorter_time_of_another_run_stands_beside_the_fastest_of_the_ranked(modules: Any) -> None:
    entry = {"rank": None, "threads": 1, "times_faster_than_numpy": None}
    first, other = (
        {**entry, "rank": 1, "backend": "jax", "seconds": 2.0},
        {**entry, "backend": "c", "seconds": 1.0, "threads": 2},
    )
    sentence = "(ranking) => import('./page/compilers/sentence.js').then(({ answer }) => answer(ranking, 'rows'))"
    shown = {"size": 100, "run": {}, "entries": [first, other], "quicker": ["c"]}
    words = modules.evaluate(sentence, shown).replace(SPACE, " ")
    assert words == "jax is fastest of the 1 ranked at 100 rows: 2.00 s; in another run c took 1.00 s with 2 threads."
    assert " ranked" not in modules.evaluate(sentence, {**shown, "quicker": []})


def test_the_sentences_name_the_fastest_compiler_what_equals_it_and_what_drifted(modules: Any) -> None:
    times = {"numpy": (1, 2.0, 1.9, 2.6), "numba": (1, 3.0, 2.5, 3.4), "jax": (2, 2.9, 2.8, 3.0), "c": (3, 4.0, 3.9, 4.1)}
    keys = ("rank", "seconds", "low", "high")
    speeds = {"numba": 2.0 / 3.0, "jax": 2.0 / 2.9, "c": 0.5}
    entries = [
        {**dict(zip(keys, each, strict=True)), "backend": name, "times_faster_than_numpy": speeds.get(name), "processes": 5}
        for name, each in times.items()
    ]
    entries[0]["settled"] = False
    sentences = """(entries) => import('./page/compilers/sentence.js').then(({ answer, details }) => {
        const run = { processes: 5, processor: "one", cores: 2, short: "c", subject: "", began: "2026" };
        const ranking = { size: 9, run, entries, quicker: [] };
        const isJit = (backend) => ["numba", "jax"].includes(backend);
        return [answer(ranking, "rows"), ...details(ranking, "rows", isJit)].slice(0, 3).join(" ");
    })"""
    words = modules.evaluate(sentences, entries).replace(SPACE, " ").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    assert words == (
        "numpy is fastest at 9 rows: 2.00 s; numba can't be told apart from it. "
        "Of the just-in-time compilers, jax is fastest: 2.90 s, 1.45 times NumPy's time; numba can't be told apart "
        "from it. "
        "The time of numpy still drifted while it was measured."
    )
    words = modules.evaluate(sentences, [{**entries[1], "seconds": 1.9}, entries[0], *entries[2:]]).replace(SPACE, " ")
    assert words.startswith("numba is fastest at 9 rows: 1.90 s; numpy and jax can"), (
        "no factor of two that are not told apart"
    )


def test_the_sentence_and_the_table_say_that_a_ratio_to_numpy_is_one_of_speeds(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#size=10000000")
    assert "jax is fastest at 10,000,000 points: 1.00 ms, 20.0 times as fast as NumPy." in page.inner_text(
        ".answer"
    ).replace(SPACE, " ")
    heads = page.locator("#ranking thead th").all_inner_texts()
    assert any(head.startswith("\N{MULTIPLICATION SIGN} NumPy\N{RIGHT SINGLE QUOTATION MARK}s speed") for head in heads)


def test_the_sentences_say_the_threads_and_the_fastest_with_one(default_view: Any) -> None:
    assert "1.00 ms with 2 threads" in default_view.inner_text(".answer").replace(SPACE, " ")
    lede = default_view.inner_text(".lede").replace(SPACE, " ")
    assert "With one thread each c is fastest: 2.00 ms; numba and jax can" in lede


def test_a_time_has_its_spread_and_a_first_call_its_size(default_view: Any) -> None:
    rows = default_view.locator("#ranking tbody").first.locator("tr")
    warm, cold = (rows.nth(1).locator("td").nth(place).inner_text().replace(SPACE, " ") for place in (1, 5))
    assert warm.split("\n")[1] == "1.98 to 2.02 ms"
    assert re.search(r"^\d\S* (ms to \S+ s|to \S+ m?s)$", cold.split("\n")[1]), cold
    (head,) = (text for text in default_view.locator("#ranking thead th").all_inner_texts() if text.startswith("First call"))
    assert "1,000 points" in head
    assert "warm calls: commit cccccccc" in default_view.inner_text(".notes")


def test_a_machine_with_a_run_alone_has_its_ranks_and_says_why_the_rest_is_empty(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#kernel=philox_pi&machine=lone&view=environments")
    assert page.inner_text(".answer").startswith("jax is fastest at 1,000,000 points")
    assert "commit dddddddd, which is not in this repository, on A processor" in page.inner_text(".lede")
    page.wait_for_selector("#environments .view >> text=lone: no results of asv are stored")
    assert "none are stored of this kernel on this machine" in page.inner_text("#chart-seconds")
    hidden = ["error", "tradeoff", "lives"]
    assert [page.is_visible(f"section#{view}") for view in hidden] == [False] * 3
    assert [page.is_visible(f"#sections a[data-view={view}]") for view in hidden] == [False] * 3
    page.locator("#chart-seconds a").first.click()
    page.wait_for_selector("section#lives", state="visible")
    assert page.is_visible("#sections a[data-view=lives]")
    page.go_back()
    page.wait_for_selector("section#lives", state="hidden")
    page.evaluate("Element.prototype.scrollIntoView = function () { window.went = this.id; }")
    page.evaluate("""async () => {
      location.hash = location.hash.replace("view=environments", "view=lives");
      while (window.went !== "time") await new Promise((resolve) => setTimeout(resolve, 20));
    }""")
    page.locator("#ranking .figure").first.click()
    page.wait_for_selector("#provenance >> text=is not in this repository")
    assert page.inner_text("#provenance .command code") == "make ranking KERNEL=philox_pi"


def test_the_matrix_has_the_times_and_the_first_ranks_of_the_run(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#view=matrix", wait="#matrix-table")
    row = "#matrix-table tr:has(a[data-kernel={}])"
    pi, layer, other = (page.locator(row.format(name)) for name in ("philox_pi", "dense_relu", "mandelbrot"))
    assert [cell.inner_text().replace(SPACE, " ") for cell in layer.locator(".best").all()] == ["40.0 µs"]
    assert "python, c, numba and an interpreted triton use one thread" in page.inner_text("#matrix")
    assert "no run" in other.locator("th").inner_text()
    assert "no run" not in layer.locator("th").inner_text()
    assert "other run" in pi.inner_text() + layer.inner_text()
    layer.locator(".best button").click()
    page.wait_for_selector("#provenance >> text=5 processes")  # once the kernel's file is there


def test_a_row_of_the_matrix_has_its_run_s_size_where_more_cells_have_another(modules: Any) -> None:
    cell = {"seconds": 1.0, "interpreted": False, "settled": True, "in_run": False, "rank": None}
    cells = [*[{**cell, "size": 500, "in_run": True, "rank": 1}] * 2, *[{**cell, "size": 1000}] * 3]
    matrix = {"rows": ["philox_pi"], "columns": list("abcde"), "cells": [cells]}
    head = modules.evaluate(
        """(matrix) => import('./page/compilers/matrix.js').then(({ matrixView }) => {
          const text = (name, about, nodes) => document.createTextNode(nodes.join(""));
          const page = { looks: {}, machine: { name: "vm", kernels: {} }, kernelNamed: () => undefined, button: text };
          return matrixView(page, matrix)[1].querySelector("tbody th").textContent;
        })""",
        matrix,
    )
    assert head == "philox_pi500 elements"


def test_threads_stand_beside_every_time(default_view: Any) -> None:
    heads = default_view.locator("#ranking thead th").all_inner_texts()
    (place,) = (place for place, head in enumerate(heads) if head.startswith("Threads"))
    rows = default_view.locator("#ranking tbody").first.locator("tr")
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
        "Variables\nOMP_PROC_BIND true",
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


def test_the_table_has_the_share_of_the_nearer_roof_unless_the_kernel_has_none(
    visit: Visit, ranked: Served, default_view: Any
) -> None:
    page = visit(ranked, "#kernel=dense_relu&size=100")
    page.wait_for_selector("caption:has-text('dense_relu')")
    rows = page.locator("#ranking tbody").first.locator("tr")
    shares = {row.locator("th").inner_text(): row.locator("td").nth(SHARE).inner_text() for row in rows.all()}
    assert shares["jax"].split() == ["50", "%", "bytes"]
    assert shares["c"].split() == ["50", "%", "flop"]
    assert shares["numba"].endswith("its roof was not measured")
    assert re.search(r"\N{EN DASH}: its roof was not measured \(.*numba.*\)\.", page.inner_text(".notes"))
    assert "Share of roof" not in default_view.inner_text("#ranking thead")
    assert "This kernel has no roof: its arithmetic is on integers" in default_view.inner_text(".notes")
    assert "On a CPU JAX computes 524,288 points at least" in default_view.inner_text(".notes")


def test_first_calls_have_columns_where_there_are_any(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)
    columns = page.locator("#ranking thead").inner_text
    assert "First call" in columns()
    assert "Paid off" in columns()
    page.click("#threads-1")
    page.wait_for_function("!document.querySelector('#ranking thead').innerText.includes('First call')")
    assert "Paid off" not in columns()
    assert "First calls were measured with" in page.inner_text(".notes")
    page.select_option("#kernel", "dense_relu")
    page.wait_for_selector("caption:has-text('dense_relu')")
    assert "not stored: jitkernels time dense_relu -n 100 --cold prints them." in page.inner_text(".notes")
    assert "First call" not in columns()


def test_times_without_a_rank_stand_below_the_fastest_first_with_their_reason(visit: Visit, ranked: Served) -> None:
    page = visit(ranked)
    below = page.locator("#ranking tbody").nth(1).locator("th").all_inner_texts()
    notes = page.inner_text(".notes")
    assert f"Without a rank: {', '.join(below[:2])}" in notes
    assert "not measured in the run that ranks the others" in notes
    page.click("#ranking [data-sort=seconds]")
    assert page.locator("#ranking tbody").nth(1).locator("th").all_inner_texts() == below


def test_the_roofline_has_a_mark_for_each_backend_beneath_the_roofs_of_their_threads(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#kernel=dense_relu&size=100&view=time")
    figure = page.locator("#chart-roofline")
    figure.scroll_into_view_if_needed()
    figure.locator(".chart[data-drawn]").wait_for()
    assert figure.locator(".mark-symbol path").count() == 2
    assert figure.locator(".mark-line path").count() == 2
    texts = figure.locator("svg text").all_text_contents()
    assert {"roof of 1 thread", "roof of 2 threads", "100 rows"} <= set(texts)
    assert "jax is nearest to its roof, at 100 rows: 50" in figure.inner_text()
    figure.locator("[data-backend=c]").click()
    page.wait_for_function("document.querySelectorAll('#chart-roofline .mark-symbol path').length === 1")
    assert figure.evaluate(OVERLAPS) == []
    assert violations(page, "#chart-roofline") == []


def test_each_compiler_stands_beside_the_fastest_other_framework(visit: Visit, ranked: Served) -> None:
    page = visit(ranked, "#view=rivals&backend=numba")
    page.wait_for_selector("#rivals-table")
    text = page.inner_text("#rivals")
    assert text.startswith("How far is each compiler from the fastest other framework?")
    assert "numba is faster than every other framework in 0 of 1 rankings, and slower than its rival in 0." in text
    run = "2026-11-22, commit cccccccc, which is not in this repository; Python 3.11.2, numpy 2.4.6, OMP_PROC_BIND true."
    assert page.locator("#rivals li", has_text="vm").inner_text() == f"vm: {run}"
    cell = page.locator("#rivals-table tbody td").first
    assert re.search("1\\.01\N{MULTIPLICATION SIGN} c\\s+0\\.985 to 1\\.03", cell.inner_text())
    assert cell.locator(".unranked").count() == 1, "the processes do not tell the two apart"
    cell.locator(".figure").click()
    page.wait_for_selector("#provenance[open]")
    shown = page.inner_text("#provenance").replace(SPACE, " ")
    for words in ("numba: warm seconds, philox_pi", "2.01 ms", "c: 2.00 ms", "1 thread", "make ranking KERNEL=philox_pi"):
        assert words in shown, words
    page.keyboard.press("Escape")
    page.select_option("#rivals .choices #rivals-backend", "torch_inductor")
    page.wait_for_selector("text=It is farthest behind in philox_pi: 2.00\N{MULTIPLICATION SIGN} the time of c on vm")
    assert "backend=torch_inductor" in page.url
    page.go_back()
    page.wait_for_selector("text=numba is faster")
    page.click("#rivals-table a")
    page.wait_for_selector("text=c is fastest at 1,000,000 points, with one thread each")
    assert violations(page, "#rivals") == []


def test_kernels_on_single_numbers_come_last_and_are_not_where_a_compiler_is_farthest_behind(
    visit: Visit, tmp_path: Path
) -> None:
    stored = results(tmp_path / "results")
    numbers = {"c": processes(1e-6), "jax": processes(1e-3), "numba": processes(2e-6)}
    for limit in (None, 1):
        add_run(stored / "vm", numbers, kernel="side_effect", size=3, limit=limit)
        add_run(stored / "vm", OWN | {"jax": processes(0.006)}, size=1_000_000, limit=limit)
    with served(site_of(tmp_path / "site", stored)) as site:
        page = visit(site, "#view=rivals&backend=jax", wait="#rivals-table")
        text = page.inner_text("#rivals")
        assert "slower than its rival in 2. It is farthest behind in philox_pi: 3.00\N{MULTIPLICATION SIGN}" in text
        assert "Kernels on single numbers time mostly what a call costs." in text
        assert "leaves them out: side_effect." in text
        names = page.locator("#rivals-table tbody a").all_inner_texts
        assert names() == ["philox_pi", "side_effect"]
        page.click("#rivals-table [data-sort=kernel]")
        page.wait_for_selector("#rivals-table [aria-sort=ascending]")
        page.click("#rivals-table [data-sort=kernel]")
        page.wait_for_selector("#rivals-table [aria-sort=descending]")
        assert names() == ["philox_pi", "side_effect"]


def test_the_commit_of_a_run_is_a_link_where_the_repository_has_it(visit: Visit, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    (commit, *_) = re.findall(r'"commit_hash": ?"(\w{40})', next((stored / "vm").glob("c057984e*.json")).read_text())
    some = {**OWN, "torch_eager": processes(0.01)[:3]}
    for limit in (None, 1):
        add_run(stored / "vm", some, limit=limit, commit=commit)
    diffs = "https://github.com/owner/repo/commit/"
    with served(site_of(tmp_path / "site", stored, diffs=diffs)) as site:
        page = visit(site, "#view=rivals", wait="#rivals-table")
        assert page.get_attribute("#rivals li a", "href") == diffs + commit
        assert page.inner_text("#rivals li a") == commit[:8]
        assert page.locator("#threads-1").count() == 0, "each takes one thread"
        assert "3 to 5 processes of each backend" in page.inner_text(".lede")
        assert "torch_eager: fewer than 5 processes could be measured" in page.inner_text(".notes")


def test_a_machine_with_a_gpu_has_neither_threads_nor_a_roof(visit: Visit, tmp_path: Path) -> None:
    stored, name = results(tmp_path / "results"), "nvidia-h100-80gb-hbm3-intel-6-207-2-avx512-16"
    shutil.copytree(ROOT / "results" / name, stored / name)
    with served(site_of(tmp_path / "site", stored)) as site:
        page = visit(site, f"#machine={name}&kernel=mlp_train&view=matrix", wait="#matrix-table")
        assert "NVIDIA H100" in page.inner_text(".lede")
        assert "Threads" not in page.inner_text("#ranking thead")
        assert "hreads" not in page.inner_text(".notes")
        assert "JITKERNELS_DEVICE=gpu jitkernels time mlp_train -n " in page.inner_text(".notes")
        assert "use one thread" not in page.inner_text("#matrix")
        assert page.inner_text("#chart-roofline p").startswith("The roof of a GPU is not measured.")


def test_a_run_of_few_processes_has_times_without_ranks_and_what_it_lacks_is_named(visit: Visit, tmp_path: Path) -> None:
    stored, name = results(tmp_path / "results"), "nvidia-h200-intel-6-207-2-avx512-16"
    add_run(stored / "vm", {"c": [1.0] * 4, "numpy": [2.0] * 4}, size=77, kernel="softmax", began="2026-11-23T23:24:31Z")
    shutil.copytree(ROOT / "results" / name, stored / name)
    with served(site_of(tmp_path / "site", stored)) as site:
        page = visit(site, "#machine=vm&kernel=softmax&size=77&figure=run/c/77", wait="dialog[open]")
        assert page.inner_text("p.answer") == "No backend has a rank at 77 rows."
        assert "Measured: 4 processes of each backend" in page.inner_text(".lede")
        facts = page.inner_text("dialog")
        assert "measures the kernel on all backends, at all sizes" in facts
        assert "Before each timed call an answer was checked" in facts
        page = visit(site, f"#machine={name}&kernel=philox_pi")
        assert page.inner_text("#message") == f"There are no results for philox_pi on machine {name}; vm is shown."
