"""Nothing passes by not being measured, and what a report says is text."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import _selection as suite
from gate import errors, judge, report, turns, verdict
from gate.commits import Commit
from gate.measure import Cell, Process, Samples, cells_of
from gate.noise import Noise
from gate.trial import Trial
from gate.verdict import Finding

CELL = Cell("kernel.Warm.time_call('numba', 1000)", "kernel.Warm.time_call-0", {"type": "time", "unit": "seconds"})
OK, SKIPPED = Process("ok", values=[1.0, 1.1, 0.9]), Process("skipped", "no compiler")
FAILED = Process("failed", "AssertionError: wrong answer")
HOSTILE = "<script>alert(1)</script>`|\n@everyone [x](javascript:x) \u202ereversed ]]>"


def samples(base: list[Process], head: list[Process], cell: str = CELL.name) -> Samples:
    made = Samples()
    made.processes["base", cell], made.processes["head", cell] = base, head
    return made


@pytest.mark.parametrize(
    ("base", "head", "kind"),
    [
        ([OK] * 7, [SKIPPED] * 7, verdict.LOSS),
        ([OK] * 7, [FAILED] * 7, verdict.LOSS),
        ([OK] * 7, [], verdict.LOSS),
        ([OK] * 7, [*[OK] * 6, FAILED], verdict.LOSS),
        ([SKIPPED] * 7, [OK] * 7, verdict.NEW),
        ([FAILED] * 7, [OK] * 7, verdict.NEW),
        ([SKIPPED] * 7, [SKIPPED] * 7, verdict.SKIPPED),
        ([FAILED] * 7, [FAILED] * 7, verdict.TOO_FEW),
        ([SKIPPED] * 7, [FAILED] * 7, verdict.TOO_FEW),
        ([OK] * 6, [OK] * 6, verdict.TOO_FEW),
        ([], [], verdict.TOO_FEW),
    ],
)
def test_what_was_not_measured_has_its_own_word(base: list[Process], head: list[Process], kind: str) -> None:
    finding = verdict.presence(CELL, samples(base, head), judge.LEAST)
    assert finding is not None
    assert finding.kind == kind
    assert finding.text


def test_seven_of_seven_can_be_compared() -> None:
    assert verdict.presence(CELL, samples([OK] * 7, [OK] * 7), judge.LEAST) is None


@pytest.mark.parametrize(
    ("direction", "base", "head", "kind"),
    [
        ("equal", 785, 785, verdict.SAME),
        ("equal", 785, 784, verdict.WORSE),
        ("equal", 785, 786, verdict.WORSE),
        ("lower", 3, 4, verdict.WORSE),
        ("lower", 4, 3, verdict.BETTER),
        ("higher", 4, 3, verdict.WORSE),
        ("lower", 0, 1, verdict.WORSE),
        (None, 1, 2, verdict.WORSE),
    ],
)
def test_exact_figures_are_compared_exactly(direction: str | None, base: float, head: float, kind: str) -> None:
    cell = Cell("k.Made.track_count('c')", "k-0", {"exact": True, **({"direction": direction} if direction else {})})
    made = samples([Process("ok", values=[base])], [Process("ok", values=[head])], cell.name)
    assert verdict.exact(cell, made).kind == kind


@pytest.mark.parametrize(
    ("base", "head", "kind"), [(0.4, 0.4, verdict.SAME), (0.4, 2.0, verdict.CHANGED), (0.4, 5.1, verdict.WORSE)]
)
def test_an_estimate_is_judged_by_its_standard_errors(base: float, head: float, kind: str) -> None:
    cell = Cell("k.Accuracy.track_z('c', 1000)", "k-0", {"limit": 5.0})
    made = samples([Process("ok", values=[base])], [Process("ok", values=[head])], cell.name)
    assert verdict.accuracy(cell, made).kind == kind


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
    assert verdict.exit_code([Finding(f"cell {number}", kind) for number, kind in enumerate(kinds)]) == code


def test_a_report_says_the_verdict_first_and_names_are_text() -> None:
    seen = judge.compare([1e-3] * 7, [1.1e-3, 1.2e-3, 1.1e-3, 1.15e-3, 1.1e-3, 1.12e-3, 1.13e-3])
    findings = [
        Finding(HOSTILE, verdict.WORSE, 1e-3, 1.1e-3, "seconds", seen),
        Finding("kernel.Cold", verdict.LOSS, text=HOSTILE),
        Finding("kernel.Warm", verdict.SAME, 5.0, 5.0, "hits"),
    ]
    commit = Commit(HOSTILE, "0" * 40, HOSTILE)
    trial = SimpleNamespace(
        base=commit, head=commit, seconds=90.0, ended="2026-01-01T00:00:00Z", versions={HOSTILE: HOSTILE},
        where={"machine": HOSTILE, "processor": HOSTILE, "cores": 2, "method": {"processes": 7, "memory": "glibc"}},
        bench=["kernel"], processes=8, budget=60.0, findings={finding.cell: finding for finding in findings},
    )  # fmt: skip
    text = report.markdown(trial, errors.REGRESSION)
    assert "1 worse, 1 lost" in text.splitlines()[0]
    assert "1.100 ms" in text.replace("1.1 ms", "1.100 ms")
    for dangerous in ("<script", "</script", "@everyone", "](", "\u202e", "`|"):
        assert dangerous not in text
    rows = [line for line in text.splitlines() if line.startswith("| <code>")]
    assert all(line.count("|") == 6 for line in rows), "a name broke its table"
    said = json.loads(json.dumps(report.as_json(trial, 1), allow_nan=False))
    assert (said["findings"][0]["cell"], said["machine"]) == (HOSTILE, HOSTILE)
    assert said["command"] == ["python", "-m", "gate", "0" * 40, "0" * 40, "--bench=kernel", "--processes=8", "--budget=1"]


def test_code_can_t_end_the_fences_around_it() -> None:
    for code, fence in (("python", "```"), ("``", "```"), ("a ``` b ```` c", "`````")):
        assert report.fenced(code) == [fence, code, fence]


class Rig:
    """In place of measuring: a pair a round and cell, HEAD's by the cell's own factors in turn."""

    def __init__(self, factors: dict[str, list[float]]) -> None:
        self.factors, self.rounds = factors, 0

    def round(self, cells: list[Cell], samples: Samples, *_: object) -> None:
        for cell in cells:
            factors = self.factors[cell.name]
            for side, seconds in (("base", 1e-3), ("head", 1e-3 * factors[self.rounds % len(factors)])):
                samples.of(side, cell.name).append(Process("ok", values=[seconds]))
        self.rounds += 1


def test_the_second_look_leaves_alone_what_it_can_t_find_guilty(tmp_path: Path) -> None:
    commit = Commit("HEAD", "0" * 40, "")
    looks = Trial(tmp_path, commit, commit)
    looks.rig = Rig({"same": [1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 0.96, 0.95, 0.94], "slow": [1.05, 1.06, 1.04]})
    looks.cells = {name: Cell(name, name, {"type": "time"}) for name in looks.rig.factors}
    assert looks.run() == errors.REGRESSION
    needed = judge.pairs_needed(2)
    assert {name: finding.kind for name, finding in looks.findings.items()} == {"same": verdict.SAME, "slow": verdict.WORSE}
    assert len(looks.again.of("head", "slow")) == needed
    assert 3 <= len(looks.again.of("head", "same")) < needed
    assert looks.findings["same"].text == "suspected at first; new processes did not confirm it"


@pytest.mark.parametrize(
    ("base", "head", "ratio"),
    [
        ([1.0, 2.0, 4.0], [1.1, 2.2, 4.4], 1.1),  # what slowed both down is no difference
        ([1.0, 1.0, 1.0], [1.1, 1.1, 9.0], 1.1),
        ([1.0, 3.0], [2.0, 2.0, 5.0], 1.0),  # turns that do not belong together
        ([0.0, 2.0, 2.0], [1.0, 3.0, 3.0], 1.5),
    ],
)
def test_a_pair_is_the_median_of_its_turns_ratios(base: list[float], head: list[float], ratio: float) -> None:
    assert turns.ratio(base, head) == pytest.approx(ratio)


def test_noise_is_learnt_and_kept_and_a_broken_file_is_no_noise(tmp_path: Path) -> None:
    noise = Noise.load(tmp_path / "deep" / "noise.json")
    assert noise.of("cell") == 0
    for ratio in (1.01, 0.98, 1.0):
        noise.learn("cell", ratio)
    noise.save()
    assert Noise.load(noise.file).of("cell") == pytest.approx(1 / 0.98 - 1)
    for broken in ("", "{", "[]", '{"seen": {"cell": ["x"]}}', '{"seen": 3}'):
        noise.file.write_text(broken)
        assert Noise.load(noise.file).of("cell") == 0


def test_cells_are_named_and_numbered_as_asv_does() -> None:
    cells = cells_of({"k.W.time_call": {"params": [["'c'", "'jax'"], ["1", "2"]]}, "k.plain": {"params": []}})
    assert list(cells) == [
        "k.W.time_call('c', 1)", "k.W.time_call('c', 2)", "k.W.time_call('jax', 1)", "k.W.time_call('jax', 2)", "k.plain",
    ]  # fmt: skip
    assert [cell.id for cell in cells.values()] == [f"k.W.time_call-{index}" for index in range(4)] + ["k.plain"]
    assert suite.backend_of("k.W.time_call('jax', 2)") == "jax"
    assert suite.backend_of("k.plain") == ""
