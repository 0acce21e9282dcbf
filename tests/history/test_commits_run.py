"""Commits in duets with an anchor: what is measured, what is stored, and that a stopped run goes on."""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from duet import BenchmarkCase, Pairs, Side, SideError
from duet.process import DIED
from duet.samples import Measurement, Samples
from history import ratios
from history.commits import run
from history.commits.run import CommitHistory
from history.head import Head
from history.store import duets
from history.store.duets import ANCHOR, STEP
from history.store.lines import Conditions

FAST, SLOW, EXACT = "k.Warm.time_call('c', 1)", "k.Warm.time_call('numba', 1)", "k.Made.track_count('c', 1)"
CASES = {
    FAST: BenchmarkCase(FAST, "0", {"type": "time"}),
    SLOW: BenchmarkCase(SLOW, "1", {"type": "time"}),
    EXACT: BenchmarkCase(EXACT, "2", {"type": "track", "exact": True}),
}
SECONDS = {"a" * 40: 1.0, "b" * 40: 1.0, "c" * 40: 2.0, "d" * 40: 2.0}  # of SLOW, by commit; FAST takes 1 everywhere
CONDITIONS: Conditions = {
    "machine": "some-machine-2",
    "processor": "a processor",
    "cores": 2,
    "python": "3.11.7",
    "requirements": {"numba": "0.68.1"},
}
Make = Callable[..., CommitHistory]


