"""Nothing passes by not being measured, and everything in a report is text."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import _selection
from benchmarks._suite import counts, lives
from duet import BenchmarkCase, Samples, Side, compare
from duet.samples import Measurement
from gate import errors, judge, report, trial, verdict
from gate.builds import Ruler, Subjects
from gate.commits import Commit
from gate.verdict import Finding, Verdict

CASE = BenchmarkCase("kernel.Warm.time_call('numba', 1000)", "kernel.Warm.time_call-0", {"type": "time", "unit": "seconds"})
OK, SKIPPED = Measurement("ok", values=[1.0, 1.1, 0.9]), Measurement("skipped", "no compiler")
FAILED = Measurement("failed", "AssertionError: wrong answer")
KILLED = Measurement("failed", "its process ended with signal SIGKILL and said nothing")
CRASHED = Measurement("failed", "its process ended with signal SIGSEGV and said nothing")
DEAD = Measurement("failed", "the process that should have measured it died")
HUNG = Measurement("failed", "the import of its suite and framework had not ended after 120 s")
HOSTILE = "<script>alert(1)</script>`|\n@everyone [x](javascript:x) \u202ereversed ]]>"


def samples(base: list[Measurement], head: list[Measurement], cell: str = CASE.name) -> Samples:
    both = Samples("base", "head")
    both.of("base", cell).extend(base)
    both.of("head", cell).extend(head)
    return both


@pytest.mark.parametrize(
    ("base", "head", "kind"),
    [
        ([OK] * 7, [SKIPPED] * 7, verdict.LOSS),
        ([OK] * 7, [FAILED] * 7, verdict.LOSS),
        ([OK] * 7, [], verdict.LOSS),
        ([OK] * 7, [*[OK] * 6, FAILED], verdict.LOSS),
        ([OK] * 7, [*[OK] * 6, SKIPPED], verdict.LOSS),
        ([*[OK] * 6, SKIPPED], [*[OK] * 6, SKIPPED], verdict.TOO_FEW),
        ([*[OK] * 6, SKIPPED], [OK] * 7, verdict.TOO_FEW),
        ([SKIPPED] * 7, [OK] * 7, verdict.NEW),
        ([FAILED] * 7, [OK] * 7, verdict.NEW),
        ([CRASHED] * 7, [OK] * 7, verdict.NEW),
        ([*[FAILED] * 6, KILLED], [OK] * 7, verdict.TOO_FEW),
        ([DEAD] * 7, [OK] * 7, verdict.TOO_FEW),
        ([HUNG] * 7, [OK, *[HUNG] * 6], verdict.TOO_FEW),
        ([SKIPPED] * 7, [SKIPPED] * 7, verdict.SKIPPED),
        ([FAILED] * 7, [FAILED] * 7, verdict.TOO_FEW),
        ([SKIPPED] * 7, [FAILED] * 7, verdict.TOO_FEW),
        ([FAILED] * 7, [SKIPPED] * 7, verdict.TOO_FEW),
        ([OK] * 6, [OK] * 6, verdict.TOO_FEW),
        ([], [], verdict.TOO_FEW),
    ],
)
def test_what_was_not_measured_has_its_own_word(base: list[Measurement], head: list[Measurement], kind: str) -> None:
    finding = verdict.presence(CASE, samples(base, head), judge.LEAST)
    assert finding is not None
    assert finding.kind == kind
    assert finding.text


def test_what_only_head_s_suite_has_may_be_skipped_there() -> None:
    finding = verdict.presence(CASE, samples([FAILED], [SKIPPED]), judge.LEAST, is_novel=True)
    assert finding is not None
    assert (finding.kind, finding.text) == (verdict.SKIPPED, "no compiler")


def test_seven_of_seven_can_be_compared() -> None:
    assert verdict.presence(CASE, samples([OK] * 7, [OK] * 7), judge.LEAST) is None


@pytest.mark.parametrize(
    ("direction", "base", "head", "kind"),
    [
        ("equal", 785, 785, verdict.SAME),
        ("equal", 785, 784, verdict.WORSE),
        ("equal", 785, 786, verdict.WORSE),
        ("any", 785, 784, verdict.CHANGED),
        ("any", 785, 786, verdict.CHANGED),
        ("any", 785, 785, verdict.SAME),
        ("lower", 3, 4, verdict.WORSE),
        ("lower", 4, 3, verdict.BETTER),
        ("higher", 4, 3, verdict.WORSE),
        ("lower", 0, 1, verdict.WORSE),
        (None, 1, 2, verdict.WORSE),
    ],
)
def test_exact_figures_are_compared_exactly(direction: str | None, base: float, head: float, kind: str) -> None:
    case = BenchmarkCase(
        "k.Made.track_count('c')", "k-0", {"exact": True, **({"direction": direction} if direction else {})}
    )
    both = samples([Measurement("ok", values=[base])], [Measurement("ok", values=[head])], case.name)
    assert verdict.figure(case, both).kind == kind


@pytest.mark.parametrize(("head", "kind", "text"), [
    (1_004, verdict.SAME, ""), (996, verdict.SAME, ""), (1_000, verdict.SAME, ""),
    (1_006, verdict.WORSE, "1.0060 times; equal programs differ by 0.5%: less is better"),
    (990, verdict.BETTER, "0.9900 times; equal programs differ by 0.5%: less is better"),
])  # fmt: skip
def test_a_count_with_a_tolerance_differs_beyond_it(head: float, kind: str, text: str) -> None:
    case = BenchmarkCase("k.Instructions.track_count('c', 1)", "k-0", {"tolerance": 0.005, "direction": "lower"})
    assert case.is_measured_once and case.is_counted and not case.is_exact
    both = samples([Measurement("ok", values=[1_000])], [Measurement("ok", values=[head])], case.name)
    finding = verdict.figure(case, both)
    assert (finding.kind, finding.text) == (kind, text)


@pytest.mark.parametrize("judged_by", [{"exact": True}, {"tolerance": 0.005}])
@pytest.mark.parametrize(
    ("base", "head", "kind"),
    [(3, 0, verdict.TOO_FEW), (3, 1, verdict.BETTER), (0, 0, verdict.SAME), (0, 3, verdict.WORSE)],
)
def test_a_count_of_what_is_always_made_does_not_fall_to_zero(
    judged_by: dict[str, Any], base: float, head: float, kind: str
) -> None:
    attributes = {"direction": "lower", "never_zero": True, **judged_by}
    case = BenchmarkCase("k.Counts.track_fusions('jax', 1)", "k-0", attributes)
    both = samples([Measurement("ok", values=[base])], [Measurement("ok", values=[head])], case.name)
    finding = verdict.figure(case, both)
    assert (finding.kind, finding.text == "nothing was counted") == (kind, kind == verdict.TOO_FEW)


def test_the_suite_says_which_counts_are_never_zero() -> None:
    always = [counts._Fusions.track_fusions, counts._Fused.track_bytes_accessed, counts._Fused.track_kernels]
    always += [counts._Trained.track_graphs, counts._Trained.track_kernels, counts._CallPattern.track_programs]
    always += [lives._Instructions.track_count]
    can_be_zero = [counts._Trained.track_graph_breaks, counts._CallPattern.track_raises, lives._Retraces.track_programs]
    can_be_zero += [lives._Lives.track_programs]  # of a call with filled caches
    assert all(figure.never_zero for figure in always)
    assert not any(hasattr(figure, "never_zero") for figure in can_be_zero)


@pytest.mark.parametrize(
    ("base", "head", "kind"), [(0.4, 0.4, verdict.SAME), (0.4, 2.0, verdict.CHANGED), (0.4, 5.1, verdict.WORSE)]
)
def test_an_estimate_is_judged_by_its_standard_errors(base: float, head: float, kind: str) -> None:
    case = BenchmarkCase("k.Accuracy.track_z('c', 1000)", "k-0", {"limit": 5.0})
    both = samples([Measurement("ok", values=[base])], [Measurement("ok", values=[head])], case.name)
    assert verdict.figure(case, both).kind == kind


def test_an_estimate_that_is_no_chance_on_base_either_is_not_called_chance() -> None:
    case = BenchmarkCase("k.Accuracy.track_z('c', 1000)", "k-0", {"limit": 5.0})
    both = samples([Measurement("ok", values=[5.2])], [Measurement("ok", values=[5.8])], case.name)
    finding = verdict.figure(case, both)
    assert (finding.kind, finding.text) == (verdict.CHANGED, "beyond 5 standard errors, as on BASE")


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        ([], errors.TOO_LITTLE),
        ([verdict.SKIPPED], errors.TOO_LITTLE),
        ([verdict.NEW], errors.TOO_LITTLE),
        ([verdict.SAME], errors.PASSED),
        ([verdict.SAME, verdict.NEW, verdict.SKIPPED, verdict.BETTER], errors.PASSED),
        ([verdict.SAME, verdict.TOO_FEW], errors.TOO_LITTLE),
        ([verdict.SAME, verdict.LOSS, verdict.TOO_FEW], errors.LOST),
        ([verdict.SAME, verdict.LOSS, verdict.WORSE], errors.REGRESSION),
    ],
)
def test_the_exit_code_is_the_worst_that_was_found(kinds: list[str], code: int) -> None:
    commit, findings = Commit("HEAD", "0" * 40, ""), [Finding(f"cell {number}", kind) for number, kind in enumerate(kinds)]
    assert Verdict(commit, commit, {}, {}, 0.0, "", findings).exit_code == code


def test_a_report_says_the_verdict_first_and_names_are_text() -> None:
    comparison = compare([1.1, 1.2, 1.1, 1.15, 1.1, 1.12, 1.13])
    findings = [
        Finding(HOSTILE, verdict.WORSE, 1e-3, 1.1e-3, "seconds", comparison),
        Finding("kernel.Cold", verdict.LOSS, text=HOSTILE),
        Finding("kernel.Warm", verdict.SAME, 5.0, 5.0, "hits"),
    ]
    commit = Commit(HOSTILE, "0" * 40, HOSTILE)
    method = {"processes": 8, "memory": "glibc", "bench": ["kernel"], "budget": 60.0}
    conditions = {"machine": HOSTILE, "processor": HOSTILE, "cores": 2, "method": method}
    judged = Verdict(commit, commit, conditions, {HOSTILE: HOSTILE}, 90.0, "2026-01-01T00:00:00Z", findings)
    text = report.markdown(judged)
    assert "1 worse, 1 lost" in text.splitlines()[0]
    assert "1.100 ms" in text.replace("1.1 ms", "1.100 ms")
    for dangerous in ("<script", "</script", "@everyone", "](", "\u202e", "`|"):
        assert dangerous not in text
    rows = [line for line in text.splitlines() if line.startswith("| <code>")]
    assert all(line.count("|") == 6 for line in rows), "a name broke its table"
    stored = json.loads(json.dumps(report.as_json(judged), allow_nan=False))
    assert (stored["findings"][0]["cell"], stored["machine"]) == (HOSTILE, HOSTILE)
    assert stored["command"] == ["python", "-m", "gate", "0" * 40, "0" * 40, "--bench=kernel", "--processes=8", "--budget=1"]


class Measured:
    """In place of a duet: a pair a round and case, BASE's always the same, HEAD's by the case's own factors in turn."""

    def __init__(self, factors: dict[str, list[float]], base: float) -> None:
        self.factors, self.base, self.rounds = factors, base, 0

    def round(self, cases: list[BenchmarkCase], samples: Samples, *_: object) -> None:
        for case in cases:
            factors = self.factors[case.name]
            for side, seconds in (("base", self.base), ("head", self.base * factors[self.rounds % len(factors)])):
                samples.of(side, case.name).append(Measurement("ok", values=[seconds]))
        self.rounds += 1

    def is_given_up(self, case: BenchmarkCase) -> bool:
        return False

    def try_again(self) -> None:
        """A duet's own: this one has given up nothing."""


