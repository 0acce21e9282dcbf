"""A change is judged by BASE's ruler: its selection, its suite, and pins as they are. HEAD's adds, and says otherwise."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import _launch, _selection
from duet import BenchmarkCase, Side, SideError
from gate import builds, cli, errors, report, rulers, verdict
from gate.builds import Ruler, Subjects
from gate.commits import Commit
from gate.scope import DIALECTS, Scope
from gate.verdict import Finding, Verdict

ROOT = Path(__file__).parents[2]
COMMIT = Commit("HEAD", "0" * 40, "Change it")
KERNELS = ("relu", "softmax", "dense", "nbody")
ALL = frozenset((kernel, dialect) for kernel in KERNELS for dialect in DIALECTS)
SCOPE = Scope(("benchmarks/relu.py",), ALL, ALL, ALL, redefined=frozenset(("relu", dialect) for dialect in DIALECTS))
RELU, DENSE, OLD, NEW = (f"{kernel}.Warm.time_call('numba', 1)" for kernel in ("relu", "dense", "nbody", "softmax"))


class Selects:
    """In place of a suite's module ``_selection``: it selects the cases whose names it has."""

    group, needs_threads, variables = _launch.group, _launch.needs_threads, _launch.variables

    def __init__(self, *names: str) -> None:
        self.names = names

    def of_verdict(self, cases: Any) -> list[str]:
        return [case for case in cases if case in self.names]

    def selected(self, cases: Any, expressions: Sequence[str]) -> list[str]:
        return _selection.selected(cases, expressions)


def ruler(*names: str, selects: Sequence[str] | None = None) -> Ruler:
    cases = {name: BenchmarkCase(name, name, {"type": "time"}) for name in names}
    return Ruler(Path(), cases, Selects(*(names if selects is None else selects)))


def subjects(base: Ruler, head: Ruler) -> Subjects:
    sides = Side("base", "", None, Path()), Side("head", "", None, Path())
    return Subjects(COMMIT, COMMIT, sides, (base, head), {}, 0.0, {})


def test_base_s_ruler_measures_what_its_selection_has_and_head_s_what_is_new_or_redefined() -> None:
    plan = rulers.planned(subjects(ruler(RELU, DENSE, OLD), ruler(RELU, DENSE, NEW)), [], SCOPE)
    assert ({*plan.by_base}, {*plan.by_head}, plan.removed, plan.left_out) == ({RELU, DENSE}, {RELU, NEW}, [OLD], [])
    assert plan.redefined == []


@pytest.mark.parametrize(
    ("file", "head", "kind"),
    [
        ("jitkernels/kernels/relu/__init__.py", 1.1e-6, verdict.WORSE),
        ("jitkernels/kernels/_close.py", 1.1e-6, verdict.WORSE),
        ("jitkernels/differences.py", 1.1e-6, verdict.WORSE),
        ("jitkernels/kernels/relu/__init__.py", 0.9e-6, verdict.CHANGED),
        ("jitkernels/kernels/relu/numba.py", 1.1e-6, verdict.CHANGED),
        ("jitkernels/kernels/dense/__init__.py", 1.1e-6, verdict.CHANGED),
    ],
)
def test_a_change_of_an_error_s_bound_does_not_let_it_grow_tenfold(file: str, head: float, kind: str) -> None:
    name = "relu.Error.track_error('numba', 1)"
    case = BenchmarkCase(name, name, {"type": "track", "checked": True})
    finding = Finding(name, verdict.CHANGED, 1e-7, head, text="within its bound")
    assert rulers.bounded(finding, case, replace(SCOPE, changed=(file,))).kind == kind
    pi = BenchmarkCase(name, name, {"type": "track", "limit": 5.0})
    assert rulers.bounded(finding, pi, replace(SCOPE, changed=(file,))) == finding, "chance has a bound of its own"


def test_a_narrowed_selection_is_named_and_judges_nothing_less() -> None:
    plan = rulers.planned(subjects(ruler(RELU, DENSE), ruler(RELU, DENSE, selects=[RELU])), [], SCOPE)
    assert ({*plan.by_base}, {*plan.by_head}, plan.left_out) == ({RELU, DENSE}, {RELU}, [DENSE])


def test_a_case_that_no_verdict_selects_may_not_vanish() -> None:
    plan = rulers.planned(subjects(ruler(RELU, OLD, selects=[RELU]), ruler(RELU)), [], SCOPE)
    assert plan.removed == [OLD]


