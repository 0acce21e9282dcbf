"""The files of commits: their machines, schemas and links, and commits that are left out."""

from pathlib import Path

import jsonschema
import pytest
from synthetic_duets import DuetHistory, case, duet, ratio, write
from synthetic_duets import history as lines_of

from history.store.results import Unread
from website.read import commits
from website.schema import json_schema

C = case("c")
SCHEMAS = ("commits", "commit_kernel", "index", "changes")


@pytest.fixture
def history(tmp_path: Path) -> DuetHistory:
    return DuetHistory(tmp_path)


def test_two_machines_are_never_mixed(history: DuetHistory) -> None:
    first, second = history.commits[:2]
    write(history.results, [duet(first, second, {C: ratio(2.0, 1.0)}, machine="vm")], "vm")
    write(history.results, [duet(first, second, {C: ratio(3.0, 7.0)}, machine="other")], "other")
    assert history.read() == []
    assert [point["value"] for point in history.series()["points"]] == pytest.approx([1.0, 2.0])
    assert [point["value"] for point in history.series(machine="other")["points"]] == pytest.approx([7.0, 21.0])
    assert [machine["name"] for machine in history.data()["commits"]] == ["other", "vm"]
    assert history.data()["machines"] == [], "asv has results of none"
    assert [kernel["name"] for kernel in history.data()["kernels"]] == ["philox_pi"]


def test_a_commit_that_the_repository_does_not_have_is_left_out_and_named(history: DuetHistory) -> None:
    first, gone = history.commits[0], "f" * 40
    lost = history.read_lines(
        duet(first, gone, {C: ratio(2.0)}, 1),
        duet(gone, history.commits[3], {C: ratio(3.0)}, 2),
        duet(gone, history.commits[3], {C: ratio(3.0)}, 3, role="step"),
    )
    assert lost == [Unread("vm/duets.jsonl", "commit ffffffff is not in this repository")]
    assert history.data()["unread"] == [{"file": lost[0].file, "reason": lost[0].reason}]
    assert [point["ratio"] for point in history.series()["points"]] == [1.0, 6.0], "the chain leads through it"
    assert history.steps() == []


def test_a_commit_of_another_branch_is_not_on_the_curve(history: DuetHistory) -> None:
    history._git("branch", "topic", "HEAD")
    history._git("update-ref", "refs/heads/main", history.commits[1])
    lines = [duet(history.commits[0], commit, {C: ratio(2.0)}) for commit in history.commits[1:]]
    assert history.read_lines(*lines) == []
    assert [commit["subject"] for commit in history.data("vm/commits/philox_pi.json")["commits"]] == ["Change 0", "Change 1"]


def test_duets_that_found_cold_caches_have_a_remark(history: DuetHistory) -> None:
    first, second, third = history.commits[:3]
    warm = duet(first, second, {C: ratio(2.0)}, began="2026-11-28T10:00:00Z")
    assert history.read_lines(warm) == []
    assert history.data("vm/commits/steps.json")["remark"] is None
    cold = duet(first, third, {C: ratio(2.0)}, 1, began="2026-11-25T10:00:00Z")
    assert history.read_lines(warm, cold) == []
    assert history.data("vm/commits/steps.json")["remark"].endswith("(duets: 1).")


def test_the_schemas_hold(history: DuetHistory) -> None:
    assert history.read_lines(*lines_of(history.commits)) == []
    schemas = {name: json_schema.of_file(name) for name in SCHEMAS}
    for name in ("index", "changes"):
        jsonschema.validate(history.data(f"{name}.json"), schemas[name])
    (machine,) = history.data()["commits"]
    jsonschema.validate(history.data(machine["steps"].removeprefix("data/")), schemas["commits"])
    assert machine["charts"] == {"by_commit": ["dense_relu", "philox_pi"]}
    assert sorted(machine["kernels"]) == ["dense_relu", "philox_pi"]
    for file in machine["kernels"].values():
        jsonschema.validate(history.data(file.removeprefix("data/")), schemas["commit_kernel"])


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://github.com/owner/repo.git", "https://github.com/owner/repo/commit/"),
        ("https://user:secret@github.com/owner/repo", "https://github.com/owner/repo/commit/"),
        ("git@github.com:owner/repo.git", "https://github.com/owner/repo/commit/"),
        ("ssh://git@github.com:22/owner/repo", "https://github.com/owner/repo/commit/"),
        ("git@gitlab.com:group/part/repo.git", "https://gitlab.com/group/part/repo/-/commit/"),
        ("/srv/git/github.com/owner/repo", None),
        ("github.com/owner/repo", None),
        ("file:///github.com/owner/repo", None),
        ("https://github.com.example.org/owner/repo", None),
        ("https://example.org/owner/repo", None),
        ('https://github.com/owner/"onclick="', None),
    ],
)
def test_only_a_known_host_has_diffs(history: DuetHistory, remote: str, address: str | None) -> None:
    assert commits.read(history.path).diffs is None
    history._git("remote", "add", "origin", remote)
    assert commits.read(history.path).diffs == address
