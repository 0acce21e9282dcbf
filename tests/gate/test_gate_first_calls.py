"""First calls are judged where half as much again can be told: by pairs of processes of one commit that were measured."""

import json
from pathlib import Path

import pytest

from benchmarks import _selection
from gate import evidence

ROWS = Path(__file__).parents[2] / "docs" / "rows" / "first_calls.jsonl"
LINES = [json.loads(line) for line in ROWS.read_text().splitlines()]
SLOWER = (0.15, 0.5)
SURE = 0.95  # share of verdicts that should find the slowdown

Found = dict[str, dict[float, float]]


@pytest.fixture(scope="module")
def found() -> Found:
    """The share of verdicts that would find each slowdown, by case."""
    return evidence.shares_of_cases(LINES, SLOWER, 0.0)


def sure(found: Found, slower: float) -> set[str]:
    return {case for case, shares in found.items() if shares[slower] >= SURE and ".Cold." in case}


def test_those_are_judged_of_which_half_as_much_again_is_found_in_95_of_100_verdicts(found: Found) -> None:
    assert {*found} == {*LINES[0]["pairs"]}, "all were measured often enough"
    assert sure(found, 0.5) == {*_selection.selected(found, _selection.FIRST_CALLS)}
    assert sure(found, 0.15) == {f"philox_pi.Cold.time_first_call('{each}', 1000)" for each in ("numba", "torch_inductor")}


def test_a_first_call_is_judged_only_if_it_was_measured(found: Found) -> None:
    from benchmarks._suite.benchmark import COMPILERS

    names = [f"philox_pi.{life}.time_first_call('{each}', 1000)" for life in ("Cold", "Cached") for each in COMPILERS]
    assert {*_selection.selected(names, _selection.FIRST_CALLS)} <= {*found}
