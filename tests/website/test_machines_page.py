"""What several machines say, on the pages of commits and of releases, in a real browser, on made-up duets."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic_duets
from browsing import LOOKS, NARROW, RULES, Visit, take_picture, violations, walked
from served import Served, edited, results, served, site_of
from synthetic_duets import case, duet, hashes, ratio, releases

from history.store import release_lines

TABLE = "#machines-table"


@pytest.fixture(scope="module")
def site_of_several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the stored results and of made-up duets of two machines. The second has Numba's steps, and none of C."""
    directory = tmp_path_factory.mktemp("several")
    stored, commits = results(directory / "results"), hashes(30)
    synthetic_duets.write(stored, synthetic_duets.history(commits))
    after = [
        duet(commits[0], commits[place], {case("numba"): ratio(1.1), case("c"): ratio(1.0)}, place) for place in (9, 10, 20)
    ]
    before = duet(commits[0], commits[19], {case("numba"): ratio(1.0), case("c"): ratio(1.0)}, 19)
    step = duet(commits[19], commits[20], {case("numba"): ratio(1.1)}, 20, role="step")
    synthetic_duets.write(stored, [{**line, "machine": "other"} for line in (*after, before, step)], "other")
    synthetic_duets.write(stored, synthetic_duets.ladder(), file=release_lines.DUETS)
    link = releases("0.60.0", "0.61.0", {case("numba"): 0.7, case("numba_parallel"): 1.0}, machine="other")
    synthetic_duets.write(stored, [link], "other", release_lines.DUETS)
    return site_of(directory / "site", stored)


@pytest.fixture(scope="module")
def several(site_of_several: Path) -> Iterator[Served]:
    with served(site_of_several) as site:
        yield site


def seen(rows: Any) -> list[str]:
    """What the rows of steps say of machines."""
    return [" ".join(text.split()) for text in rows.locator("td.seen").all_inner_texts()]


def test_a_step_says_on_how_many_machines_it_was_seen(visit_commits: Visit, several: Served) -> None:
    page = visit_commits(several, "#machine=vm")
    slower, faster = (page.locator("#steps tbody").first.locator("tr", has_text=end) for end in ("00000014", "0000000a"))
    assert seen(slower) == ["2 of 2 machines"]
    assert seen(faster) == ["1 of 2 machines not on other"]
    assert "A machine saw the step if its own direct duet confirms one" in page.inner_text("#answer .notes")
    faster.locator(".figure").click()
    page.wait_for_selector("#provenance[open]")
    assert "other: not seen, no difference" in page.inner_text("#provenance")


def test_a_commit_s_changes_stand_beside_each_other(visit_commits: Visit, several: Served) -> None:
    page = visit_commits(several, "#machine=vm")
    headings = page.locator(f"{TABLE} thead th").all_text_contents()
    assert headings[-2:] == ["vm since 00000013", "other since 00000013"]
    rows = page.locator(f"{TABLE} tbody tr", has_text="1,000,000 points").filter(has_text="philox_pi")
    assert rows.first.locator("td").all_inner_texts()[-2:] == [
        "1.12\N{MULTIPLICATION SIGN} slower\n1.10 to 1.14",
        "1.10\N{MULTIPLICATION SIGN} slower\n1.07 to 1.13",
    ]
    assert "not measured" in page.locator(f"{TABLE} tbody tr", has_text="10,000,000 points").first.inner_text()
    page.select_option("#at", "0000000a")
    page.wait_for_selector(f"{TABLE} caption:has-text('0000000a')")
    assert "at=0000000a" in page.url
    again = visit_commits(several, page.url.partition("commits.html")[2])
    assert again.inner_text(TABLE) == page.inner_text(TABLE)
    page.click(f"{TABLE} [data-sort=other]")
    page.wait_for_selector(f"{TABLE} [aria-sort=ascending]")


def test_the_page_s_own_machine_comes_first_and_one_without_a_ratio_is_named_below(
    visit_commits: Visit, visit_releases: Visit, several: Served
) -> None:
    headings = visit_commits(several, "#machine=other").locator(f"{TABLE} thead th").all_text_contents()
    assert headings[-2:] == ["other since 00000013", "vm since 00000013"]
    page = visit_releases(several, "#machine=vm&compiler=numba&at=0.63.1")
    assert "other" not in page.inner_text(f"{TABLE} thead")
    assert "No ratio of this release on other." in page.inner_text("#machines")


