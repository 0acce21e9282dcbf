"""The causes of a step that somebody found, and the issue for a compiler's tracker that the releases' page makes of a step,
in a real browser, on made-up duets."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import synthetic_duets
from browsing import Visit, visiting
from served import Served, results, served, site_of

from history.store import release_lines
from website.read import catalogue

ISSUE = "#figure=issue/philox_pi/numba/1000000/warm_seconds/0.61.0"
AT_TWO_SIZES = """async ([factor, parts, causes = []]) => {
  const { carriedBy, leftToTry } = await import("./page/releases/explanations.js");
  const part = { part: "llvmlite", version: "0.44.0", is_switch: false, ratio: 1.5, low: 1.4, high: 1.6, share: 1 };
  const sides = ["1", "2"].map((one) => ({ requirements: { llvmlite: one, numba: one } }));
  const step = (size, factor, parts) => {
    const duet = { parts, untried: ["numpy", "numba"], causes, before: 0, after: 1 };
    return { kernel: "relu", backend: "numba", figure: "warm_seconds", from: "1", to: "2", size, factor, duet };
  };
  const steps = [step(20, 1.5, [part]), step(100, factor, parts)];
  const page = { ladder: { compiler: "numba", sources: sides, steps }, atSize: (size) => ` at ${size} rows` };
  return [carriedBy(page, steps[1]), leftToTry(page, steps[1])?.words];
}"""
ISSUE_OF = """async ([subject, more, diffs, cases = []]) => {
  const { issueText } = await import("./page/releases/issue.js");
  const step = { kernel: "relu", backend: "c", size: 1, figure: "warm_seconds", factor: 2, low: 1.9, high: 2.1, ...more };
  const side = { commit: "b".repeat(40), subject, requirements: {}, python: "3.11", processor: "A", cores: 1 };
  const { cold = false, notes = [], causes = [] } = more;
  const known = { parts: [], artifacts: null, cold, notes, causes };
  const duet = { before: 0, after: 0, pairs: 7, measured: "2026-11-01", command: "", ...known };
  const duets = { cases, between_days: 1 };
  const ladder = { sources: [side], package: "thing", versions: ["1", "2"], duets };
  const release = (name) => ({ order: ladder.versions.indexOf(name) });
  const atSize = (size) => ` at ${size}`, needsThreads = (name) => name === "numba_parallel";
  const page = { ladder, index: { diffs }, atSize, release, needsThreads };
  return issueText(page, { ...step, before: 1, after: 2, unit: "seconds", from: "1", to: "2", duet });
}"""


@pytest.fixture(scope="module")
def issue(browser: Any, dueled: Served) -> str:
    """The text of a step's issue, as the dialog shows it."""
    with visiting(browser, "#steps", "releases.html") as open_page:
        return str(open_page(dueled, ISSUE, wait="#provenance[open]").inner_text("#provenance pre"))


def test_an_issue_names_no_commit_that_the_repository_lacks_and_the_cores_of_its_duet(modules: Any) -> None:
    known, unknown = modules.evaluate(ISSUE_OF, ["Measure", {}]), modules.evaluate(ISSUE_OF, [None, {}])
    assert f"jitkernels && cd jitkernels && git checkout {'b' * 40}\n" in known
    assert "jitkernels && cd jitkernels\n" in unknown
    assert "lacks commit bbbbbbbb" in unknown and "lacks" not in known
    assert "A, 1 core, Python 3.11" in known
    assert known.startswith("# relu became") and "Cold caches" not in known
    noted = modules.evaluate(ISSUE_OF, ["Measure", {"figure": "cold_seconds", "cold": True, "notes": ["one is for GPUs"]}])
    assert noted.startswith("# The first call of relu became")
    assert "Cold caches: an answer was checked" in noted and "\n\nNote: one is for GPUs.\n" in noted
    causes = [{"text": "one pad", "link": None}, {"text": "a scope", "link": "https://github.com/a/b/issues/1"}]
    explained = modules.evaluate(ISSUE_OF, ["Measure", {"causes": causes}])
    assert "\n\nCause: one pad.\n\nCause: a scope (https://github.com/a/b/issues/1).\n" in explained
    assert "in turn on one core" in known
    hosts = "https://github.com/owner/repo/commit/", "https://gitlab.com/group/part/repo/-/commit/"
    for diffs, address in zip(hosts, ("github.com/owner/repo", "gitlab.com/group/part/repo"), strict=True):
        assert f"git clone https://{address} jitkernels" in modules.evaluate(ISSUE_OF, ["Measure", {}, diffs])
    for more in ({"backend": "numba_parallel"}, {"figure": "cold_seconds"}):
        text = modules.evaluate(ISSUE_OF, [None, more])
        assert "in turn on all cores" in text and "taskset" not in text, more
        assert ("jemalloc" in text) == ("figure" not in more), "first calls have the user's malloc"


def test_an_issue_has_the_ratios_of_the_same_releases_at_other_sizes(modules: Any) -> None:
    link = {"from": 0, "to": 1, "ratio": 0.98, "low": 0.95, "high": 1.02}
    names = {"kernel": "relu", "backend": "c", "figure": "warm_seconds"}
    own, others = {**names, "size": 1, "links": [link]}, [{**names, "size": size, "links": [link]} for size in (20, 300)]
    unlike = [{**others[0], **other} for other in ({"kernel": "dense"}, {"backend": "numba"}, {"figure": "cold_seconds"})]
    unmeasured = {**others[0], "size": 50, "links": []}
    text = modules.evaluate(ISSUE_OF, ["Measure", {}, None, [own, *others, *unlike, unmeasured]])
    each = "0.980 (0.950 to 1.02)"
    assert f"\n\nThe ratio of the two releases at 20: {each}; at 300: {each}.\n" in text
    none = modules.evaluate(ISSUE_OF, ["Measure", {}, None, [own, *unlike, unmeasured]])
    assert "The ratio of the two releases" not in none


