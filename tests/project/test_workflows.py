"""The workflows: what each may do, that nothing in them hides a failure, and that they call what people call.

A rule is a function that says what breaks it in a workflow; each has a doctored workflow beside it in which it must find
something. Steps that decide anything are run here as they stand (test_gate_comment.py has the comment's).
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from runner import ROOT, Workflow, bash, named_step, parsed, program, scripts, workflow

FILES = sorted((ROOT / ".github" / "workflows").glob("*"))
Rule = Callable[[Workflow], list[str]]

# What a job may write, by workflow and job. All else is read or nothing.
WRITES = {
    ("comment", "comment"): {"pull-requests"},
    ("nightly", "add"): {"contents"},
    ("pages", "deploy"): {"pages", "id-token"},
    ("new releases", "add"): {"contents", "pull-requests"},
}
READS = {"contents", "actions"}
HISTORY = (
    "make bench",
    "make nightly",
    "make gate",
    "make site",
    "make test",
    "make new-releases",
    ".ci/run",
)  # what asks git for commits
SWALLOWS = [r"\|\|\s*(true|:|exit 0|echo)", r"set \+e", r"set \+o", r"; *true$", r"--exit-zero", r"make .*\s-[ik]\b"]
PIN = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$")


# The rules


def grants(found: Workflow) -> list[str]:
    """Nothing is granted to a workflow; each job says what it needs, and writes what WRITES allows."""
    problems = [] if found.get("permissions") == {} else ["the workflow grants permissions, or leaves the default"]
    for name, job in found["jobs"].items():
        if not isinstance(job.get("permissions"), dict):
            problems.append(f"{name} does not list its permissions")
            continue
        writes = {key for key, value in job["permissions"].items() if value == "write"}
        if writes != WRITES.get((found["name"], name), set()):
            problems.append(f"{name} writes {sorted(writes)}")
        read = {key for key, value in job["permissions"].items() if value == "read"}
        odd = set(job["permissions"]) - writes - (read & READS)
        problems += [f"{name} has {key}" for key in sorted(odd)]
    return problems


def triggers(found: Workflow) -> list[str]:
    """No stranger's code runs with a right or a secret."""
    on = found["on"] if isinstance(found["on"], dict) else {found["on"]: ""}
    problems = [f"it runs on {event}" for event in ("pull_request_target", "issue_comment") if event in on]
    jobs = found["jobs"]
    if "pull_request" in on:
        problems += [f"{name} writes" for name in jobs if "write" in jobs[name].get("permissions", {}).values()]
        problems += ["it has a secret"] if "secrets." in json.dumps(jobs) else []
        problems += ["it does not run on every pull request"] if on["pull_request"] else []
    return problems


def expressions(found: Workflow) -> list[str]:
    """A script is what it says: values reach it by its environment, where they cannot become code."""
    return [f"{job}: {script.strip()[:60]}" for job, _, script in scripts(found) if "${{" in script]


def limits(found: Workflow) -> list[str]:
    jobs = found["jobs"].items()
    problems = [f"{name} has no timeout" for name, job in jobs if not job.get("timeout-minutes", "").isdigit()]
    problems += [] if "group" in found.get("concurrency", {}) else ["nothing says how many may run at once"]
    return problems + [f"{name} has no fixed runner" for name, job in jobs if "latest" in job["runs-on"]]


def swallowed(found: Workflow) -> list[str]:
    """Nothing hides a failure: no step is forgiven, no pipe's first half, no command."""
    problems = [] if found.get("defaults", {}).get("run", {}).get("shell") == "bash" else ["pipes hide failures"]
    for name, job in found["jobs"].items():
        parts = [job, *job["steps"]]
        problems += [f"{name} goes on after an error" for part in parts if "continue-on-error" in part]
    for name, _, script in scripts(found):
        lines = [line for line in script.splitlines() if any(re.search(pattern, line) for pattern in SWALLOWS)]
        problems += [f"{name}: {line.strip()}" for line in lines]
    return problems


def syntax(found: Workflow) -> list[str]:
    """Scripts that their shell cannot read."""
    problems = []
    for job, shell, script in scripts(found):
        if shell == "python":
            try:
                ast.parse(script)
            except SyntaxError as error:
                problems.append(f"{job}: {error}")
        else:
            read = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            problems += [f"{job}: {read.stderr.strip()}"] if read.returncode else []
    return problems


