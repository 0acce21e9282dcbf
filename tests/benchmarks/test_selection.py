"""Which benchmark cases belong to a verdict, the first view and a release."""

import re
from collections.abc import Iterator

import pytest

from benchmarks import _selection as selection
from benchmarks._launch import backend_of, dialect_of
from benchmarks._suite.benchmark import POINTS
from jitkernels.backends.table import BACKENDS

ALL = list(BACKENDS)
SELECTIONS = {
    "VERDICT": selection.VERDICT,
    "PI_AT_SIZE": selection.PI_AT_SIZE,
    "ACCURACY": selection.ACCURACY,
    "ONE_KERNEL": selection.ONE_KERNEL,
    "TOO_LONG": selection.TOO_LONG,
    "UNJUDGED": selection.UNJUDGED,
    "FIRST_VIEW": selection.FIRST_VIEW,
    "NIGHT": [selection.NIGHT],
    "HISTORY": selection.HISTORY,
    "RANKING": selection.RANKING,
    "RELEASE": selection.of_backends(selection.RELEASE, ALL),
    "RELEASE_INTERPRETED": selection.of_backends(selection.RELEASE_INTERPRETED, [selection.INTERPRETED]),
    "RELEASE_REFERENCE": selection.of_backends(selection.RELEASE_REFERENCE, [selection.REFERENCE_KERNEL]),
    "RELEASE_DUET": selection.of_backends(selection.RELEASE_DUET, ALL),
    "RELEASE_DUET_INTERPRETED": selection.of_backends(selection.RELEASE_DUET_INTERPRETED, [selection.INTERPRETED]),
    "RELEASE_DUET_REFERENCE": selection.of_backends(selection.RELEASE_DUET_REFERENCE, [selection.REFERENCE_KERNEL]),
    "FIRST_CALLS": selection.FIRST_CALLS,
    "DRIFT": selection.of_backends(selection.DRIFT, ALL),
    "DRIFT_REFERENCE": selection.of_backends(selection.DRIFT_REFERENCE, [selection.REFERENCE_KERNEL]),
}
BACKENDS_OF_RELEASES = set(ALL)
"""A release's expressions are for the backends of any compiler, so that not every kernel needs to have each of them."""


def parts(expression: str) -> Iterator[str]:
    """Yield the expression, and for each of its groups the expression with one alternative in the group's place."""
    yield expression
    for group in re.finditer(r"(?<!\\)\(([^()?\\]+\|[^()\\]+)\)", expression):
        alternatives = group[1].split("|")
        if set(alternatives) != BACKENDS_OF_RELEASES:
            yield from (f"{expression[: group.start()]}({each}){expression[group.end() :]}" for each in alternatives)


def idle(expressions: list[str], cases: list[str]) -> list[str]:
    """Return what of the expressions finds no case."""
    return [part for each in expressions for part in parts(each) if not selection.selected(cases, [part])]


@pytest.mark.parametrize("name", SELECTIONS)
def test_every_alternative_of_a_selection_finds_a_case(name: str, cases: list[str]) -> None:
    problems = idle(SELECTIONS[name], cases)
    assert not problems, f"of {name} in benchmarks/selection.py these find nothing:\n" + "\n".join(problems)


def test_an_expression_that_finds_nothing_is_named() -> None:
    cases = ["dense.Warm.time_call('c', 20)", "dense.Warm.time_call('jax', 20)"]
    assert idle([r"^dense\.Warm\.time_call\('(c|jax)', 20\)$"], cases) == []
    assert idle([r"^(dense|mandelbrot)\.Warm\.time_call\('c', 20\)$"], cases) == [
        r"^(mandelbrot)\.Warm\.time_call\('c', 20\)$"
    ]
    assert idle([r"^dense\.Warm\.time_call\('c', 200\)$"], cases) == [r"^dense\.Warm\.time_call\('c', 200\)$"]


def test_make_bench_measures_the_first_view_and_some_of_the_verdict(cases: list[str]) -> None:
    quick, verdict = (set(selection.selected(cases, [each])) for each in (selection.QUICK, selection.PER_COMMIT))
    assert set(selection.selected(cases, selection.FIRST_VIEW)) < quick
    assert set(selection.selected(cases, [*selection.PI, *selection.ACCURACY, *selection.FOUR])) <= quick & verdict
    assert len(quick) < len(cases) == len(selection.selected(cases, [selection.NIGHT]))


def test_what_all_kernels_share_is_judged_by_a_time_of_every_kernel_and_history_has_more(cases: list[str]) -> None:
    verdict, history = (set(selection.selected(cases, each)) for each in (selection.VERDICT, selection.HISTORY))
    assert {case.partition(".")[0] for case in verdict} == {case.partition(".")[0] for case in cases}
    assert verdict < history
    assert all(".time_call(" in case for case in history)


def test_one_kernel_is_judged_by_a_time_on_each_of_its_backends_but_heat_2d_in_an_interpreter(cases: list[str]) -> None:
    for kernel in {case.partition(".")[0] for case in cases}:
        warm = [case for case in cases if re.match(rf"{kernel}\.(Warm|Interpreted)\.", case)]
        backends = {(case.split("(")[0], backend_of(case)) for case in warm}
        missing = backends - {(case.split("(")[0], backend_of(case)) for case in selection.of_verdict(warm)}
        assert missing == ({("heat_2d.Interpreted.time_call", "triton")} if kernel == "heat_2d" else set())


def test_one_framework_is_judged_by_more_times_than_all_of_them(cases: list[str]) -> None:
    first_calls = selection.selected(cases, selection.FIRST_CALLS)
    of_torch = [case for case in cases if dialect_of(case) == "torch"]
    history = selection.selected(of_torch, selection.HISTORY)
    assert selection.of_verdict(of_torch) == [*history, *(case for case in first_calls if case in of_torch)]
    assert selection.of_verdict(cases) == selection.selected(cases, selection.VERDICT) + first_calls


def test_backends_are_ranked_on_every_kernel_or_on_those_that_are_named_at_all_sizes(cases: list[str]) -> None:
    assert {case.partition(".")[0] for case in selection.of_ranking(cases)} == {case.partition(".")[0] for case in cases}
    named = selection.of_ranking(cases, ["philox_pi"])
    assert len(named) == len(BACKENDS) * len(POINTS)
    assert all(case.startswith("philox_pi.Warm.time_call(") for case in named)
