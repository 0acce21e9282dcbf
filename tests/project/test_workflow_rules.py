"""The rules of every workflow: what it may do, that nothing in it hides a failure, and that it calls what people call.

A rule is a function that returns the problems of a workflow. DOCTORED has workflows that break each rule.
"""

import ast
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from runner import ROOT, Workflow, parsed, scripts

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
# What asks git for commits.
HISTORY = ("make bench", "make nightly", "make gate", "make site", "make test", ".ci/run")
SWALLOWS = [r"\|\|\s*(true|:|exit 0|echo)", r"set \+e", r"set \+o", r"; *true$", r"--exit-zero", r"make .*\s-[ik]\b"]
PIN = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$")


def grants(content: Workflow) -> list[str]:
    """Nothing is granted to a workflow; each job says what it needs, and writes what WRITES allows."""
    problems = [] if content.get("permissions") == {} else ["the workflow grants permissions, or leaves the default"]
    for name, job in content["jobs"].items():
        if not isinstance(job.get("permissions"), dict):
            problems.append(f"{name} does not list its permissions")
            continue
        writes = {key for key, value in job["permissions"].items() if value == "write"}
        if writes != WRITES.get((content["name"], name), set()):
            problems.append(f"{name} writes {sorted(writes)}")
        read = {key for key, value in job["permissions"].items() if value == "read"}
        odd = set(job["permissions"]) - writes - (read & READS)
        problems += [f"{name} has {key}" for key in sorted(odd)]
    return problems


def triggers(content: Workflow) -> list[str]:
    """No stranger's code runs with a right or a secret."""
    on = content["on"] if isinstance(content["on"], dict) else {content["on"]: ""}
    problems = [f"it runs on {event}" for event in ("pull_request_target", "issue_comment") if event in on]
    jobs = content["jobs"]
    if "pull_request" in on:
        problems += [f"{name} writes" for name in jobs if "write" in jobs[name].get("permissions", {}).values()]
        problems += ["it has a secret"] if "secrets." in json.dumps(jobs) else []
        problems += ["it does not run on every pull request"] if on["pull_request"] else []
    return problems


def expressions(content: Workflow) -> list[str]:
    """A script is what it says: values reach it by its environment, where they cannot become code."""
    return [f"{job}: {script.strip()[:60]}" for job, _, script in scripts(content) if "${{" in script]


def limits(content: Workflow) -> list[str]:
    jobs = content["jobs"].items()
    problems = [f"{name} has no timeout" for name, job in jobs if not job.get("timeout-minutes", "").isdigit()]
    problems += [] if "group" in content.get("concurrency", {}) else ["nothing says how many may run at once"]
    return problems + [f"{name} has no fixed runner" for name, job in jobs if "latest" in job["runs-on"]]


def swallowed(content: Workflow) -> list[str]:
    """Nothing hides a failure: no step is forgiven, no pipe's first half, no command."""
    problems = [] if content.get("defaults", {}).get("run", {}).get("shell") == "bash" else ["pipes hide failures"]
    for name, job in content["jobs"].items():
        parts = [job, *job["steps"]]
        problems += [f"{name} goes on after an error" for part in parts if "continue-on-error" in part]
    for name, _, script in scripts(content):
        lines = [line for line in script.splitlines() if any(re.search(pattern, line) for pattern in SWALLOWS)]
        problems += [f"{name}: {line.strip()}" for line in lines]
    return problems


def syntax(content: Workflow) -> list[str]:
    """Scripts that their shell cannot read."""
    problems = []
    for job, shell, script in scripts(content):
        if shell == "python":
            try:
                ast.parse(script)
            except SyntaxError as error:
                problems.append(f"{job}: {error}")
        else:
            read = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            problems += [f"{job}: {read.stderr.strip()}"] if read.returncode else []
    return problems


def checkouts(content: Workflow) -> list[str]:
    """No checkout leaves the token on the disk, and where git is asked for commits, it has them."""
    problems = []
    for name, job in content["jobs"].items():
        runs = "\n".join(step.get("run", "") for step in job["steps"])
        for options in (
            step.get("with", {}) for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")
        ):
            problems += [] if options.get("persist-credentials") == "false" else [f"{name} keeps the token"]
            if any(command in runs for command in HISTORY) and options.get("fetch-depth") != "0":
                problems.append(f"{name} has a shallow clone")
    return problems


def unknown_targets(content: Workflow) -> list[str]:
    """Words after ``make`` that are no target of the Makefile."""
    known = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    lines = [line.strip() for _, _, script in scripts(content) for line in script.splitlines()]
    words = [word for line in lines if line.startswith("make ") for word in line.split("#")[0].split()[1:]]
    return [word for word in words if "=" not in word and word not in known]


def installs_with_rights(content: Workflow) -> list[str]:
    """A job that may write installs nothing: a package's code would run with its right."""
    installing = set(re.findall(r"^([\w-]+):.*\.venv/", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    problems = []
    for name, _, script in scripts(content):
        writes = "write" in content["jobs"][name].get("permissions", {}).values()
        words = {word for line in script.splitlines() for word in line.split()}
        if writes and (words & {"pip", "uv", "npm"} or ("make" in words and words & installing)):
            problems.append(f"{name} installs packages and may write")
    return problems


RULES: list[Rule] = [
    grants,
    triggers,
    expressions,
    limits,
    swallowed,
    syntax,
    checkouts,
    unknown_targets,
    installs_with_rights,
]


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
    pins = {pin for file in FILES for pin in PIN.findall(file.read_text())}
    assert len({name for name, _, _ in pins}) == len(pins)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_warning_that_is_ignored_has_a_reason(file: Path) -> None:
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
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
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
    (installs_with_rights, "{contents: read}", "{contents: write}"),
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
def test_an_action_without_a_full_hash_and_version_is_a_problem(use: str) -> None:
    assert unpinned(f"      - uses: {use}") != []