@pytest.mark.parametrize(
    ("rule", "of_base", "of_head"),
    [
        ("direction", "lower", "any"),
        ("tolerance", 0.005, 0.5),
        ("limit", 5.0, None),
        ("checked", True, None),
        ("exact", True, None),
        ("unit", "bytes", "seconds"),
    ],
)
def test_a_case_that_head_s_suite_judges_by_other_rules_is_named(rule: str, of_base: Any, of_head: Any) -> None:
    def suite(value: Any) -> Ruler:
        rules = {} if value is None else {rule: value}
        return Ruler(Path(), {RELU: BenchmarkCase(RELU, RELU, rules), DENSE: BenchmarkCase(DENSE, DENSE, {})}, Selects())

    plan = rulers.planned(subjects(suite(of_base), suite(of_head)), [], SCOPE)
    assert plan.redefined == [RELU]
    seen = Verdict(COMMIT, COMMIT, CONDITIONS, {}, 60.0, "", [Finding(DENSE, verdict.SAME)], SCOPE, redefined=plan.redefined)
    line = f"HEAD's suite has another direction, bound or unit for `{RELU}`; BASE's judged."
    assert line in report.markdown(seen).splitlines()
    assert report.as_json(seen)["redefined"] == [RELU]
    assert "cases for which HEAD's suite has another direction, bound or unit: 1" in report.closing(seen, None)


def test_one_ruler_measures_once() -> None:
    one = ruler(RELU, DENSE)
    plan = rulers.planned(subjects(one, one), [], SCOPE)
    assert ({*plan.by_base}, plan.by_head) == ({RELU, DENSE}, {})


UNMEASURED = "HEAD skips it"


def measured_by(unmeasured: Sequence[str], **kinds: dict[str, str]) -> Any:
    """In place of a trial: each ruler's findings, by the directory that it measures in. unmeasured: by HEAD's ruler."""

    class Trial:
        def __init__(self, subjects: Subjects, ruler: Ruler, cases: Any, directory: Path, *_: Any, **novel: Any) -> None:
            assert {*cases} == {*kinds[directory.name]}
            self.findings = [Finding(name, kind) for name, kind in kinds[directory.name].items()]

        def run(self) -> Verdict:
            seen = Verdict(COMMIT, COMMIT, CONDITIONS, {}, 60.0, "2026-01-01T00:00:00Z", self.findings)
            return replace(seen, unmeasured=dict.fromkeys(unmeasured, UNMEASURED))

    return Trial


METHOD = {"bench": [], "processes": 7, "memory": "jemalloc", "budget": 1500.0}
CONDITIONS = {"machine": "vm", "processor": "one", "cores": 2, "method": METHOD}
CASES = {"by_base": {RELU: verdict.WORSE, DENSE: verdict.SAME}, "by-head": {RELU: verdict.SAME, NEW: verdict.SAME}}


BOTH = subjects(ruler(RELU, DENSE, OLD), ruler(RELU, DENSE, NEW))


def judged(
    monkeypatch: pytest.MonkeyPatch,
    directory: Path,
    both: Subjects = BOTH,
    unmeasured: Sequence[str] = (),
    **kinds: dict[str, str],
) -> Verdict:
    monkeypatch.setattr(rulers, "Trial", measured_by(unmeasured, **kinds))
    (directory / "by_base").mkdir()
    return rulers.judged(both, directory / "by_base", CONDITIONS, {}, print, SCOPE)


def test_base_s_ruler_decides_and_the_report_says_where_head_s_differs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    redefined = ruler(RELU, DENSE, NEW)
    redefined.cases[DENSE] = replace(redefined.cases[DENSE], attributes={"type": "time", "direction": "any"})
    seen = judged(monkeypatch, tmp_path, subjects(ruler(RELU, DENSE, OLD), redefined), **CASES)
    assert seen.redefined == [DENSE]
    kinds = {finding.case: finding.kind for finding in seen.findings}
    assert kinds == {OLD: verdict.LOSS, RELU: verdict.WORSE, DENSE: verdict.SAME, NEW: verdict.SAME}
    assert (seen.exit_code, seen.seconds) == (errors.REGRESSION, 120.0)
    lines = report.markdown(seen).splitlines()
    assert any(line.startswith("Measured by both suites: 1. BASE's decides") and "differ in 1." in line for line in lines)
    assert f"| `{RELU}` | worse | same |" in lines
    assert lines.index(f"| `{RELU}` | worse | same |") < lines.index("### Worse")
    assert report.as_json(seen)["by_head"][0]["kind"] == "same"
    assert "cases that HEAD's suite judges differently: 1" in report.closing(seen, None)


def test_an_answer_that_only_head_s_suite_calls_wrong_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kinds = {"by_base": CASES["by_base"] | {RELU: verdict.SAME}, "by-head": CASES["by-head"] | {RELU: verdict.WRONG}}
    seen = judged(monkeypatch, tmp_path, **kinds)
    assert [finding.case for finding in seen.of_kind(verdict.WRONG)] == [RELU]
    assert f"| `{RELU}` | same | wrong |" in report.markdown(seen).splitlines()


