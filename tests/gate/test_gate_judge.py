"""The levels of a verdict: what they call worse, how often they are wrong, and when a second look ends."""

import json
import math
from pathlib import Path
from typing import Any

import numpy
import pytest
from calibration_line import line

from duet import compare
from duet.statistics import Comparison
from gate import calibration, cli, evidence, judge, trial
from gate.commits import Commit
from gate.scope import Scope
from jitkernels import files

NOISE = 0.012  # of processes of a warm kernel of a millisecond, as a fraction


def pairs(random: numpy.random.Generator, slower: float, count: int = judge.LEAST, noise: float = NOISE) -> list[float]:
    """Ratios of pairs of processes; head's take ``slower`` times as long."""
    base, head = (numpy.exp(noise * random.standard_normal(count)) for _ in range(2))
    ratios: list[float] = (slower * head / base).tolist()
    return ratios


def verdict(random: numpy.random.Generator, slower: float, noise: float = NOISE) -> bool:
    """Both looks at one cell."""
    if not judge.is_suspect(compare(pairs(random, slower, noise=noise)), noise=0.0):
        return False
    again = compare(pairs(random, slower, judge.pairs_needed(1), noise))
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


def test_one_process_that_was_interrupted_is_no_slowdown() -> None:
    comparison = compare([1.001, 0.998, 1.003, 0.996, 1.0025, 0.999, 30.0])
    assert not judge.is_suspect(comparison, noise=0.0)


def test_what_is_below_the_cell_s_own_noise_is_not_reported() -> None:
    comparison = compare(pairs(numpy.random.default_rng(4), 1.06))
    assert judge.is_suspect(comparison, noise=0.03)
    assert not judge.is_suspect(comparison, noise=0.10)
    assert not judge.confirmed({"cell": comparison}, {"cell": 0.10})["cell"]


def test_many_suspects_need_more_pairs() -> None:
    assert judge.pairs_needed(0) == 0
    assert judge.pairs_needed(1) >= judge.LEAST
    for suspects in (1, 5, 100):
        assert 2.0 ** -judge.pairs_needed(suspects) <= judge.BELIEVED / suspects


def compared_until_cleared(ratios: list[float], needed: int) -> Comparison:
    """The comparison of a second look that ends once it cannot confirm the suspect."""
    until = next((count for count in range(needed) if judge.is_cleared(ratios[:count], needed)), needed)
    return compare(ratios[:until])


def test_a_second_look_that_cannot_confirm_a_suspect_ends_and_changes_no_verdict() -> None:
    random = numpy.random.default_rng(6)
    needed = judge.pairs_needed(3)
    confirmed, counts = 0, []
    for _ in range(40):
        suspects = {str(slower): pairs(random, slower, needed, 0.03) for slower in (1.0, 1.03, 1.06)}
        whole = {name: compare(suspect) for name, suspect in suspects.items()}
        short = {name: compared_until_cleared(suspect, needed) for name, suspect in suspects.items()}
        verdict = judge.confirmed(whole, {})
        assert judge.confirmed(short, {}) == verdict
        confirmed += sum(verdict.values())
        counts.append(short["1.0"].pairs)
    assert confirmed > 12, "else nothing was shown of those that are"
    assert numpy.mean(counts) < 0.75 * needed, "what is the same is to be left alone early"


def test_a_first_look_at_the_innocent_ends_and_changes_no_suspicion() -> None:
    random = numpy.random.default_rng(9)
    counts: dict[float, list[int]] = {1.0: [], 0.95: [], 1.05: []}
    for slower in [*counts] * 80:
        ratios = pairs(random, slower)
        until = next((count for count in range(judge.LEAST) if judge.is_innocent(ratios[:count], judge.LEAST)), judge.LEAST)
        assert until == judge.LEAST or not judge.is_suspect(compare(ratios), 0.0)
        counts[slower].append(until)
    assert numpy.mean(counts[1.0]) < 0.75 * judge.LEAST
    assert numpy.mean(counts[0.95]) > 0.95 * judge.LEAST, "what is faster is measured to the end, and listed as better"
    assert min(counts[1.05]) > 3


def is_ever_guilty(ratios: list[float], times: int) -> bool:
    """True if a case is guilty after any pair of its second look."""
    first, again = ratios[: judge.LEAST], ratios[judge.LEAST :]
    return any(judge.is_guilty(first, again[:count], times, 0.0) for count in range(1, len(again) + 1))


@pytest.mark.parametrize("times", [10, 60])
def test_of_equal_sides_no_more_families_have_a_guilty_case_than_the_level_says(times: int) -> None:
    """Signs alone, of more pairs than any second look has: a case is guilty if it is so after any of them."""
    random = numpy.random.default_rng(7)
    families, pairs = 40_000, 20
    guilty = 0
    for _ in range(0, families, 2_000):
        is_worse = random.random((2_000, times, pairs)) < 0.5
        family, case = is_worse[:, :, : judge.LEAST].all(axis=2).nonzero()  # no other case can be guilty
        suspects = zip(family, numpy.where(is_worse[family, case], 1.05, 0.95).tolist(), strict=True)
        guilty += len({family for family, ratios in suspects if is_ever_guilty(ratios, times)})
    assert guilty / families <= judge.EARLY * 1.2, "three standard errors above the level"
    assert guilty / families >= judge.EARLY / 4, "else the level would be another one"


