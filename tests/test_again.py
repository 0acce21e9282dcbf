"""What is said of published points that were measured again."""

import json
import shutil
from pathlib import Path
from typing import Any

import again
import pytest
from synthetic import ROOT

from tools import site
from website import records
from website.points import finder

CELL = ("philox_pi", "numba", 1000, "warm_seconds")
HITS = ("philox_pi", "numba", 1000, "hits")
LATER = "2030-01-01T00:00:00Z"


def time(value: float, spread: float = 0.02) -> dict[str, Any]:
    return {"exact": False, "value": value, "low": value * (1 - spread), "high": value * (1 + spread)}


def exact(value: float) -> dict[str, Any]:
    return {"exact": True, "value": value, "low": None, "high": None}


@pytest.mark.parametrize(("factor", "same"), [(1.0, 1), (1.03, 1), (0.97, 1), (1.05, 0), (0.95, 0)])
def test_a_time_is_the_same_where_the_quartiles_meet(factor: float, same: int) -> None:
    told = again.judged({CELL: time(1.0)}, {CELL: time(factor)})
    assert (told["times"], told["same"], told["median"]) == (1, same, factor)
    assert told["apart"] == ([] if same else [[*CELL, factor]])


def test_an_exact_figure_is_the_same_where_it_is_equal() -> None:
    told = again.judged({HITS: exact(785)}, {HITS: exact(786)})
    assert (told["exact"], told["equal"], told["unequal"], told["times"]) == (1, 0, [list(HITS)], 0)
    assert again.judged({HITS: exact(785)}, {HITS: exact(785)})["unequal"] == []


def test_figures_that_only_one_of_them_has_are_not_compared() -> None:
    told = again.judged({CELL: time(1.0)}, {HITS: exact(785)})
    assert (told["times"], told["exact"], told["median"]) == (0, 0, None)


def test_a_published_release_that_was_measured_again_is_found_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba 0.60.0 as it is published, said to be of another time."""
    monkeypatch.chdir(ROOT)
    find = finder(site.discovered(tmp_path))
    machine = tmp_path / "vm"
    machine.mkdir()
    for file in (ROOT / "results" / "vm").glob("*numba0.60.0*"):
        shutil.copy(file, machine)
    shutil.copy(ROOT / "results" / "vm" / "machine.json", machine)
    assert list(again.compared(ROOT / "results", tmp_path, find)) == []  # the same measurement is no second one
    (said,) = machine.glob(f"*{records.SUFFIX}")
    lines = [json.loads(line) for line in said.read_text().splitlines()]
    ended = next(line for line in reversed(lines) if line["said"] == "environment")
    said.write_text("".join(json.dumps({**line, "at": LATER} if line is ended else line) + "\n" for line in lines))
    (told,) = again.compared(ROOT / "results", tmp_path, find)
    assert (told["compiler"], told["release"], told["again"], told["first"]) == ("numba", "0.60.0", LATER, ended["at"])
    assert told["exact"] == told["equal"] > 20
    assert told["times"] > 10


def test_the_listed_commits_of_another_day_are_those_of_the_published_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    told = list(again.beside_commits(ROOT / "results", finder(site.discovered(tmp_path))))
    listed = [row for row in json.loads(again.ROWS.read_text()) if row["by"] != "the ladder"]
    assert sorted(told, key=str) == sorted(listed, key=str), "python -m tools.again takes them from results/"
    assert sum(row["same"] for row in told) > 3
    assert all(row["first"][: again.DAY] != row["again"][: again.DAY] for row in told)
