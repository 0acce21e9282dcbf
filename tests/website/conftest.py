"""Shared by the site's tests: one browser, and the sites that it opens."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import synthetic_duets
import synthetic_ladder
from browsing import Visit, assert_did_nothing_forbidden, launched, visiting
from laboratory import Laboratory, Template
from served import Served, results, seed, served, site_of
from synthetic import ROOT, History

from history.store import release_lines

COMMIT = {"commit": "c" * 40, "short": "c" * 8, "subject": "Begin", "date": "2026-01-01T00:00:00Z"}
STEP = {
    "kind": "commit",
    "kernel": "philox_pi",
    "benchmark": "philox_pi.Warm.time_call",
    "cell": ["numba", 1000],
    "machine": "vm",
    "from": COMMIT,
    "to": {**COMMIT, "subject": "Unroll the loop"},
    "before": 2e-6,
    "after": 1e-6,
    "factor": 0.5,
    "unit": "seconds",
    "direction": "lower",
}
MANY = 33  # releases: as many as the longest ladder has
Laddered = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def _charts_once(drawn: Path) -> None:
    seed(drawn)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    """A function that opens the compilers' page."""
    with visiting(browser, "#ranking") as open_page:
        yield open_page


@pytest.fixture
def visit_releases(browser: Any) -> Iterator[Visit]:
    """A function that opens the releases' page."""
    with visiting(browser, "#steps", "releases.html") as open_page:
        yield open_page


@pytest.fixture
def visit_commits(browser: Any) -> Iterator[Visit]:
    """A function that opens the commits' page."""
    with visiting(browser, "#steps", "commits.html") as open_page:
        yield open_page


@pytest.fixture(scope="session")
def step() -> dict[str, Any]:
    """The step between commits that the stored site shows."""
    return STEP


@pytest.fixture(scope="session")
def stored_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the stored results of all compilers, without a ladder. Tests that change it take a copy."""
    directory = tmp_path_factory.mktemp("stored")
    return site_of(directory / "site", results(directory / "results"), [STEP])


@pytest.fixture
def site_copy(stored_site: Path, tmp_path: Path) -> Path:
    return shutil.copytree(stored_site, tmp_path / "site")


@pytest.fixture(scope="session")
def stored(stored_site: Path) -> Iterator[Served]:
    with served(stored_site) as site:
        yield site


@pytest.fixture(scope="session")
def _page_of_modules(browser: Any, stored: Served) -> Iterator[Any]:
    with visiting(browser, "#ranking") as open_page:
        page = open_page(stored)
        page.wait_for_load_state("networkidle")  # later tests count the site's requests
        yield page


@pytest.fixture
def modules(_page_of_modules: Any) -> Iterator[Any]:
    """A page that stays open for tests that call the site's modules with data of their own. They change nothing in it."""
    yield _page_of_modules
    assert_did_nothing_forbidden(_page_of_modules)


@pytest.fixture(scope="session")
def published(measured_laboratory: Template, tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A laboratory for tests that only read it."""
    return measured_laboratory.copy(tmp_path_factory.mktemp("laboratory") / "copy", shares_environment=True)


@pytest.fixture(scope="session")
def measured(published: Laboratory) -> Iterator[Served]:
    """The site that ``asv publish`` wrote for the laboratory's measured commit."""
    with served(published.path / "site") as site:
        yield site


@pytest.fixture(scope="session")
def laddered(stored_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Laddered:
    """A function that copies the stored site and adds a synthetic ladder of releases."""

    def copy(**options: Any) -> Path:
        site = shutil.copytree(stored_site, tmp_path_factory.mktemp("ladder") / "site")
        synthetic_ladder.write(site, **options)
        return site

    return copy


@pytest.fixture(scope="session")
def ladder(laddered: Laddered) -> Iterator[Served]:
    with served(laddered()) as site:
        yield site


@pytest.fixture(scope="session")
def long_ladder(laddered: Laddered) -> Iterator[Served]:
    with served(laddered(count=MANY)) as site:
        yield site


@pytest.fixture(scope="session")
def committed_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the stored results and of synthetic duets of thirty commits."""
    directory = tmp_path_factory.mktemp("committed")
    stored = results(directory / "results")
    synthetic_duets.write(stored, synthetic_duets.history(synthetic_duets.hashes(30)))
    return site_of(directory / "site", stored, diffs="https://github.com/owner/repo/commit/")


@pytest.fixture(scope="session")
def committed(committed_site: Path) -> Iterator[Served]:
    with served(committed_site) as site:
        yield site


@pytest.fixture(scope="session")
def dueled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site of the stored results and of synthetic duets of releases."""
    directory = tmp_path_factory.mktemp("dueled")
    stored = results(directory / "results")
    synthetic_duets.write(stored, synthetic_duets.ladder(), file=release_lines.DUETS)
    synthetic_duets.write(stored, synthetic_duets.explanations(), file=release_lines.STEPS)
    with served(site_of(directory / "site", stored)) as site:
        yield site


@pytest.fixture
def visit_duets(browser: Any, dueled: Served) -> Iterator[Visit]:
    """Opens the page with the duets; its first argument is the address."""
    with visiting(browser, "#steps", "releases.html") as open_page:
        yield lambda hash_="", **options: open_page(dueled, hash_, **options)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where pictures and printed pages go: the directory JITKERNELS_SCREENSHOTS, else a temporary one."""
    directory = Path(os.environ.get("JITKERNELS_SCREENSHOTS") or tmp_path)
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@pytest.fixture
def history(tmp_path: Path, drawn: Path) -> History:
    made = History(tmp_path, ["First", "Second", "Third"])
    made.take_charts(drawn)
    return made


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Results that were measured, of this library's own commits."""
    made = History(tmp_path_factory.mktemp("real"))
    for file in (ROOT / "tests" / "stored_results").rglob("*.json*"):
        made.write(file.relative_to(ROOT / "tests" / "stored_results").as_posix(), file.read_text())
    assert made.read() == []
    return made
