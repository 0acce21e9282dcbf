"""The comparison of two sides: its estimate, its interval, its test, and what it refuses."""

import json
import math
from pathlib import Path
from typing import Any

import numpy
import pytest
from scipy import stats

from duet import Pairs, Samples, compare
from duet.rounds import NARROW
from duet.samples import Measurement
from duet.statistics import CONFIDENCE, FEWEST, STUDENT
from history.ratios import MOST_PAIRS, PAIRS


def ratios(seed: int, slower: float, count: int = 7) -> list[float]:
    random = numpy.random.default_rng(seed)
    made: list[float] = (slower * numpy.exp(0.017 * random.standard_normal(count))).tolist()
    return made


def test_ratios_on_both_sides_of_one_are_no_difference() -> None:
    comparison = compare([1.01, 1.0, 1.21 / 1.2, 1.29 / 1.3, 1.41 / 1.4, 1.49 / 1.5, 1.0])
    assert comparison.low < 1 < comparison.high
    assert comparison.worse > 0.05


@pytest.mark.parametrize("count", range(FEWEST, 9))
def test_the_interval_holds_the_true_ratio_as_often_as_it_says(count: int) -> None:
    comparisons = [compare(ratios(seed, 1.3, count)) for seed in range(300)]
    held = sum(each.low <= 1.3 <= each.high for each in comparisons)
    assert 0.91 * 300 <= held < 300


@pytest.mark.parametrize("deviation", [0.01, 0.02, 0.03])
def test_more_pairs_while_it_is_wide_cost_the_interval_little(deviation: float) -> None:
    random, held = numpy.random.default_rng(1), 0
    for _ in range(400):
        every = numpy.exp(deviation * random.standard_normal(MOST_PAIRS)).tolist()
        prefixes = [Pairs([], [], every[:count]) for count in range(PAIRS, MOST_PAIRS + 1)]
        comparison = next((each for each in prefixes if not each.is_wide(NARROW)), prefixes[-1]).comparison()
        held += comparison is not None and comparison.low <= 1 <= comparison.high
    assert 0.9 * 400 <= held < 400, "docs/releases.md says 92 to 95 %"


def test_of_the_stored_pairs_of_equal_commits_the_range_holds_one_less_often_than_the_interval() -> None:
    rows = (Path(__file__).parents[2] / "docs" / "rows" / "calibration.jsonl").read_text().splitlines()
    runs = [json.loads(row) for row in rows]
    firsts = [pairs[:FEWEST] for run in runs for case, pairs in run["pairs"].items() if case not in run["injected"]]
    ranges = sum(min(pairs) <= 1 <= max(pairs) for pairs in firsts) / len(firsts)
    intervals = sum(each.low <= 1 <= each.high for each in map(compare, firsts)) / len(firsts)
    assert (len(firsts), round(ranges, 2), round(intervals, 2)) == (172, 0.73, 0.97)


@pytest.mark.parametrize("pairs", STUDENT)
def test_the_quantiles_of_few_pairs_are_student_s(pairs: int) -> None:
    assert STUDENT[pairs] == pytest.approx(stats.t.ppf((1 + CONFIDENCE) / 2, pairs - 1), abs=5e-5)


@pytest.mark.parametrize("count", [6, 7, 8, 11, 14])
def test_the_interval_s_ends_are_where_the_test_begins_to_reject(count: int) -> None:
    known = ratios(count, 1.2, count)
    comparison = compare(known)

    def p(ratio: float) -> Any:
        return stats.wilcoxon(numpy.log(known) - math.log(ratio), method="exact").pvalue

    outside, inside = 1 - 1e-9, 1 + 1e-9
    assert p(comparison.low * outside) <= 1 - CONFIDENCE < p(comparison.low * inside)
    assert p(comparison.high * inside) <= 1 - CONFIDENCE < p(comparison.high * outside)


@pytest.mark.parametrize("refused", [[1.0] * 2, [], [1.0] * 6 + [0.0], [-1.0] * 7])
def test_too_few_ratios_and_those_that_are_not_positive_are_refused(refused: list[float]) -> None:
    with pytest.raises(ValueError, match="3 or more positive ratios are needed"):
        compare(refused)


def test_equal_numbers_are_equal() -> None:
    same = compare([1.0] * 7)
    assert (same.ratio, same.low, same.high, same.worse, same.better) == (1, 1, 1, 1, 1)
    assert math.isclose(compare([2.0] * 7).ratio, 2)


def test_pairs_are_rounds_in_which_both_sides_measured_something() -> None:
    samples = Samples("a", "b")
    samples.of("a", "case").extend(Measurement("ok", values=[1.0, 3.0, 2.0]) for _ in range(3))
    samples.of("b", "case").append(Measurement("ok", values=[2.0, 6.0, 4.4]))
    samples.of("b", "case").append(Measurement("failed", "out of memory"))
    samples.of("b", "case").append(Measurement("ok", values=[4.0]))
    assert samples.pairs("case") == Pairs([2.0, 2.0], [4.4, 4.0], [2.0, 2.0], "out of memory")
    assert samples.pairs("case").comparison() is None, "of two pairs there is no interval"


def test_a_figure_of_zero_has_no_ratio() -> None:
    samples = Samples("a", "b")
    samples.of("a", "case").append(Measurement("ok", values=[0]))
    samples.of("b", "case").append(Measurement("ok", values=[1]))
    assert samples.pairs("case") == Pairs([0], [1], [])
