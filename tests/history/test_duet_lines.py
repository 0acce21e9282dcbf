"""The lines of duets.jsonl: which are read, and which of them asv's copy has."""

import math
from pathlib import Path
from typing import Any

import pytest
from synthetic import History, row, warm
from synthetic_duets import EXACT, case, duet, exact, ratio, write

from history.store import clean, duets
from history.store.results import Unread

C = case("c")
PI = warm("philox_pi", ["c", "numba"], [1_000_000])


@pytest.mark.parametrize(
    "line",
    [
        '{"schema": 1, "said": "du',
        "null",
        '"text"',
        {"schema": 2},
        duet("a" * 40, "b" * 40, {}, role="other"),
        duet("a" * 40, "b" * 40, {C: ratio(0.0)}),
        duet("a" * 40, "b" * 40, {C: {**ratio(1.0), "low": math.nan}}),
        duet("a" * 40, "b" * 40, {C: {"ratio": 1.0}}),
        duet("a" * 40, "b" * 40, {}, empty={C: None}),
        duet("a" * 40, 7, {}),  # type: ignore[arg-type]
        exact("a" * 40, {EXACT: -1.0}),
        exact("a" * 40, {EXACT: math.inf}),
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    write(tmp_path, [exact("a" * 40, {EXACT: 0.0}), line])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    assert [(problem.file, problem.reason.partition(":")[0]) for problem in lost] == [("vm/duets.jsonl", "line 2")]


def test_a_line_cut_off_within_a_letter_costs_itself_alone(tmp_path: Path) -> None:
    file = write(tmp_path, [exact("a" * 40, {EXACT: 1.0})])
    file.write_bytes(file.read_bytes() + '{"said": "ü'.encode()[:-1])
    lost: list[Unread] = []
    assert len(duets.lines(tmp_path, lost)) == 1
    assert len(lost) == 1


def test_the_copy_that_asv_publishes_has_the_lines_of_all_machines_in_a_directory(tmp_path: Path) -> None:
    history = History(tmp_path, ["First", "Second"])
    history.describe(PI)
    for place, name in enumerate(("vm", "other")):
        file = history.add(place, {PI["name"]: row(PI, [1.0, 1.0])})
        history.say(file, {"said": "backend", "backend": "c", "packages": {}, "processor": name, "cores": 2})
    write(history.results, [exact(history.commits[0], {EXACT: 1.0})])
    write(history.results, [exact(history.commits[0], {EXACT: 2.0})], "without results")
    target = history.path / "copy"
    target.mkdir()
    assert clean.copy([("own", history.results)], target) == []
    assert len(duets.lines(target, [])) == 2
