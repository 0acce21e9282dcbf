"""What the classes of the suite do with a case: skip it, check it, warm it, track it."""

import contextlib
import functools
import importlib
import itertools
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import convnet_train, philox_pi, relu
from benchmarks._suite import benchmark, exact, lives, warm
from jitkernels import Unavailable, kernels, prepare
from jitkernels.backends import toolchain
from jitkernels.case import Case
from jitkernels.measure import roof, warm_up


@pytest.mark.parametrize("value", [math.inf, math.nan, -1.0])
def test_a_value_that_asv_cannot_store_is_an_error(value: float) -> None:
    class Broken(benchmark._Benchmark):
        def track_value(self) -> float:
            return value

    with pytest.raises(ValueError, match="a tracked value must be finite and at least 0, not"):
        Broken().track_value()


def test_too_many_points_are_skipped_with_the_reason() -> None:
    with pytest.raises(NotImplementedError, match="python would take longer than about a second above 1000000 points"):
        philox_pi.Warm().setup("python", 10_000_000)


def test_a_gpu_is_asked_for_as_many_points_as_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes an interpreter or a processor long is no reason there."""
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    assert philox_pi.Warm().affordable("triton", 100_000_000) == 100_000_000


def test_a_missing_framework_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(NotImplementedError, match=r"^CC names 'no-such-compiler', which is no program"):
        philox_pi.Warm().setup("c", 1_001)


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Case, "call", lambda case: 7)
    warm.warmed.cache_clear()
    with pytest.raises(AssertionError, match="7 hits, not 782"):
        philox_pi.Warm().setup("python", 1_000)


def test_an_answer_that_is_wrong_once_the_case_is_warm_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "python", 1_000)
    made = Calls(monkeypatch, warm.WARM_UP_SECONDS / 10)
    call = Case.call
    monkeypatch.setattr(Case, "call", lambda self: call(self) + (made.count > 10))
    with pytest.raises(AssertionError, match="783 hits, not 782"):
        warm.warmed.__wrapped__(case, made.clock)


def test_an_answer_that_is_wrong_on_the_second_call_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "python", 1_000)
    made = Calls(monkeypatch, warm.WARM_UP_SECONDS / 10)
    call = Case.call
    monkeypatch.setattr(Case, "call", lambda self: call(self) + (made.count == 2))
    with pytest.raises(AssertionError, match="783 hits, not 782"):
        warm.warmed.__wrapped__(case, made.clock)


@pytest.mark.parametrize(("measured", "time", "parameters", "number", "expected"), [
    (philox_pi.Warm, "time_call", ("python", 1_000), 3, [1, 3, 6]),  # not between the calls of a sample
    (relu.Dispatch, "time_1000_calls", ("numpy", "program"), 1, [1, 2, 3, 4, 5, 6]),
])  # fmt: skip
def test_the_last_answer_of_a_sample_is_checked(
    measured: Any, time: str, parameters: tuple[str, Any], number: int, expected: list[int]
) -> None:
    timed = measured()
    timed.setup(*parameters)
    timed.number = number
    getattr(timed, time)(*parameters)
    right, checked = timed.answer, []
    for call in range(1, 7):
        timed.answer = right + 1
        try:
            timed.teardown(*parameters)
        except AssertionError:
            checked.append(call)
    assert checked == expected


def test_a_thousand_calls_stay_a_thousand_after_a_check() -> None:
    dispatch = relu.Dispatch()
    dispatch.setup("numpy", "case")
    thousand = dispatch.call
    dispatch.time_1000_calls("numpy", "case")
    dispatch.teardown("numpy", "case")
    dispatch.setup("numpy", "case")
    assert (dispatch.call, dispatch.calls) == (thousand, 1000)


def test_no_timed_call_comes_right_after_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()
    for name in ("check_answer", "call"):
        method = getattr(Case, name)
        monkeypatch.setattr(Case, name, lambda *given, name=name, method=method: made.append(name) or method(*given))
    timed = philox_pi.Warm()
    timed.setup("python", 999)
    assert made[-1] == "call"
    for number in (1, 2):
        timed.number = number
        for _ in range(4):
            timed.time_call("python", 999)
            timed.teardown("python", 999)
            assert made[-1] == "call"
    assert made.count("check_answer") == 3 + 4 + 2


def test_a_wrong_answer_from_a_cache_on_disk_is_not_timed(tmp_path: Path) -> None:
    first = "from benchmarks import philox_pi; cached = philox_pi.Cached(); cached.setup('c', 1000); "
    then = "cached.time_first_call('c', 1000); print('timed', cached.answer); cached.teardown('c', 1000)"
    command = [sys.executable, "-c", first + then]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    if reason := toolchain.missing("c"):
        raise Unavailable(reason)
    right = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (right.returncode, right.stdout) == (0, "timed 782\n"), right.stderr
    (library,) = tmp_path.rglob("*.so")
    (tmp_path / "wrong.c").write_text(
        "unsigned long long run(unsigned long long points, unsigned long long seed) { return 7; }"
    )
    subprocess.run([toolchain.path("c"), "-shared", "-fPIC", "-o", library, tmp_path / "wrong.c"], check=True)
    wrong = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stdout) == (1, "timed 7\n")
    assert "AssertionError: 7 hits, not 782" in wrong.stderr


SECOND = """
import itertools, sys
import jitkernels.kernels.philox_pi.python as dialect
from benchmarks import philox_pi
right, calls = dialect.run, itertools.count()
dialect.run = lambda points, seed: 7 if next(calls) == 1 else right(points, seed)
first = getattr(philox_pi, sys.argv[1])()
first.setup('python', 1000)
first.time_first_call('python', 1000)
print('timed', first.answer)
first.teardown('python', 1000)
"""


@pytest.mark.parametrize("life", ["Cold", "Cached"])
def test_a_first_call_before_a_wrong_second_one_has_no_time(life: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", SECOND, life]
    wrong = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stdout) == (1, "timed 782\n")
    assert "AssertionError: 7 hits, not 782" in wrong.stderr


class Steps:
    """A case whose call number ``wrong`` has a wrong answer."""

    def __init__(self, wrong: int) -> None:
        self.wrong, self.calls = wrong, 0

    def start(self) -> None:
        pass

    def call(self) -> bool:
        self.calls += 1
        return self.calls != self.wrong

    def check_answer(self, answer: bool) -> None:
        assert answer

    def check(self) -> None:
        self.check_answer(self.call())


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_first_training_step_has_no_time_where_it_or_the_next_is_wrong(wrong: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(warm_up, "warm_up", lambda case, kind: None)
    for number in (0, wrong):
        monkeypatch.setattr(warm_up, "prepare", lambda *case, number=number: Steps(number))
        with pytest.raises(AssertionError) if number else contextlib.nullcontext():
            assert warm_up.first_step("convnet_train", "jax", 32, 42, "forward")["seconds"] >= 0


def test_a_first_training_step_is_measured_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.setattr(lives, "ENOUGH_SECONDS", 0)  # for more than one process
    monkeypatch.setattr(lives, "ask", functools.partial(lives.ask, start="Started"))  # this process has used JAX
    step = convnet_train.FirstStep()
    step.setup("jax", convnet_train.PIXELS[0], "forward")
    assert step.track_seconds("jax", convnet_train.PIXELS[0], "forward") > 0


class Calls:
    """Counts the calls of every case, each of which takes ``seconds`` on its own clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.count, self.seconds = 0, seconds
        call: Callable[[Case], Any] = Case.call

        def counted(case: Case) -> Any:
            self.count += 1
            return call(case)

        monkeypatch.setattr(Case, "call", counted)

    def clock(self) -> float:
        return self.count * self.seconds


