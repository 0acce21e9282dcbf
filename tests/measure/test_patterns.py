"""Call patterns: each backend's answer or exception to each spelling, and its exact counts."""

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shell import jitkernels, package

from jitkernels import kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.kernel import Raises
from jitkernels.measure import patterns, process
from jitkernels.measure.rows import Row

KERNELS = ("square_or_cube", "repeated_multiply", "side_effect")
KNOWN = json.loads((Path(__file__).parents[1] / "known_patterns.json").read_text())
"""By backend: kernel, spelling, pattern; ok or the exception; programs, body runs, graph breaks, printed lines, held."""
OBSERVED = [(backend, *row[:3]) for backend, rows in KNOWN.items() for row in rows]
QUIET = functools.partial(process.Started, is_quiet=True)  # compilers warn about these calls
MODES = ("torch_dynamo", "torch_aot", "torch_inductor")


@functools.cache
def observe_framework(dialect: str) -> list[Row]:
    """All its backends in one process, for all tests: each observation starts with nothing compiled."""
    names = ("backend", "kernel", "spelling", "pattern")
    calls = [dict(zip(names, call, strict=True)) for call in OBSERVED if BACKENDS[call[0]].dialect == dialect]
    answers = list(process.ask("patterns.observe", calls, start=QUIET))
    assert {answer["reason"] for answer in answers} == {None}
    return [answer["figures"] for answer in answers]


def observe_all(backend: str) -> dict[patterns.CallPattern, Row]:
    rows = observe_framework(BACKENDS[backend].dialect)
    return {call_pattern(row): row for row in rows if row["backend"] == backend}


def call_pattern(row: Row) -> patterns.CallPattern:
    return row["kernel"], row["spelling"], row["pattern"]


def observation(row: Row) -> list[Any]:
    counts = ("programs", "body_runs", "graph_breaks", "printed", "held")
    return [row["exception"] or row["outcome"], *(row[count] for count in counts)]


@pytest.mark.parametrize(("backend", "kernel", "spelling", "pattern"), OBSERVED)
def test_the_outcome_and_the_counts_are_known(backend: str, kernel: str, spelling: str, pattern: str) -> None:
    row = observe_all(backend)[kernel, spelling, pattern]
    (known,) = (row[3:] for row in KNOWN[backend] if tuple(row[:3]) == (kernel, spelling, pattern))
    assert observation(row) == known, row
    assert row["as_expected"], row


def test_what_is_known_to_raise_was_seen_to_raise() -> None:
    raising = {(backend, row[0], row[1], row[2]) for backend, rows in KNOWN.items() for row in rows if row[3] != "ok"}
    assert len(raising) >= 20
    for backend, kernel, spelling, pattern in raising:
        known = patterns.known_exception(kernels.load(kernel), backend, spelling, pattern)
        row = observe_all(backend)[kernel, spelling, pattern]
        assert known is not None
        assert (row["exception"], known.message in row["message"]) == (known.exception, True)


@pytest.mark.parametrize("name", KERNELS)
def test_every_exception_that_a_spec_knows_is_among_those(name: str) -> None:
    spec = kernels.load(name)
    for known in spec.raises:
        for backend in set(known.backends) & set(KNOWN) - {"torch_aot", "torch_inductor"}:  # as torch_dynamo: see below
            for pattern in known.patterns or spec.patterns[known.spelling]:
                assert (backend, name, known.spelling, pattern) in OBSERVED


def test_the_modes_of_torch_compile_have_one_front_end() -> None:
    counted = [{key: observation(row) for key, row in observe_all(backend).items()} for backend in MODES]
    for others in counted[1:]:
        assert others == {key: counted[0][key] for key in others}


def test_a_second_process_without_the_framework_s_other_backends_counts_the_same() -> None:
    again = patterns.rows("jax", [tuple(row[:3]) for row in KNOWN["jax"]])
    assert {call_pattern(row): row for row in again} == observe_all("jax")


@pytest.mark.parametrize("name", KERNELS)
def test_a_spelling_says_under_which_patterns_it_is_observe_all(name: str) -> None:
    spec = kernels.load(name)
    assert set(spec.patterns) == {"run", *spec.spellings}
    assert {pattern for chosen in spec.patterns.values() for pattern in chosen} <= set(patterns.PATTERNS)


@pytest.mark.parametrize("backend", ["python", "c", "triton"])
def test_what_cannot_be_observed_says_why(backend: str) -> None:
    for kernel, spelling, pattern in patterns.call_patterns(KERNELS):
        row = patterns.observe(kernel, backend, spelling, pattern)
        assert row["outcome"] == "unavailable"
        assert len(row["reason"].split()) > 5
        assert row["as_expected"] is None


def test_an_answer_where_an_exception_was_expected_is_not_as_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = dataclasses.replace(kernels.load("side_effect"), raises=(Raises("run", ("numpy",), "TypeError", "no"),))
    monkeypatch.setattr(kernels, "load", lambda name: spec)
    assert patterns.observe("side_effect", "numpy", "run", "same")["as_expected"] is False


