"""After how many calls a compiler has paid for itself, and what each mode of torch.compile costs."""

from typing import Any

import pytest

from jitkernels.measure import comparisons, words


def row(backend: str, cold: float | None, warm: float | None, spread: float = 0.1, **others: Any) -> dict[str, Any]:
    quartiles = None if warm is None else [warm * (1 - spread), warm * (1 + spread)]
    case = {"kernel": "relu", "size": 1, "backend": backend}
    return {**case, "cold_seconds": cold, "warm_seconds": warm, "warm_quartiles": quartiles, **others}


def against(name: str, *rows: dict[str, Any]) -> tuple[int | None, str | None]:
    comparisons.add_all(rows)
    return rows[0]["break_even"][name], rows[0]["break_even"][f"{name}_reason"]


def test_ten_seconds_of_compiling_are_earned_back_a_second_a_call() -> None:
    assert comparisons.calls_to_pay(cold=12, warm=1, other_cold=2, other_warm=2) == 10
    assert comparisons.calls_to_pay(cold=12.5, warm=1, other_cold=2, other_warm=2) == 11, "the last call must be whole"


def test_by_then_it_has_taken_less_in_all_and_one_call_earlier_more() -> None:
    cold, warm, other_cold, other_warm = 7.3, 0.11, 0.4, 0.29
    calls = comparisons.calls_to_pay(cold, warm, other_cold, other_warm)
    assert cold + calls * warm <= other_cold + calls * other_warm
    assert cold + (calls - 1) * warm > other_cold + (calls - 1) * other_warm


def test_a_compiler_that_starts_sooner_and_is_faster_has_paid_at_once() -> None:
    assert comparisons.calls_to_pay(cold=1, warm=1, other_cold=2, other_warm=2) == 0


def test_a_compiler_is_compared_with_numpy_and_its_own_eager_mode() -> None:
    rows = [row("jax", 12, 1), row("jax_eager", 2, 2), row("numpy", 2, 3)]
    assert against("eager", *rows) == (10, None)
    assert against("numpy", *rows) == (5, None)


def test_a_slower_compiler_never_pays() -> None:
    assert against("numpy", row("jax", 12, 3), row("numpy", 2, 1)) == (None, comparisons.NOT_FASTER)


def test_overlapping_quartiles_give_no_number() -> None:
    assert against("numpy", row("jax", 12, 1.0), row("numpy", 2, 1.1)) == (None, comparisons.NOT_TOLD_APART)


@pytest.mark.parametrize(
    ("spread", "slowest", "outcome"), [(0.1, 2.5, (None, comparisons.PROCESSES_OVERLAP)), (0.9, 1.5, (10, None))]
)
def test_five_processes_decide_whatever_the_quartiles_of_their_samples(spread: float, slowest: float, outcome: Any) -> None:
    own = row("jax", 12, 1.0, spread, warm_processes=[1.0, 1.0, 1.0, 1.0, slowest])
    assert against("numpy", own, row("numpy", 2, 2.0, spread, warm_processes=[2.0] * 5)) == outcome


def test_few_processes_give_an_estimate() -> None:
    texts = [words.paid(paid, is_claim) for paid in (1234, comparisons.NOT_FASTER) for is_claim in (True, False)]
    assert texts == ["1,234", "about 1,234", "never", "took longer"]
    for reason in (comparisons.NOT_TOLD_APART, comparisons.PROCESSES_OVERLAP):
        assert words.paid(reason, False) == "not told apart"
    assert words.paid(None, True) == words.paid(comparisons.INTERPRETED, True) == ""


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row("jax", 12, 1)], f"numpy {comparisons.NOT_MEASURED}"),
        ([row("jax", 12, 1), row("numpy", 2, 2, size=2)], f"numpy {comparisons.NOT_MEASURED}"),
        ([row("jax", 12, 1), row("numpy", None, 2)], f"numpy {comparisons.NOT_MEASURED}"),
        ([row("numpy", 12, 1)], "it is the one compared with"),
        ([row("triton", 12, 1, interpreted=True), row("numpy", 2, 2)], comparisons.INTERPRETED),
    ],
)
def test_a_missing_number_has_a_reason(rows: list[dict[str, Any]], reason: str) -> None:
    assert against("numpy", *rows) == (None, reason)


def test_a_backend_without_an_eager_mode_says_so() -> None:
    assert against("eager", row("numba", 1, 1)) == (None, "numba has no eager mode to be compared with")


def test_without_a_cold_call_there_is_no_break_even() -> None:
    rows = [row("jax", None, 1), row("numpy", 2, 2)]
    comparisons.add_all(rows)
    assert [each["break_even"] is None for each in rows] == [True, False]


def test_each_step_is_what_its_mode_adds() -> None:
    rows = [row("torch_inductor", 9, 1), row("torch_dynamo", 2, 1), row("torch_aot", 3.5, 1), row("torch_eager", 1, 1)]
    comparisons.add_all(rows)
    assert rows[0]["ladder"] == {"dynamo": 2, "aot_autograd": 1.5, "inductor": 5.5}
    assert [each["ladder"] for each in rows[1:]] == [None] * 3


def test_steps_need_all_modes_at_one_size() -> None:
    rows = [row("torch_inductor", 9, 1), row("torch_dynamo", 2, 1), row("torch_aot", 3, 1, size=2)]
    comparisons.add_all(rows)
    assert rows[0]["ladder"] is None
