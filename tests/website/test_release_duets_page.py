"""The releases' page of compilers that were measured in turn, in a real browser, on made-up duets."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
import synthetic_duets
from browsing import HOSTILE, LOOKS, NARROW, RULES, SHOWN, Visit, take_picture, violations, visiting, wait_for_chart, walked
from served import results, served, site_of
from synthetic_duets import RELEASES

from history.store import release_lines

STEP = "#figure=step/philox_pi/numba/1000000/warm_seconds/0.61.0"
ISSUE = STEP.replace("step", "issue")
AT_A_MILLION = re.compile(r"call\s*at 1,000,000 points")  # the row's own size
ANSWER_OF = """async (backends) => {
  const { answer } = await import("./page/releases/sentence.js");
  const names = ["1", "2", "3", "4", "5"];
  const points = names.map((release, order) => ({ release, order, value: 1 }));
  const step = (to, factor) => ({ from: names[to - 1], to: names[to], factor });
  const steps = [step(1, 1.1), step(2, 1.4), step(3, 0.5), step(4, 1.2)];
  const shared = { figure: "warm_seconds", interpreted: true, in_duets: true, steps };
  const size = (backend) => (backend === "numba" ? 20 : 1);
  const own = (backend, place) => ({ backend, size: size(backend), points: points.slice(place) });
  const series = backends.map((backend, place) => ({ ...shared, ...own(backend, place) }));
  const links = names.slice(1).map((_, from) => ({ from, to: from + 1, ratio: 1, low: 0.99, high: 1.01 }));
  const cases = series.map((one) => ({ ...one, kernel: "relu", links }));
  const releases = points.map((point) => ({ ...point, status: "ok" }));
  return answer({
    ladder: { versions: names, releases, steps: [], duets: { cases, between_days: 1.04, closures: [] } },
    data: { series }, kernel: { name: "relu" }, kernelName: "relu", compiler: "thing",
    atSize: (size) => (size > 1 ? ` at ${size} rows` : ""),
    backends: new Map(["numba", "threads", "aot", "inductor"].map((name) => [name, {}])),
    isJit: () => true, needsThreads: (name) => name === "threads", release: () => undefined,
  });
}"""
EXPLAINED = """async (part) => {
  const { carriedBy } = await import("./page/releases/explanations.js");
  const sources = [{ requirements: { a: "1", b: "1" } }, { requirements: { a: "2", b: "2" } }];
  const page = { ladder: { sources, steps: [] } };
  return carriedBy(page, { duet: { parts: [part], untried: [], before: 0, after: 1 }, factor: 1.4 });
}"""


def test_the_headline_names_the_steps_and_since_when(visit_duets: Visit) -> None:
    page = visit_duets()
    said = page.inner_text(".answer")
    assert said.startswith("A warm call of philox_pi at 1,000,000 points on numba became 2.5")
    assert re.search(
        r"faster with numba 0\.61\.0 \(2025-05-15\) and 1\.3.* slower from 0\.62\.1 to 0\.63\.1 \(2025-07-15\)\.$", said
    )
    assert "From 0.57.0 to 0.64.0 as a whole, it became 1.9" in page.inner_text(".lede")
    assert "8 of 20 releases were measured." in page.inner_text(".lede")
    assert [
        row.split()[0] for row in page.locator("#steps tbody").first.locator("th", has_text="1 skipped").all_inner_texts()
    ] == ["0.63.1"] * 2
    assert re.search(
        r"The first call did not change measurably on numba: 0\.9\d+ to 1\.0\d+ of the time\.", page.inner_text(".lede")
    )


def test_the_headline_is_of_the_last_mode_on_one_core_and_tells_how_many_steps_it_leaves_out(modules: Any) -> None:
    said = modules.evaluate(ANSWER_OF, ["aot", "inductor", "threads"])
    assert said["headline"] == (
        "A warm call of relu on interpreted inductor became 1.40\N{MULTIPLICATION SIGN} slower with thing 3, "
        "2.00\N{MULTIPLICATION SIGN} faster with 4 and 1.20\N{MULTIPLICATION SIGN} slower with 5; "
        "1 smaller step is in the table below."
    )
    assert "on interpreted aot (from 1 to 5) and on interpreted threads (from 3 to 5): 0.957 to" in " ".join(said["lede"])
    other = modules.evaluate(ANSWER_OF, ["threads", "numba"])
    assert other["headline"].startswith("A warm call of relu at 20 rows on interpreted numba became")
    assert "A warm call did not change measurably on interpreted threads" in " ".join(other["lede"])


def test_without_a_step_the_headline_says_what_could_be_hidden_and_nothing_else(visit_duets: Visit) -> None:
    page = visit_duets("#kernel=mandelbrot")
    said = page.inner_text(".answer")
    assert said.startswith("No step was found in a warm call of mandelbrot at 400 points a side on numba, from numba 0.57.0")
    assert said.endswith("A step of less than 5.0\N{NO-BREAK SPACE}% could be hidden.")
    assert "as a whole, it shows no clear difference." in page.inner_text(".lede")
    assert "slower" not in said + page.inner_text(".lede")


def test_a_mode_without_a_step_does_not_hide_another_one_s(browser: Any, tmp_path: Path) -> None:
    stored, lines = results(tmp_path / "results"), synthetic_duets.ladder()
    for line in lines:
        line["cells"][synthetic_duets.case("numba")] |= {"ratio": 1.0, "low": 0.99, "high": 1.01}
    synthetic_duets.write(stored, lines, file=release_lines.DUETS)
    with served(site_of(tmp_path / "site", stored)) as site, visiting(browser, "#steps", "releases.html") as open_page:
        said = open_page(site).inner_text(".answer")
    assert re.search(r"on numba_parallel became 1\.6.* faster with numba 0\.61\.0", said)


def test_a_step_has_the_command_of_its_duet_and_its_part_beside_it(visit_duets: Visit) -> None:
    page = visit_duets()
    rows = page.locator("#steps tbody").first.locator("tr").all_inner_texts()
    assert [re.match(r"[\d.]+", row)[0] for row in rows] == sorted((row[:6] for row in rows), reverse=True)
    assert not any("make release-duets" in row for row in rows), "folded"
    row = page.locator("#steps tr", has_text="2.5").filter(has_text=AT_A_MILLION)
    row.locator("summary").click()
    own = row.inner_text()
    assert "make release-duets COMPILER=numba ONLY=0.60.0,0.61.0 AGAIN=1" in own
    assert "runtime, which FLAGS=off turns off\nCompiled code: vector bits 256, then 512; instructions 982 as before" in own
    other = page.locator("#steps tr", has_text="numba_parallel").filter(has_text=AT_A_MILLION).inner_text()
    assert "not by numpy; llvmlite could not be swapped alone; not tried yet: numba, numba/_helperlib" in other
    for part in (
        {"ratio": 1.0, "low": 0.99, "high": 1.01, "share": 0},
        {"ratio": 2.2, "low": 2.1, "high": 2.3, "share": 2.3},
    ):
        words = page.evaluate(EXPLAINED, {"part": "thunks", "is_switch": True, **part})
        assert words == "can\N{RIGHT SINGLE QUOTATION MARK}t tell for thunks", (
            "the older release may have it in another form"
        )
    small = page.locator("#steps tr", has_text="2.50").filter(has_text="1,000 points").inner_text()
    carried = "\nat 1,000,000 points: runtime, which FLAGS=off turns off; not tried at this size\n"
    assert carried in small, "no part was measured at this size"


def test_a_wide_interval_is_no_proof_that_nothing_changed(browser: Any, tmp_path: Path) -> None:
    stored, lines, beside = results(tmp_path / "results"), synthetic_duets.ladder(), synthetic_duets.explanations()
    for line in lines:
        line["cells"][synthetic_duets.case("numba", 400, "mandelbrot")] |= {"low": 0.8, "high": 1.2}
    beside[0]["cells"][synthetic_duets.case("numba_parallel")] |= {"low": 0.8, "high": 1.2}
    synthetic_duets.write(stored, lines, file=release_lines.DUETS)
    synthetic_duets.write(stored, beside, file=release_lines.STEPS)
    with served(site_of(tmp_path / "site", stored)) as site, visiting(browser, "#steps", "releases.html") as open_page:
        page = open_page(site)
        carried = page.locator("#steps tr", has_text="numba_parallel").filter(has_text=AT_A_MILLION).inner_text()
        assert "can\N{RIGHT SINGLE QUOTATION MARK}t tell for numpy; llvmlite could not be swapped alone" in carried
        wide = page.locator("#pins-table tr", has_text="mandelbrot").inner_text()
        assert "can\N{RIGHT SINGLE QUOTATION MARK}t tell" in wide
        page.select_option("#from", "0.61.0")
        page.select_option("#to", "0.62.1")
        assert "none of 7 times is known to have changed by 5" in page.inner_text("#pins")


def test_a_large_step_without_parts_says_that_they_are_not_examined_and_by_which_command(visit_duets: Visit) -> None:
    page = visit_duets()
    row = page.locator("#steps tr", has_text="0.63.1").first
    assert "not examined yet" in row.inner_text()
    row.locator(".figure").click()
    page.wait_for_selector("#provenance[open]")
    assert "make release-parts COMPILER=numba ONLY=0.62.1,0.63.1" in page.inner_text("#provenance")
    issue = visit_duets(ISSUE.replace("0.61.0", "0.63.1"), wait="#provenance[open]")
    assert "not examined" not in issue.inner_text("pre.text")
    assert "slower from numba 0.62.1 to 0.63.1\n\n" in issue.inner_text("pre.text")
    assert "Releases between the two without a ratio: 0.63.0." in issue.inner_text("pre.text")


def test_the_facts_of_a_step_have_its_ratio_at_other_sizes(visit_duets: Visit) -> None:
    facts = visit_duets(STEP, wait="#provenance[open]").inner_text("#provenance")
    assert re.search(r"At other sizes\s+at 1,000 points: \d\.\d+ \(\d\.\d+ to \d\.\d+\)", facts)
    assert "at 1,000,000 points: " not in facts


def test_an_interval_near_1_is_not_rounded_to_it_and_the_ratio_has_the_direction(modules: Any) -> None:
    words = modules.evaluate("""async () => {
      const { interval, verdict } = await import("./page/frame/verdict.js");
      const step = { factor: 1.03, low: 1.002, high: 1.05, before: 2, after: 1.9, unit: "seconds", direction: "lower" };
      const ends = [{}, { factor: 0.95, low: 0.9, high: 0.999 }, { low: 1.0002, high: 1.06 }];
      const words = [step, { ...step, direction: "any" }].map((each) => verdict(each).textContent);
      return [...ends.map((each) => interval({ ...step, ...each })), ...words];
    }""")
    slower = "1.03\N{MULTIPLICATION SIGN} slower"
    assert words == ["1.002 to 1.05", "1.001 to 1.11", "1.0002 to 1.06", slower, "changed"]


def test_a_part_that_carries_some_of_a_step_comes_before_the_only_package_that_differs(modules: Any) -> None:
    words = modules.evaluate("""async () => {
      const { carriedBy } = await import("./page/releases/explanations.js");
      const page = { ladder: { sources: ["1", "2"].map((numba) => ({ requirements: { numba } })), steps: [] } };
      const part = { part: "runtime", version: "FLAGS=off", is_switch: true, ratio: 1.2, low: 1.1, high: 1.3, share: 0.5 };
      return [[part], []].map((parts) => carriedBy(page, { factor: 1.44, duet: { parts, before: 0, after: 1 } }));
    }""")
    some = "50\N{NARROW NO-BREAK SPACE}% of it runtime, which FLAGS=off turns off"
    assert words == [some, "numba, the only pinned package that differs"]


@pytest.mark.parametrize(
    ("unoptimized", "llvm", "words"),
    [
        ([0, 0], [3, 5], "perhaps LLVM: from the same input it makes other code"),
        ([0, 1], [3, 5], ""),
        ([0, 0], [0, 0], ""),
        (None, [3, 5], ""),
    ],
)
def test_a_step_may_be_llvm_s_if_its_input_is_the_same(
    modules: Any, unoptimized: list[int] | None, llvm: list[int], words: str
) -> None:
    carried = """async (pairs) => {
      const { carriedBy } = await import("./page/releases/explanations.js");
      const sources = ["1", "2"].map((one) => ({ requirements: { jax: one, jaxlib: one } }));
      const page = { ladder: { sources, steps: [] } };
      const stages = Object.entries(pairs).map(([name, [before, after]]) => ({ name, before, after }));
      return carriedBy(page, { factor: 1.44, duet: { parts: [], before: 0, after: 1, artifacts: { stages } } });
    }"""
    pairs = {name: pair for name, pair in {"unoptimized_llvm": unoptimized, "llvm": llvm}.items() if pair}
    assert modules.evaluate(carried, pairs) == words


def test_a_page_opens_with_the_compiler_of_the_most_duets_on_the_machine_of_the_newest_one(modules: Any) -> None:
    preferred = """async (wanted) => {
      const { preferred } = await import("./page/releases/page.js");
      const entry = (machine, compiler, duets, measured) => ({ machine, compiler, duets, measured });
      const entries = [
        entry("old", "jax", 9, "2026-11-01T00:00:00Z"),
        entry("new", "triton", 2, "2026-11-03T00:00:00Z"),
        entry("new", "jax", 7, "2026-11-02T00:00:00Z"),
        entry("b", "c", 0, null),
        entry("old", "torch", 8, "2026-11-01T00:00:00Z"),
        entry("new", "torch", 1, "2026-10-01T00:00:00Z"),
      ];
      return preferred(entries, wanted).map(({ machine, compiler }) => `${machine} ${compiler}`);
    }"""
    assert modules.evaluate(preferred, {})[:3] == ["new jax", "new triton", "old jax"]
    assert modules.evaluate(preferred, {"machine": "old"})[0] == "old jax"
    assert modules.evaluate(preferred, {"compiler": "triton"})[0] == "new triton"
    assert modules.evaluate(preferred, {"compiler": "torch"})[0] == "old torch", "the machine of its own newest duet"


def test_releases_beside_commits_are_compared_in_duets_alone(modules: Any) -> None:
    reading = """async (in_duets) => {
      const { beside } = await import("./page/releases/readings.js");
      const rows = [1, 2].map((seconds) => ({ backend: "c", panel: "A call", seconds, in_duets }));
      return beside({ withUnit: (text) => text }, rows);
    }"""
    assert "measured hours apart" in modules.evaluate(reading, False)
    assert "slowest release takes 2.00" in modules.evaluate(reading, True)


def test_a_step_says_what_was_exchanged_and_what_is_compiled_otherwise(visit_duets: Visit) -> None:
    page = visit_duets()
    page.locator("#steps tr", has_text=AT_A_MILLION).filter(has_text="2.5").locator(".figure").click()
    page.wait_for_selector("#provenance[open]")
    said = page.inner_text("#provenance")
    for words in (
        "7 pairs of processes",
        "numpy 2.1.3: 1.00 (0.964 to 1.04)",
        "llvmlite 0.44.0: numba==0.60.0 depends on llvmlite<0.44",
        "runtime, which FLAGS=off turns off: 0.400",
        "llvm_instructions 643, then 846; widest_vector_bits 256, then 512\n",
        "typed_ir: the same; llvm: 80 lines, then 310",
    ):
        assert words in said, words
    assert "null" not in said
    assert not page.is_visible("#provenance pre")
    page.focus("#provenance summary")
    page.keyboard.press("Enter")
    assert "<8 x i64>\n… and 24,746 characters more" in page.inner_text("#provenance pre")
    address = page.url.partition("#")[2]
    assert visit_duets(f"#{address}", wait="#provenance[open]").inner_text("#provenance h2") in said


def test_a_release_that_only_duets_measured_is_measured(visit_duets: Visit) -> None:
    page = visit_duets()
    page.locator("#releases-table .figure", has_text="0.61.0").click()
    page.wait_for_selector("#provenance[open]")
    assert "measured in duets" in page.inner_text("#provenance")
    assert page.inner_text("#releases-table caption") == "Releases of numba", "duets need no drift"


def test_pins_show_every_kernel_s_change_the_largest_first(visit_duets: Visit) -> None:
    page = visit_duets()
    assert "From numba 0.57.0 to 0.64.0, 5 of 7 times changed by 5" in page.inner_text("#pins")
    page.select_option("#from", "0.59.1")
    page.select_option("#to", "0.62.1")
    assert "from=0.59.1&to=0.62.1" in page.url
    rows = page.locator("#pins-table tbody tr").all_inner_texts()
    assert rows[0].startswith("dense_relu")
    assert "faster" in rows[0]
    assert all("no difference" in row for row in rows[-2:])
    assert {row.split()[-1] for row in rows} == {"3"}, "duets along the chain"
    again = visit_duets(page.url[page.url.index("#") :])
    assert again.locator("#pins-table tbody tr").all_inner_texts() == rows
    page.go_back()
    page.wait_for_function("document.querySelector('#to').value === '0.64.0'")


def test_pins_may_go_back_in_time_and_a_direct_duet_counts(visit_duets: Visit) -> None:
    forth, back = (visit_duets(f"#from={a}&to={b}") for a, b in (("0.60.0", "0.61.0"), ("0.61.0", "0.60.0")))
    first = [page.locator("#pins-table tbody tr").first.inner_text() for page in (forth, back)]
    assert [("faster" in row, "slower" in row) for row in first] == [(True, False), (False, True)]
    numbers = [float(re.search(r"([\d.]+)\N{MULTIPLICATION SIGN}", row)[1]) for row in first]
    assert math.isclose(*numbers)
    assert {row.split()[-1] for row in visit_duets().locator("#pins-table tbody tr").all_inner_texts()} == {"1"}


def test_a_release_that_there_is_not_is_replaced_and_said(visit_duets: Visit) -> None:
    page = visit_duets("#from=9.9")
    assert "no results for release 9.9" in page.inner_text("#message")
    assert page.input_value("#from") == "0.57.0"


def test_how_far_the_chain_is_off_stands_in_the_answer_and_in_its_section(visit_duets: Visit) -> None:
    page = visit_duets()
    checked = "in 7 duets. The chain was checked by 2 duets of releases further apart. The median difference between"
    assert f"{checked} chain and direct duet is 1." in page.inner_text(".lede")
    assert "(the longest duet of each case)." in page.inner_text(".lede")
    assert re.search(r"In 1[0-4] of 14 cases both agree: the interval", page.inner_text("#chain"))
    assert "contains 1. C, which no release changes, had ratios from 0.99" in page.inner_text("#chain")
    assert page.locator("#closure-table tbody tr").count() == 8
    page.click("#chain button:has-text('Show all')")
    page.wait_for_function("document.querySelectorAll('#closure-table tbody tr').length === 14")
    assert page.evaluate("document.activeElement.textContent") == page.inner_text("#chain h2"), "the button is gone"
    text = page.inner_text("#chain")
    assert "Each interval has 4.0\N{NO-BREAK SPACE}% for what differs between days." in text
    assert re.search(r"7 ratios of 2026-11-01 were measured again later\. .* In [0-7] of 7 cases", text)
    assert page.locator("#repeated-table tbody tr").count() == 7


@pytest.mark.parametrize("look", LOOKS)
def test_the_curve_has_its_band_and_axe_finds_nothing(visit_duets: Visit, look: str, pictures: Path) -> None:
    page = visit_duets("#view=releases", **LOOKS[look])
    wait_for_chart(page, "releases")
    assert page.locator("#chart-releases .mark-area path").count() == 5
    assert page.locator("#chart-releases .mark-symbol path").count() >= 5 * len(RELEASES)
    take_picture(page, pictures / f"duets-{look}.png", full_page=True)
    found = violations(page, rules=RULES[look])
    page.evaluate("scrollTo(0, 0)")
    page.locator("#steps .figure").first.click()
    assert found + violations(page, "#provenance", RULES[look]) == []


@pytest.mark.parametrize("id_", ["steps", "pins-table"])
def test_a_phone_s_rows_show_case_and_change_without_scrolling(visit_duets: Visit, id_: str) -> None:
    page = visit_duets(viewport=NARROW)
    row = page.locator(f"#{id_} tbody tr").first
    assert re.search(r"philox_pi\nnumba, warm call at|dense_relu\nnumba, warm call at 100 rows", row.inner_text())
    for word in ("/faster|slower/", "/warm call/"):
        box = row.locator(f"text={word}").locator("visible=true").first.bounding_box()
        assert box["x"] + box["width"] <= NARROW["width"], word
    assert row.bounding_box()["height"] < 110


@pytest.mark.parametrize("address", [STEP, ISSUE])
def test_a_phone_s_screen_scrolls_only_downwards(visit_duets: Visit, address: str) -> None:
    page = visit_duets(address, wait="#provenance[open]", viewport=NARROW)
    for summary in page.locator("#provenance summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth")


def test_the_keyboard_reaches_pins_and_issues(visit_duets: Visit) -> None:
    page = visit_duets()
    reached = walked(page)
    assert {"from", "to", "figure", "sort", "BUTTON"} <= {name for name, _ in reached}
    assert [focused for focused in reached if focused[1] == "none"] == []


def test_paper_has_the_tables(visit_duets: Visit, pictures: Path) -> None:
    page = visit_duets()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.is_visible("#pins-table")
    assert not page.locator("#steps button", has_text="Issue").first.is_visible()
    assert page.is_visible("#steps th:has-text('Explained by') button")
    assert page.pdf(path=pictures / "duets.pdf", format="A4").startswith(b"%PDF")


def test_what_duets_lack_stands_below_with_its_reason(browser: Any, tmp_path: Path) -> None:
    stored, lines = results(tmp_path / "results"), synthetic_duets.ladder()
    case, reason = synthetic_duets.case("numba"), "AssertionError: 0 hits, not 782"
    for line in lines:
        if line["release"] in ("0.58.1", "0.64.0") or line["base"] == "0.57.0":
            del line["cells"][case]
            line["empty"] = {case: reason}
        line["cells"][synthetic_duets.case("numba_parallel")]["afresh"] = line["release"] == "0.64.0"
    synthetic_duets.write(stored, lines, file=release_lines.DUETS)
    with served(site_of(tmp_path / "site", stored)) as site, visiting(browser, "#steps", "releases.html") as open_page:
        page = open_page(site)
        assert "2 releases were measured without the compiler" in page.inner_text(".lede")
        missing = page.inner_text("#missing .without")
        for release, other in (("0.57.0", "0.61.0"), ("0.64.0", "0.63.1")):
            assert f"its duet with {other} failed: {reason}\nnumba, warm call at 1,000,000 points: {release}" in missing
        assert "With 0.64.0 this call has no number: see the last section." in page.inner_text(".lede")
        assert "this release or the one it was compared with failed\nnumba_parallel, warm call at 1,0" in missing
        assert "numba_parallel, warm call at 1,000,000 points: 0.63.1, 0.64.0" in missing
        assert "wrong or missing" not in missing, "which of both failed is not stored"


def test_what_a_compiler_made_is_text_and_never_markup(browser: Any, tmp_path: Path) -> None:
    stored = results(tmp_path / "results")
    synthetic_duets.write(stored, synthetic_duets.ladder(), file=release_lines.DUETS)
    synthetic_duets.write(stored, synthetic_duets.explanations(text=HOSTILE), file=release_lines.STEPS)
    with served(site_of(tmp_path / "site", stored)) as site, visiting(browser, "#steps", "releases.html") as open_page:
        page = open_page(site, STEP, wait="#provenance[open]")
        assert SHOWN in page.text_content("#provenance pre")
