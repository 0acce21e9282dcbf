"""The workflows: jobs and steps that decide anything, run as they stand (test_gate_comment.py has the comment's)."""

import subprocess
import sys
from pathlib import Path

import pytest
from runner import ROOT, bash, named_step, program, workflow


def test_the_last_job_of_ci_waits_for_all_others() -> None:
    jobs = workflow("ci")["jobs"]
    assert set(jobs["pass"]["needs"]) == set(jobs) - {"pass"}
    assert jobs["pass"]["if"] == "always()"
    assert not any("if" in job for name, job in jobs.items() if name != "pass"), "a job that is skipped looks passed"


@pytest.mark.parametrize(
    ("results", "passes"),
    [
        ("success", True),
        ("success success", True),
        ("success failure", False),
        ("failure success", False),
        ("success skipped", False),
        ("cancelled success", False),
    ],
)
def test_the_last_job_of_ci_passes_where_all_others_did(results: str, passes: bool, tmp_path: Path) -> None:
    (last,) = workflow("ci")["jobs"]["pass"]["steps"]
    assert (bash(last["run"], tmp_path, RESULTS=results).returncode == 0) is passes


def test_ci_runs_pythons_that_the_package_takes() -> None:
    jobs = workflow("ci")["jobs"]
    every = {jobs["test"]["steps"][1]["with"]["python-version"], *jobs["light"]["strategy"]["matrix"]["python"]}
    assert min(every, key=lambda version: tuple(map(int, version.split(".")))) == "3.11"
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text()


def test_the_gate_s_job_is_never_skipped_and_gives_the_gate_s_verdict() -> None:
    (job,) = workflow("gate")["jobs"].values()
    assert "if" not in job
    (measuring,) = [step for step in job["steps"] if "make gate" in step.get("run", "")]
    assert "if" not in measuring
    assert measuring["run"].strip().splitlines()[-1].startswith("make gate "), "its status is the step's"
    sides = {f"${{{{ github.event.pull_request.{side}.sha }}}}" for side in ("base", "head")}
    assert set(measuring["env"].values()) == sides
    (jemalloc,) = [step["run"] for step in job["steps"] if "libjemalloc" in step.get("run", "")]
    assert "apt-get update" in jemalloc, "a runner's list of packages may be old"


def test_the_gate_compares_with_where_the_change_began(tmp_path: Path) -> None:
    """A branch that main has moved on from is not charged with what landed there."""

    def commit(text: str) -> str:
        (tmp_path / "file").write_text(text)
        git("add", "file")
        git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", text)
        return git("rev-parse", "HEAD")

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    git("init", "--quiet", "--initial-branch", "main")
    begin = commit("begin")
    git("checkout", "--quiet", "-b", "change")
    head = commit("change")
    git("checkout", "--quiet", "main")
    moved = commit("moved")
    make = 'import os, sys; os.system("git rev-parse HEAD"); print(*sys.argv[1:]); sys.exit(2)'
    program(tmp_path, "make", make)
    answer = bash(named_step("gate", "gate", "make gate")["run"], tmp_path, BASE_SHA=moved, HEAD_SHA=head)
    assert answer.stdout.split() == [moved, "gate", f"BASE={begin}", f"HEAD={head}"], "the newest gate judges"
    assert answer.returncode == 2
    assert bash(named_step("gate", "gate", "make gate")["run"], tmp_path, BASE_SHA="0" * 40, HEAD_SHA=head).stdout == ""


@pytest.mark.parametrize("judged", [True, False])
def test_the_gate_s_report_is_kept_or_the_summary_names_its_absence(judged: bool, tmp_path: Path) -> None:
    if judged:
        (tmp_path / ".asv" / "gate").mkdir(parents=True)
        (tmp_path / ".asv" / "gate" / "report.md").write_text("## it passed\n")
        (tmp_path / ".asv" / "gate" / "verdict.json").write_text("{}")
    summary = tmp_path / "summary"
    keeping = named_step("gate", "gate", "the report")
    assert keeping["if"] == "always()"
    (tmp_path / "gate-report" / "report.md").mkdir(parents=True)  # by HEAD's code
    assert bash(keeping["run"], tmp_path, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    assert (tmp_path / "gate-report" / "report.md").exists() is judged
    assert ("it passed" if judged else "There is no report") in summary.read_text()


def test_pages_follow_the_nightly_run() -> None:
    assert workflow("pages")["on"]["workflow_run"] == {"workflows": [workflow("nightly")["name"]], "types": ["completed"]}


def test_measuring_has_no_right_to_write_and_writing_installs_nothing() -> None:
    jobs = workflow("nightly")["jobs"]
    assert jobs["measure"]["permissions"] == {"contents": "read"}
    assert not any("setup-python" in step.get("uses", "") for step in jobs["add"]["steps"])
    looking, adding = (workflow("releases")["jobs"][name] for name in ("look", "add"))
    assert looking["permissions"] == {"contents": "read"}
    assert not any("setup-python" in step.get("uses", "") or "make " in step.get("run", "") for step in adding["steps"])
    recipe = subprocess.run(
        ["make", "--dry-run", "add-results", "FROM=here"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "pip" not in recipe.stdout and "-m history.results_branch add here" in recipe.stdout
    without_packages = [sys.executable, "-S", "-m", "history.results_branch", "--help"]
    assert subprocess.run(without_packages, cwd=ROOT, capture_output=True).returncode == 0


@pytest.mark.parametrize(("count", "creates"), [("0", True), ("1", False)])
def test_new_releases_have_one_branch_and_at_most_one_open_pull_request(count: str, creates: bool, tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    git("init", "--quiet", "--initial-branch", "main")
    git("init", "--quiet", "--bare", "there.git")
    git("remote", "add", "origin", "there.git")
    table = tmp_path / "releases.toml"
    table.write_text("old\n")
    git("add", "releases.toml")
    git("commit", "--quiet", "--message", "begin")
    git("commit", "--quiet", "--allow-empty", "--message", "last week's releases")
    git("push", "--quiet", "origin", "main:new-releases")
    git("reset", "--quiet", "--hard", "HEAD~1")
    table.write_text("new\n")
    (tmp_path / "new-releases.patch").write_text(git("diff"))
    git("checkout", "--quiet", "releases.toml")
    program(tmp_path, "gh", f"import sys\nprint({count!r} if 'list' in sys.argv else ' '.join(sys.argv[1:]))")
    answer = bash(workflow("releases")["jobs"]["add"]["steps"][-1]["run"], tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert ("pr create --head new-releases" in answer.stdout) is creates
    assert git("--git-dir", "there.git", "show", "new-releases:releases.toml") == "new\n"
