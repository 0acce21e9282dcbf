"""The frontier of time and accuracy, the knee of a backend's calls, and the verdict on the article's claim."""

from collections.abc import Sequence

import pytest
from chart_rows import Row

from jitkernels.charts import tradeoff


def test_the_frontier_has_every_row_that_no_other_surely_beats() -> None:
    def point(seconds: float, low: float, high: float, error: float) -> Row:
        return {"seconds": seconds, "low": low, "high": high, "error": error}

    best, close, worse, slow_and_good = (
        point(1, 0.9, 1.1, 0.1), point(1.05, 0.95, 1.2, 0.1), point(2, 1.9, 2.1, 0.1), point(9, 8, 10, 0.01),
    )  # fmt: skip
    assert tradeoff.frontier([best, close, worse, slow_and_good], "error") == ["yes", "not told apart", "no", "yes"]
    unknown = point(1.05, None, None, 0.1)  # type: ignore[arg-type]
    assert tradeoff.frontier([best, unknown], "error") == ["yes", "not told apart"]


def line(overhead: float, per_point: float, sizes: Sequence[int] = tuple(10**power for power in range(3, 9))) -> list[Row]:
    """Return calls that take exactly ``overhead + per_point * size``."""
    calls = [(size, overhead + per_point * size) for size in sizes]
    return [
        {"backend": "jax", "interpreted": False, "size": size, "seconds": seconds, "low": seconds, "high": seconds}
        for size, seconds in calls
    ]


@pytest.mark.parametrize(("overhead", "verdict"), [(1e-6, "before"), (4e-4, "within"), (1e-2, "after")])
def test_the_knee_is_where_overhead_is_a_tenth_of_the_call(overhead: float, verdict: str) -> None:
    (knee,) = tradeoff.knees(line(overhead, 1e-9))
    assert knee.points == pytest.approx(9 * overhead / 1e-9, rel=1e-3)
    assert knee.verdict == verdict


def test_a_knee_whose_quartiles_allow_several_places_is_open() -> None:
    calls = line(1.2e-4, 1e-9)
    assert tradeoff.knees(calls)[0].verdict == "within"
    noisy = [{**row, "low": row["seconds"] * 0.8, "high": row["seconds"] * 1.25} for row in calls]
    assert tradeoff.knees(noisy)[0].verdict == "open"


def test_a_knee_outside_of_the_measured_sizes_has_no_number() -> None:
    (below,) = tradeoff.knees(line(0.0, 1e-9))
    assert (below.points, below.verdict) == (1_000, "before")
    (past,) = tradeoff.knees(line(1.0, 1e-12))
    assert (past.points, past.verdict) == (None, "after")
    (early,) = tradeoff.knees(line(1.0, 1e-12, (10, 100, 1_000)))
    assert (early.points, early.verdict) == (None, "open"), "nothing was measured where the claim is"
    assert tradeoff.knees(line(1.0, 1e-9, (10, 100))) == [], "two sizes are any line"


def test_an_interpreter_has_no_knee() -> None:
    assert tradeoff.knees([{**row, "interpreted": True} for row in line(1e-3, 1e-9)]) == []


def test_the_claim_s_verdict_names_each_backend() -> None:
    text = tradeoff.claim([*line(4e-4, 1e-9), *({**row, "backend": "c"} for row in line(1e-6, 1e-9))])
    assert "before 10^6 points for 1 (c 9,000)" in text
    assert "between 10^6 and 10^7 points for 1 (jax 3,600,000)" in text
    assert '"best between 10^6 and 10^7 points" holds for 1 of the 2 backends measured.' in text
    assert tradeoff.claim([]).startswith("No backend was measured at 3 sizes")