@pytest.mark.parametrize(
    ("by_base", "by_head", "unmeasured", "kind"),
    [
        (verdict.SAME, verdict.SKIPPED, [RELU], verdict.LOSS),
        (verdict.BETTER, verdict.TOO_FEW, [RELU], verdict.LOSS),
        (verdict.CHANGED, verdict.LOSS, [RELU], verdict.LOSS),
        (verdict.NEW, verdict.SKIPPED, [RELU], verdict.LOSS),
        (verdict.SAME, verdict.LOSS, [], verdict.LOSS),  # in some processes
        (verdict.SAME, verdict.TOO_FEW, [], verdict.SAME),  # the budget ended, or few processes measured it
        (verdict.SAME, verdict.WORSE, [], verdict.SAME),
        (verdict.SAME, verdict.WRONG, [RELU], verdict.WRONG),
        (verdict.SKIPPED, verdict.SKIPPED, [RELU], verdict.SKIPPED),
        (verdict.WORSE, verdict.LOSS, [RELU], verdict.WORSE),
        (verdict.TOO_FEW, verdict.TOO_FEW, [RELU], verdict.TOO_FEW),
    ],
)
def test_a_case_that_head_s_own_suite_does_not_measure_is_lost(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, by_base: str, by_head: str, unmeasured: list[str], kind: str
) -> None:
    kinds = {"by_base": CASES["by_base"] | {RELU: by_base}, "by-head": CASES["by-head"] | {RELU: by_head}}
    seen = judged(monkeypatch, tmp_path, unmeasured=unmeasured, **kinds)
    (finding,) = (finding for finding in seen.findings if finding.case == RELU)
    assert finding.kind == kind
    if kind == verdict.LOSS and unmeasured:
        assert finding.text == f"HEAD's own suite measures nothing: {UNMEASURED}"


@pytest.mark.parametrize(
    ("of_base", "kind", "code"),
    [
        (ruler(), verdict.NEW, errors.PASSED),
        (ruler(), verdict.SKIPPED, errors.TOO_LITTLE),
        (ruler(), verdict.TOO_FEW, errors.TOO_LITTLE),
        (ruler(), verdict.WRONG, errors.REGRESSION),
        (ruler(NEW, selects=[]), verdict.NEW, errors.TOO_LITTLE),
    ],
)
def test_a_right_answer_is_enough_for_a_case_that_only_head_s_suite_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, of_base: Ruler, kind: str, code: int
) -> None:
    seen = judged(monkeypatch, tmp_path, subjects(of_base, ruler(NEW)), **{"by_base": {}, "by-head": {NEW: kind}})
    assert seen.exit_code == code
    if code == errors.PASSED:
        assert report.sentence(seen) == "Nothing is worse: 1 new, 0 compared"


def test_left_out_cases_and_pins_are_at_the_head_of_the_report() -> None:
    seen = Verdict(COMMIT, COMMIT, CONDITIONS, {}, 60.0, "", [Finding(DENSE, verdict.SAME)], SCOPE)
    seen = replace(seen, left_out=[DENSE], pins={"numba": ("0.68.0", "0.68.1"), "warp": ("", "1\n#")})
    lines = report.markdown(seen).splitlines()
    assert f"HEAD's selection leaves out `{DENSE}`, which BASE's selects and judged." in lines
    pins = "`numba` `0.68.0` to `0.68.1`, `warp` none to <code>1&#92;u000a&#35;</code>"
    assert f"Pins: {pins}. Each side has an environment of its own." in lines


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite's selection, with all that it imports of the suite."""
    for name in ("_selection.py", "_launch.py", "_library.py"):
        (tmp_path / name).write_text((ROOT / "benchmarks" / name).read_text())
    return tmp_path


def test_a_selection_of_base_is_imported_from_its_suite(suite: Path) -> None:
    file = suite / "_selection.py"
    file.write_text(file.read_text().replace("FEW = 2", "FEW = 22"))
    narrowed = builds.selection_of(suite)
    assert narrowed is not None
    assert (narrowed.FEW, _selection.FEW) == (22, 2)
    for number, text in enumerate(("", "raise SystemError('no selection')", "raise SystemExit(0)")):
        (suite / str(number)).mkdir()
        (suite / str(number) / "_selection.py").write_text(text)
        assert builds.selection_of(suite / str(number)) is None


def selection_of_head(suite: Path, text: str, trusted: Any = _selection) -> Any:
    """HEAD's selection, with these lines at the end of its module. trusted: BASE's."""
    file = suite / "_selection.py"
    file.write_text(f"{file.read_text()}\nimport os, sys\n{text}\n")
    return builds.selection_in_processes(Side("head", sys.executable, ROOT, suite), trusted)