def test_the_clearly_guilty_are_known_after_fewer_pairs_and_no_others() -> None:
    first, second = [1.05] * judge.LEAST, [1.05] * 8
    assert not judge.is_guilty(first, second[:7], 60, 0.0)
    assert judge.is_guilty(first, second, 60, 0.0)
    assert judge.pairs_needed(1) > len(second) and judge.pairs_needed(12) > len(second) + 1
    assert not judge.is_guilty(first, second, 200, 0.0), "among more cases the same has more often no cause"
    assert not judge.is_guilty(first, [*second[:-1], 0.99], 60, 0.0), "a pair disagrees"
    assert not judge.is_guilty(first, second, 60, 0.1), "below its noise"
    assert not judge.is_guilty([1.015] * 7, [1.015] * 8, 60, 0.0), "below what two builds of the same code differ by"


def test_the_interval_of_the_guilty_never_holds_1() -> None:
    first, scattered = [3.0, 3.6, 4.1, 3.3, 2.9, 3.8, 3.5], [3.6, 1.4, 4.0]
    assert math.log2(1 / judge.EARLY) < len(first + scattered), "enough pairs for one time"
    assert compare(scattered).low < 1 and not judge.is_guilty(first, scattered, 1, 0.0)
    enough = [*scattered, 1.1, 9.0, 1.01]
    assert judge.is_guilty(first, enough, 1, 0.0) and compare(enough).low > 1


def test_a_slowdown_of_five_per_cent_ends_early() -> None:
    random = numpy.random.default_rng(8)
    ends = [judge.is_guilty(pairs(random, 1.05), pairs(random, 1.05, 8), 60, 0.0) for _ in range(200)]
    assert sum(ends) >= 190


def test_the_worst_of_many_suspects_is_judged_as_one_of_many() -> None:
    weak = Comparison(1.1, 1.0, 1.2, worse=0.003, better=1.0, pairs=9)
    assert judge.confirmed({"alone": weak}, {}) == {"alone": True}
    assert not any(judge.confirmed({"one": weak, "two": weak}, {}).values())


def noise_in(lines: list[Any], machine: str = "one", memory: str = "glibc", way: int = judge.WAY) -> dict[str, float]:
    conditions: Any = {"machine": machine, "method": {"memory": memory, "way": way}}
    return evidence.noise_of(lines, conditions)


def of_equal_sides(ratio: float, machine: str = "one", memory: str = "glibc", **differs: Any) -> dict[str, Any]:
    method = {"memory": memory, "way": judge.WAY}
    return line(machine=machine, method=method, cells={"case": [1e-3, ratio, 0.01], "figure": [7]}, **differs)


def test_noise_is_how_far_equal_sides_are_apart() -> None:
    assert noise_in([]) == {}
    assert noise_in([of_equal_sides(ratio) for ratio in (1.01, 0.98, 1.0)]) == {"case": pytest.approx(1 / 0.98 - 1)}
    faulty = of_equal_sides(1.5, injected={"case": {"kind": "slower", "factor": 1.5}})
    assert noise_in([of_equal_sides(1.01), faulty]) == {"case": pytest.approx(0.01)}, "a fault is no noise"
    many = [of_equal_sides(1.5), *[of_equal_sides(1.01)] * judge.STORED]
    assert noise_in(many) == {"case": pytest.approx(0.01)}, "the machine has changed too much since the oldest"


def test_each_machine_and_allocator_and_way_of_measuring_has_its_own_noise() -> None:
    sources = [("one", "glibc"), ("one", "jemalloc"), ("two", "glibc")]
    lines = [of_equal_sides(ratio, *source) for source, ratio in zip(sources, (1.2, 1.01, 1.1), strict=True)]
    assert [noise_in(lines, *source)["case"] for source in sources] == [pytest.approx(each) for each in (0.2, 0.01, 0.1)]
    assert noise_in(lines, "two", "jemalloc") == noise_in(lines, way=judge.WAY - 1) == {}


def test_noise_that_a_build_writes_does_not_judge_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: Any) -> None:
        conditions = trial.conditions([], judge.LEAST, 60)
        files.append(tmp_path / calibration.FILE, json.dumps(line(**conditions, cells={"case": [1e-3, 1.5, 0.01]})) + "\n")

    monkeypatch.setattr(cli.commits, "changed_files", lambda *_: ())
    monkeypatch.setattr(cli.scope, "of_commits", lambda *_: Scope((), frozenset(), frozenset(), frozenset()))
    monkeypatch.setattr(cli.builds, "build", build)
    monkeypatch.setattr(cli.rulers, "judged", lambda *arguments: arguments[3])  # the noise
    options, commit = cli.judge_parser().parse_args(["BASE", "HEAD", "--bench", "x"]), Commit("HEAD", "0" * 40, "")
    noise = [cli.measured(tmp_path, commit, commit, options) for _ in range(2)]
    assert noise == [{}, {"case": pytest.approx(0.5)}], "the second verdict shows that it was written"
