"""What comment.yml says on a pull request, whatever the gate's run left behind: its steps as they stand, GitHub a script."""

import json
import os
import re
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any

import pytest
from runner import bash, program, scripts, steps, workflow

from gate.scope import PINS, Scope

ROOT = Path(__file__).parents[2]
HEAD = "a" * 40
RUN_URL = "https://github.com/one/project/actions/runs/11"
GH = """\
import json, sys
from pathlib import Path

state = json.loads(Path("github.json").read_text())
arguments = sys.argv[1:]
assert arguments[0] == "api", arguments
(path,) = [word for word in arguments if word.startswith("repos/one/project/")]
path = path.removeprefix("repos/one/project/")
if "--method" in arguments:
    method = arguments[arguments.index("--method") + 1]
    field = arguments[arguments.index("-F") + 1]
    assert field.startswith("body=@"), "the text would be in the command"
    body = Path(field.removeprefix("body=@")).read_text()
    assert len(body) <= 65_536, "GitHub refuses it"
    state.setdefault("said", []).append([method, path, body])
    Path("github.json").write_text(json.dumps(state))
elif path.startswith("pulls?"):
    print(json.dumps(state["pulls"][:1]) + json.dumps(state["pulls"][1:]))  # two pages
elif path in ("pulls/3/files?per_page=100", "pulls/7/files?per_page=100"):
    print(json.dumps(state["files"][:1]) + json.dumps(state["files"][1:]))  # two pages
elif path == "actions/runs/11/artifacts?name=gate&per_page=100":
    print(json.dumps({"artifacts": state["artifacts"]}))
elif path == "actions/artifacts/5/zip":
    sys.stdout.buffer.write(Path("left.zip").read_bytes())
elif path.startswith("issues/") and "/comments?" in path:
    print(json.dumps(state["comments"]))
else:
    sys.exit(f"gh: Not Found (HTTP 404): {path}")
"""


def pull(number: int, head: str = HEAD) -> dict[str, Any]:
    return {"number": number, "head": {"sha": head}}


def said(
    directory: Path,
    files: dict[str, str] | bytes | None = None,
    *,
    pulls: list[Any] | None = None,
    comments: list[Any] | None = None,
    changed: list[dict[str, str]] | None = None,
    conclusion: str = "failure",
    size: int = 1_000,
    path: str = ".github/workflows/gate.yml",
    title: str = "",
) -> list[list[str]]:
    """What the workflow sends, as (method, path, body), where the gate left these ``files`` (bytes: no archive at all)."""
    artifacts = [] if files is None else [{"id": 5, "size_in_bytes": size, "created_at": "2026-01-01T00:00:00Z"}]
    if isinstance(files, dict):
        with zipfile.ZipFile(directory / "left.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(name, text)
    elif files is not None:
        (directory / "left.zip").write_bytes(files)
    state: dict[str, Any] = {"files": changed or [], "comments": comments or []}
    state["pulls"] = [pull(3, "b" * 40), pull(7)] if pulls is None else pulls
    (directory / "github.json").write_text(json.dumps({**state, "artifacts": artifacts}))
    program(directory, "gh", GH)
    known = {
        "GITHUB_REPOSITORY": "one/project",
        "HEAD_SHA": HEAD,
        "CONCLUSION": conclusion,
        "RUN_ID": "11",
        "RUN_TITLE": title,
        "RUN_URL": RUN_URL,
        "RUN_PATH": path,
    }
    for part in workflow("comment")["jobs"]["comment"]["steps"]:
        if part.get("shell") == "python":
            command, environment = [sys.executable, "-c", part["run"]], {**os.environ, **known}
            answer = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True)
        else:
            answer = bash(part["run"], directory, **known)
        assert answer.returncode == 0, answer.stderr
    return json.loads((directory / "github.json").read_text()).get("said", [])


def test_the_comment_comes_from_no_checkout_and_after_any_end_of_the_gate() -> None:
    found = workflow("comment")
    assert [step for _, step in steps(found) if "uses" in step] == []
    assert "git " not in "\n".join(script for _, _, script in scripts(found))
    assert found["on"] == {"workflow_run": {"workflows": [workflow("gate")["name"]], "types": ["completed"]}}


def test_the_report_goes_to_the_pull_request_whose_head_was_measured(tmp_path: Path) -> None:
    files = {"report.md": "## it is worse\n\n| <code>a&#95;b</code> | 1 |\n"}
    ((method, path, body),) = said(tmp_path, files)
    assert (method, path) == ("POST", "issues/7/comments")
    assert "**The gate did not pass**" in body and RUN_URL in body
    assert "<pre>\n## it is worse\n\n| a_b | 1 |\n</pre>" in body


def test_of_pull_requests_with_one_head_the_title_of_the_run_names_the_one_that_was_judged(tmp_path: Path) -> None:
    both = [pull(3), pull(7)]
    (answer,) = said(tmp_path, {"report.md": "x"}, pulls=both, title="gate of #7")
    assert answer[1] == "issues/7/comments"
    other = said(tmp_path, {"report.md": "x"}, pulls=both, title="a title of another's choice")
    assert [path for _, path, _ in other] == ["issues/3/comments", "issues/7/comments"]


def test_a_second_report_replaces_the_first(tmp_path: Path) -> None:
    ours = {"id": 21, "user": {"login": "github-actions[bot]"}, "body": "<!-- the gate's report -->\nold"}
    others = [
        {"id": 19, "user": {"login": "mallory"}, "body": "<!-- the gate's report -->\nforged"},
        {"id": 20, "user": {"login": "github-actions[bot]"}, "body": "another workflow's"},
    ]
    ((method, path, _),) = said(tmp_path, {"report.md": "new"}, comments=[*others, ours], conclusion="success")
    assert (method, path) == ("PATCH", "issues/comments/21")