def test_releases_have_the_same(visit_releases: Visit, several: Served) -> None:
    page = visit_releases(several, "#machine=vm&compiler=numba&at=0.61.0")
    rows = page.locator("#steps tr", has_text="1,000,000 points").filter(has_text="0.61.0")
    assert seen(rows) == ["2 of 2 machines", "1 of 2 machines not on other"]
    assert "since 0.60.0" in page.inner_text(f"{TABLE} thead")
    row = page.locator(f"{TABLE} tbody tr", has_text="philox_pi").filter(has_text="1,000,000").first
    assert "1.43\N{MULTIPLICATION SIGN} faster" in row.inner_text()


NEWEST = "2100-01-01T00:00:00Z"  # of duets


def test_the_releases_page_opens_where_the_newest_duet_is(
    visit_releases: Visit, several: Served, site_of_several: Path, tmp_path: Path
) -> None:
    shutil.copytree(site_of_several, tmp_path / "site")
    for newest, another in (("other", "vm"), ("vm", "other")):
        with edited(tmp_path / "site" / "data" / "index.json") as index:
            for entry in index["releases"]:
                entry["measured"] = NEWEST if entry["machine"] == newest else None
        with served(tmp_path / "site") as site:
            assert visit_releases(site).input_value("#machine") == newest
            assert visit_releases(site, f"#machine={another}").input_value("#machine") == another


def test_a_compiler_is_shown_on_the_machine_with_its_newest_duet_unless_one_was_chosen(
    visit_releases: Visit, site_of_several: Path, tmp_path: Path
) -> None:
    shutil.copytree(site_of_several, tmp_path / "site")
    with edited(tmp_path / "site" / "data" / "index.json") as index:
        for entry in [*index["releases"]]:
            entry["measured"] = NEWEST if entry["machine"] == "vm" else None
            newest = NEWEST if entry["machine"] == "other" else None
            index["releases"].append({**entry, "compiler": "jax", "measured": newest})
    with served(tmp_path / "site") as site:
        for hash_, machines in (("", ["vm", "other", "vm"]), ("#machine=vm", ["vm", "vm", "vm"])):
            page = visit_releases(site, hash_)
            for compiler, machine in zip(("numba", "jax", "numba"), machines, strict=True):
                page.select_option("#compiler", compiler)
                page.wait_for_function("(name) => document.querySelector('#machine')?.value === name", arg=machine)
                assert page.input_value("#compiler") == compiler
        with edited(tmp_path / "site" / "data" / "index.json") as index:
            index["releases"].append({**index["releases"][0], "compiler": "torch", "machine": "other", "measured": NEWEST})
        page = visit_releases(site, "#machine=vm&from=0.61.0&at=0.61.0")
        page.evaluate("document.querySelector('#compiler').dataset.old = 'yes'")
        page.select_option("#machine", "other")
        page.wait_for_selector("#compiler:not([data-old])")
        assert page.input_value("#compiler") == "numba", "another machine is no other compiler"
        assert not re.search(r"\b(from|at)=", page.url), "releases of the other machine"


def test_one_machine_alone_is_said(visit_releases: Visit, dueled: Served) -> None:
    page = visit_releases(dueled)
    assert page.locator("#steps .seen").count() == 0
    assert "No other machine has duets of numba" in page.inner_text("#answer .notes")
    assert "make release-duets" in page.inner_text("#machines")


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_and_the_keyboard_reaches_the_choice(
    visit_commits: Visit, several: Served, look: str, pictures: Path
) -> None:
    options: dict[str, Any] = LOOKS[look]
    page = visit_commits(several, "#machine=vm", **options)
    take_picture(page.locator("#machines"), pictures / f"machines-{look}.png")
    assert violations(page, "#machines", RULES[look]) == []
    assert violations(page, "#steps", RULES[look]) == []
    if options.get("viewport") == NARROW:
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert {"at", "region", "sort"} <= {name for name, _ in walked(page)}
