"""How often the gate is wrong, from calibration's sums to the page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from browsing import HOSTILE, LOOKS, SHOWN, Visit, violations
from served import Served, results, served, site_of

from history.store import clean
from history.store.results import Unread
from website.read import gate

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "website" / "schema" / "gate.json").read_text())


def rate(hits: int, of: int) -> dict[str, Any]:
    return {"hits": hits, "of": of, "low": 0.0, "high": 0.168}


def summed(**differs: Any) -> dict[str, Any]:
    """A line of gate.jsonl: twenty runs without a false alarm."""
    return {
        "schema": 1,
        "machine": "vm",
        "processor": "P",
        "cores": 2,
        "method": {"bench": ["."]},
        "whole": True,
        "runs": 20,
        "untouched": 5,
        "commits": ["c" * 40],
        "since": "2026-01-01T00:00:00Z",
        "until": "2026-01-02T00:00:00Z",
        "cells": 103,
        "seconds": {"median": 630.0, "most": 700.0},
        "false_alarms": rate(0, 20),
        "undecided": rate(1, 20),
        "alarms_of_cells": {"hits": 0, "of": 2000},
        "suspicions_of_cells": {"hits": 3, "of": 2000},
        "power": [{"slower": 0.05, "suspected": rate(10, 10), "believed": rate(9, 10)}],
        "others": [{"kind": "wrong", "found": rate(15, 15)}],
        "noise": [
            {
                "cell": "k.Warm.time_call('jax', 1)",
                "runs": 20,
                "seconds": 2e-3,
                "spread": 0.03,
                "found": {"5": 0.4, "10": 1.0},
            },
            {"cell": "k.Warm.time_call('c', 1)", "runs": 20, "seconds": 2e-6, "spread": 0.01, "found": {}},
        ],
        **differs,
    }


def kept(results: Path, *lines: Any, machine: str = "vm") -> Path:
    file = results / machine / "gate.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return file


# What is read


def test_sums_of_all_machines_are_told_the_newest_first_and_fit_their_schema(tmp_path: Path) -> None:
    kept(tmp_path, summed())
    kept(tmp_path, summed(machine="new", until="2026-02-01T00:00:00Z"), machine="new")
    lost: list[Unread] = []
    told = gate.groups(tmp_path, lost)
    assert ([group["machine"] for group in told], lost) == (["new", "vm"], [])
    assert told[0]["rates"][0] == {"done": "nothing", "slower": None, "by": "false alarms", **rate(0, 20)}
    jsonschema.validate({"schema": 1, "groups": told}, SCHEMA)


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(summed())[:40],
        "no JSON",
        "[]",
        "null",
        '{"schema": 2}',
        summed(runs=-1),
        summed(cells="many"),
        summed(noise=None),
        json.dumps(summed()).replace("630.0", "Infinity"),
        summed(power=[{"slower": True}]),
    ],
)
def test_a_line_that_is_none_is_named_and_the_others_are_read(tmp_path: Path, line: Any) -> None:
    kept(tmp_path, line, summed())
    lost: list[Unread] = []
    assert len(gate.groups(tmp_path, lost)) == 1
    assert [(problem.file, problem.reason.partition(":")[0]) for problem in lost] == [("vm/gate.jsonl", "line 1")]


def test_the_copy_that_asv_publishes_has_them_too(tmp_path: Path) -> None:
    kept(results(tmp_path / "results"), summed())
    clean.copy([("results", tmp_path / "results")], tmp_path / "copy")
    assert [group["runs"] for group in gate.groups(tmp_path / "copy", [])] == [20]


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    kept(tmp_path).write_bytes(b"\xff\xfe")
    lost: list[Unread] = []
    assert gate.groups(tmp_path, lost) == []
    assert len(lost) == 1


# What is shown


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    directory = tmp_path_factory.mktemp("calibrated")
    kept(results(directory / "results"), summed(), summed(processor=HOSTILE, machine=HOSTILE, whole=False))
    with served(site_of(directory / "site", directory / "results", [])) as site:
        yield site


def opened(visit: Visit, site: Served, **options: Any) -> Any:
    page = visit(site, "#view=gate", **options)
    page.locator("#gate-rates-0").wait_for()
    return page


def test_the_rates_are_said_and_tabled(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    told = page.inner_text("#gate")
    assert "20 verdicts on two builds of the same code, all but 5 of them with a fault" in told
    assert "2026-01-01 to 2026-01-02: 0 had a false alarm. Each judged 103 benchmarks" in told
    assert "(the suite of each commit) in 10.5 minutes" in told
    rows = page.eval_on_selector_all("#gate-rates-0 tbody tr", "rows => rows.map((row) => row.innerText.split('\\t'))")
    assert rows[0] == ["nothing: false alarms", "the verdict", "0", "20", "0 % (0 % to 16.8 %)"]
    assert rows[3] == ["a warm call slower by 5 %", "the verdict", "9", "10", "90.0 % (0 % to 16.8 %)"]
    assert rows[4][0] == "a wrong answer"


def test_the_noise_of_each_benchmark_opens_and_sorts(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    page.click("#gate-noise-0 > summary")
    assert "slower by 5 %: found in 95 % of verdicts in 0 of 1" in page.inner_text("#gate-noise-0 > summary")
    names = "#gate-noise-0-table tbody th"
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('jax', 1)"
    page.click("#gate-noise-0-table [data-sort=spread]")
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('c', 1)"
    page.reload()
    page.locator(names).first.wait_for()
    assert page.locator(names).first.inner_text() == "k.Warm.time_call('c', 1)", "the address keeps it"


def test_what_comes_from_results_is_text(visit: Visit, calibrated: Served) -> None:
    page = opened(visit, calibrated)
    assert SHOWN in page.inner_text("#gate")
    assert page.dialogs == []


@pytest.mark.parametrize("look", LOOKS)
def test_it_breaks_no_rule_of_accessibility(visit: Visit, calibrated: Served, look: str) -> None:
    page = opened(visit, calibrated, **LOOKS[look])
    page.click("#gate-noise-0 > summary")
    assert violations(page) == []


def test_where_nothing_was_calibrated_it_says_how_to(visit: Visit, tmp_path: Path) -> None:
    with served(site_of(tmp_path / "site", results(tmp_path / "results"), [])) as site:
        page = visit(site, "#view=gate")
        page.locator("#gate code").first.wait_for()
        assert "python -m gate calibrate --runs 20" in page.inner_text("#gate")