def test_a_selection_of_head_selects_in_processes_that_base_s_begins(suite: Path) -> None:
    lines = "of_verdict = lambda cases: [case for case in cases if case.startswith('relu')]\ngroup = None"
    own = selection_of_head(suite, lines)
    assert own.of_verdict([RELU, DENSE]) == [RELU]
    assert own.selected({RELU: 1, DENSE: 2}, ["^dense"]) == [DENSE]
    assert own.group(RELU) == _launch.group(RELU)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sys.exit(0)", ""),
        ("of_verdict = lambda cases: os._exit(0)", ""),
        ("del of_verdict", "AttributeError: module 'suite._selection' has no attribute 'of_verdict'"),
        ("of_verdict = ", "SyntaxError: invalid syntax"),
        ("no_such_name", "NameError: name 'no_such_name' is not defined"),
    ],
)
def test_a_selection_of_head_that_cannot_be_loaded_is_no_silent_loss(line: str, reason: str, suite: Path) -> None:
    words = f"HEAD's benchmarks/_selection.py cannot be loaded: the selection of head selects nothing: {reason}"
    with pytest.raises(SideError, match=f"^{re.escape(words)}$"):
        selection_of_head(suite, line)
    assert selection_of_head(suite, line, trusted=None) is _selection, "BASE's cannot be loaded either"


def test_base_s_selection_selects_if_head_has_none(suite: Path) -> None:
    (suite / "_selection.py").unlink()
    assert builds.selection_in_processes(Side("head", sys.executable, ROOT, suite), _selection) is _selection


@pytest.mark.parametrize("code", ["sys.exit(0)", "1 / 0", "7", "print(2)"])
def test_a_selection_of_head_that_ends_its_process_ends_no_gate(code: str, suite: Path) -> None:
    own = selection_of_head(suite, f"of_verdict = lambda cases: [] if not cases else {code}")
    with pytest.raises(SideError, match="the selection of head selects nothing"):
        own.of_verdict([RELU])


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    return tmp_path


def commit(repository: Path, **pins: str) -> Commit:
    lines = ", ".join(f'"{name}": ["{version}"]' for name, version in {"pip+asv_runner": "0.3.2", **pins}.items())
    (repository / "asv.conf.json").write_text('{\n// a comment\n"version": 1, "matrix": {"req": {' + lines + "}}}")
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "add", "--all"], cwd=repository, check=True)
    subprocess.run(["git", *author, "commit", "--quiet", "--allow-empty", "-m", "Pin"], cwd=repository, check=True)
    digits = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True).stdout
    return Commit("HEAD", digits.strip(), "Pin")


@pytest.mark.parametrize(
    ("of_head", "pythons", "pins"),
    [
        ({"numba": "0.68.1"}, ["numba 0.68.1"] * 2, {}),
        ({"numba": "0.69.0"}, ["numba 0.68.1", "numba 0.69.0"], {"numba": ("0.68.1", "0.69.0")}),
        ({"numba": "0.68.1", "pip+asv_runner": "9"}, ["numba 0.68.1"] * 2, {}),  # that is the ruler, which is BASE's
    ],
)
def test_a_raised_pin_is_two_environments_one_a_side(
    repository: Path, monkeypatch: pytest.MonkeyPatch, of_head: dict[str, str], pythons: list[str], pins: dict[str, Any]
) -> None:
    def environment(_: Path, log: Path, pins: dict[str, str]) -> tuple[str, dict[str, str]]:
        assert pins["pip+asv_runner"] == "0.3.2"
        return f"numba {pins['numba']}", pins

    monkeypatch.setattr(builds, "asv_environment", environment)
    monkeypatch.setattr(builds, "side", lambda name, _, digits, directory, python: Side(name, python, None, directory))
    monkeypatch.setattr(builds, "rulers_of", lambda *_: (ruler(RELU), ruler(RELU)))
    monkeypatch.setattr(Side, "versions", lambda self, names: dict.fromkeys(names, self.python))
    base, head = commit(repository, numba="0.68.1"), commit(repository, **of_head)
    built = builds.build(repository, base, head, repository / "gate", print)
    assert [side.python for side in built.sides] == pythons
    assert built.pins == pins


def test_pins_that_cannot_be_read_are_no_regression(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = commit(repository)
    (repository / "asv.conf.json").write_text('{"version": 1, "matrix": {}}')
    (repository / "jitkernels").mkdir()
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "--quiet", "--all", "-m", "No pins"], cwd=repository, check=True)
    monkeypatch.chdir(repository)
    assert cli.main([base.hash, "HEAD", "--bench", "x"]) == errors.INFRASTRUCTURE