class Duets:
    """Stands in for measured processes. ``calls``: both commits, the cases and the pairs of each duet."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, set[str], int]] = []
        self.noise = 0.0
        self.broken = ""  # letters of commits that measure nothing

    def measure(
        self, sides: tuple[Side, Side], cases: Collection[BenchmarkCase], directory: Path, rounds: int, **_: Any
    ) -> dict[str, Pairs]:
        first, second = (next(commit for commit in SECONDS if commit[0] == side.name[0]) for side in sides)
        self.calls.append((first[0], second[0], {case.name for case in cases}, rounds))
        measured = {}
        for case in cases:
            if {first[0], second[0]} & set(self.broken):
                measured[case.name] = Pairs([], [], [], "ImportError")
                continue
            before, after = (SECONDS[commit] if case.name == SLOW else 1.0 for commit in (first, second))
            ratios = [after / before * (1 + self.noise * place) for place in range(-(rounds // 2), rounds // 2 + 1)]
            measured[case.name] = Pairs([before] * rounds, [after] * rounds, ratios)
        return measured


class Exact:
    """Stands in for processes that measure exact figures: 7 of each commit but "d"."""

    def __init__(self, directory: Path, sides: tuple[Side, Side], launch: object) -> None:
        self.sides = sides

    def round(self, cases: Collection[BenchmarkCase], samples: Samples) -> None:
        for side in self.sides:
            for case in cases:
                has = side.name[0] != "d"
                measured = Measurement("ok", "", [7.0]) if has else Measurement("skipped", "it has none")
                samples.of(side.name, case.name).append(measured)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Duets:
    fake = Duets()
    monkeypatch.setattr(ratios, "measure", fake.measure)
    monkeypatch.setattr(run, "Duet", Exact)
    monkeypatch.setattr(run, "side", lambda name, *_: Side(name, "python", None, Path("suite")))
    monkeypatch.setattr(run, "in_line", lambda _, commit, commits: sorted(commits))
    monkeypatch.setattr(run, "subject", lambda *_: "a subject")
    return fake


@pytest.fixture
def history(tmp_path: Path) -> Make:
    def make(conditions: Conditions = CONDITIONS) -> CommitHistory:
        file, pins = tmp_path / "results" / conditions["machine"] / duets.FILE, conditions["requirements"]
        stored = [line for line in duets.lines(tmp_path / "results", []) if line["requirements"] == pins]
        head = Head("s" * 40, Side("suite", "python", None, Path("suite")), CASES, conditions, tmp_path / "work")
        return CommitHistory(tmp_path, head, CASES, file, stored)

    return make


def roles(history: CommitHistory) -> list[tuple[str, ...]]:
    return [
        (line["role"], line["base"][0], line["commit"][0]) if line["said"] == "duet" else ("exact", line["commit"][0])
        for line in history.stored
    ]


def test_each_commit_is_measured_with_the_anchor_and_a_step_with_the_commit_before(measured: Duets, history: Make) -> None:
    commits, own = list(SECONDS), history()
    assert own.anchor() is None
    assert own.measure(commits, "d" * 40) == 0
    every = {FAST, SLOW}
    assert measured.calls == [
        ("d", "a", every, 3),
        ("d", "b", every, 3),
        ("d", "c", every, 3),
        ("d", "d", every, 3),
        ("b", "c", {SLOW}, 7),
    ]
    assert own.anchor() == "d" * 40, "a commit that was measured with itself is the anchor"
    (step,) = [line for line in own.stored if line["said"] == "duet" and line["role"] == STEP]
    assert step["cells"][SLOW] == {"ratios": [2.0] * 7, "ratio": 2.0, "low": 2.0, "high": 2.0, "base": 1.0, "commit": 2.0}


def test_exact_figures_are_measured_of_two_commits_at_once_and_stored_where_they_differ(
    measured: Duets, history: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    own = history()
    monkeypatch.setattr(run, "report", steps.append)
    own.measure([*SECONDS][1:], "d" * 40)
    assert [step.strip() for step in steps if "exact" in step] == [
        "exact figures of bbbbbbbb and cccccccc",
        "exact figures of dddddddd",
    ]
    stored = [json.loads(line) for line in own.file.read_text().splitlines()]
    lines = {line["commit"][0]: line for line in stored if line["said"] == "exact"}
    assert lines["b"]["cells"] == {EXACT: 7.0} and "same_as" not in lines["b"]
    assert lines["c"]["same_as"]["commit"] == "b" * 40 and not lines["c"]["cells"]
    assert lines["d"]["empty"] == {EXACT: "it has none"} and not lines["d"]["cells"]
    again = history()
    read = {line["commit"][0]: line["cells"] for line in again.stored if line["said"] == "exact"}
    assert read == {"b": {EXACT: 7.0}, "c": {EXACT: 7.0}, "d": {}}
    steps.clear()
    again.measure([*SECONDS], "d" * 40)
    assert [step.strip() for step in steps if "exact" in step] == ["exact figures of aaaaaaaa"]


def test_a_stopped_run_goes_on_and_a_finished_one_measures_nothing(measured: Duets, history: Make) -> None:
    commits = list(SECONDS)
    history().measure(commits[:2], "d" * 40)
    count = len(measured.calls)
    again = history()
    assert again.anchor() == "d" * 40, "the anchor is that of the stored lines"
    again.measure(commits, "d" * 40)
    assert [call[:2] for call in measured.calls[count:]] == [("d", "c"), ("d", "d"), ("b", "c")]
    count = len(measured.calls)
    history().measure(commits, "d" * 40)
    assert len(measured.calls) == count


def test_an_anchor_that_was_measured_first_is_no_commit_s_neighbour_before_all_are_known(
    measured: Duets, history: Make
) -> None:
    history().measure(["d" * 40], "d" * 40)
    history().measure(list(SECONDS), "d" * 40)
    assert [call[:2] for call in measured.calls if call[3] == 7] == [("b", "c")]


@pytest.mark.parametrize(
    ("directory", "file"),
    [
        ("history/abc.library", "jitkernels/backends/python.py"),
        ("history/0.60.0+part/lib/python3.11/site-packages", "llvmlite/binding/libllvmlite.so"),
        ("env/abc/lib/python3.11/site-packages", "jax/nn/__init__.py"),
    ],
)
def test_a_reason_names_no_directory_of_the_machine_that_measured(tmp_path: Path, directory: str, file: str) -> None:
    reason = f"ImportError: no 'breaks' ({tmp_path / directory / file}); known: 'graphs', 'kernels'"
    line = run.ratios_of({FAST: Pairs([], [], [], reason), SLOW: Pairs([1.0], [1.0], [1.0])}, tmp_path / "history", "commit")
    assert line["empty"] == {
        FAST: f"ImportError: no 'breaks' ({file})",
        SLOW: "fewer than 3 pairs of processes",
    }


def test_a_case_whose_process_died_is_measured_again(measured: Duets, history: Make) -> None:
    own = history()
    line = run.ratios_of({FAST: Pairs([], [], [], DIED), SLOW: Pairs([], [], [], "TypeError")}, own.directory, "commit")
    assert line["empty"] == {SLOW: "TypeError"}
    own.add("duet", {"role": ANCHOR, "base": "d" * 40, "commit": "a" * 40, "began": "2026", **line})
    own.measure_commit("a" * 40, "d" * 40)
    assert measured.calls[0][2] == {FAST}


def test_an_amended_commit_is_measured_with_its_parent_instead_of_its_earlier_form(
    measured: Duets, history: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = {letter * 40 for letter in "cd"}  # of one commit, whose parent is "b"
    monkeypatch.setattr(run, "in_line", lambda _, commit, commits: sorted({*commits} - (forms - {commit})))
    history().measure(list(SECONDS)[:3], "a" * 40)
    history().measure(["d" * 40], "a" * 40)
    assert [call[:2] for call in measured.calls if call[3] == 7] == [("b", "c"), ("b", "d")]


def test_a_commit_that_measures_nothing_hides_no_step(measured: Duets, history: Make) -> None:
    measured.broken = "b"
    history().measure(list(SECONDS), "d" * 40)
    assert [call[:2] for call in measured.calls if call[3] == 7] == [("a", "c")]


def test_noise_is_no_step(measured: Duets, history: Make) -> None:
    measured.noise = 0.6  # the three pairs of a commit then differ by more than the step
    history().measure(list(SECONDS), "d" * 40)
    assert not [call for call in measured.calls if call[3] == 7]


def test_the_rest_of_a_killed_run_s_line_is_left_behind_by_the_next_one(measured: Duets, history: Make) -> None:
    own = history()
    own.measure(["a" * 40], "d" * 40)
    own.file.write_text(own.file.read_text()[:-30])
    unread: list[Any] = []
    again = history()
    again.measure(["a" * 40], "d" * 40)
    assert len(duets.lines(own.file.parent, unread)) == 2 and len(unread) == 1
    assert [json.loads(line)["said"] for line in own.file.read_text().splitlines()[:1]] == ["duet"]


def test_a_new_anchor_is_measured_with_the_old_one_in_the_old_one_s_environment(measured: Duets, history: Make) -> None:
    history().measure(["a" * 40], "a" * 40)
    later = history({**CONDITIONS, "requirements": {"numba": "0.69.0"}})
    assert later.anchor() is None, "other pins, another anchor"
    later.cases = {SLOW: CASES[SLOW]}  # that the user selected; FAST has a curve
    later.replace_anchor("a" * 40, "c" * 40, "old python", CONDITIONS["requirements"], {FAST, "a case that HEAD lacks"})
    assert measured.calls[-1] == ("a", "c", {FAST, SLOW}, 7)
    assert later.anchor() == "c" * 40
    line = later.stored[-1]
    assert line["said"] == "duet" and line["base_requirements"] == CONDITIONS["requirements"] and line["role"] == ANCHOR


def test_a_commit_that_cannot_be_built_is_left_out_and_the_others_are_measured(
    measured: Duets, history: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(name: str, *_: Any) -> Side:
        if name.startswith("b"):
            raise SideError("its build failed")
        return Side(name, "python", None, Path("suite"))

    monkeypatch.setattr(run, "side", build)
    steps: list[str] = []
    own = history()
    monkeypatch.setattr(run, "report", steps.append)
    assert own.measure(list(SECONDS), "d" * 40) == 1
    assert "    bbbbbbbb is left out: its build failed" in steps
    assert {"a", "c", "d"} == {line["commit"][0] for line in own.stored}


def test_a_full_disk_ends_the_run_and_what_is_stored_stays(
    measured: Duets, history: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = history()
    own.measure(["a" * 40], "d" * 40)
    before = own.file.read_text()
    own.file.rename(own.file.with_name("kept"))
    own.file.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        own.measure(["b" * 40], "d" * 40)
    assert own.file.with_name("kept").read_text() == before
