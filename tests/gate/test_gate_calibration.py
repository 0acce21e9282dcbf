"""How often the gate is wrong: the faults of a run, its line, and what the command line refuses."""

import json
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import pytest
from calibration_line import line

from benchmarks import _selection
from duet import BenchmarkCase, Samples, Side, compare
from gate import calibration, cli, errors, faults, judge, verdict
from gate.builds import Ruler, Subjects
from gate.commits import Commit
from gate.verdict import Finding, Verdict
from jitkernels import case, files


def test_a_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "calibration.jsonl"
    assert calibration.load(file) == []
    files.append(file, json.dumps(line()) + "\n")
    with file.open("a") as kept:
        kept.write('{"schema": 2, "commit": "cut o')
    files.append(file, json.dumps(line(seconds=7.0)) + "\n")
    assert [run["seconds"] for run in calibration.load(file)] == [60.0, 7.0]


def warm(name: str) -> BenchmarkCase:
    return BenchmarkCase(name, name, {"type": "time"})


CASES = {
    **{
        name: warm(name)
        for name in ("k.Warm.time_call('c', 1)", "k.Warm.time_call('numba', 1)", "k.Warm.time_call('jax', 1)")
    },
    "k.Made.track_more('c')": BenchmarkCase("k.Made.track_more('c')", "", {"exact": True, "direction": "higher"}),
    "k.Accuracy.track_z('c')": BenchmarkCase("k.Accuracy.track_z('c')", "", {"limit": 5.0}),
}
PREVIOUS = {**{name: [2e-3, 1.0, 0.01] for name in CASES}, "k.Warm.time_call('c', 1)": [1e-6, 1.0, 0.01]}


def course(
    slow: str | None = None,
    cases: dict[str, BenchmarkCase] = CASES,
    kernels: tuple[str, ...] = (),
    bench: str = ".",
    **options: Any,
) -> calibration.Calibration:
    commit, sides = Commit("HEAD", "c" * 40, ""), (Side("base", "", None, Path()), Side("head", "", None, Path()))
    ruler = Ruler(Path(), cases, _selection)
    subjects = Subjects(commit, commit, sides, (ruler, ruler), {}, 0.0, {})
    method = {"bench": [] if kernels else [bench], "memory": "glibc"}
    conditions = {"machine": "m", "method": method}
    return calibration.Calibration(subjects, Path(), conditions, slow=slow, kernels=kernels, **options)


def planned(number: int, slow: str | None = None, previous: dict[str, list[float]] = PREVIOUS) -> dict[str, dict[str, Any]]:
    return course(slow).plan(number, previous)


def test_nothing_is_done_in_one_run_of_each_turn_and_in_the_others_every_size_has_its_own() -> None:
    kinds = [
        [fault.get("factor") for fault in planned(number).values() if fault["kind"] == "slower"] for number in range(10)
    ]
    assert kinds == 2 * [[], [1.05], [1.1], [1.2], [1.5]]
    assert planned(0) == planned(5) == {}


def test_faults_do_not_meet_and_the_same_run_has_the_same_ones() -> None:
    for number in range(1, 5):
        wrong = planned(number)
        assert [fault["kind"] for fault in wrong.values()] == ["slower", "changed", "wrong", "lost"]
        assert wrong == planned(number)
        assert wrong["k.Made.track_more('c')"]["by"] == -1, "more is better, so less is worse"
        (slow,) = (name for name, fault in wrong.items() if fault["kind"] == "slower")
        assert PREVIOUS[slow][0] >= judge.LONG_ENOUGH


def test_the_cell_that_is_asked_for_is_slowed_and_before_anything_was_measured_nothing_else() -> None:
    assert planned(1, slow="k.Warm.time_call('c', 1)", previous={}) == {
        "k.Warm.time_call('c', 1)": {"kind": "slower", "factor": 1.05}
    }
    assert planned(1, previous={}) == {}


