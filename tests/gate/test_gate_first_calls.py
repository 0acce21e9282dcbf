"""First calls are judged where 15 % can be told: by pairs of processes of one commit that were measured."""

import json
from pathlib import Path

import pytest

from benchmarks import _selection
from gate import evidence

ROWS = Path(__file__).parents[2] / "docs" / "rows" / "first_calls.jsonl"
LINES = [json.loads(line) for line in ROWS.read_text().splitlines()]
SLOWER = 0.15
SURE = 0.95  # share of verdicts that should find the slowdown


@pytest.fixture(scope="module")
def found() -> dict[str, float]:
    """The share of verdicts that would find the slowdown, by case."""
    return {case: shares[SLOWER] for case, shares in evidence.shares_of_cases(LINES, [SLOWER], 0.0).items()}


def test_those_are_judged_of_which_fifteen_per_cent_are_found_in_95_of_100_verdicts(found: dict[str, float]) -> None:
    assert {*found} == {*LINES[0]["pairs"]}, "all were measured often enough"
    assert {case for case, share in found.items() if share >= SURE} == {*_selection.selected(found, _selection.FIRST_CALLS)}


def test_a_first_call_is_judged_only_if_it_was_measured(found: dict[str, float]) -> None:
    from benchmarks._suite.benchmark import COMPILERS

    names = [f"philox_pi.{life}.time_first_call('{each}', 1000)" for life in ("Cold", "Cached") for each in COMPILERS]
    assert {*_selection.selected(names, _selection.FIRST_CALLS)} <= {*found}
