"""The gate's statistics: what they call worse, how often they are wrong, and what they refuse to judge."""

import math

import numpy
import pytest
from scipy import stats

from gate import judge

NOISE = 0.012  # of processes of a warm kernel of a millisecond, as a fraction


def pairs(
    random: numpy.random.Generator, slower: float, count: int = judge.LEAST, noise: float = NOISE
) -> tuple[list[float], list[float]]:
    """Seconds of processes of two sides; head's take ``slower`` times as long. Both sides share a drift."""
    drift = 1 + 0.1 * random.random(count)
    base, head = (drift * factor * numpy.exp(noise * random.standard_normal(count)) for factor in (1e-3, 1e-3 * slower))
    return base.tolist(), head.tolist()


def verdict(random: numpy.random.Generator, slower: float, noise: float = NOISE) -> bool:
    """Both looks at one cell."""
    if not judge.is_suspect(judge.compare(*pairs(random, slower, noise=noise)), noise=0.0):
        return False
    again = judge.compare(*pairs(random, slower, judge.pairs_needed(1), noise))
    return judge.confirmed({"cell": again}, {})["cell"]


def test_the_same_code_is_called_worse_in_hardly_a_run_of_a_thousand_cells() -> None:
    random = numpy.random.default_rng(1)
    assert sum(verdict(random, 1.0) for _ in range(1_000)) == 0


@pytest.mark.parametrize(("slower", "least"), [(1.05, 0.95), (1.10, 1.0), (1.5, 1.0)])
def test_a_slowdown_is_found(slower: float, least: float) -> None:
    random = numpy.random.default_rng(2)
    assert sum(verdict(random, slower) for _ in range(100)) >= 100 * least


def test_a_pair_or_two_that_say_the_opposite_save_no_slow_kernel() -> None:
    random = numpy.random.default_rng(5)
    assert sum(verdict(random, 1.05, noise=0.02) for _ in range(200)) >= 200 * 0.9


def test_a_drift_that_both_sides_share_is_none() -> None:
    seen = judge.compare([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6], [1.01, 1.1, 1.21, 1.29, 1.41, 1.49, 1.6])
    assert seen.low < 1 < seen.high
    assert seen.worse > 0.05


def test_one_process_that_was_interrupted_is_no_slowdown() -> None:
    base = [1.0, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995]
    seen = judge.compare(base, [*base[1:], 30.0])
    assert not judge.is_suspect(seen, noise=0.0)


def test_the_interval_holds_the_true_ratio_as_often_as_it_says() -> None:
    random = numpy.random.default_rng(3)
    intervals = [judge.compare(*pairs(random, 1.3)) for _ in range(300)]
    held = sum(seen.low <= 1.3 <= seen.high for seen in intervals)
    assert 0.91 * 300 <= held < 300


@pytest.mark.parametrize("count", [7, 8, 11, 14])
def test_the_interval_s_ends_are_where_the_test_begins_to_reject(count: int) -> None:
    base, head = pairs(numpy.random.default_rng(count), 1.2, count)
    seen = judge.compare(base, head)

    def p(ratio: float) -> float:
        return stats.wilcoxon(numpy.log(head) - numpy.log(base) - math.log(ratio), method="exact").pvalue

    outside, inside = 1 - 1e-9, 1 + 1e-9
    assert p(seen.low * outside) <= 1 - judge.CONFIDENCE < p(seen.low * inside)
    assert p(seen.high * inside) <= 1 - judge.CONFIDENCE < p(seen.high * outside)


def test_what_is_below_the_cell_s_own_noise_is_not_reported() -> None:
    seen = judge.compare(*pairs(numpy.random.default_rng(4), 1.06))
    assert judge.is_suspect(seen, noise=0.03)
    assert not judge.is_suspect(seen, noise=0.10)
    assert not judge.confirmed({"cell": seen}, {"cell": 0.10})["cell"]


def test_many_suspects_need_more_pairs() -> None:
    assert judge.pairs_needed(0) == 0
    assert judge.pairs_needed(1) >= judge.LEAST
    for suspects in (1, 5, 100):
        assert 2.0 ** -judge.pairs_needed(suspects) <= judge.BELIEVED / suspects


def looked_at_until_cleared(base: list[float], head: list[float], needed: int) -> judge.Comparison:
    """What the second look says of a suspect, which is left alone once it can't be found guilty any more."""
    until = next((count for count in range(needed) if judge.is_cleared(base[:count], head[:count], needed)), needed)
    return judge.compare(base[:until], head[:until])


def test_who_can_t_be_found_guilty_any_more_is_left_alone_and_no_verdict_changes() -> None:
    random = numpy.random.default_rng(6)
    needed = judge.pairs_needed(3)
    guilty, kept = 0, []
    for _ in range(100):
        suspects = {str(slower): pairs(random, slower, needed, 0.03) for slower in (1.0, 1.03, 1.06)}
        whole = {name: judge.compare(*suspect) for name, suspect in suspects.items()}
        short = {name: looked_at_until_cleared(*suspect, needed) for name, suspect in suspects.items()}
        verdict = judge.confirmed(whole, {})
        assert judge.confirmed(short, {}) == verdict
        guilty += sum(verdict.values())
        kept.append(short["1.0"].pairs)
    assert guilty > 30, "else nothing was shown of those that are"
    assert numpy.mean(kept) < 0.75 * needed, "what is the same is to be left alone early"


def test_the_worst_of_many_suspects_is_judged_as_one_of_many() -> None:
    weak = judge.Comparison(1.1, 1.0, 1.2, worse=0.003, better=1.0, pairs=9)
    assert judge.confirmed({"alone": weak}, {}) == {"alone": True}
    assert not any(judge.confirmed({"one": weak, "two": weak}, {}).values())


@pytest.mark.parametrize(("base", "head"), [([1.0] * 2, [1.0] * 2), ([1.0] * 7, [1.0] * 6), ([1.0] * 7, [0.0] * 7)])
def test_what_can_t_be_compared_is_refused(base: list[float], head: list[float]) -> None:
    with pytest.raises(ValueError, match=r"pairs at least|positive"):
        judge.compare(base, head)


def test_equal_numbers_are_equal() -> None:
    seen = judge.compare([1.0] * 7, [1.0] * 7)
    assert (seen.ratio, seen.low, seen.high, seen.worse, seen.better) == (1, 1, 1, 1, 1)
    assert math.isclose(judge.compare([1.0] * 7, [2.0] * 7).ratio, 2)
