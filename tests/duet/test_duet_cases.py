"""Benchmark cases: their names, which share what they compute, and which are pinned to a core."""

from duet import BenchmarkCase, Launch
from duet.cases import cases_of, rows_of


def test_cases_are_named_and_numbered_as_asv_does() -> None:
    cases = cases_of({"k.W.time_call": {"params": [["'c'", "'jax'"], ["1", "2"]]}, "k.plain": {"params": []}})
    expected = ["k.W.time_call('c', 1)", "k.W.time_call('c', 2)", "k.W.time_call('jax', 1)", "k.W.time_call('jax', 2)"]
    assert list(cases) == [*expected, "k.plain"]
    assert [case.id for case in cases.values()] == [f"k.W.time_call-{index}" for index in range(4)] + ["k.plain"]
    parts = [(case.kernel, case.owner, case.backend, case.parameters) for case in (cases[expected[1]], cases["k.plain"])]
    assert parts == [("k", "k.W", "c", ("'c'", "2")), ("k", "k", "", ())]


def test_cases_that_need_threads_or_are_measured_while_they_are_set_up_are_not_pinned() -> None:
    time, launch = {"type": "time"}, Launch(needs_threads=lambda case: "parallel" in case)
    for name, attributes, is_pinned in (
        ("philox_pi.Warm.time_call('numba', 1000)", time, True),
        ("philox_pi.Warm.time_call('numba_parallel', 1000)", time, False),
        ("philox_pi.Cold.time_first_call('jax', 1000)", {**time, "repeat": 1}, False),
        ("philox_pi.Memory.track_bytes('jax', 1000)", {"type": "track"}, False),
        ("philox_pi.Accuracy.track_hits('jax', 1000)", {"type": "track", "exact": True}, True),
    ):
        assert launch.is_pinned(BenchmarkCase(name, name, attributes)) == is_pinned, name
    first = BenchmarkCase("philox_pi.Cold.time_first_call('jax', 1000)", "", {**time, "repeat": 1})
    assert Launch(has_first_calls_at_once=True).is_pinned(first)


def test_a_row_has_the_figures_of_a_class_on_a_backend_of_several_sizes_or_the_only_one() -> None:
    sizes = {
        "k.Made.track_a": ["1", "2"],
        "k.Made.track_b": ["1", "2"],
        "k.Counts.track_a": ["8"],
        "k.Counts.track_b": ["8"],
    }
    params = {name: [["'c'", "'numba'"], each] for name, each in sizes.items()}
    once = {"exact": True, "setup_cache_key": "there"}
    cases = cases_of({name: {"params": each, **once} for name, each in params.items()})
    whole = [name for name in cases if "numba" in name or "Counts" in name]
    alone = ["k.Made.track_a('c', 1)", "k.Made.track_b('c', 1)"]
    rows = [[case.name for case in row] for row in rows_of(cases[name] for name in (*whole, *alone))]
    made = [name for name in whole if "Made" in name]
    counts = [[f"k.Counts.track_{figure}('{backend}', 8)" for figure in "ab"] for backend in ("c", "numba")]
    assert sorted(rows) == sorted([made, *counts, *([name] for name in alone)])
    single = [[case.name for case in row] for row in rows_of(cases.values(), alone={made[0]})]
    assert [made[0]] in single and made[1:] in single
    times = [
        BenchmarkCase(f"k.Cached.time_{name}('c', 1)", "", {"type": "time", "setup_cache_key": "there"}) for name in "ab"
    ]
    assert rows_of(times) == [[time] for time in times]
