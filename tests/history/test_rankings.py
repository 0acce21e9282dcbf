"""The stored lines of rankings: what is read of them, what they tell apart, and that copies have them."""

import json
from pathlib import Path
from typing import Any

import pytest
from site_files import PI, ROOF, add_run, processes
from synthetic import History, row

from history import keep
from history.store import rankings
from history.store.results import Unread
from jitkernels.measure import ranking


@pytest.fixture
def vm(tmp_path: Path) -> Path:
    (tmp_path / "vm").mkdir()
    return tmp_path / "vm"


def test_what_is_no_line_of_a_run_is_ignored_and_each_line_is_read_once(vm: Path) -> None:
    add_run(vm, {"c": processes(1.0)})
    whole = (vm / rankings.FILE).read_text().strip()
    broken: list[Any] = [{"seconds": []}, {"seconds": ["1"]}, {"seconds": [float("inf")]}, {"seconds": [-1.0]}, {}, 7]
    broken += [{"seconds": [1.0], "roof": roof} for roof in ({}, {**ROOF, "by": "luck"}, {**ROOF, "flop": -1.0})]
    others = [json.dumps({**json.loads(whole), "cells": {"c": cell}}) for cell in broken]
    others += [
        json.dumps({**json.loads(whole), **{name: value}})
        for name, value in (("said", "x"), ("schema", 2), ("commit", "; ls"))
    ]
    others += ["null", "[]", whole[: len(whole) // 2], "\udcff"]
    (vm / rankings.FILE).write_bytes("\n".join([whole, *others, whole]).encode(errors="surrogateescape"))
    unread: list[Unread] = []
    (line,) = rankings.read(vm.parent, unread)
    assert line["cells"]["c"]["seconds"] == processes(1.0)
    assert [each.reason.partition(":")[0] for each in unread] == [f"line {number}" for number in range(2, len(others) + 2)]


def test_a_line_without_roofs_is_read_and_one_with_them_keeps_them(vm: Path) -> None:
    add_run(vm, {"c": processes(1.0)})
    add_run(vm, {"c": processes(2.0)}, roofs={"c": ROOF})
    unread: list[Unread] = []
    older, newer = rankings.read(vm.parent, unread)
    assert ("roof" in older["cells"]["c"], newer["cells"]["c"].get("roof"), unread) == (False, ROOF, [])


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (processes(1.0), processes(1.1), True),
        (processes(1.1), processes(1.0), True),
        (processes(1.0), processes(1.01), False),  # the slowest of one is slower than the fastest of the other
        (processes(1.0)[:4], processes(9.0), False),
        (processes(1.0), processes(1.0), False),
        ([*processes(1.0), 1.0], [*processes(1.1), 1.1], True),
    ],
)
def test_two_backends_differ_where_all_processes_of_one_are_faster(
    one: list[float], other: list[float], differ: bool
) -> None:
    assert ranking.differ(one, other) is differ


def test_a_chain_of_small_steps_does_not_give_the_slow_the_rank_of_the_fast() -> None:
    cells = {name: processes(seconds) for name, seconds in (("d", 1.036), ("a", 1.0), ("c", 1.024), ("b", 1.012))}
    assert [(place.backend, place.rank, place.tied) for place in ranking.places(cells)] == [
        ("a", 1, False), ("b", 1, True), ("c", 3, True), ("d", 3, True)
    ]  # fmt: skip


def test_what_is_kept_has_the_rankings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(tmp_path)
    history.describe(PI)
    history.add(0, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    add_run(history.results / "vm", {"c": processes(1.0)})
    monkeypatch.chdir(tmp_path)
    kept = dict(keep.contents(history.results, ("0" * 40,), []))
    assert json.loads(kept[Path("vm", rankings.FILE)]) == json.loads((history.results / "vm" / rankings.FILE).read_text())
