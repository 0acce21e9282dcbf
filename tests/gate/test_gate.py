"""The gate on real commits of a small copy of this repository: what passes, what does not, and by which exit code."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from laboratory import ROOT, Laboratory, heeding_ctrl_c

from gate import cli, errors
from gate.commits import lock

HITS = r"^philox_pi\.Accuracy\.track_hits\('(numpy|c)', 1000\)$"
WARM = r"^philox_pi\.Warm\.time_call\('numpy', 1000\)$"
KERNEL = "jitkernels/kernels/philox_pi/numpy.py"


@pytest.fixture(scope="module")
def base(laboratory: Laboratory) -> str:
    return laboratory.git("rev-list", "--max-parents=0", "HEAD")


def test_a_slowdown_is_found_confirmed_and_explained(laboratory: Laboratory, base: str) -> None:
    slow = laboratory.changed(
        base, KERNEL, "def run(points, seed):\n", "def run(points, seed):\n    sorted(range(200_000))\n"
    )
    answer = laboratory.gate(base, slow, "--bench", WARM, "--bench", HITS, "--report", "report.md", "--json", "verdict.json")
    assert answer.returncode == errors.REGRESSION, answer.stderr
    finding = next(
        row for row in json.loads((laboratory.path / "verdict.json").read_text())["findings"] if row["kind"] == "worse"
    )
    assert finding["cell"] == "philox_pi.Warm.time_call('numpy', 1000)"
    assert finding["suspected"] and finding["comparison"]["low"] > 1, "it was looked at twice"
    report = (laboratory.path / "report.md").read_text()
    assert "1 worse" in report.splitlines()[0]
    assert shlex.join(["python", "-m", "gate", base, slow, f"--bench={WARM}", f"--bench={HITS}"]) in report.splitlines()


def test_a_comment_passes(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# no change\ndef run(")
    code, findings = laboratory.judged(base, head, f"{WARM}|{HITS}")
    assert code == errors.PASSED, findings
    assert len(findings) == 3


def test_what_is_not_committed_is_said_to_be_left_out_and_any_directory_will_do(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# to be edited\ndef run(")
    laboratory.git("checkout", "--quiet", "--detach", head)
    kernel = laboratory.path / KERNEL
    before = kernel.read_text()
    try:
        kernel.write_text(before.replace("    return hits", "    return hits + 1"))
        answer = subprocess.run(
            [sys.executable, "-m", "gate", base, "HEAD", "--bench", HITS, "--json", "verdict.json"],
            cwd=laboratory.path / "tests",
            env=os.environ | {"PYTHONPATH": str(laboratory.path)},
            capture_output=True,
            text=True,
        )
    finally:
        kernel.write_text(before)
        laboratory.git("checkout", "--quiet", "-")
    assert answer.returncode == errors.PASSED, answer.stderr
    first, *steps = answer.stderr.splitlines()
    assert first == f"gate: {head[:8]} is measured as it was committed; changes since then are not"
    assert "gate: 2 figures: numpy (prepared)" in steps, "without a terminal each step is a line"
    stored = json.loads((laboratory.path / "tests" / "verdict.json").read_text())
    assert (stored["schema"], stored["method"]["bench"], bool(stored["machine"])) == (2, [HITS], True)
    assert "numpy" in stored["versions"]


def test_a_wrong_answer_is_wrong_whatever_its_speed(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "    return hits", "    return hits + 1")
    code, findings = laboratory.judged(base, head, f"{WARM}|{HITS}")
    assert code == errors.REGRESSION
    for cell in ("philox_pi.Warm.time_call('numpy', 1000)", "philox_pi.Accuracy.track_hits('numpy', 1000)"):
        assert findings[cell]["kind"] == "wrong"
        assert "783 hits, not 782" in findings[cell]["text"]
    assert findings["philox_pi.Accuracy.track_hits('c', 1000)"]["kind"] == "same"


def test_an_exact_figure_that_moves_is_a_regression(laboratory: Laboratory, base: str) -> None:
    spec = "jitkernels/kernels/philox_pi/__init__.py"
    head = laboratory.changed(base, spec, '"hits": hits}', '"hits": hits + 1}')
    code, findings = laboratory.judged(base, head, HITS)
    assert code == errors.REGRESSION
    finding = findings["philox_pi.Accuracy.track_hits('numpy', 1000)"]
    assert (finding["kind"], finding["base"], finding["head"]) == ("worse", 782, 783)


def test_what_head_skips_is_lost_with_its_reason(laboratory: Laboratory, base: str) -> None:
    lines = "    from jitkernels.errors import Unavailable\n\n    raise Unavailable('gone fishing')\n"
    head = laboratory.changed(base, KERNEL, "def run(points, seed):\n", f"def run(points, seed):\n{lines}")
    code, findings = laboratory.judged(base, head, HITS)
    assert code == errors.LOST
    assert "gone fishing" in findings["philox_pi.Accuracy.track_hits('numpy', 1000)"]["text"]
    assert findings["philox_pi.Accuracy.track_hits('c', 1000)"]["kind"] == "same"


def test_what_head_s_suite_no_longer_has_is_lost_and_what_it_adds_is_new(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "benchmarks/philox_pi.py", "def track_hits(", "def track_counted(")
    code, findings = laboratory.judged(base, head, r"^philox_pi\.Accuracy\.track_(hits|counted)\('c', 1000\)$")
    assert code == errors.LOST
    assert {cell.split("track_")[1].split("(")[0]: finding["kind"] for cell, finding in findings.items()} == {
        "hits": "lost",
        "counted": "same",
    }


def test_a_library_that_can_t_be_built_is_no_regression(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "pyproject.toml", "hatchling.build", "hatchling.no_such_module")
    answer = laboratory.gate(base, head, "--bench", HITS)
    assert answer.returncode == errors.INFRASTRUCTURE
    assert "Traceback" not in answer.stderr
    assert answer.stderr.splitlines()[-1].startswith("gate: `")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["HEAD", "HEAD"], "same commit"),
        (["HEAD", "no-such-branch"], "no commit 'no-such-branch'"),
        (["--", "-x", "HEAD"], "no commit '-x'"),
        (["HEAD~0", "HEAD", "--bench", "("], "no regular expression"),
        (["HEAD", "HEAD", "--budget", "0"], "more than 0"),
        (["HEAD", "HEAD", "--processes", "6"], "7 at least"),
        (["HEAD"], "required"),
    ],
)
def test_what_can_t_be_asked_is_said_in_a_line(laboratory: Laboratory, arguments: list[str], words: str) -> None:
    answer = laboratory.gate(*arguments)
    assert answer.returncode == errors.USAGE
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr


def test_where_there_is_no_suite_it_can_t_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["HEAD^", "HEAD"]) == errors.USAGE
    assert "lies in no git repository" in capsys.readouterr().err
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert cli.main(["HEAD^", "HEAD"]) == errors.USAGE
    assert "has no asv.conf.json" in capsys.readouterr().err


def test_make_hands_an_expression_on_as_it_was_typed() -> None:
    bench = r"^philox_pi\.Warm\.time_call\('(numpy|c)', 1000\)$"
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", "gate", f"BENCH={bench}", "BUDGET=3"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    words = shlex.split(said.stdout.partition("-m gate")[2])
    assert words[words.index("--bench") + 1 :] == [bench, "--budget", "3"]


def test_what_fails_in_the_gate_itself_is_no_regression(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(cli.commits, "repository", lambda _: 1 / 0)
    assert cli.main(["HEAD^", "HEAD"]) == errors.INFRASTRUCTURE
    assert "ZeroDivisionError" in capsys.readouterr().err
    program = "import runpy, sys; sys.modules['scipy'] = None; runpy.run_module('gate', run_name='__main__')"
    answer = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (answer.returncode, len(answer.stderr.splitlines())) == (errors.INFRASTRUCTURE, 1)
    assert "'.[gate]' installs what is missing" in answer.stderr


def test_benchmarks_that_do_not_exist_and_directories_too(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# another comment\ndef run(")
    answer = laboratory.gate(base, head, "--bench", "no_such_kernel")
    assert (answer.returncode, "no_such_kernel" in answer.stderr) == (errors.USAGE, True)
    answer = laboratory.gate(base, head, "--report", "no/such/directory/report.md")
    assert (answer.returncode, "no/such/directory" in answer.stderr) == (errors.USAGE, True)


def test_two_at_once_would_measure_each_other(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# a second gate\ndef run(")
    with lock(laboratory.path):
        for words in ([base, head, "--bench", HITS], ["calibrate", "--runs", "1"]):
            answer = laboratory.gate(*words)
            assert answer.returncode == errors.USAGE
            assert answer.stderr.startswith("gate: another gate is measuring in this repository")


def test_a_shallow_clone_is_named(laboratory: Laboratory, base: str, tmp_path: Path) -> None:
    url = f"file://{laboratory.path}"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", url, tmp_path / "shallow"], check=True)
    answer = subprocess.run(
        [sys.executable, "-m", "gate", "HEAD^", "HEAD"], cwd=tmp_path / "shallow", capture_output=True, text=True
    )
    assert answer.returncode == errors.USAGE
    assert "shallow" in answer.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_killed_in_the_middle_it_leaves_asv_s_results_and_starts_again(laboratory: Laboratory, base: str, how: int) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", f"# comment {how}\ndef run(")
    stored = {path: path.read_bytes() for path in (laboratory.path / ".asv" / "results").rglob("*.json")}
    command = heeding_ctrl_c([sys.executable, "-m", "gate", base, head, "--bench", WARM])
    with subprocess.Popen(command, cwd=laboratory.path, env=os.environ, stderr=subprocess.PIPE, text=True) as process:
        samples = laboratory.path / ".asv" / "gate" / f"{base[:8]}-{head[:8]}" / "samples.jsonl"
        while not samples.exists() and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(how)
        assert process.wait(timeout=60) == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert {path: path.read_bytes() for path in (laboratory.path / ".asv" / "results").rglob("*.json")} == stored
    code, findings = laboratory.judged(base, head, HITS)
    assert (code, len(findings)) == (errors.PASSED, 2)


def test_asv_continuous_can_t_fall_into_the_hole_of_six_samples(laboratory: Laboratory) -> None:
    """A check of the suite's own literals: rounds times repeat, of everything that is timed."""
    benchmarks = json.loads((laboratory.path / ".asv" / "results" / "benchmarks.json").read_text())
    timed = {name: known for name, known in benchmarks.items() if name != "version" and known["type"] == "time"}
    assert timed
    for name, known in timed.items():
        assert known["rounds"] * known["repeat"] >= 8, name


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