@pytest.mark.parametrize(("message", "as_expected"), [("by zero", True), ("overflow", False)])
def test_an_exception_is_known_by_its_type_and_a_part_of_its_message(
    message: str, as_expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = (Raises("run", ("numpy",), "ZeroDivisionError", message),)
    spec = dataclasses.replace(kernels.load("side_effect"), raises=known)
    monkeypatch.setattr(kernels, "load", lambda name: spec)
    monkeypatch.setattr("jitkernels.kernels.side_effect.numpy.run", lambda num: 1 // 0)
    row = patterns.observe("side_effect", "numpy", "run", "same")
    assert (row["outcome"], row["exception"], row["as_expected"]) == ("raised", "ZeroDivisionError", as_expected)


def test_a_wrong_answer_is_no_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitkernels.kernels.square_or_cube.numpy.where", lambda x: x)
    row = patterns.observe("square_or_cube", "numpy", "where", "new_value")
    assert (row["outcome"], row["as_expected"]) == ("wrong", False)


def test_an_observation_that_fails_is_a_row_and_the_next_one_is_made() -> None:
    failed, made = patterns.rows("numpy", [("no_such_kernel", "run", "same"), ("side_effect", "run", "same")])
    assert (failed["outcome"], failed["as_expected"]) == ("failed", False)
    assert failed["reason"].startswith("ValueError: unknown kernel 'no_such_kernel'")
    assert (made["outcome"], made["as_expected"]) == ("ok", True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("number", [0, 1, 2, 255, 256])
def test_even_numbers_are_squared_and_others_cubed(backend: str, number: int) -> None:
    assert prepare("square_or_cube", backend, number).check() == (number**2 if number % 2 == 0 else number**3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_nan_is_neither_even_nor_a_factor_that_vanishes(backend: str) -> None:
    nan = np.float32("nan")
    assert np.isnan(prepare("square_or_cube", backend, 3).with_inputs(nan).check())
    assert np.isnan(prepare("repeated_multiply", backend, 3).with_inputs(nan, np.int32(2)).check())
    assert np.isnan(prepare("side_effect", backend, 3).with_inputs(nan).check())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [1, 2, 1000])
def test_a_number_is_multiplied_as_often_as_it_is_said(backend: str, size: int) -> None:
    assert abs(prepare("repeated_multiply", backend, size).check() - (1 + 1 / size) ** size) < 3e-4


@pytest.mark.parametrize("kernel", KERNELS)
def test_an_array_or_another_dtype_is_refused(kernel: str) -> None:
    case = prepare(kernel, "numpy", 3)
    others = case.arguments[1:]
    with pytest.raises(TypeError, match="must hold float32, not float64"):
        case.with_inputs(np.float64(3), *others)
    with pytest.raises(ValueError, match=r"must have the shape \(\), not \(2,\)"):
        case.with_inputs(np.ones(2, np.float32), *others)


def test_a_spelling_that_is_named_twice_is_observed_once() -> None:
    assert patterns.call_patterns(["side_effect"], ["run", "run"]) == patterns.call_patterns(["side_effect"], ["run"])


def test_the_command_prints_every_observation() -> None:
    answer = jitkernels("patterns", "side_effect", "-s", "appends", "-b", "numpy", "--json")
    assert answer.returncode == 0
    assert answer.stderr.splitlines()[0] == "1/2 side_effect numpy appends new_value ok"
    rows = json.loads(answer.stdout)
    assert [call_pattern(row) for row in rows] == [
        ("side_effect", "appends", "new_value"),
        ("side_effect", "appends", "whole"),
    ]
    assert {row["calls"] for row in rows} == {patterns.CALLS}
    assert all(row["held"] == ["float32"] * patterns.CALLS for row in rows)


def test_the_command_s_table_has_the_exception() -> None:
    answer = jitkernels("patterns", "square_or_cube", "-s", "naive", "-b", "jax")
    assert answer.returncode == 0
    assert "TracerBoolConversionError" in answer.stdout


def test_the_command_says_why_a_backend_is_not_observed() -> None:
    answer = jitkernels("patterns", "side_effect", "-s", "appends", "-b", "c")
    assert answer.returncode == 0
    assert answer.stdout == f"not here: c ({kernels.load('side_effect').spellings['appends'].absent['c']})\n"


def test_an_unexpected_outcome_is_exit_code_1(tmp_path: Path) -> None:
    patch = "import jitkernels.kernels.side_effect.numpy as dialect\ndialect.prints = lambda num: [][num]\n"
    path = package(tmp_path, "sitecustomize", patch)
    answer = jitkernels("patterns", "side_effect", "-s", "prints", "-b", "numpy", PYTHONPATH=path)
    assert answer.returncode == 1
    assert "TypeError (not expected): list indices must be integers" in answer.stdout
