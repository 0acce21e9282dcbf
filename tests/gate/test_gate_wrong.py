"""A wrong answer in any process of HEAD is a verdict of its own."""

import sys
from pathlib import Path
from typing import Any

import pytest

import duet
from benchmarks import _selection
from duet import BenchmarkCase, Samples, Side
from duet.samples import Measurement
from gate import errors, judge, report, trial, verdict
from gate.builds import Ruler, Subjects
from gate.commits import Commit
from gate.scope import Scope, chosen
from gate.verdict import Verdict

ROOT = Path(__file__).parents[2]
WARM = BenchmarkCase("k.Warm.time_call('c', 1)", "k", {"type": "time", "unit": "seconds"})
ERROR = BenchmarkCase("k.Error.track_error('c', 1)", "k", {"checked": True, "unit": "of the largest entry"})
WRONG = Measurement("wrong", "AssertionError: 783 hits, not 782")
FAILED = Measurement("failed", "ValueError: there is no kernel k")
SKIPPED = Measurement("skipped", "no compiler")
DIED = Measurement("failed", "its process ended with signal SIGKILL and said nothing")
HANGS = Measurement("failed", "the import of its suite and framework had not ended after 120 s")
UNCONFIRMED = "suspected at first; new processes did not confirm it"


class Measured:
    """In place of a duet: HEAD's measurement of each pair in turn; BASE's is always the same but in round ``fails``."""

    fails, fault = -1, DIED

    def __init__(self, of_head: list[float | Measurement], of_base: float | Measurement) -> None:
        self.of_head, self.of_base, self.rounds = of_head, of_base, 0

    def round(self, cases: list[BenchmarkCase], samples: Samples, *_: object) -> None:
        of_head = self.of_head[min(self.rounds, len(self.of_head) - 1)]
        for case in cases:
            of_base = self.fault if self.rounds == self.fails else self.of_base
            for side, each in (("base", of_base), ("head", of_head)):
                measured = each if isinstance(each, Measurement) else Measurement("ok", values=[each])
                samples.of(side, case.name).append(measured)
        self.rounds += 1

    def is_given_up(self, case: BenchmarkCase) -> bool:
        return False

    def try_again(self) -> None:
        """A duet's own: this one has given up nothing."""


class BaseFails(Measured):
    fails = 10


class BaseFailsAtOnce(Measured):
    fails = 0


class BaseErrsAtOnce(Measured):
    fails, fault = 0, FAILED


class Hung(Measured):
    """The import of a side hangs in a round, so nothing more is measured until the duet tries again."""

    side, hangs_in = "head", 0

    def __init__(self, *_: object) -> None:
        super().__init__([1.0], 1.0)

    def round(self, cases: list[BenchmarkCase], samples: Samples, *_: object) -> None:
        if self.rounds == self.hangs_in:
            self.of_head, self.of_base = ([HANGS], 1.0) if self.side == "head" else ([1.0], HANGS)
        super().round(cases, samples)
        if self.rounds == self.hangs_in + 1:
            self.of_head, self.of_base = [HANGS], HANGS

    def is_given_up(self, case: BenchmarkCase) -> bool:
        return self.of_base == HANGS

    def try_again(self) -> None:
        self.of_head, self.of_base = [1.0], 1.0


class HungLater(Hung):
    hangs_in = 2


class BaseHung(Hung):
    side = "base"


class BaseHungLater(Hung):
    side, hangs_in = "base", 2


def judged(
    directory: Path,
    case: BenchmarkCase,
    of_head: list[float | Measurement],
    of_base: float | Measurement = 1.0,
    duet: type[Measured] = Measured,
    novel: frozenset[str] = frozenset(),
) -> tuple[Verdict, int]:
    """The verdict on one case, and how many rounds it took."""
    commit, sides = Commit("HEAD", "0" * 40, ""), (Side("base", "", None, Path()), Side("head", "", None, Path()))
    cases = {case.name: case}
    ruler = Ruler(Path(), cases, _selection)
    subjects = Subjects(commit, commit, sides, (ruler, ruler), {}, 0.0, {})
    conditions = {"method": {"bench": ["."], "processes": judge.LEAST, "budget": 1500.0}}
    looks = trial.Trial(subjects, ruler, cases, directory, conditions, {}, novel=novel)
    measured: Any = duet(of_head, of_base)
    looks.duet = measured
    return looks.run(), measured.rounds


