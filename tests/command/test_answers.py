"""Sentences around the tables: the answer, what cannot run here, what the columns mean. Nothing is measured."""

from typing import Any

import pytest
from chart_rows import timed

from jitkernels import kernels, settings
from jitkernels.command import answers, tables
from jitkernels.command.output import FAILED, OK, exit_code
from jitkernels.measure import words
from jitkernels.measure.words import STAR

TORCH = "torch is not installed: pip install 'jitkernels[torch]'"


def bad(backend: str, status: str, reason: str, kernel: str = "philox_pi") -> dict[str, Any]:
    """Return a row that was not timed."""
    nothing = {"warm_seconds": None, "warm_quartiles": None, "settled": None}
    return timed(backend, 20, 1.0, **nothing) | {"kernel": kernel, "status": status, "reason": reason}


def test_the_fastest_is_named_with_its_seconds() -> None:
    rows = [timed("numpy", 20, 9e-5), timed("c", 20, 5.6e-5), timed("triton", 20, 1e-9, interpreted=True)]
    assert answers.fastest(rows) == "fastest: c, 56 us; answers checked"
    assert list(answers.timings(rows)) == ["philox_pi at 20 points: fastest: c, 56 us; answers checked"]


def test_rows_that_are_not_told_apart_from_the_fastest_are_named_with_it() -> None:
    rows = [
        timed("jax", 20, 5.8e-5),
        timed("numba", 20, 5.7e-5, settled=False),
        timed("c", 20, 5.6e-5),
        timed("numpy", 20, 1),
    ]
    assert answers.fastest(rows) == "fastest: c, numba or jax, 56 us; not told apart; answers checked"
    assert answers.fastest(rows[1::2]) == "fastest: numba, 57 us*; answers checked"
    spread = timed("jax", 20, 5.8e-5, warm_processes=[5.5e-5, 7e-5, 8e-5, 8e-5, 8e-5])
    assert answers.fastest([timed("c", 20, 5.6e-5), timed("numba", 20, 7e-5), spread]).startswith("fastest: c or jax, 56 us")


def test_few_processes_claim_nothing() -> None:
    rows = [timed(name, 20, seconds, warm_processes=[seconds] * 4) for name, seconds in (("numpy", 9.0), ("jax", 3.0))]
    assert answers.fastest(rows) == "shortest time: jax, 3 s; answers checked"
    assert answers.fastest(rows[:1]) == "the only one timed: numpy, 9 s; answers checked"


def test_a_wrong_answer_is_counted_in_the_answer() -> None:
    rows = [timed("c", 20, 5.6e-5), bad("numba", "wrong", "7 hits, not 16"), bad("jax", "failed", "ImportError: no")]
    assert answers.fastest(rows) == "the only one timed: c, 56 us; answers checked: 1 wrong, 1 failed"
    assert answers.fastest(rows[1:2]) == "nothing was timed: 1 wrong"
    interpreted = [timed("triton", 20, 1e-9, interpreted=True), bad("jax", "unavailable", "no")]
    assert answers.fastest(interpreted) == "nothing was timed but an interpreter"


@pytest.mark.parametrize(
    ("kernel", "size", "text"),
    [
        ("softmax", 100, "softmax at 100 (x: 100 x 1000)"),
        ("dense", 20, "dense at 20 (W: 20 x 200, X: 200 x 400)"),
        ("philox_pi", 1_000, "philox_pi at 1,000 points"),
        ("side_effect", 7, "side_effect at 7"),
    ],
)
def test_a_size_is_explained_by_shapes(kernel: str, size: int, text: str) -> None:
    assert answers.subject(kernel, size) == text


@pytest.mark.parametrize("name", kernels.names())
def test_every_kernel_s_shapes_fit_into_the_answer(name: str) -> None:
    assert len(answers.subject(name, kernels.load(name).default_size)) < 100


def test_check_answers_in_one_sentence() -> None:
    right, wrong = timed("c", 20, 1.0), bad("numba", "wrong", "7 hits, not 16")
    assert answers.checks([right, right]) == "all 2 answers right"
    assert answers.checks([right, bad("jax", "unavailable", "no")]) == "the answer is right; 1 case cannot run here"
    assert (
        answers.checks([wrong, right, bad("jax", "failed", "no")])
        == "1 wrong, 1 failed of 3: numba on philox_pi, jax on philox_pi"
    )
    assert answers.checks([bad("jax", "unavailable", "no")] * 2) == "nothing was checked; 2 cases cannot run here"
    assert answers.checks([wrong] * 4).endswith(", ...")


def test_backends_that_share_a_reason_share_a_line() -> None:
    rows = [bad(name, "unavailable", TORCH) for name in ("triton", "torch_script")] + [timed("c", 20, 1.0)]
    assert list(answers.absences(rows)) == [f"not here: triton, torch_script ({TORCH})"]


def test_kernels_are_named_where_a_reason_is_not_of_all() -> None:
    rows = [bad(name, "unavailable", "no", kernel) for kernel in ("relu", "dense") for name in ("python", "jax", "c")]
    rows += [bad("jax", "unavailable", "no", "softmax")]
    assert list(answers.absences(rows)) == ["not here: python, c on relu, dense; jax (no)"]


def test_columns_that_are_shown_are_explained_and_no_others() -> None:
    lines = list(answers.legend({"warm", "over eager", STAR}))
    assert [line.partition(":")[0] for line in lines] == ["warm", "over eager", "*"]
    assert not any(title in " ".join(lines) for title in ("of c:", "25-75 %", "cold:", "pays off"))
    assert "--processes" in lines[-1]
    assert len(answers.LEGEND) <= 5


def test_a_named_backend_must_run_here_unless_the_kernel_is_not_written_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(settings.REQUIRE, raising=False)
    right, missing, by_design = (
        timed("c", 20, 1.0),
        bad("jax", "unavailable", "no"),
        bad("python", "unavailable", "no", "relu"),
    )
    assert (exit_code([right, missing]), exit_code([right, missing], is_named=True)) == (OK, FAILED)
    assert exit_code([right, by_design], is_named=True) == OK
    assert exit_code([by_design], is_named=True) == FAILED, "nothing was checked"


def test_checks_show_wrong_answers_before_right_ones() -> None:
    more = {"value": None, "error": 0.5, "version": "c 1"}
    rows = [row | more for row in (timed("c", 20, 1.0), bad("jax", "wrong", "7 hits"), bad("numba", "unavailable", "no"))]
    answer, wrong, right, absent = tables.checks(rows)
    assert (answer, absent) == ("1 wrong of 2: jax on philox_pi; 1 case cannot run here", "not here: numba (no)")
    assert not isinstance(wrong, str)
    assert not isinstance(right, str)
    assert [list(table.columns[1].cells) for table in (wrong, right)] == [["jax"], ["c"]]
    assert list(wrong.columns[-1].cells) == ["7 hits"]


def test_rows_are_ranked_by_size_and_speed_and_those_without_a_time_come_last() -> None:
    rows = [bad("jax", "failed", "no"), timed("c", 30, 1.0), timed("numpy", 20, 3.0), timed("numba", 20, 2.0)]
    names = [row["backend"] for row in tables.fastest_first([*rows, bad("triton", "unavailable", "no")])]
    assert names == ["numba", "numpy", "c", "jax"]


def test_an_interpreter_is_named_beside_its_seconds_and_its_status() -> None:
    row = {"status": "ok", "warm_seconds": 1.0, "settled": None, "interpreted": True}
    assert words.warm(row) == "1 s (interpreted)"
    assert words.warm({**row, "status": "wrong"}) == "wrong (interpreted)"