def test_a_call_of_any_kernel_is_slowed_in_the_runs_that_measure_it() -> None:
    cases = {name.replace("k.", f"{kernel}.", 1): case for kernel in ("relu", "nbody") for name, case in CASES.items()}
    for kernel, other in (("relu", "nbody"), ("nbody", "relu")):
        one = course(f"{kernel}.Warm.time_call('c', 1)", cases=cases, kernels=("relu", "nbody"))
        one.cases = one.cases_of(kernel)
        assert len(one.plan(1, {})) == 1
        one.cases = one.cases_of(other)
        assert one.plan(1, {}) == {}


def test_a_slowed_call_takes_as_much_longer_as_its_factor_says(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.001
        return now[0]

    def work(seconds: float) -> str:
        now[0] += seconds
        return "done"

    monkeypatch.setattr(faults.time, "perf_counter", clock)
    for factor in (1.0, 1.2, 1.5):
        begin = now[0]
        assert faults.slowed(work, factor)(10.0) == "done"
        assert now[0] - begin == pytest.approx(10 * factor, abs=0.01)


@pytest.mark.parametrize("right", [0, 7, 3.14, {"loss": 0.5}, (1, 2.0), [{"w": 3}]])
def test_a_wrong_answer_is_wrong(right: Any) -> None:
    def flat(value: Any) -> list[float]:
        values = value.values() if isinstance(value, dict) else value
        return [value] if isinstance(value, int | float) else [number for entry in values for number in flat(entry)]

    assert type(faults.wrong(right)) is type(right)
    assert all(abs(a - b) >= 1 for a, b in zip(flat(right), flat(faults.wrong(right)), strict=True))


def test_a_case_is_misled_and_its_reference_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case.Case, "check_answer", case.Case.check_answer)  # which is put back afterwards
    own = case.prepare("softmax", "numpy", 4)
    right = own.check()
    faults.mislead(case)
    with pytest.raises(AssertionError):
        own.check()
    own.kernel.check(right, own.size, own.seed, case.Reference(own))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with a commit, and where asv could have a suite; the working directory."""
    top = tmp_path / "repository"
    subprocess.run(["git", "init", "--quiet", top], check=True)
    (top / "asv.conf.json").touch()
    author = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, "commit", "--quiet", "--allow-empty", "-m", "Begin"], cwd=top, check=True)
    monkeypatch.chdir(top)
    return top


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--runs", "0"], "must be 1 or more"),
        (["--runs", "x"], "invalid"),
        (["--sizes", "5,-1"], "per cent"),
        (["--sizes", "five"], "invalid"),
        (["--bench", "("], "not a regular expression"),
        (["--json", "no/such/directory/x.json"], "no/such/directory"),
        ([], "no run is stored"),
    ],
)
def test_what_can_t_be_asked_is_said_in_a_line(
    repository: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    try:
        code = cli.main(["calibrate", *arguments])
    except SystemExit as end:  # the parser's own
        code = end.code
    assert code == errors.USAGE
    assert words in capsys.readouterr().err
    assert {file.name for file in repository.iterdir()} == {".git", "asv.conf.json"}


def test_runs_go_on_after_those_of_the_same_machine_and_rules(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[int, str]] = []

    class Course:
        def __init__(self, subjects: Any, directory: Path, conditions: dict[str, Any], *rest: Any) -> None:
            self.conditions = conditions

        def run(self, number: int, previous: dict[str, list[float]]) -> dict[str, Any]:
            runs.append((number, " ".join(previous)))
            return line(**self.conditions, cells={f"after {number}": [1e-3, 1.0, 0.01]})

    monkeypatch.setattr(calibration, "Calibration", Course)
    monkeypatch.setattr(cli.builds, "build", lambda *_: None)
    files.append(repository / calibration.FILE, json.dumps(line(machine="another")) + "\n")
    assert [cli.main(["calibrate", "--runs", count, "--bench", "x"]) for count in ("2", "1")] == [0, 0]
    assert runs == [(0, ""), (1, "after 0"), (2, "after 0 after 1")]
    assert len(calibration.load(repository / calibration.FILE)) == 4


class InstantTrial:
    """Stands in for a trial: two of three times are worse. Keeps the options of the last one."""

    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, *_: Any, **options: Any) -> None:
        self.samples, self.suspects = Samples("base", "head"), [*KINDS][:2]
        InstantTrial.options = options

    def run(self) -> Verdict:
        times = [Finding(name, kind, comparison=compare([1.05] * 7)) for name, kind in KINDS.items()]
        commit = Commit("HEAD", "c" * 40, "")
        return Verdict(commit, commit, {}, {}, 1.0, "", [*times, Finding("k.Made.track_more('c')", verdict.SAME)])


FAULTY, ALARM, PLAIN = (f"k.Warm.time_call('{backend}', 1)" for backend in ("numba", "jax", "c"))
KINDS = {FAULTY: verdict.WORSE, ALARM: verdict.WORSE, PLAIN: verdict.SAME}


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> type[InstantTrial]:
    monkeypatch.setattr(calibration, "Trial", InstantTrial)
    return InstantTrial


@pytest.mark.parametrize(("kernels", "early"), [(("k",), True), ((), False)])
def test_runs_of_one_kernel_end_early_as_verdicts_do_and_whole_ones_measure_all_pairs(
    kernels: tuple[str, ...], early: bool, tmp_path: Path, instant: type[InstantTrial]
) -> None:
    one = course(kernels=kernels)
    one.directory = tmp_path
    one.run(0, {})
    assert instant.options == {"ends_early": early}


def test_one_kernel_after_another_has_all_sizes_and_the_cases_of_its_own_verdict(tmp_path: Path) -> None:
    cases = {name.replace("k.", f"{kernel}.", 1): case for kernel in ("relu", "nbody") for name, case in CASES.items()}
    one = course(cases=cases, sizes=(0.0, 0.05), kernels=("relu", "nbody"))
    assert [one.kernel_of(number) for number in range(5)] == ["relu", "relu", "nbody", "nbody", "relu"]
    assert {case.partition(".")[0] for case in one.cases_of("nbody")} == {"nbody"}
    assert "nbody.Warm.time_call('jax', 1)" in one.cases_of("nbody")
    timed = {name for name in one.cases_of("relu/jax") if "Warm" in name}
    assert timed == {"relu.Warm.time_call('jax', 1)"}, "as a change of relu's file for JAX"


@pytest.mark.parametrize("kernel", ["mandelbrot", "k/jx", "/jax", "k/triton"])
def test_a_kernel_or_dialect_that_the_suite_lacks_is_refused(kernel: str) -> None:
    with pytest.raises(errors.UsageError, match=f"no kernel {kernel}"):
        course(kernels=("k", kernel))


def test_an_expression_that_matches_no_case_is_refused() -> None:
    with pytest.raises(errors.UsageError, match="no benchmark case matches no_such_kernel"):
        course(bench="no_such_kernel")


@pytest.mark.parametrize("cell", ["k.Warm.time_call('nothing', 1)", "k.Made.track_more('c')"])
def test_only_a_warm_time_of_the_suite_can_be_slowed(cell: str) -> None:
    with pytest.raises(errors.UsageError, match="is no warm time"):
        course(cell)


def test_both_sides_of_a_slowed_case_have_the_clock_around_their_calls_and_other_faults_are_head_s() -> None:
    injected = planned(1)
    (slow,) = (name for name, fault in injected.items() if fault["kind"] == "slower")
    by_side = calibration.on_both_sides(injected)
    assert {name for side, name in by_side if side == "head"} == set(injected)
    assert {name: fault["factor"] for (side, name), fault in by_side.items() if side == "base"} == {slow: 1.0}
    assert {fault["program"] for fault in by_side.values()} == {faults.__file__}