def test_a_step_that_was_not_tried_has_the_part_that_carries_it_at_another_size(modules: Any) -> None:
    failed = {"part": "numpy", "version": "2", "is_switch": False, "ratio": None, "low": None, "high": None, "reason": "no"}
    carried = "at 20 rows: llvmlite 0.44.0"
    assert modules.evaluate(AT_TWO_SIZES, [1.2, []]) == [carried, "not tried at this size"]
    assert modules.evaluate(AT_TWO_SIZES, [1.2, [failed]]) == [carried, "not tried at this size"]
    assert modules.evaluate(AT_TWO_SIZES, [0.8, []]) == ["", "not examined yet"]
    tried = {**failed, "ratio": 1.0, "low": 0.99, "high": 1.01, "share": 0.0}
    assert modules.evaluate(AT_TWO_SIZES, [1.2, [tried]]) == ["not by numpy", "not tried yet: numpy and numba"]
    assert modules.evaluate(AT_TWO_SIZES, [1.2, [tried], ["found"]]) == ["not by numpy", None]


def test_a_step_is_an_issue_that_can_be_copied(visit_duets: Visit) -> None:
    page = visit_duets()
    page.locator("#steps button", has_text="Issue").first.click()
    page.wait_for_selector("#provenance[open] pre.text")
    page.click("#provenance .copy")
    page.wait_for_selector("#provenance [role=status]:not(:empty)")
    assert "Nothing is sent" in page.inner_text("#provenance")


def test_the_issue_has_what_its_reader_needs(issue: str) -> None:
    for words in (
        "# philox_pi became 2.5",
        "(95 % interval 0.3",
        "in 7 pairs of processes, the last on 2026-11-01: A processor, 2 cores, Python 3.11.7",
        "- before: numpy 2.0.0, llvmlite 0.43.0, numba 0.60.0",
        "python3.11 -m venv after && after/bin/pip install . numpy==2.1.0 llvmlite==0.44.0 numba==0.61.0",
        "for turn in 1 2 3; do taskset -c 0 before/bin/python program.py; taskset -c 0 after/bin/python program.py; done",
        "make release-duets COMPILER=numba ONLY=0.60.0,0.61.0 AGAIN=1",
        "With one part exchanged, instead of all, the ratio is:\n- numpy 2.1.3: 1.00 (0.96",
        "\n- runtime, which FLAGS=off turns off: 0.4",
        "Expected: `after` takes 0.3",
        "The duet allocated by jemalloc where it is installed",
    ):
        assert words in issue, words
    program = issue.partition("`program.py`:\n\n```\n")[2].partition("\n```")[0]
    compile(program, "program.py", "exec")
    assert 'prepare("philox_pi", "numba", 1000000)' in program


def test_the_program_of_an_issue_runs(issue: str, capsys: pytest.CaptureFixture[str]) -> None:
    program = issue.partition("`program.py`:\n\n```\n")[2].partition("\n```")[0]
    exec(program.replace('"numba", 1000000', '"numpy", 1000').replace("repeat=30", "repeat=3"), {})
    assert capsys.readouterr().out.endswith("seconds\n")


def test_the_program_of_a_first_call_leaves_nothing_for_the_next_one_to_load(modules: Any, tmp_path: Path) -> None:
    lines = modules.evaluate(
        "(step) => import('./page/releases/issue.js').then(({ program }) => program(step))",
        {"kernel": "relu", "backend": "c", "size": 100, "figure": "cold_seconds"},
    )
    environment = {**os.environ, "JITKERNELS_CACHE_DIR": str(tmp_path)}
    answer = subprocess.run([sys.executable, "-c", "\n".join(lines)], env=environment, capture_output=True, text=True)
    assert answer.stdout.endswith(" seconds\n"), answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_cause_that_somebody_found_stands_beside_its_step_alone(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = {"compiler": "numba", "machine": "vm", "base": "0.60.0", "release": "0.61.0"}
    cause = {**ends, "kernels": ["philox_pi"], "backends": ["numba"], "became": "faster", "text": "an <i>inlined</i> call"}
    link = "https://github.com/numba/numba/issues/1"
    others = [
        {**cause, "text": "another", **other}
        for other in ({"became": "slower"}, {"machine": "w"}, {"base": "0.59.1"}, {"figure": "cold_seconds"})
    ]
    monkeypatch.setattr(catalogue, "_table", lambda: {"compilers": {}, "causes": [{**cause, "link": link}, *others]})
    stored = results(tmp_path / "results")
    synthetic_duets.write(stored, synthetic_duets.ladder(), file=release_lines.DUETS)
    with served(site_of(tmp_path / "site", stored)) as site, visiting(browser, "#steps", "releases.html") as open_page:
        page = open_page(site)
        said = "Cause: an <i>inlined</i> call (known)."
        rows = [row for row in page.locator("#steps tr").all() if said in row.inner_text()]
        sizes = [re.search(r"warm call\s+at ([\d,]+) points", row.inner_text())[1] for row in rows]
        assert sorted(sizes) == ["1,000", "1,000,000"]
        assert "another" not in page.inner_text("#steps")
        assert rows[0].locator("a", has_text="known").get_attribute("href") == link
        rows[0].locator("button.figure").click()
        assert said in page.inner_text("#provenance[open]")
