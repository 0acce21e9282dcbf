"""``jitkernels time``: every key of its rows, its lives, and its tables."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from chart_rows import timed
from shell import jitkernels, rows

from jitkernels.__main__ import main
from jitkernels.command import arguments, tables
from jitkernels.measure import timing
from jitkernels.measure.rows import LIVES

ROW = {
    "kernel", "backend", "size", "seed", "device", "version", "status", "reason", "value", "error", "warm_seconds",
    "cold_seconds", "cached_seconds", "retrace_seconds", "stages", "peak_bytes", "work_per_second",
}  # fmt: skip
ON_REQUEST = {"cold_seconds", "cached_seconds", "retrace_seconds", "stages", "peak_bytes"}


def test_what_is_given_twice_is_measured_once() -> None:
    assert arguments.backends(["numba", "c", "numba"]) == ("numba", "c")
    assert arguments.sizes(["softmax", "softmax=1e2"], [100, 100, 10]) == (("softmax", 100), ("softmax", 10))


def test_time_gives_every_key_and_null_for_what_was_not_requested() -> None:
    (row,) = rows("time", "philox_pi", "-b", "c", "-n", "100_000")
    assert set(row) >= ROW
    assert {key for key in ROW if row[key] is None} == ON_REQUEST | {"reason"}
    assert row["value"] == 4 * row["hits"] / 100_000
    assert row["work_per_second"] == pytest.approx(100_000 / row["warm_seconds"])
    assert row["warm_samples"] >= 8
    low, high = row["warm_quartiles"]
    assert low <= row["warm_seconds"] <= high
    assert re.search(r"\((AVX-512|AVX2|SVE|NEON)\)$", row["processor"]), "a name alone hides what its vectors are"
    assert row["threads"] == 1


@pytest.mark.usefixtures("lives_once")
def test_time_measures_every_life_on_request(capfd: pytest.CaptureFixture[str]) -> None:
    lives = ["--cold", "--cached", "--retrace", "--memory"]
    assert main(["time", "philox_pi", "-b", "c", "-n", "1e5", *lives, "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)
    assert all(row[key] is not None for key in ON_REQUEST)
    assert (row["cold_programs"], row["cached_programs"]) == (1, 0)
    assert set(row["stages"]) == {"compile", "load"}
    assert row["peak_bytes"] < 50e6


@pytest.mark.parametrize(("backend", "processes"), [("torch_inductor", [[1, 5], [10], [100]]), ("jax", [[1, 10, 5, 100]])])
def test_a_size_gets_its_own_process_where_programs_depend_on_the_sizes_before(
    backend: str, processes: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def ask(task: str, calls: list[dict[str, Any]], *_: Any) -> Iterator[dict[str, Any]]:
        asked.append([call["size"] for call in calls])
        return ({"status": "unavailable", "reason": "only counted", "figures": {}} for _ in calls)

    monkeypatch.setattr("jitkernels.measure.process.ask", ask)
    sizes = (("relu", 1), ("softmax", 5), ("relu", 10), ("relu", 100))
    if backend == "jax":
        sizes = (("relu", 1), ("relu", 10), ("softmax", 5), ("relu", 100))
    steps = list(timing.steps(timing.Request(sizes, (backend,), 42)))
    assert asked == processes and [step["size"] for step in steps] == [size for _, size in sizes]


def test_time_gives_a_row_for_every_backend_and_size_in_order() -> None:
    timed = rows("time", "monte_carlo_pi", "-b", "c", "-b", "python", "-n", "1e3", "-n", "1e4", "--seed", "7")
    cases = [("c", 1000), ("c", 10_000), ("python", 1000), ("python", 10_000)]
    assert [(row["backend"], row["size"]) for row in timed] == cases
    assert {row["seed"] for row in timed} == {7}


@pytest.fixture(scope="module")
def compared() -> list[Any]:
    """Two kernels on a compiler, its eager mode, and NumPy."""
    return rows("time", "relu", "philox_pi", "-b", "numpy", "-b", "jax_eager", "-b", "jax", "-n", "10")


def test_time_takes_several_kernels_and_compares_with_eager_mode(compared: list[Any]) -> None:
    assert [(row["kernel"], row["backend"]) for row in compared] == [
        (kernel, backend) for kernel in ("relu", "philox_pi") for backend in ("numpy", "jax_eager", "jax")
    ]
    for row in compared:
        assert (row["speedup"] is not None) == (row["backend"] == "jax")
        assert row["work_unit"] == {"relu": "entries", "philox_pi": "points"}[row["kernel"]]
    assert compared[0]["value"] is None, "a matrix is not one number"
    assert compared[5]["speedup"] == pytest.approx(compared[4]["warm_seconds"] / compared[5]["warm_seconds"])


def test_the_mean_speed_up_is_shown_when_several_cases_have_one(compared: list[Any]) -> None:
    parts = list(tables.timings(compared))
    assert [str(part).partition(":")[0] for part in (parts[0], parts[2])] == [
        "relu at 10 (Z", "philox_pi at 10 points",
    ]  # fmt: skip
    relu, philox, mean = (part for part in parts if not isinstance(part, str))
    assert mean.title == "speed-up over the framework's own eager mode"
    assert "geometric mean" in [column.header for column in mean.columns]
    assert len([part for part in tables.timings(compared[:3]) if not isinstance(part, str)]) == 1
    assert "value" not in [column.header for column in relu.columns], "a matrix is not one number"
    assert "value" in [column.header for column in philox.columns]


def test_lives_have_columns_and_tables_where_they_were_measured(compared: list[Any]) -> None:
    lives = {"cold_seconds": 1.0, "cached_seconds": 0.5, "cached_programs": 2, "stages": {"trace": 0.25}}
    retraces = {"shape": {"seconds": 0.125, "programs": 1}, "value": {"seconds": None, "programs": None}}
    modes = {"dynamo": 1.0, "aot_autograd": 2.0, "inductor": 3.0}
    pays = {"numpy": 1234, "numpy_reason": None, "eager": None, "eager_reason": "never: its warm call is not the faster one"}
    share = {"roof": {"by": "bytes"}, "fraction_of_roof": 0.5}
    row = {**compared[0], **lives, **share, "retraces": retraces, "ladder": modes, "break_even": pays, "settled": False}
    answer, times, changes, stages, steps, *legend = tables.timings([row])
    assert not any(isinstance(table, str) for table in (times, changes, stages, steps))
    cells = {column.header: next(iter(column.cells)) for column in times.columns}
    assert cells["of roof"] == "50 % of bytes*"
    assert (cells["cold"], cells["cached"]) == ("1 s", "500 ms, 2 compiled")
    assert (cells["pays off over numpy"], cells["pays off over eager"]) == ("about 1,234*", "took longer")
    assert str(answer).startswith("relu at 10 (Z: 10 x 200): the only one timed: numpy, ")
    assert [str(line).split(":")[0] for line in legend] == ["warm", "of roof", "cold", "pays off over", "*"]
    assert [column.header for column in changes.columns] == ["backend", "size", "new shape"]
    assert list(stages.columns[2].cells) == ["trace 250 ms"]
    assert [column.header for column in steps.columns] == ["size", *modes]


def test_what_is_not_told_apart_is_marked_where_there_are_enough_processes() -> None:
    def row(backend: str, **more: Any) -> Any:
        blank = dict.fromkeys(("speedup", "break_even", "work_per_second", "fraction_of_c", "value", "error", "version"))
        lives = dict.fromkeys((*LIVES, "cold_seconds", "cached_programs", "retraces", "ladder", "stages"))
        return timed(backend, 20, 1.0, **{**blank, **lives, "work_unit": "points", **more})

    def marks(*processes: float) -> list[str]:
        own = {"warm_processes": list(processes)}
        lines = tables.lives([row("jax", speedup=1.02, **own), row("jax_eager", **own)])
        return list(next(column for column in lines.columns if column.header == "over eager").cells)

    assert marks(*[1.0] * 5) == ["~1.02x", ""]
    assert marks(1.0) == ["1.02x", ""], "one process tells no two apart, and does not make them equal"
    *_, few = tables.timings([row("jax", warm_processes=[1.0]), row("numba", warm_processes=[1.0])])
    assert str(few).endswith("estimates that tell no two apart: add --processes 5")


def test_samples_of_several_processes_are_pooled() -> None:
    timed = rows("time", "relu", "philox_pi", "-b", "c", "-b", "python", "-n", "10", "--processes", "2",
                 JITKERNELS_REQUIRE="")  # fmt: skip
    assert [(row["kernel"], row["backend"], row["warm_samples"]) for row in timed] == [
        ("relu", "c", 20), ("relu", "python", None), ("philox_pi", "c", 20), ("philox_pi", "python", 20),
    ]  # fmt: skip


def test_a_size_past_memory_is_a_row_with_the_bytes() -> None:
    (row,) = rows("time", "relu", "-b", "numpy", "-n", "1e6", JITKERNELS_REQUIRE="")
    assert row["status"] == "unavailable"
    assert row["reason"].startswith("1000000 rows need at least 2.4e+05 GB of memory, and ")
    assert set(row) >= ROW
    assert {row[key] for key in ("version", "threads", "interpreted", "processor")} == {None}


def test_tables_name_the_machine_below_them() -> None:
    answer = jitkernels("time", "philox_pi", "-b", "c")
    assert answer.returncode == 0
    assert answer.stdout.splitlines()[-1].startswith("on ")
    assert answer.stderr == "1/1 philox_pi c 100000 ok\n"
