"""Results that several runners left: their union is the same in any order, and twice the same adds nothing."""

import itertools
import json
import math
from functools import reduce
from typing import Any

import pytest

from history.store.merge import as_line, merged

COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_q_25", "samples"]
BACKENDS = ["'c'", "'numba'", "'jax'"]


def result(**rows: list[Any]) -> str:
    data = {"version": 2, "commit_hash": "a" * 40, "result_columns": COLUMNS, "results": rows, "durations": {"<build>": 1.0}}
    return json.dumps(data)


def row(values: list[float | None], started: int, version: str = "1", samples: int = 2) -> list[Any]:
    """A benchmark's row; a case that was not measured is NaN."""
    has = [value is not None and not math.isnan(value) for value in values]
    quartiles = [value if number else None for value, number in zip(values, has, strict=True)]
    lists = [[value] * samples if number else None for value, number in zip(values, has, strict=True)]
    return [values, [BACKENDS], version, started, 2.0, quartiles, lists]


def united(name: str, *texts: str) -> str:
    """The one text that every order of merging gives, and every way to bracket it."""
    everything = {reduce(lambda one, other: merged(name, one, other), order) for order in itertools.permutations(texts)}
    first, *rest = texts
    everything.add(merged(name, first, reduce(lambda one, other: merged(name, one, other), rest)))
    (text,) = everything
    assert all(merged(name, text, each) == text for each in texts), "what is in it already adds nothing"
    return text


def cases(text: str, benchmark: str = "pi") -> list[Any]:
    return [str(value) for value in json.loads(text)["results"][benchmark][0]]


def test_lines_are_united_by_their_time_and_each_once() -> None:
    lines = [as_line({"at": f"2026-01-0{day}", "value": value}) for day, value in ((3, 1), (1, 2), (2, 3), (2, 1))]
    text = united("m/duets.jsonl", "\n".join(lines[:2]) + "\n", lines[1] + "\n" + lines[2], lines[3] + "\n")
    assert text.splitlines() == [lines[1], *sorted([lines[2], lines[3]]), lines[0]]


def test_a_line_that_was_written_with_spaces_is_the_same_line_without() -> None:
    line = '{"at":"2026-01-01","value":[1e-07,NaN]}'
    assert united("m/duets.jsonl", f"{line}\n", line.replace(",", ", ").replace(":", ": ") + "\n") == f"{line}\n"


def test_a_half_written_line_costs_itself_alone() -> None:
    whole = '{"at":"2026-01-01"}'
    assert united("m/duets.jsonl", f"{whole}\n", f"{whole}\n" + '{"at": "20').splitlines() == ['{"at": "20', whole]


def test_cases_that_runners_measured_in_parts_become_one_result() -> None:
    nan = math.nan
    text = united(
        "m/a.json",
        result(pi=row([1.0, nan, nan], 1)),
        result(pi=row([nan, 2.0, nan], 3)),
        result(pi=row([nan, None, None], 2)),
    )
    assert cases(text) == ["1.0", "2.0", "None"], "a failure counts more than nothing, a number more than a failure"
    columns = dict(zip(COLUMNS, json.loads(text)["results"]["pi"], strict=True))
    assert (columns["started_at"], columns["samples"]) == (3, [[1.0, 1.0], [2.0, 2.0], None])


def test_of_two_numbers_the_one_with_more_samples_stays() -> None:
    one, other = row([1.0, 1.0, 1.0], 9, samples=2), row([5.0, 5.0, 5.0], 1, samples=8)
    assert cases(united("m/a.json", result(pi=one), result(pi=other))) == ["5.0"] * 3


def test_by_time_the_number_that_was_measured_later_stays() -> None:
    kept, own = row([5.0, 5.0, 5.0], 3, samples=8), [1.0, math.nan, None]
    for began, expected in ((1, "5.0"), (3, "1.0"), (9, "1.0")):
        text = merged("m/a.json", result(pi=kept), result(pi=row(own, began)), by_time=True)
        assert cases(text) == [expected, "5.0", "5.0"]


def test_another_version_of_a_benchmark_replaces_it_and_other_benchmarks_stay() -> None:
    old, new = result(pi=row([1.0, 1.0, 1.0], 1), softmax=row([3.0, 3.0, 3.0], 1)), result(pi=row([2.0, 2.0, 2.0], 5, "2"))
    text = united("m/a.json", old, new, result(heat=row([4.0, 4.0, 4.0], 1)))
    assert (cases(text), cases(text, "softmax"), cases(text, "heat")) == (["2.0"] * 3, ["3.0"] * 3, ["4.0"] * 3)


def test_a_row_with_more_parameters_keeps_the_numbers_of_one_with_fewer() -> None:
    nan = math.nan
    few, more = row([1.0, 2.0, nan], 1), row([nan, 5.0, 6.0, 7.0], 2)
    more[1] = [[BACKENDS[2], BACKENDS[1], BACKENDS[0], "'torch_inductor'"]]  # 'c' is the third, not the first
    few[6] = more[6] = None
    text = united("m/a.json", result(pi=few), result(pi=more))
    assert json.loads(text)["results"]["pi"][1] == more[1]
    assert cases(text) == ["nan", "5.0", "6.0", "7.0"]
    few[1] = [["'tensorflow_xla'", *BACKENDS[1:]]]  # neither has all parameters of the other: the later one stays
    assert cases(united("m/a.json", result(pi=few), result(pi=more))) == cases(result(pi=more))


def test_trimmed_rows_stay_as_asv_writes_them() -> None:
    short = [[1.0, 2.0, 3.0], [BACKENDS], "1", 5]
    text = united("m/a.json", result(made=short), result(made=[[1.0, 2.0, math.nan], [BACKENDS], "1", 6]))
    assert json.loads(text)["results"]["made"] == [[1.0, 2.0, 3.0], [BACKENDS], "1", 6]


@pytest.mark.parametrize("other", ["", "{", "[]", '{"version": 1}', '{"machine": "m"}'])
def test_a_file_that_is_no_result_never_replaces_one(other: str) -> None:
    text = result(pi=row([1.0, 1.0, 1.0], 1))
    assert united("m/a.json", text, other) == text


def test_of_two_descriptions_of_a_machine_one_stays_whole() -> None:
    texts = ['{"machine": "m", "ram": "1"}', '{"machine": "m", "ram": "2"}']
    assert united("m/machine.json", *texts) in texts
