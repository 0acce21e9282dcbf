"""The history of commits, as it is published from the stored results of this repository: opened at its root and by links."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from browsing import PATIENCE, WIDE
from served import Served, served
from synthetic import ROOT

POLL = 100  # milliseconds between two looks at what a page has asked for


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, drawn: Path) -> Path:
    """The site that ``make site`` builds from results/, in a clone of this repository with the working tree's files."""
    clone = tmp_path_factory.mktemp("published") / "clone"
    subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(clone)], check=True)
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).splitlines()
    for name in (name for name in listed if (ROOT / name).is_file()):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    commits = {path.name[:8] for path in (ROOT / "results").glob("*/*-*.json")}
    known = [subprocess.run(["git", "cat-file", "-e", commit], cwd=clone, capture_output=True) for commit in commits]
    if any(answer.returncode for answer in known):
        pytest.skip("a shallow clone: git does not have the commits that results/ are of; git fetch --unshallow")
    (clone / "site").mkdir()
    (clone / "site" / "charts").symlink_to(drawn)
    answer = subprocess.run([sys.executable, "-m", "website.site"], cwd=clone, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return clone / "site"


@pytest.fixture(scope="module")
def site(published: Path) -> Iterator[Served]:
    with served(published) as address:
        yield address


@pytest.fixture(scope="module")
def index(published: Path) -> Any:
    return json.loads((published / "history" / "index.json").read_text())


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport=WIDE)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.missing = []
    page.on("response", lambda response: response.status >= 400 and page.missing.append(response.url))
    yield page
    assert page.missing == [], "the page asked for what is not there"
    context.close()


def test_the_root_asks_for_a_graph_with_points_of_every_benchmark(page: Any, site: Served, index: Any) -> None:
    responses: dict[str, Any] = {}
    page.on("response", lambda response: "/graphs/" in response.url and responses.update({response.url: response}))
    page.goto(f"{site.address}history/")
    page.wait_for_function(f"document.body.innerText.includes('{len(index['benchmarks'])} benchmarks')")
    for _ in range(PATIENCE // POLL):
        if len(responses) >= len(index["benchmarks"]):
            break
        page.wait_for_timeout(POLL)
    graphs = {url: response.json() for url, response in responses.items()}
    assert len(graphs) >= len(index["benchmarks"]) > 100
    assert [url for url, points in graphs.items() if not points] == []


def links(site: Path) -> list[str]:
    """Every link from the pages' data into the history."""
    files = [json.loads(path.read_text()) for path in (site / "data").rglob("*.json")]
    found: dict[str, None] = {}

    def walk(value: Any) -> None:
        if isinstance(value, str) and value.startswith("history/index.html#"):
            found[value] = None
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(part)

    walk(files)
    return list(found)


def test_every_link_into_the_history_names_a_benchmark_and_an_environment_of_it(published: Path, index: Any) -> None:
    environments = [{key: value for key, value in each.items() if key != "branch"} for each in index["graph_param_list"]]
    addresses = links(published)
    assert len(addresses) > 100
    for address in addresses:
        query = {key.removeprefix("f-"): value for key, value in parse_qsl(address.partition("#")[2])}
        assert query.pop("view") == "explore" and query.pop("bench") in index["benchmarks"], address
        assert query in environments, address


def test_links_into_the_history_open_a_chart(page: Any, site: Served, published: Path) -> None:
    addresses = links(published)
    for address in addresses[:: len(addresses) // 2 + 1]:
        page.goto("about:blank")  # or the browser only changes what follows the "#"
        page.goto(site.address + address)
        page.wait_for_selector(".main canvas")
        assert "No graph data" not in page.inner_text("body"), address


def test_no_exact_figure_is_better_when_higher_unless_its_benchmark_says_so(index: Any) -> None:
    directions = {name: entry.get("direction") for name, entry in index["benchmarks"].items()}
    assert "equal" in directions.values()
    assert all(index["benchmarks"][name]["less_is_better"] for name in directions if directions[name] != "higher")


def test_only_what_commits_require_tells_curves_apart(index: Any) -> None:
    assert set(index["params"]) - {"machine", "branch", "python"} == set(pins())


def pins() -> list[str]:
    from asv.config import Config

    conf = Config.load(str(ROOT / "asv.conf.json"))
    return [name for name in conf.matrix["req"] if not name.startswith("pip+")]


def test_asv_s_own_pages_are_not_installed(published: Path) -> None:
    assert not (published / "history" / "index.legacy.html").exists()
    assert not list((published / "history").glob("*.js"))


@pytest.mark.parametrize(("address", "key"), [("index.html", "machines"), ("commits.html", "commits")])
def test_a_page_opens_on_the_machine_with_the_most_charts(
    address: str, key: str, page: Any, site: Served, published: Path
) -> None:
    machines = json.loads((published / "data" / "index.json").read_text())[key]
    charts = {machine["id"]: sum(map(len, machine["charts"].values())) for machine in machines}
    page.goto(site.address + address)
    page.wait_for_selector("#machine option", state="attached")
    assert charts[page.input_value("#machine")] == max(charts.values()) > 1