@pytest.mark.parametrize(("backend", "calls"), [("tensorflow_graph", 100), ("python", 0)])
def test_a_runtime_that_learns_from_calls_makes_them_before_the_clock_runs(
    backend: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = prepare("philox_pi", backend, 1_001)  # Unavailable is a skip
    made = Calls(monkeypatch, 0.005)
    case.settle(limit=10, clock=made.clock)
    assert made.count == calls


@pytest.mark.parametrize("backend", ["tensorflow_graph"])
def test_long_calls_settle_for_as_long_as_the_limit(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", backend, 1)
    made = Calls(monkeypatch, 0.02)
    case.settle(limit=0.05, clock=made.clock)
    assert made.count == 3


def test_a_warm_case_has_settled_and_a_sample_has_as_many_calls_as_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "python", 1_002)
    made = Calls(monkeypatch, warm.WARM_UP_SECONDS / 10)
    checked = []
    monkeypatch.setattr(Case, "settle", lambda case: checked.append(made.count))
    _, number = warm.warmed.__wrapped__(case, made.clock)
    assert checked[0] >= 1, "the check comes before"
    assert made.count - checked[0] == 10 + 2, "and a check and a call come after"
    assert number == warm.SAMPLE_SECONDS / made.seconds


@pytest.mark.parametrize(("interpreted", "right", "wrong"), [(True, "Interpreted", "Warm"), (False, "Warm", "Interpreted")])
def test_an_interpreter_s_time_is_filed_apart(
    interpreted: bool, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for memoised in (benchmark.filed_under, warm.warmed):
        memoised.cache_clear()
    monkeypatch.setattr("jitkernels.case.Case.interpreted", interpreted)
    getattr(philox_pi, right)().setup("python", 1_000)
    with pytest.raises(NotImplementedError, match=f"its time is filed under {right}"):
        getattr(philox_pi, wrong)().setup("python", 1_000)


def test_setup_prepares_once_however_often_it_runs() -> None:
    benchmark = philox_pi.Warm()
    benchmark.setup("python", 1_000)
    first = benchmark.case
    benchmark.setup("python", 1_000)
    assert benchmark.case is first
    assert benchmark.number >= 1


def test_a_first_call_gives_one_sample() -> None:
    cold = philox_pi.Cold()
    cold.require_first_sample()
    with pytest.raises(RuntimeError, match="a process has one first call"):
        cold.require_first_sample()


def test_a_call_is_compared_with_the_roof_of_its_process_or_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"samples": [4e-6, 2e-6, 3e-6], "interpreted": False, "threads": 1}
    monkeypatch.setattr(lives, "ask", lambda *_: answer)
    monkeypatch.setattr(roof, "flop_rate", lambda threads: 2e9 * threads)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, size: 2e15 * threads)
    assert relu.Roof().figures("c", 10)["ratio"] == pytest.approx(3e-6 / (20 * 10 * 10 / 2e9))
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    with pytest.raises(NotImplementedError, match="for processors"):
        relu.Roof().figures("c", 10)