def checkouts(found: Workflow) -> list[str]:
    """No checkout leaves the token on the disk, and where git is asked for commits, it has them."""
    problems = []
    for name, job in found["jobs"].items():
        runs = "\n".join(step.get("run", "") for step in job["steps"])
        for made in (step.get("with", {}) for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")):
            problems += [] if made.get("persist-credentials") == "false" else [f"{name} keeps the token"]
            if any(command in runs for command in HISTORY) and made.get("fetch-depth") != "0":
                problems.append(f"{name} has a shallow clone")
    return problems


def unknown_targets(found: Workflow) -> list[str]:
    """What is asked of make, and is no target of the Makefile."""
    known = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    asked = [line.split("#")[0].split()[1:] for _, _, script in scripts(found) for line in script.splitlines()
             if line.strip().startswith("make ")]  # fmt: skip
    return [word for words in asked for word in words if "=" not in word and word not in known]


RULES: list[Rule] = [grants, triggers, expressions, limits, swallowed, syntax, checkouts, unknown_targets]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_rule_is_broken(file: Path, rule: Rule) -> None:
    assert rule(parsed(file.read_text())) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_actions_are_pinned_and_say_their_version(file: Path) -> None:
    assert unpinned(file.read_text()) == []


def unpinned(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if re.search(r"\buses:", line) and not PIN.search(line)]


def test_an_action_is_the_same_in_all_workflows() -> None:
    pins = {found for file in FILES for found in PIN.findall(file.read_text())}
    assert len({name for name, _, _ in pins}) == len(pins)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_a_linter_is_told_to_ignore_has_its_reason(file: Path) -> None:
    ignored = re.findall(r"zizmor: ignore\[[\w,-]+\](.*)|shellcheck disable=\S+(.*)", file.read_text())
    assert [reason for reason in map("".join, ignored) if len(reason.split()) < 4] == []


FINE = """\
name: fine
on: {push: {branches: [main]}}
permissions: {}
concurrency: {group: fine}
defaults: {run: {shell: bash}}
jobs:
  job:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions: {contents: read}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with: {fetch-depth: 0, persist-credentials: false}
      - run: make bench
"""
DOCTORED = [
    (grants, "permissions: {}", "permissions: {contents: read}"),
    (grants, "permissions: {}", "env: {}"),
    (grants, "{contents: read}", "{contents: write}"),
    (grants, "{contents: read}", "{secrets: read}"),
    (grants, "{contents: read}", "write-all"),
    (triggers, "push: {branches: [main]}", "pull_request_target: {}"),
    (triggers, "push: {branches: [main]}", "pull_request: {paths: [jitkernels]}"),
    (triggers, "on: {push: {branches: [main]}}", "on: pull_request\nenv: {}\n#"),
    (expressions, "make bench", "echo ${{ github.head_ref }}"),
    (limits, "timeout-minutes: 5", "env: {}"),
    (limits, "concurrency: {group: fine}", ""),
    (limits, "ubuntu-24.04", "ubuntu-latest"),
    (swallowed, "defaults: {run: {shell: bash}}", ""),
    (swallowed, "make bench", "make bench || true"),
    (swallowed, "make bench", "make bench || exit 0"),
    (swallowed, "make bench", "set +e; make bench"),
    (swallowed, "- run: make bench", "- {run: make bench, continue-on-error: true}"),
    (syntax, "make bench", "if make bench; then"),
    (syntax, "- run: make bench", "- {run: 'if make bench', shell: python}"),
    (checkouts, "persist-credentials: false", "persist-credentials: true"),
    (checkouts, "fetch-depth: 0, ", ""),
    (unknown_targets, "make bench", "make beach"),
]


@pytest.mark.parametrize(("rule", "old", "new"), DOCTORED)
def test_the_rules_can_be_broken(rule: Rule, old: str, new: str) -> None:
    assert rule(parsed(FINE)) == []
    assert old in FINE
    doctored = FINE.replace(old, new, 1)
    if rule is triggers and "pull_request\n" in new:
        doctored = doctored.replace("{contents: read}", "{contents: write}")
    assert rule(parsed(doctored)) != []


@pytest.mark.parametrize("use", ["actions/checkout@v4", "actions/checkout@11bd719 # v4.2.2", f"a/b@{'0' * 40}", "./here"])
def test_an_action_by_a_name_that_can_move_is_found(use: str) -> None:
    assert unpinned(f"      - uses: {use}") != []


# Each workflow's own promises


def test_the_last_job_of_ci_waits_for_all_others() -> None:
    jobs = workflow("ci")["jobs"]
    assert set(jobs["pass"]["needs"]) == set(jobs) - {"pass"}
    assert jobs["pass"]["if"] == "always()"
    assert not any("if" in job for name, job in jobs.items() if name != "pass"), "a job that is skipped looks passed"


@pytest.mark.parametrize(
    ("results", "passes"),
    [("success", True), ("success success", True), ("success failure", False), ("failure success", False),
     ("success skipped", False), ("cancelled success", False)],
)  # fmt: skip
def test_the_last_job_of_ci_passes_where_all_others_did(results: str, passes: bool, tmp_path: Path) -> None:
    (last,) = workflow("ci")["jobs"]["pass"]["steps"]
    assert (bash(last["run"], tmp_path, RESULTS=results).returncode == 0) is passes


def test_ci_runs_pythons_that_the_package_takes() -> None:
    jobs = workflow("ci")["jobs"]
    every = {jobs["test"]["steps"][1]["with"]["python-version"], *jobs["light"]["strategy"]["matrix"]["python"]}
    assert min(every, key=lambda version: tuple(map(int, version.split(".")))) == "3.11"
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text()


def test_the_directories_that_make_test_light_runs_are_there() -> None:
    (listed,) = re.findall(r"^LIGHT = (.*)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert [name for name in listed.split() if not list((ROOT / "tests" / name).glob("test_*.py"))] == []


def test_make_help_lists_every_target() -> None:
    text = (ROOT / "Makefile").read_text()
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)", text, flags=re.MULTILINE)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # of `make test`
    answer = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, env=environment)
    listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in answer.stdout.splitlines()}
    assert set(listed) == set(phony.replace("\\\n", " ").split()), "write `target:  ## what it does` in the Makefile"