def judged(
    tmp_path: Path,
    factors: dict[str, list[float]],
    budget: float = 1500.0,
    base: float = 1e-3,
    noise: float = 0.0,
) -> tuple[trial.Trial, Verdict]:
    """A trial that has run over cases with these factors, and its verdict."""
    commit, side = Commit("HEAD", "0" * 40, ""), Side("base", "", None, Path())
    cases = {name: BenchmarkCase(name, name, {"type": "time"}) for name in factors}
    ruler = Ruler(Path(), cases, _selection)
    subjects = Subjects(commit, commit, (side, Side("head", "", None, Path())), (ruler, ruler), {}, 0.0, {})
    method = {"bench": ["."], "processes": 7, "budget": budget}
    looks = trial.Trial(subjects, ruler, cases, tmp_path, {"method": method}, dict.fromkeys(factors, noise))
    measured: Any = Measured(factors, base)
    looks.duet = measured
    return looks, looks.run()


def test_the_second_look_ends_for_a_case_that_it_cannot_confirm(tmp_path: Path) -> None:
    same = [1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 0.96, 0.95, 0.94]
    looks, verdict_of_both = judged(tmp_path, {"same": same, "slow": [1.05, 1.06, 1.04]})
    assert verdict_of_both.exit_code == errors.REGRESSION
    needed = judge.pairs_needed(2)
    assert {each.case: each.kind for each in verdict_of_both.findings} == {"same": verdict.SAME, "slow": verdict.WORSE}
    assert len(looks.second.of("head", "slow")) == judge.LEAST_AGAIN < needed, "all pairs of both looks are worse"
    assert 3 <= len(looks.second.of("head", "same")) < needed
    assert looks.findings["same"].text == "suspected at first; new processes did not confirm it"


