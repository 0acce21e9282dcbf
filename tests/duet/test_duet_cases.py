"""Benchmark cases: their names, which share what they compute, and which are pinned to a core."""

from duet import BenchmarkCase, Launch
from duet.cases import cases_of, sharing_figures


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


def test_figures_are_computed_for_all_sizes_where_several_are_measured_or_there_is_one() -> None:
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
    assert sharing_figures(cases[name] for name in (*whole, *alone)) == {*whole}
    assert not sharing_figures([cases["k.Counts.track_a('c', 8)"]])