@pytest.mark.parametrize("place", range(judge.LEAST))
def test_one_process_of_seven_is_enough_and_no_other_round_forgives_it(place: int, tmp_path: Path) -> None:
    of_head: list[float | Measurement] = [1.03] * judge.LEAST  # the same time on both sides would be left alone after three
    of_head[place] = WRONG
    seen, rounds = judged(tmp_path, WARM, of_head)
    (finding,) = seen.findings
    assert (finding.kind, seen.exit_code, rounds) == (verdict.WRONG, errors.REGRESSION, judge.LEAST)
    assert finding.text == "HEAD answered wrongly in 1 of 7 processes: AssertionError: 783 hits, not 782"


@pytest.mark.parametrize(
    ("of_head", "of_base", "unmeasured"),
    [
        ([FAILED], 1.0, [WARM.name]),
        ([FAILED], FAILED, [WARM.name]),
        ([SKIPPED], SKIPPED, [WARM.name]),
        ([FAILED, 1.0], 1.0, []),
        ([1.0], FAILED, []),
        ([1.0], 1.0, []),
    ],
)
def test_a_verdict_names_what_no_process_of_head_measured(
    of_head: list[float | Measurement], of_base: float | Measurement, unmeasured: list[str], tmp_path: Path
) -> None:
    seen, _ = judged(tmp_path, WARM, of_head, of_base)
    assert [*seen.unmeasured] == unmeasured
    assert {*seen.unmeasured.values()} <= {FAILED.reason, SKIPPED.reason}