def test_a_suspect_for_which_no_time_is_left_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        now = 0.0

        def monotonic(self) -> float:
            self.now += 1.0
            return self.now

    monkeypatch.setattr(trial, "time", Clock())
    doubtful = [1.05, 1.06, 1.04, 1.05, 1.03, 1.06, 0.999]
    _, late = judged(tmp_path, {"slow": doubtful}, budget=28.0)  # 7 rounds end at 22 of a clock of 3 a round
    assert late.exit_code == errors.TOO_LITTLE
    (finding,) = late.findings
    assert (finding.kind, "the budget ended before the second look" in finding.text) == (verdict.TOO_FEW, True)


def test_a_figure_of_zero_on_both_sides_can_be_compared() -> None:
    case = BenchmarkCase("k.Made.track_breaks('c')", "k-0", {"exact": True})
    both = samples([Measurement("ok", values=[0])], [Measurement("ok", values=[0])], case.name)
    assert verdict.presence(case, both, 1) is None


@pytest.mark.parametrize(("seconds", "factor", "kind"), [(0.0, 1.0, verdict.SAME), (1.0, 0.0, verdict.TOO_FEW)])
def test_a_figure_of_zero_that_every_process_tracks_has_no_ratio(
    seconds: float, factor: float, kind: str, tmp_path: Path
) -> None:
    looks, both = judged(tmp_path, {"zero": [factor]}, base=seconds)
    (finding,) = both.findings
    assert (finding.kind, finding.text) == (kind, "a figure of 0 has no ratio")
    assert len(looks.samples.of("head", "zero")) == 7


