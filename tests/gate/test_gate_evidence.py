"""What the runs of calibration say together."""

import json
from pathlib import Path
from typing import Any

import pytest
from calibration_line import line

from gate import calibration, evidence

ROOT = Path(__file__).parents[2]


def slowed(cell: str, percent: float, **differs: Any) -> dict[str, Any]:
    return line(injected={cell: {"kind": "slower", "factor": 1 + percent / 100}}, **differs)


def test_no_alarm_in_twenty_runs_says_how_little_is_known() -> None:
    rate = evidence.summary([line() for _ in range(20)])["false_alarms"]
    assert (rate["hits"], rate["of"], rate["low"]) == (0, 20, 0)
    assert rate["high"] == pytest.approx(1 - 0.025 ** (1 / 20))  # Clopper and Pearson's, where nothing was seen


def test_a_slowed_cell_that_is_found_is_power_and_any_other_one_a_false_alarm() -> None:
    runs = [
        line(),
        slowed("a", 5, suspected=["a"], believed=["a"]),
        slowed("a", 5, suspected=["a", "b"], believed=["b"]),
        slowed("b", 5),
        slowed("b", 10, suspected=["b"], believed=["b"]),
    ]
    group = evidence.summary(runs)
    assert (group["false_alarms"]["hits"], group["false_alarms"]["of"]) == (1, 5)
    assert group["alarms_of_cells"] == {"hits": 1, "of": 4 * 5 - 4}
    assert group["suspicions_of_cells"] == {"hits": 1, "of": 4 * 5 - 4}
    assert group["untouched"] == 1
    power = {
        row["slower"]: (row["suspected"]["hits"], row["believed"]["hits"], row["believed"]["of"]) for row in group["power"]
    }
    assert power == {0.05: (2, 1, 3), 0.1: (1, 1, 1)}


def test_alarms_by_chance_are_counted_over_times_and_verdicts_that_had_some() -> None:
    exact = {"d": [7]}
    timed = evidence.summary([line(), line(cells=exact), line(cells=exact), line(believed=["a"])])["timed"]
    assert (timed["runs"]["hits"], timed["runs"]["of"], timed["cells"]) == (1, 2, {"hits": 1, "of": 6})
    assert timed["runs"]["high"] == pytest.approx(0.987, abs=1e-3)


def test_the_median_of_two_runs_is_between_them() -> None:
    assert evidence.summary([line(seconds=60.0), line(seconds=600.0)])["seconds"] == {"median": 330.0, "most": 600.0}


def test_verdicts_on_one_kernel_or_one_file_are_counted_apart_from_whole_ones() -> None:
    one = {"bench": [], "budget": 720}
    runs = [line(), *(line(method=one, kernel=kernel) for kernel in ("relu", "nbody", "relu", "relu/jax"))]
    whole, single, dialect = map(evidence.summary, evidence.groups(runs))
    assert (whole["runs"], whole["kernels"], single["runs"], single["kernels"]) == (1, [], 3, ["nbody", "relu"])
    assert (dialect["runs"], dialect["kernels"]) == (1, ["relu/jax"])
    assert "A change of one kernel a run, of nbody, relu: 4 cases; 3 runs" in evidence.markdown(single)


def test_a_loss_that_nobody_made_is_a_false_alarm_and_what_was_not_measured_is_counted_apart() -> None:
    group = evidence.summary([line(lost=["a"]), line(too_little=["b"]), line()])
    assert (group["false_alarms"]["hits"], group["undecided"]["hits"]) == (1, 1)


def test_a_changed_figure_is_to_be_worse_and_what_skips_or_is_wrong_to_be_lost() -> None:
    injected = {"a": {"kind": "wrong"}, "b": {"kind": "lost"}, "d": {"kind": "changed", "by": 1}}
    group = evidence.summary(
        [line(injected=injected, believed=["d"], lost=["a", "b"]), line(injected=injected, believed=["a"])]
    )
    assert {row["kind"]: row["found"]["hits"] for row in group["others"]} == {"changed": 1, "lost": 1, "wrong": 1}
    assert group["false_alarms"]["hits"] == 0


def test_runs_of_other_machines_and_rules_are_not_added_up() -> None:
    runs = [line(), line(machine="another"), line(commit="d" * 40), line(method={"bench": ["x"], "budget": 720})]
    assert [len(group) for group in evidence.groups(runs)] == [2, 1, 1]