@pytest.mark.parametrize("duet", [Hung, BaseHung])
def test_what_a_hung_import_and_the_budget_leave_is_not_called_unmeasured(
    duet: type[Hung], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock stands still, but the budget has ended before the second look."""
    monkeypatch.setattr(trial.time, "monotonic", lambda: 1e9 * (len(rounds) >= judge.LEAST))
    rounds: list[None] = []
    original = Measured.round
    monkeypatch.setattr(Measured, "round", lambda *arguments: (rounds.append(None), original(*arguments)))
    seen, _ = judged(tmp_path, WARM, [], duet=duet)
    assert [finding.kind for finding in seen.findings] == [verdict.TOO_FEW]
    assert seen.unmeasured == {}


def test_a_wrong_answer_of_the_second_look_counts_too(tmp_path: Path) -> None:
    seen, rounds = judged(tmp_path, WARM, [1.2] * judge.LEAST + [WRONG, 1.0])
    assert rounds > judge.LEAST
    assert [finding.kind for finding in seen.findings] == [verdict.WRONG]


def test_a_process_that_died_is_looked_at_again_and_may_then_be_wrong(tmp_path: Path) -> None:
    for of_head, kind in (([DIED, 1.0], verdict.SAME), ([DIED, WRONG, 1.0], verdict.WRONG), ([DIED], verdict.LOSS)):
        seen, _ = judged(tmp_path, ERROR, of_head)
        assert [finding.kind for finding in seen.findings] == [kind]


def failed(count: int, of: int) -> str:
    return f"HEAD failed in {count} of {of} processes: {DIED.reason}"


@pytest.mark.parametrize(
    ("of_head", "kind", "text"),
    [
        ([DIED, *[1.0] * 13], verdict.SAME, f"{failed(1, 7)}; not in new processes"),
        ([DIED, *[1.0] * 12, DIED], verdict.LOSS, failed(1, 7)),
        ([SKIPPED, *[1.0] * 13], verdict.SAME, "HEAD failed in 1 of 7 processes: no compiler; not in new processes"),
        ([SKIPPED, SKIPPED, 1.0], verdict.LOSS, "HEAD failed in 2 of 7 processes: no compiler"),
        ([DIED, 1.0, DIED, 1.0], verdict.LOSS, failed(2, 7)),
        ([*[1.2] * 6, DIED, 1.2], verdict.TOO_FEW, f"slower at first; {failed(1, 7)}; not in new processes"),
        ([*[1.2] * 5, DIED, DIED, 1.2], verdict.LOSS, f"slower at first; {failed(2, 7)}"),
        ([*[1.2] * 7, DIED, 1.2], verdict.WORSE, failed(1, 7)),
        ([*[1.2] * 7, DIED, 1.0], verdict.SAME, f"{UNCONFIRMED}; {failed(1, 6)}"),
        ([*[1.2] * 7, DIED], verdict.LOSS, f"slower at first; {failed(2, 2)}"),
        ([*[1.2] * 7, 1.2, DIED, DIED], verdict.LOSS, f"slower at first; {failed(2, 3)}"),
    ],
)
def test_one_failure_of_a_time_is_forgiven_and_no_second_one(
    of_head: list[float | Measurement], kind: str, text: str, tmp_path: Path
) -> None:
    seen, _ = judged(tmp_path, WARM, of_head)
    (finding,) = seen.findings
    assert (finding.kind, finding.text) == (kind, text)
    assert finding.slipped == (kind != verdict.LOSS)


def test_a_failure_of_base_hides_none_of_head_s(tmp_path: Path) -> None:
    of_head: list[float | Measurement] = [*[1.2] * 7, DIED, 1.0, 1.0, 1.0, DIED, 1.0]
    (finding,) = judged(tmp_path, WARM, of_head, duet=BaseFails)[0].findings
    assert (finding.kind, finding.text) == (verdict.LOSS, f"slower at first; {failed(2, 5)}")


def test_a_budget_that_ends_before_the_new_pairs_of_a_loss_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock stands still, but in the second look the budget ends after three pairs."""
    monkeypatch.setattr(trial.time, "monotonic", lambda: 1e9 * (len(rounds) > judge.LEAST + 3))
    rounds: list[None] = []
    original = Measured.round
    monkeypatch.setattr(Measured, "round", lambda *arguments: (rounds.append(None), original(*arguments)))
    (finding,) = judged(tmp_path, WARM, [DIED, 1.0])[0].findings
    assert (finding.kind, finding.slipped) == (verdict.TOO_FEW, True)
    assert finding.text == f"{failed(1, 7)}; the budget ended after 4 of 7 new pairs"


def test_a_case_that_has_failed_twice_is_not_measured_to_the_end(tmp_path: Path) -> None:
    assert judged(tmp_path, WARM, [*[1.2] * 7, DIED])[1] == judge.LEAST + 2
    assert judged(tmp_path, WARM, [DIED])[1] == judge.LEAST


HEAD_HUNG, BASE_HUNG = "HEAD measured nothing", "BASE measured nothing, because it was killed"


@pytest.mark.parametrize(
    ("case", "duet", "rounds", "text"),
    [
        (WARM, Hung, 2 * judge.LEAST, HEAD_HUNG),
        (ERROR, Hung, 3, HEAD_HUNG),
        (WARM, HungLater, 2 * judge.LEAST, "3 processes of BASE, 2 of HEAD; 7 are needed"),
        (WARM, BaseHung, 2 * judge.LEAST, BASE_HUNG),
        (ERROR, BaseHung, 3, BASE_HUNG),
        (WARM, BaseHungLater, 2 * judge.LEAST, "2 processes of BASE, 3 of HEAD; 7 are needed"),
    ],
)
def test_what_a_hung_import_lost_is_measured_again(
    case: BenchmarkCase, duet: type[Hung], rounds: int, text: str, tmp_path: Path
) -> None:
    seen, count = judged(tmp_path, case, [], duet=duet)
    (finding,) = seen.findings
    assert (finding.kind, seen.exit_code, count) == (verdict.SAME, errors.PASSED, rounds)
    assert (finding.text, finding.slipped) == (f"{text}: {HANGS.reason}; not in new processes", duet.side == "head")


def test_an_error_beyond_its_bound_is_wrong_and_one_within_it_is_no_failure(tmp_path: Path) -> None:
    for of_head, kind, code in (
        ([WRONG], verdict.WRONG, errors.REGRESSION),
        ([1.0], verdict.SAME, errors.PASSED),
        ([1.5], verdict.CHANGED, errors.PASSED),
    ):
        seen, rounds = judged(tmp_path, ERROR, of_head)
        assert ([finding.kind for finding in seen.findings], seen.exit_code, rounds) == ([kind], code, 1)


def test_what_base_answers_wrongly_too_is_wrong_and_says_so(tmp_path: Path) -> None:
    seen, _ = judged(tmp_path, ERROR, [WRONG], WRONG)
    assert seen.exit_code == errors.REGRESSION
    assert seen.findings[0].text.endswith("; so did BASE in 1")


def test_what_only_base_answered_wrongly_is_new(tmp_path: Path) -> None:
    seen, _ = judged(tmp_path, ERROR, [1.0], WRONG)
    assert [finding.kind for finding in seen.findings] == [verdict.NEW]


@pytest.mark.parametrize(
    ("case", "of_head", "kind"), [(ERROR, 1.0, verdict.SAME), (ERROR, 1.5, verdict.CHANGED), (WARM, 1.0, verdict.SAME)]
)
def test_a_failure_of_base_in_one_pair_is_looked_at_again(
    case: BenchmarkCase, of_head: float, kind: str, tmp_path: Path
) -> None:
    seen, _ = judged(tmp_path, case, [of_head], duet=BaseFailsAtOnce)
    (finding,) = seen.findings
    assert (finding.kind, seen.exit_code) == (kind, errors.PASSED)
    assert finding.text.endswith("not in new processes")
    assert [each.kind for each in judged(tmp_path, ERROR, [of_head], FAILED)[0].findings] == [verdict.NEW], "it always fails"


@pytest.mark.parametrize("of_head", [[1.0, FAILED], [1.0, 1.0, FAILED]])
def test_a_failure_of_base_hides_no_later_one_of_head(of_head: list[float | Measurement], tmp_path: Path) -> None:
    seen, _ = judged(tmp_path, ERROR, of_head, duet=BaseErrsAtOnce)
    assert (seen.findings[0].kind, seen.exit_code) == (verdict.LOSS, errors.LOST)


@pytest.mark.parametrize(
    ("of_head", "kind", "rounds"),
    [([1.0], verdict.NEW, 1), ([FAILED, 1.0], verdict.NEW, 2), ([WRONG], verdict.WRONG, 1), ([FAILED], verdict.TOO_FEW, 7)],
)
def test_one_pair_is_enough_for_a_case_that_only_head_has(
    of_head: list[float | Measurement], kind: str, rounds: int, tmp_path: Path
) -> None:
    seen, count = judged(tmp_path, WARM, of_head, FAILED, novel=frozenset({WARM.name}))
    assert ([finding.kind for finding in seen.findings], count) == ([kind], rounds)
    assert judged(tmp_path, WARM, of_head, FAILED)[1] == judge.LEAST, "BASE may have failed by accident"


def test_wrong_comes_first_in_the_report_and_on_the_terminal(tmp_path: Path) -> None:
    seen, _ = judged(tmp_path, WARM, [WRONG, 1.0])
    assert report.sentence(seen) == "Something is worse: 1 wrong, 0 compared"
    assert report.closing(seen, Path("report.md")) == [
        "Something is worse: 1 wrong, 0 compared",
        "  wrong: k.Warm.time_call('c', 1): HEAD answered wrongly in 1 of 7 processes: AssertionError: 783 hits, not 782",
        "the report: report.md",
    ]


def test_a_doubled_graph_break_of_any_model_is_worse_and_more_code_is_not(tmp_path: Path) -> None:
    """Cases of the real suite, which a change of the kernel's file selects."""
    suite = duet.discover(Side("suite", sys.executable, None, ROOT / "benchmarks"), tmp_path / "log.txt")
    for kernel, dialect, figure, kind_if_doubled in (
        ("attention_train", "torch", "Counts.track_graph_breaks('torch_inductor', 8)", verdict.WORSE),
        ("philox_pi", "c", "Made.track_count('c', 1000, 'code_bytes')", verdict.CHANGED),
    ):
        pair = frozenset([(kernel, dialect)])
        case = chosen(suite, _selection, [], Scope((), pair, pair, pair))[f"{kernel}.{figure}"]
        for of_head, kind in ((1.0, verdict.SAME), (2.0, kind_if_doubled)):
            seen, _ = judged(tmp_path, case, [of_head])
            assert [finding.kind for finding in seen.findings] == [kind]