def test_a_suspect_whose_figure_is_zero_in_the_second_look_is_not_compared(tmp_path: Path) -> None:
    _, both = judged(tmp_path, {"vanishes": [*[1.2] * 7, *[0.0] * 12]})
    (finding,) = both.findings
    assert (finding.kind, finding.text) == (verdict.TOO_FEW, "suspected, and a figure of 0 has no ratio")


@pytest.mark.parametrize(
    ("factors", "text"),
    [
        ([1.05, 1.06, 1.04], "slower, but within its noise here, 12.0%"),
        ([*[1.2] * 7, *[1.05] * 12], "suspected at first; slower, but within its noise here, 12.0%"),
        ([1.0], ""),
    ],
)
def test_a_slower_case_within_its_noise_says_so(factors: list[float], text: str, tmp_path: Path) -> None:
    _, both = judged(tmp_path, {"noisy": factors}, noise=0.12)
    (finding,) = both.findings
    assert (finding.kind, finding.text) == (verdict.SAME, text)


@pytest.mark.parametrize(
    ("direction", "head", "kind"),
    [
        ("lower", [6, 5], verdict.WORSE),
        ("higher", [4, 5], verdict.WORSE),
        ("equal", [4, 5], verdict.WORSE),
        ("lower", [4, 5], verdict.SAME),
        ("lower", [4, 4], verdict.BETTER),
    ],
)
def test_the_worst_figure_of_head_is_judged(direction: str, head: list[float], kind: str) -> None:
    case = BenchmarkCase("k.Made.track_count('c')", "k-0", {"exact": True, "direction": direction})
    measured = [[Measurement("ok", values=[each]) for each in side] for side in ([5.0, 5.0], head)]
    finding = verdict.figure(case, samples(measured[0], measured[1], case.name))
    assert (finding.kind, finding.head) == (kind, head[0] if kind != verdict.SAME else 5)