@pytest.mark.parametrize("files", [None, {}, {"other": "x"}, {"report.md": ""}, b"no archive", b"PK\x03\x04 half of one"])
def test_that_there_is_no_report_is_said(files: Any, tmp_path: Path) -> None:
    ((_, _, body),) = said(tmp_path, files)
    assert "There is no report" in body and "<pre>" not in body


def test_an_archive_that_is_too_large_is_not_fetched(tmp_path: Path) -> None:
    ((_, _, body),) = said(tmp_path, {"report.md": "text"}, size=10_000_000)
    assert "There is no report" in body


@pytest.mark.parametrize("conclusion", ["cancelled", "timed_out", "startup_failure"])
def test_a_run_without_a_verdict_is_not_called_a_failure_of_the_change(conclusion: str, tmp_path: Path) -> None:
    ((_, _, body),) = said(tmp_path, None, conclusion=conclusion)
    assert f"ended without a verdict ({conclusion})" in body


def test_a_stranger_s_report_stays_text(tmp_path: Path) -> None:
    hostile = textwrap.dedent("""\
        </pre> @everyone <img src=x onerror=alert(1)> [click](javascript:alert(1)) $(touch gotcha) `touch gotcha`
        &lt;/pre&gt; &#60;script&#62; &amp;lt; <!-- the gate's report --> ${{ github.token }} "; touch gotcha; #
        @/etc/passwd
        right\u202eleft \x1b[31mred\x07
        """)
    ((_, _, body),) = said(tmp_path, {"report.md": hostile, "../gotcha": "x", "comment.md": "forged"})
    assert body.count("<pre>") == body.count("</pre>") == 1
    inside = body.partition("<pre>")[2].partition("</pre>")[0]
    assert "<" not in inside and ">" not in inside
    assert "@/etc/passwd" in inside and "$(touch gotcha)" in inside
    assert "\u202e" not in inside and "\x1b" not in inside
    assert body.endswith("</pre>\n") and "forged" not in body
    assert not list(tmp_path.rglob("gotcha")) and not (tmp_path.parent / "gotcha").exists()


@pytest.mark.parametrize("report", ["&<>" * 100_000, "line\n" * 100_000, "x" * 3_000_000, "é" * 60_000])
def test_a_long_report_is_cut(report: str, tmp_path: Path) -> None:
    ((_, _, body),) = said(tmp_path, {"report.md": report})
    assert body.rstrip().endswith("the run has the whole report\n</pre>")


@pytest.mark.parametrize(
    ("pulls", "told"),
    [
        ([pull(3, "b" * 40)], []),  # the branch has moved on: another run speaks for it
        ([pull(3), pull(7), pull(8, "b" * 40)], [3, 7]),
        ([], []),
    ],
)
def test_all_pull_requests_with_this_head_are_commented_and_no_other(
    pulls: list[Any], told: list[int], tmp_path: Path
) -> None:
    answers = said(tmp_path, {"report.md": "text"}, pulls=pulls, changed=[{"filename": "Makefile"}])
    assert [path for _, path, _ in answers] == [f"issues/{number}/comments" for number in told]
    assert {body.count("changes what judges it") for *_, body in answers} <= {1}


def test_another_workflow_of_the_gate_s_name_is_no_gate(tmp_path: Path) -> None:
    ((_, _, body),) = said(tmp_path, {"report.md": "text"}, conclusion="success", path=".github/workflows/g.yml")
    assert "**The gate is not what ran: the pull request brings another workflow of its name" in body


def test_what_the_gate_calls_judges_is_named_here_too() -> None:
    expressions = re.findall(r"judges\+?='(.*)'", (ROOT / ".github" / "workflows" / "comment.yml").read_text())
    judges = re.compile("".join(expressions))
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    known = {file for file in (*files, *PINS) if Scope((file,), frozenset(), frozenset(), frozenset()).judges}
    assert len(known) > 100 and {file for file in known if not judges.search(file)} == set()


@pytest.mark.parametrize(
    ("changed", "is_named"),
    [
        ([], False),
        ([{"filename": "docs/gate/judge.md"}, {"filename": "tests/Makefile"}], False),
        ([{"filename": "README.md"}, {"filename": ".github/workflows/gate.yml"}], True),
        ([{"filename": "gate/judge.py"}], True),
        ([{"filename": "jitkernels/kernels/relu/__init__.py"}], True),
        ([{"filename": "jitkernels/kernels/relu/jax.py"}], False),
        ([{"filename": "docs/judge.py", "previous_filename": "gate/judge.py"}], True),
        ([{"filename": "Makefile"}], True),
        ([{"filename": ".asv/gate/calibration.jsonl"}], True),
        ([{"filename": "docs/a.md"}] * 3000, True),
    ],
)
def test_a_change_of_what_judges_is_said_by_github_s_list_of_files(
    changed: list[dict[str, str]], is_named: bool, tmp_path: Path
) -> None:
    ((_, _, body),) = said(tmp_path, {"report.md": "## it passed"}, changed=changed, conclusion="success")
    headline = f"**The gate passed** at {HEAD}: [the run]({RUN_URL})."
    assert body.splitlines()[1] == headline + (" This pull request changes what judges it." if is_named else "")
