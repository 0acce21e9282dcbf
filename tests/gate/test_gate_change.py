"""The gate without --bench, on doctored commits: it selects what the change can touch, and sees what the change does."""

import json
import re
from pathlib import Path

from laboratory import ROOT, Laboratory

from gate import errors

C, NUMPY = "jitkernels/kernels/nbody/c.c", "jitkernels/kernels/philox_pi/numpy.py"
WARM = r"^philox_pi\.Warm\.time_call\('numpy', 1000\)$"
WRONG_ONCE = """
import os

if os.path.exists(FLAG):
    right = run
elif not os.mkdir(FLAG):
    right, run = run, lambda points, seed: right(points, seed) + 1
"""


def test_a_wrong_kernel_is_seen_by_the_cases_that_its_file_can_touch(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, C, "DT = 0.01f", "DT = 0.02f")
    short = ("--budget", "0.02")  # minutes: one pair of processes shows a wrong answer
    answer = laboratory.gate(base, head, *short, "--report", "report.md", "--json", "verdict.json")
    assert answer.returncode == errors.REGRESSION, answer.stderr
    stored = json.loads((laboratory.path / "verdict.json").read_text())
    kinds = {finding["cell"]: finding["kind"] for finding in stored["findings"]}
    assert set(kinds.values()) == {"wrong"}
    assert {"nbody.Warm.time_call('c', 200)", "nbody.Error.track_error('c', 1000)"} < set(kinds)
    assert all(cell.startswith("nbody.") and "'c'" in cell for cell in kinds), kinds
    assert stored["scope"] == {
        "changed": [C], "judges": [], "times": [["nbody", "c"]], "figures": [["nbody", "c"]], "all": False,
    }  # fmt: skip
    judged_by = f"Changed: `{C}`; so judged by: times (1), exact figures and errors (2) on `c`, of `nbody`"
    assert judged_by in (laboratory.path / "report.md").read_text()
    last = answer.stderr.splitlines()
    assert last[-1] == "gate: the report: report.md"
    assert any(line.startswith("gate:   wrong: nbody.") for line in last[-7:])


def test_a_wrong_answer_in_one_process_of_seven_is_wrong(laboratory: Laboratory, base: str, tmp_path: Path) -> None:
    flag = tmp_path / "wrong"
    text = (laboratory.path / NUMPY).read_text()
    head = laboratory.changed(base, NUMPY, text, text + WRONG_ONCE.replace("FLAG", repr(str(flag))))
    code, findings = laboratory.judged(base, head, WARM)
    assert flag.exists()
    (finding,) = findings.values()
    assert (code, finding["kind"]) == (errors.REGRESSION, "wrong")
    assert finding["text"].startswith("HEAD answered wrongly in 1 of 7 processes: AssertionError: 783 hits, not 782")


def test_a_narrowed_selection_is_named_and_what_is_measured_no_more_is_lost(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "benchmarks/_selection.py", "VERDICT = [*PI, *FOUR, ", "VERDICT = [*FOUR, ")
    head = laboratory.changed(
        head, "benchmarks/relu.py", "params = [benchmark.ON_ARRAYS, [100]]", 'params = [["numpy"], [100]]'
    )
    code, findings = laboratory.judged(base, head, r"^relu\.Error\.track_error\('(numpy|c)'", "--report", "report.md")
    assert code == errors.LOST, findings
    report = (laboratory.path / "report.md").read_text()
    line = "**This change touches what judges it:** `benchmarks/_selection.py`, `benchmarks/relu.py`."
    assert line in report.splitlines()
    assert "`relu.Error.track_error('c', 100)`" in report.partition("### Lost")[2]


def test_a_case_that_head_s_suite_skips_is_lost_though_base_s_measures_it(laboratory: Laboratory, base: str) -> None:
    ends = '    """How near the answer is to the reference."""\n'
    skips = "    def figures(self, *parameters):\n        raise NotImplementedError('no time')\n"
    head = laboratory.changed(base, "benchmarks/relu.py", ends, f"{ends}\n{skips}")
    code, findings = laboratory.judged(base, head, r"^relu\.Error\.track_error\('(numpy|c)'")
    assert code == errors.LOST, findings
    assert {finding["text"] for finding in findings.values()} == {"HEAD's own suite measures nothing: no time"}


def test_documents_alone_pass_without_a_build(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "README.md", "# ", "# The ")
    before = {*(laboratory.path / ".asv" / "gate").glob("*")}
    answer = laboratory.gate(base, head, "--json", "verdict.json")
    assert answer.returncode == errors.PASSED, answer.stderr
    assert answer.stderr.splitlines()[-1] == "gate: Nothing is worse: nothing that is measured can have changed"
    assert "so judged by: nothing, because nothing that is measured can have changed." in answer.stdout
    assert json.loads((laboratory.path / "verdict.json").read_text())["findings"] == []
    assert {*(laboratory.path / ".asv" / "gate").glob("*")} <= before


def test_a_commit_that_only_adds_a_kernel_passes(laboratory: Laboratory, base: str) -> None:
    """The kernel of CONTRIBUTING.md, of which this environment has only NumPy's file."""
    laboratory.git("checkout", "--quiet", "--detach", base)
    files = re.findall(r"`([\w/]+\.py)`:\n\n```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.DOTALL)
    for name, text in files:
        (laboratory.path / name).parent.mkdir(exist_ok=True)
        (laboratory.path / name).write_text(text)
    head = laboratory.commit("Add a kernel")
    answer = laboratory.gate(base, head, "--json", "verdict.json")
    assert answer.returncode == errors.PASSED, answer.stderr
    assert "gate: Nothing is worse: 4 new, 0 compared" in answer.stderr.splitlines()
    findings = json.loads((laboratory.path / "verdict.json").read_text())["findings"]
    kinds = {(finding["cell"].split("'")[1], finding["kind"]) for finding in findings}
    frameworks = ("numba", "numba_parallel", "jax_eager", "jax")
    assert kinds == {("numpy", "new"), *((backend, "skipped") for backend in frameworks)}
    (lines,) = (laboratory.path / ".asv" / "gate").glob("*/by-head/samples.jsonl")
    rounds = {json.loads(line)["round"] for line in lines.read_text().splitlines()}
    assert rounds == {0, 1}, "the figures, and one pair of processes for each time"
    names = [f"{commit[:8]}.asv.conf.json" for commit in (base, head)] + ["by-head", "log.txt"]
    names += ["by-head/log.txt", "by-head/samples.jsonl"]
    left = {str(file.relative_to(lines.parents[1])) for file in lines.parents[1].rglob("*")}
    assert left == {*names}, "no build and no cache"
