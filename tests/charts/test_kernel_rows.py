"""The rows of the charts of one kernel."""

import copy
import math

import pytest
from chart_rows import Row, built, data_of, lived, roofed, sample, timed

from jitkernels import charts
from jitkernels.charts import compilation, estimates, warm


def test_rows_share_an_error_only_at_the_same_size() -> None:
    data = data_of(*(timed(name, size, 1e-3, error=0.5 / size, z=1.0) for name in ("c", "jax") for size in (10, 20)))
    assert [(row["size"], row["same"], row["shared"]) for row in estimates.error(data)][:2] == [
        (10, 2, "c, jax"),
        (20, 2, "c, jax"),
    ]
    assert estimates.error(data)[0]["expected"] == pytest.approx(1.642 / math.sqrt(10), rel=1e-3)


def test_lives_are_read_at_the_size_that_was_called_cold_or_the_nearest() -> None:
    data = data_of(timed("c", 20, 1e-6, retrace_seconds=0.3), timed("c", 1_000, 1e-5, cold_seconds=1.0))
    assert [(row["life"], row["size"], row["seconds"]) for row in compilation.lives(data)] == [
        ("cold", 1_000, 1.0), ("retrace", 20, 0.3), ("warm", 1_000, 1e-5),
    ]  # fmt: skip


def test_stages_are_shares_of_the_whole_and_negative_noise_has_none() -> None:
    stages = [row for row in compilation.stages(sample()) if row["backend"] == "jax"]
    assert [row["stage"] for row in stages] == ["trace", "compile", "other"]
    assert [row["share"] for row in stages] == pytest.approx([0.25, 0.75, 0.0])
    assert stages[-1]["end"] == pytest.approx(1)
    assert stages[-1]["seconds"] == -0.01, "shown as it was measured"
    data = copy.deepcopy(sample())
    for row in data["rows"]:
        row["figures"]["stages.total"] = {"value": 7.0, "unit": "seconds"}
    assert {row["total"] for row in compilation.stages(data) if row["backend"] == "jax"} == {7.0}, "measured, not added up"


def test_the_output_of_a_compiler_is_not_marked_as_interpreted() -> None:
    row = {**lived("triton", 1_000, 0.01), "interpreted": True}
    data = data_of(row)
    assert {row["name"] for row in compilation.stages(data)} == {"triton"}
    assert {row["name"] for row in compilation.lives(data)} == {"triton (interpreted)"}


def test_a_speed_up_has_the_range_that_the_quartiles_allow() -> None:
    data = data_of(timed("numpy", 10, 4.0), timed("jax", 10, 1.0), timed("jax_eager", 10, 2.0))
    rows = {(row["backend"], row["over"]): row for row in warm.speedup(data)}
    assert set(rows) == {("jax", "numpy"), ("jax", "eager mode"), ("jax_eager", "numpy")}
    row = rows["jax", "numpy"]
    assert (row["times"], row["low"], row["high"]) == pytest.approx((4.0, 3.6 / 1.1, 4.4 / 0.9))


def test_an_interpreter_has_no_speed_up_and_no_place_on_the_frontier() -> None:
    data = data_of(timed("numpy", 10, 4.0, z=1.0), timed("triton", 10, 1e-9, interpreted=True, z=1.0))
    assert warm.speedup(data) == []
    assert {row["backend"]: row["frontier"] for row in estimates.tradeoff(data)} == {"numpy": "yes", "triton": "no"}


def test_a_compiler_that_never_pays_has_no_calls_and_an_eager_mode_has_no_row() -> None:
    rows = {(row["backend"], row["over"]): row for row in warm.break_even(sample()) if row["size"] == 1_000}
    assert rows["jax", "numpy"]["calls"] == 12
    assert (rows["jax", "eager mode"]["calls"], rows["jax", "eager mode"]["verdict"]) == (None, "never")
    assert not any(backend in ("numpy", "jax_eager") for backend, _ in rows)
    of_few = warm.break_even(data_of({**lived("jax", 1_000, 1.0), "warm_processes": [1.0] * 4}))
    assert [row["verdict"] for row in of_few] == ["about 12", "took longer"]


def test_counts_are_of_the_largest_size_and_observations_have_none() -> None:
    def case(size: int | None, **figures: float) -> Row:
        named = {name.replace("__", "."): {"value": value} for name, value in figures.items()}
        return {"backend": "jax", "size": size, "status": "ok", "interpreted": False, "figures": named}

    observation = case(None, Effects__track_printed__prints__same=1)
    data = {
        "kernel": "k",
        "size": "rows",
        "rows": [case(20, counts__fusions=2, Instructions__track_count=9, Roof__track_ratio=3), case(10, counts__fusions=1)],
        "observations": [observation],
    }
    assert [(row["count"], row["size"], row["value"]) for row in compilation.counts(data)] == [
        ("fusions", 20, 2), ("instructions of a call", 20, 9), ("printed, prints, same", None, 1),
    ]  # fmt: skip


def test_a_file_compiled_ahead_of_time_stands_beside_its_compiler() -> None:
    rows = {row["step"]: row for row in compilation.ahead_of_time(data_of(built("c", "shared_object")))}
    assert {step: row["seconds"] for step, row in rows.items()} == {
        "build": 0.5, "load": 0.01, "first call": 0.001, "just in time": 0.4,
    }  # fmt: skip
    assert (rows["build"]["bytes"], rows["build"]["other_shape"]) == (15408, False)


def test_a_row_has_the_name_of_the_figure_that_it_draws() -> None:
    observed = {"backend": "jax", "size": None, "figures": {"Caching.track_programs.run.same": {"value": 1}}}
    data = {**sample(), "observations": [observed]}
    known = {(row["backend"], row["size"], name) for row in (*data["rows"], observed) for name in row["figures"]}
    for name in charts.ROWS.keys() - {"roofline"}:
        drawn = {(row["backend"], row["size"], row["figure"]) for row in charts.ROWS[name](data)}
        assert drawn, name
        assert drawn <= known, name


def test_a_row_that_failed_is_not_drawn() -> None:
    wrong = timed("c", 10, 1e-3, status="wrong", reason="7 hits, not 8")
    assert warm.seconds(data_of(wrong)) == []


def test_a_roof_is_a_slope_up_to_its_corner_and_flat_beyond() -> None:
    rows = warm.roofline(data_of(roofed("c", 4e-4), roofed("jax", 1e-3, 2), timed("numpy", 1_000, 1.0)))
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row["name"], []).append(row)
    assert list(by_name) == ["roof of 1 thread", "roof of 2 threads", "c", "jax"], "numpy has no roof"
    points = [(row["intensity"], row["flop_per_second"]) for row in by_name["roof of 2 threads"]]
    assert points == [(1.25, 2.5e10), (10.0, 2e11), (40.0, 2e11)], "four times beyond the call and the corner"
    assert {row["backend"] for row in (*by_name["roof of 1 thread"], *by_name["roof of 2 threads"])} == {None}
    (c,) = by_name["c"]
    assert (c["intensity"], c["flop_per_second"]) == (5.0, 1e7 / 4e-4)
    assert c["flop_per_second"] / (c["intensity"] * 1e10) == pytest.approx(c["fraction_of_roof"]) == 0.5
    assert (c["low"], c["high"]) == pytest.approx((1e7 / 4.4e-4, 1e7 / 3.6e-4))
