"""The gate's command line: what it refuses, and how it shows its progress."""

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from laboratory import ROOT, Laboratory, Template

from duet.lock import only_measurement
from gate import cli, errors
from gate.commits import Commit
from gate.verdict import WORSE, Finding, Verdict

HITS = r"^philox_pi\.Accuracy\.track_hits\('c', 1000\)$"
KERNEL = "jitkernels/kernels/philox_pi/numpy.py"


@pytest.fixture(scope="module")
def laboratory(measured_laboratory: Template, tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A laboratory for all tests of this file: no gate measures in it."""
    return measured_laboratory.copy(tmp_path_factory.mktemp("usage") / "laboratory", shares_environment=True)


def refusal(laboratory: Laboratory, capsys: Any, *arguments: str) -> str:
    """Return what the gate, which must refuse the arguments, prints on standard error."""
    with contextlib.chdir(laboratory.path):
        try:
            code = cli.main([*arguments])
        except SystemExit as end:  # argparse's
            code = end.code
    assert code == errors.USAGE
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["HEAD", "HEAD"], "same commit"),
        (["HEAD", "no-such-branch"], "no commit 'no-such-branch'"),
        (["--", "-x", "HEAD"], "no commit '-x'"),
        (["HEAD~0", "HEAD", "--bench", "("], "not a regular expression"),
        (["HEAD", "HEAD", "--budget", "0"], "more than 0"),
        (["HEAD", "HEAD", "--processes", "6"], "7 or more"),
        (["HEAD"], "required"),
    ],
)
def test_invalid_arguments_are_one_line(laboratory: Laboratory, capsys: Any, arguments: list[str], words: str) -> None:
    message = refusal(laboratory, capsys, *arguments)
    assert words in message
    assert "Traceback" not in message


def test_a_directory_without_a_suite_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["HEAD^", "HEAD"]) == errors.USAGE
    assert "lies in no git repository" in capsys.readouterr().err
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert cli.main(["HEAD^", "HEAD"]) == errors.USAGE
    assert "has no asv.conf.json" in capsys.readouterr().err


def test_make_passes_an_expression_on_unchanged() -> None:
    bench = r"^philox_pi\.Warm\.time_call\('(numpy|c)', 1000\)$"
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", "gate", f"BENCH={bench}", "BUDGET=3"]
    recipe = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    words = shlex.split(recipe.stdout.partition("-m gate")[2])
    assert words[words.index("--bench") + 1 :] == [bench, "--budget", "3"]


def test_an_error_of_the_gate_itself_is_no_regression(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(cli.commits, "repository", lambda _: 1 / 0)
    assert cli.main(["HEAD^", "HEAD"]) == errors.INFRASTRUCTURE
    assert "ZeroDivisionError" in capsys.readouterr().err
    program = "import runpy, sys; sys.modules['scipy'] = None; runpy.run_module('gate', run_name='__main__')"
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (errors.INFRASTRUCTURE, 1)
    assert "'.[gate]' installs what is missing" in answer.stderr


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("benchmarks/_selection.py", "def"),
        ("benchmarks/_selection.py", "no_such_name"),
        ("benchmarks/_selection.py", "raise SystemExit(1)"),
        ("jitkernels/backends/table.py", "def"),
        ("duet/child/orphans.py", "def"),
        ("gate/errors.py", "no_such_name"),
    ],
)
def test_a_file_of_the_working_tree_that_cannot_be_imported_is_no_regression(file: str, text: str, tmp_path: Path) -> None:
    for room in ("benchmarks", "duet", "gate", "jitkernels"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"), copy_function=os.symlink)
    (tmp_path / file).unlink()
    (tmp_path / file).write_text(text)
    command = [sys.executable, "-m", "gate", "HEAD^", "HEAD"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    answer = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert answer.returncode == errors.INFRASTRUCTURE, answer.stderr
    assert f'File "{tmp_path / file}"' in answer.stderr


STOPS_AT_ITS_FIRST_STEP = """
import sys
from gate import cli

cli.commits.repository = lambda _: cli.report_progress("a step") or sys.exit("it went on")
sys.exit(cli.main(["HEAD^", "HEAD"]))
"""


@pytest.mark.parametrize("redirection", ["2>&1 | :", "2>/dev/full"])
def test_progress_that_cannot_be_printed_ends_the_gate_and_is_no_regression(redirection: str) -> None:
    program = f"sleep 0.5; {shlex.join([sys.executable, '-c', STOPS_AT_ITS_FIRST_STEP])}; echo $? >&3"
    shell = ["bash", "-c", f"exec 3>&1; {{ {program}; }} {redirection}"]
    answer = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True)
    assert answer.stdout == f"{errors.INFRASTRUCTURE}\n"


def test_a_closed_standard_error_needs_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.commits, "repository", lambda _: cli.report_progress("a step") or 1 / 0)
    monkeypatch.setattr(sys, "stderr", None)  # by the shell's 2>&-
    assert cli.main(["HEAD^", "HEAD"]) == errors.INFRASTRUCTURE


@pytest.mark.parametrize("is_read", [True, False])
def test_a_report_that_cannot_be_printed_loses_no_verdict(
    is_read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, method = Commit("HEAD", "0" * 40, "Change it"), {"processes": 7, "memory": "jemalloc", "bench": [], "budget": 60}
    conditions = {"machine": "vm", "processor": "one", "cores": 2, "method": method}
    worse = Verdict(commit, commit, conditions, {}, 1.0, "", [Finding("k.Warm", WORSE)])
    monkeypatch.setattr(cli.commits, "repository", lambda _: tmp_path)
    monkeypatch.setattr(cli.commits, "pair", lambda *_: (commit, commit))
    monkeypatch.setattr(cli.commits, "has_uncommitted_changes", lambda *_: False)
    monkeypatch.setattr(cli, "measured", lambda *_: worse)
    reading, writing = os.pipe()
    if not is_read:
        os.close(reading)
    with os.fdopen(writing, "w", encoding="ascii") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert cli.main(["HEAD^", "HEAD", "--json", str(tmp_path / "verdict.json")]) == errors.REGRESSION
    monkeypatch.setattr(sys, "stdout", None)  # closed by the shell's >&-
    assert cli.main(["HEAD^", "HEAD"]) == errors.REGRESSION
    assert json.loads((tmp_path / "verdict.json").read_text())["exit_code"] == errors.REGRESSION
    if is_read:
        with os.fdopen(reading, encoding="ascii") as report:
            assert report.readline().startswith("## \\u274c Something is worse")


@pytest.mark.filterwarnings(r"ignore:os\.fork:RuntimeWarning")  # asv forks, and JAX warns if it is installed
def test_unknown_benchmarks_and_directories_are_usage_errors(laboratory: Laboratory, base: str, capsys: Any) -> None:
    head = laboratory.changed(base, "README.md", "# ", "# Another ")
    assert "no_such_kernel" in refusal(laboratory, capsys, base, head, "--bench", "no_such_kernel")
    assert "no/such/directory" in refusal(laboratory, capsys, base, head, "--report", "no/such/directory/report.md")
    assert "docs cannot be written" in refusal(laboratory, capsys, base, head, "--json", "docs")
    both = "calibrate", "--runs", "1", "--kernel", "relu", "--bench", "."
    assert "exclude each other" in refusal(laboratory, capsys, *both)


def test_a_second_gate_is_refused_while_one_measures(laboratory: Laboratory, base: str, capsys: Any) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# a second gate\ndef run(")
    with only_measurement(laboratory.path):
        for words in ([base, head, "--bench", HITS], ["calibrate", "--runs", "1"]):
            message = refusal(laboratory, capsys, *words)
            assert message.startswith("gate: another measurement, or a process of one, is still running here")


def test_a_shallow_clone_is_named(laboratory: Laboratory, base: str, tmp_path: Path) -> None:
    url = f"file://{laboratory.path}"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", url, tmp_path / "shallow"], check=True)
    answer = subprocess.run(
        [sys.executable, "-m", "gate", "HEAD^", "HEAD"], cwd=tmp_path / "shallow", capture_output=True, text=True
    )
    assert answer.returncode == errors.USAGE
    assert "shallow" in answer.stderr


def test_a_step_is_shown_in_place_on_a_terminal_and_as_a_line_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for step in ("first", "second", ""):
        cli.report_progress(step)
    assert capsys.readouterr().err == "gate: first\ngate: second\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for step in ("first", "second", ""):
        cli.report_progress(step)
    assert capsys.readouterr().err == "\r\033[Kfirst\r\033[Ksecond\r\033[K"