def test_the_gate_s_job_is_never_skipped_and_gives_the_gate_s_verdict() -> None:
    (job,) = workflow("gate")["jobs"].values()
    assert "if" not in job
    (measuring,) = [step for step in job["steps"] if "make gate" in step.get("run", "")]
    assert "if" not in measuring
    assert measuring["run"].strip().splitlines()[-1].startswith("make gate "), "its status is the step's"
    assert set(measuring["env"].values()) == {
        "${{ github.event.pull_request.base.sha }}", "${{ github.event.pull_request.head.sha }}",
    }  # fmt: skip


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
    program(tmp_path, "make", 'import sys; print(*sys.argv[1:], sep="\\n"); sys.exit(2)')
    answer = bash(named_step("gate", "gate", "make gate")["run"], tmp_path, BASE_SHA=moved, HEAD_SHA=head)
    assert answer.stdout.split() == ["gate", f"BASE={begin}", f"HEAD={head}"]
    assert answer.returncode == 2
    assert bash(named_step("gate", "gate", "make gate")["run"], tmp_path, BASE_SHA="0" * 40, HEAD_SHA=head).stdout == ""


@pytest.mark.parametrize("judged", [True, False])
def test_the_gate_s_report_is_kept_or_its_absence_said(judged: bool, tmp_path: Path) -> None:
    if judged:
        (tmp_path / ".asv" / "gate").mkdir(parents=True)
        (tmp_path / ".asv" / "gate" / "report.md").write_text("## it passed\n")
        (tmp_path / ".asv" / "gate" / "verdict.json").write_text("{}")
    summary = tmp_path / "summary"
    keeping = named_step("gate", "gate", "the report")
    assert keeping["if"] == "always()"
    assert bash(keeping["run"], tmp_path, NUMBER="7", GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    assert (tmp_path / "gate-report" / "number").read_text() == "7\n"
    assert (tmp_path / "gate-report" / "report.md").exists() is judged
    assert ("it passed" if judged else "There is no report") in summary.read_text()


def test_pages_follow_the_nightly_run() -> None:
    assert workflow("pages")["on"]["workflow_run"] == {"workflows": [workflow("nightly")["name"]], "types": ["completed"]}


def test_measuring_has_no_right_to_write_and_writing_installs_nothing() -> None:
    jobs = workflow("nightly")["jobs"]
    assert jobs["measure"]["permissions"] == {"contents": "read"}
    assert not any("setup-python" in step.get("uses", "") for step in jobs["add"]["steps"])
    recipe = subprocess.run(
        ["make", "--dry-run", "add-results", "FROM=here"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "pip" not in recipe.stdout and "-m history.results_branch add here" in recipe.stdout
    source = ast.parse((ROOT / "history" / "results_branch.py").read_text())
    names = {name.name for node in ast.walk(source) if isinstance(node, ast.Import) for name in node.names}
    names |= {node.module or "" for node in ast.walk(source) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