def leaves() -> list[type]:
    modules = (importlib.import_module(f"benchmarks.{kernel}") for kernel in kernels.names())
    return [leaf for module in modules for name, leaf in vars(module).items() if not name.startswith("_")]


EXACT = [
    leaf
    for leaf in leaves()
    if isinstance(leaf, type) and issubclass(leaf, exact._Exact) and {"numpy", "c"} & set(leaf.params[0])
    if leaf.__name__ != "Roof" or leaf is relu.Roof  # the others do the same with larger arrays
]


@pytest.mark.parametrize("leaf", EXACT, ids=lambda leaf: f"{leaf.__module__}.{leaf.__name__}")
def test_the_first_case_of_numpy_or_c_has_all_its_figures(leaf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lives, "ENOUGH_SECONDS", 0)  # one process instead of the median of three
    monkeypatch.setattr(lives._Instructions, "processes", 1)
    backend = "numpy" if "numpy" in leaf.params[0] else "c"
    for parameters in itertools.product([backend], *leaf.params[1:]):
        tracked = leaf()
        try:
            tracked.setup(*parameters)
        except NotImplementedError:
            continue
        tracks = [name for name in dir(tracked) if name.startswith("track_")]
        assert all(getattr(tracked, name)(*parameters) >= 0 for name in tracks)
        assert tracks
        return
    pytest.fail(f"every case of {backend} is skipped")