def test_a_table_says_how_many_runs_there_were() -> None:
    text = evidence.markdown(evidence.summary([slowed("a", 5, believed=["a"]), line()]))
    assert "2 runs, 1 of them with nothing done to HEAD" in text
    assert "| a warm call slower by 5 % | the verdict | 1 | 1 | 100 % (2.5 to 100 %) |" in text


def test_the_runs_in_the_docs_are_those_that_the_site_shows() -> None:
    lines = calibration.load(ROOT / "docs" / "rows" / "calibration.jsonl")
    (group,) = evidence.groups(lines)
    (shown,) = map(json.loads, (ROOT / "results" / "amd-epyc-avx512-2" / "gate.jsonl").read_text().splitlines())
    summary = evidence.summary([{**each, "pairs": {}} for each in group])  # from pairs shares are drawn, for a minute
    names = ("processor", "cores", "commits", "since", "until", "runs", "untouched", "seconds", "power", "others")
    of_runs = (*names, "false_alarms", "undecided")  # the rows hold few cases of each run, the site's sums all
    assert {name: summary[name] for name in of_runs} == {name: shown[name] for name in of_runs}


@pytest.mark.parametrize("name", ["verdicts.json", "verdicts_26.json"])
def test_the_verdicts_on_one_change_in_the_docs_are_those_that_the_site_shows(name: str) -> None:
    stored = json.loads((ROOT / "docs" / "rows" / name).read_text())
    rows = [dict(zip(stored["columns"], row, strict=True)) for row in stored["rows"]]
    lines = (ROOT / "results" / stored["machine"] / "gate.jsonl").read_text().splitlines()
    for shown in map(json.loads, lines):
        own = [row for row in rows if row["kernel"] in shown["kernels"]]
        times = {"hits": sum(row["alarms"] for row in own), "of": sum(row["times"] for row in own)}
        slow = [(row["factor"], row["slower_found"]) for row in own if row["slower"]]
        power = {each["slower"]: (each["believed"]["hits"], each["believed"]["of"]) for each in shown["power"]}
        others = [(each["found"]["hits"], each["found"]["of"]) for each in shown["others"]]
        assert (shown["runs"], shown["timed"]["cells"]) == (len(own), times)
        for factor, of_size in power.items():
            known = [found for each, found in slow if round(each - 1, 6) == factor]
            assert of_size == (sum(known), len(known))
        assert tuple(map(sum, zip(*others, strict=True))) == (
            sum(row["others_found"] for row in own),
            sum(row["others"] for row in own),
        )
    assert len(rows) == sum(json.loads(line)["runs"] for line in lines)


def paired(*runs: list[float], cell: str = "a", **differs: Any) -> list[dict[str, Any]]:
    return [line(pairs={cell: ratios}, **differs) for ratios in runs]


QUIET, NOISY = ([1 + step * noise for step in (-3, 2, -1, 0.5, 1, -2, 3)] for noise in (0.002, 0.04))


@pytest.mark.parametrize(("ratios", "share"), [(QUIET, 1.0), (NOISY, 0.0)])
def test_the_share_of_slowdowns_that_would_be_found_is_computed_from_measured_pairs(
    ratios: list[float], share: float
) -> None:
    assert evidence.share_found([ratios] * 4, 0.05) == share
    assert evidence.share_found([ratios] * 4, 0.0) == 0
    assert evidence.share_found([ratios] * 4, 1.0) == 1


def test_shares_are_of_long_calls_that_were_measured_often_enough_without_a_fault() -> None:
    cells = {"a": [1e-3, 1.0, 0.01]}
    runs = paired(QUIET, QUIET, QUIET, cells=cells)
    assert evidence.shares_of_cases(runs, (0.05, 0.1), 1e-3) == {"a": {0.05: 1.0, 0.1: 1.0}}
    assert evidence.shares_of_cases(runs, (0.05,), 2e-3) == {}
    assert evidence.shares_of_cases(runs[:2], (0.05,), 1e-3) == {}
    slow = [{**run, "injected": {"a": {"kind": "slower", "factor": 1.05}}} for run in runs[:1]]
    assert evidence.shares_of_cases(slow + runs[1:], (0.05,), 1e-3) == {}
    ended_early = [{**run, "kernel": "relu"} for run in runs]
    assert evidence.shares_of_cases(ended_early, (0.05,), 1e-3) == {}
    row = {"cell": "a", "runs": 3, "seconds": 1e-3, "spread": 0.01, "found": {"5": 1.0, "10": 1.0}}
    assert evidence.summary(runs)["noise"] == [row]
