"""The lines of duets.jsonl: which are read, and in which order."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
from synthetic_duets import EXACT, case, duet, exact, ratio, releases, write

from history.store import duets, release_lines
from history.store.lines import of_this_machine
from history.store.merge import as_line
from history.store.results import DATA_SET, RESULTS, Unread
from jitkernels.machine import identity

C = case("c")


@pytest.mark.parametrize(
    "line",
    [
        '{"schema": 1, "said": "du',
        "null",
        '"text"',
        "[1]",
        {"schema": 2},
        {key: value for key, value in exact("a" * 40, {}).items() if key != "schema"},
        duet("a" * 40, "b" * 40, {}, role="other"),
        duet("a" * 40, "b" * 40, {C: ratio(0.0)}),
        duet("a" * 40, "b" * 40, {C: {**ratio(1.0), "low": math.nan}}),
        duet("a" * 40, "b" * 40, {C: {"ratio": 1.0}}),
        duet("a" * 40, "b" * 40, {}, empty={C: None}),
        duet("a" * 40, 7, {}),  # type: ignore[arg-type]
        exact("a" * 40, {EXACT: -1.0}),
        exact("a" * 40, {EXACT: math.inf}),
        exact("a" * 40, {EXACT: 1.0}, cores="2"),
        {**exact("a" * 40, {EXACT: 1.0}), "said": ["exact"]},
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    write(tmp_path, [exact("a" * 40, {EXACT: 0.0}), line])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    ((file, reason),) = [(problem.file, problem.reason) for problem in lost]
    assert file == f"{tmp_path}/vm/duets.jsonl"
    assert re.fullmatch("line 2: not as make history writes it: .+", reason), "one line"


def test_a_line_is_completed_by_the_figures_of_the_commit_that_it_names(tmp_path: Path) -> None:
    other = "dense_relu.Effects.track_effect('c', 20)"
    first, later = exact("a" * 40, {EXACT: 1.0}, empty={other: "no effect"}), exact("a" * 40, {C: 9.0}, 2)
    shared = {"commit": "a" * 40, "at": first["at"]}
    second = exact("b" * 40, {other: 2.0}, 1, same_as=shared)
    third = exact("c" * 40, {}, 3, same_as={"commit": "b" * 40, "at": second["at"]}, empty={EXACT: "gone"})
    fourth = exact("c" * 40, {}, 3, same_as=shared, without=[other])  # not of the commit's later line
    fifth = exact("e" * 40, {}, 1, same_as={"commit": "b" * 40, "at": second["at"]})  # of the same second
    write(tmp_path / "some", [fifth, third, second, fourth])
    write(
        tmp_path / "more",
        [
            first,
            later,
            exact("d" * 40, {}, 4, same_as={**shared, "at": later["at"][:-1]}),
            {**second, "commit": "f" * 40, "cores": 9},
        ],
    )
    lost: list[Unread] = []
    lines = duets.lines([tmp_path / "some", tmp_path / "more"], lost)
    assert [(line["commit"][0], line["cells"], line["empty"]) for line in lines] == [
        ("a", {EXACT: 1.0}, {other: "no effect"}),
        ("e", {EXACT: 1.0, other: 2.0}, {}),
        ("b", {EXACT: 1.0, other: 2.0}, {}),
        ("a", {C: 9.0}, {}),
        ("c", {other: 2.0}, {EXACT: "gone"}),
        ("c", {EXACT: 1.0}, {}),
    ]
    assert [each.reason for each in lost] == [
        "the exact figures of ffffffff lack those that they share with another line's",
        "the exact figures of dddddddd lack those that they share with another line's",
    ]


def test_a_line_is_shortened_by_the_commit_that_saves_most() -> None:
    stored: Any = [exact("a" * 40, {EXACT: 1.0, C: 2.0}), exact("b" * 40, {EXACT: 1.0}), exact("c" * 40, {"x": 1.0})]
    both = duets.shorten(exact("d" * 40, {EXACT: 1.0, C: 2.0, "y": 3.0}), stored)
    assert both["same_as"]["commit"] == "a" * 40 and both["cells"] == {"y": 3.0}
    one = duets.shorten(exact("d" * 40, {EXACT: 1.0}), stored)
    assert one["same_as"]["commit"] == "b" * 40 and one["cells"] == {} and "without" not in one
    few = duets.shorten(exact("d" * 40, {EXACT: 1.0, C: 2.0}), [exact("a" * 40, {EXACT: 1.0, C: 2.0, "x": 3.0})])
    assert few["same_as"]["commit"] == "a" * 40 and few["cells"] == {} and few["without"] == ["x"]
    elsewhere = exact("d" * 40, {EXACT: 1.0}, cores=9)
    assert duets.shorten(elsewhere, stored) == elsewhere, "a reader completes a line by those of its conditions alone"
    none = exact("d" * 40, {"z": 1.0})
    assert duets.shorten(none, stored) == none


@pytest.mark.parametrize(
    "line",
    [
        "null",
        {"schema": 2},
        releases("0.1", "0.2", {C: 0.0}),
        {**releases("0.1", "0.2", {}), "base": 1},
        releases("0.1", "0.2", {}, base_requirements={"numba": 1}),
        releases("0.1", "0.2", {}, said="exact"),
    ],
)
def test_a_line_of_releases_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    write(tmp_path, [releases("0.1", "0.2", {C: 1.0}), line], file=release_lines.DUETS)
    lost: list[Unread] = []
    assert [each["release"] for each in release_lines.duets(tmp_path, lost)] == ["0.2"]
    assert [problem.reason.partition(":")[0] for problem in lost] == ["line 2"]


def test_a_line_cut_off_within_a_letter_costs_itself_alone(tmp_path: Path) -> None:
    file = write(tmp_path, [exact("a" * 40, {EXACT: 1.0})])
    file.write_bytes(file.read_bytes() + '{"said": "ü'.encode()[:-1])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    assert len(lost) == 1


def test_a_machine_s_own_lines_and_those_of_the_data_set_are_read_as_one_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    older, both, newer = (releases("0.1", f"0.{place}", {C: 1.0}, at=f"2026-11-0{place}T00:00:00Z") for place in (2, 3, 4))
    write(RESULTS, [newer, both, {"schema": 2}], identity(), release_lines.DUETS)
    write(DATA_SET, [as_line(both), as_line(older)], identity(), release_lines.DUETS)
    assert of_this_machine(release_lines.duets) == [older, both, newer], "oldest first, each once"
    assert capsys.readouterr().out.startswith(
        f"left out {RESULTS}/{identity()}/release_duets.jsonl: line 3: not as make releases writes it: "
    )
