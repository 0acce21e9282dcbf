"""What asv discovers, and what would spoil its history."""

import importlib
import inspect
import itertools
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import benchmarks._exact as exact
import benchmarks._suite as suite
from benchmarks import philox_pi
from jitkernels import kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case

ROOT = Path(__file__).parents[2]
BLIND = {6}  # samples a side with which asv's own test can never call anything different (and 5 against 7)
TIMED = ["Interpreted.time_call", "Warm.time_call"]
ARRAY = [*TIMED, "Error.track_error"]
MODEL = ["Warm.time_call", "Error.track_error"]
FUSED = [f"Counts.track_{name}" for name in ("bytes_accessed", "fusions", "kernels")]
TRAINED = [*(f"Counts.track_{name}" for name in ("graph_breaks", "graphs", "kernels")), "Fusions.track_fusions"]
PATTERN = ["track_graph_breaks", "track_programs", "track_raises"]
RETRACES = ["Retraces.track_programs", "Retraces.track_seconds"]
AHEAD = [
    f"AheadOfTime.track_{name}"
    for name in (
        "build_seconds", "bytes", "first_call_seconds", "first_calls_spread", "load_seconds", "other_shape", "warm_over_jit",
    )
]  # fmt: skip
DISCOVERED = {
    "attention_infer": MODEL,
    "attention_train": [*MODEL, *TRAINED],
    "black_scholes": [*ARRAY, "Counts.track_fusions"],
    "convnet_infer": MODEL,
    "convnet_train": [
        *MODEL, "FirstStep.track_seconds", "Programs.track_programs_in_first_step",
        "Programs.track_programs_in_second_step",
    ],
    "dense": [*ARRAY, *FUSED],
    "dense_relu": [
        *ARRAY, *FUSED, *(name.replace("Counts", "CountsApart") for name in FUSED), "Apart.time_call",
    ],
    "heat_2d": [*ARRAY, "Counts.track_fusions"],
    "layer_norm": ARRAY,
    "mandelbrot": ARRAY,
    "mlp_infer": MODEL,
    "mlp_train": [*MODEL, *TRAINED],
    "monte_carlo_pi": [
        *TIMED, "Accuracy.track_error", "Accuracy.track_z", "Cold.time_first_call", "Spellings.time_call",
    ],
    "nbody": [*ARRAY, "Counts.track_fusions"],
    "philox_pi": [
        *TIMED, "Accuracy.track_error", "Accuracy.track_hits", "Accuracy.track_z", "Cached.time_first_call",
        "Cold.time_first_call", "Made.track_count", "Memory.track_compile_peak", "Memory.track_run_peak",
        "Stages.track_seconds", "Threads.time_call",
    ],
    "relu": [
        *ARRAY, *FUSED, "Dispatch.time_1000_calls", "Lives.track_programs", *RETRACES, *AHEAD,
    ],
    "repeated_multiply": [*ARRAY, *(f"Spellings.{name}" for name in PATTERN), "Loop.time_call"],
    "side_effect": [
        *ARRAY, *(f"{group}.{name}" for group in ("Caching", "Effects") for name in PATTERN), "Effects.track_held",
        "Effects.track_printed",
    ],
    "softmax": ARRAY,
    "square_or_cube": [*ARRAY, *(f"Spellings.{name}" for name in PATTERN), *RETRACES],
}  # fmt: skip


def discover(directory: Path) -> tuple[list[dict], str, float]:
    """asv_runner's own discovery in a fresh process: the benchmarks, the frameworks it loaded, its processor seconds."""
    script = (
        "import json, sys; from asv_runner._aux import update_sys_path; "
        "from asv_runner.discovery import disc_benchmarks; root = sys.argv[1]; update_sys_path(root); "
        "before = set(sys.modules); "  # asv_runner's memory benchmarks import NumPy where there is one
        "found = [{'name': b.name, 'version': b.version, 'type': b.type, 'params': b._params} "
        "for b in disc_benchmarks(root)]; "
        "frameworks = {'numpy', 'numba', 'jax', 'tensorflow', 'torch', 'triton'}; "
        "print(json.dumps([found, sorted(frameworks & (set(sys.modules) - before))]))"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run([sys.executable, "-c", script, str(directory)], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found, loaded = json.loads(answer.stdout)
    return found, loaded, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.fixture(scope="module")
def discovered() -> tuple[list[dict], str, float]:
    return min((discover(ROOT / "benchmarks") for _ in range(5)), key=lambda found: found[2])


def test_asv_discovers_these_benchmarks(discovered: tuple) -> None:
    names = sorted(f"{kernel}.{name}" for kernel, names in DISCOVERED.items() for name in names)
    assert sorted(benchmark["name"] for benchmark in discovered[0]) == names


def test_every_kernel_s_benchmarks_are_listed_here() -> None:
    assert sorted(DISCOVERED) == sorted(kernels.names())


def test_every_version_is_set_by_hand(discovered: tuple) -> None:
    versions = {benchmark["name"]: benchmark["version"] for benchmark in discovered[0]}
    assert {name: version for name, version in versions.items() if len(version) > 4} == {}, "asv's default is a long hash"


def test_discovery_loads_no_framework_and_is_quick(discovered: tuple, tmp_path: Path) -> None:
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    assert discovered[1] == []
    both = ROOT / "benchmarks", tmp_path / "benchmarks"  # in turn, because load comes and goes
    seconds = [[discover(directory)[2] for directory in both] for _ in range(5)]
    assert min(suite - runner for suite, runner in seconds) < 0.3  # most of the runner's is NumPy, which it imports


def public_classes(module: ModuleType) -> list[type]:
    return [cls for name, cls in vars(module).items() if inspect.isclass(cls) and not name.startswith("_")]


MODULES = {kernel: importlib.import_module(f"benchmarks.{kernel}") for kernel in kernels.names()}


def leaves() -> list[type]:
    return [cls for module in MODULES.values() for cls in public_classes(module)]


@pytest.mark.parametrize("leaf", [leaf for leaf in leaves() if leaf.__name__ == "Warm"], ids=lambda leaf: leaf.__module__)
def test_what_is_timed_are_the_backends_that_the_kernel_is_written_for(leaf: type) -> None:
    absent = kernels.load(leaf().kernel).absent
    assert leaf.params[0] == [name for name, line in BACKENDS.items() if line.dialect not in absent]


@pytest.mark.parametrize("leaf", leaves(), ids=lambda leaf: f"{leaf.__module__}.{leaf.__name__}")
def test_parameters_are_known_backends_first(leaf: type) -> None:
    assert leaf.param_names[0] == "backend"
    assert set(leaf.params[0]) <= set(BACKENDS)
    assert len(leaf.params) == len(leaf.param_names)


@pytest.mark.parametrize(
    "leaf", [leaf for leaf in leaves() if leaf.__name__ == "Interpreted"], ids=lambda leaf: leaf.__module__
)
def test_only_triton_has_an_interpreter(leaf: type) -> None:
    assert leaf.params[0] == ["triton"]


@pytest.mark.parametrize("leaf", leaves(), ids=lambda leaf: f"{leaf.__module__}.{leaf.__name__}")
def test_sizes_are_allowed_ones(leaf: type) -> None:
    spec = kernels.load(leaf().kernel)
    assert leaf.param_names[1] in (spec.unit, "spelling", "how"), "asv's pages name the axis after the unit"
    for size in leaf.params[1] if leaf.param_names[1] == spec.unit else []:
        spec.valid_size(size)


@pytest.mark.parametrize("leaf", leaves(), ids=lambda leaf: f"{leaf.__module__}.{leaf.__name__}")
def test_a_leaf_holds_a_version_and_what_only_its_kernel_has(leaf: type) -> None:
    assert isinstance(leaf.version, str)
    assert leaf().kernel in kernels.names()


@pytest.mark.parametrize("leaf", [leaf for leaf in leaves() if hasattr(leaf, "rounds")], ids=lambda leaf: leaf.__qualname__)
def test_samples_are_enough_for_asv_s_test(leaf: type) -> None:
    samples = leaf.rounds * leaf.repeat
    assert samples >= 8
    assert samples not in BLIND


def test_every_tracked_value_has_a_unit_and_a_direction() -> None:
    tracks = [method for leaf in leaves() for name, method in inspect.getmembers(leaf) if name.startswith("track_")]
    assert len(tracks) == sum(".track_" in name for names in DISCOVERED.values() for name in names)
    for track in tracks:
        assert track.unit
        assert track.direction in ("lower", "equal")


@pytest.mark.parametrize("value", [math.inf, math.nan, -1.0])
def test_what_asv_cannot_store_is_an_error_before_it_gets_there(value: float) -> None:
    class Broken(suite._Cells):
        def track_value(self) -> float:
            return value

    with pytest.raises(ValueError, match="a tracked value must be finite and at least 0, not"):
        Broken().track_value()


def test_too_many_points_are_skipped_with_the_reason() -> None:
    with pytest.raises(NotImplementedError, match="python would take longer than about a second above 1000000 points"):
        philox_pi.Warm().setup("python", 10_000_000)


def test_a_missing_framework_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(NotImplementedError, match="there is no C compiler"):
        philox_pi.Warm().setup("c", 1_001)


def test_a_wrong_answer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitkernels.case.Case.value", lambda case: 7)
    suite._warmed.cache_clear()
    with pytest.raises(AssertionError, match="7 hits, not 782"):
        philox_pi.Warm().setup("python", 1_000)


@pytest.mark.parametrize(("backend", "least", "most"), [("tensorflow_graph", 100, 200), ("python", 1, 60)])
def test_a_runtime_that_learns_from_calls_has_learnt_before_the_clock(
    backend: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare("philox_pi", backend, 1)  # Unavailable is a skip
    made, call = [], Case.call

    def slowly(case: Case) -> Any:
        made.append(case)
        time.sleep(0.005)  # so that the time alone for which any case is warmed up is soon over
        return call(case)

    monkeypatch.setattr(Case, "call", slowly)
    suite._warmed.__wrapped__(prepare("philox_pi", backend, 1_001))
    assert least <= len(made) <= most
    before = len(made)
    prepare("philox_pi", backend, 1_001).settle()
    assert len(made) - before == (100 if least > 1 else 0)


def test_who_takes_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "tensorflow_graph", 1)
    made = []
    monkeypatch.setattr("jitkernels.case.SETTLING_SECONDS", 0.05)
    monkeypatch.setattr(Case, "call", lambda case: made.append(case) or time.sleep(0.02))
    case.settle()
    assert 1 <= len(made) <= 3


@pytest.mark.parametrize(("interpreted", "right", "wrong"), [(True, "Interpreted", "Warm"), (False, "Warm", "Interpreted")])
def test_an_interpreter_s_time_is_filed_apart(
    interpreted: bool, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for memoised in (suite._compiled, suite._interpreted, suite._warmed):
        memoised.cache_clear()
    monkeypatch.setattr("jitkernels.case.Case.interpreted", interpreted)
    getattr(philox_pi, right)().setup("python", 1_000)
    with pytest.raises(NotImplementedError, match=f"its time is filed under {right}"):
        getattr(philox_pi, wrong)().setup("python", 1_000)


EXACT = [leaf for leaf in leaves() if issubclass(leaf, exact._Exact) and {"numpy", "c"} & set(leaf.params[0])]


@pytest.mark.parametrize("leaf", EXACT, ids=lambda leaf: f"{leaf.__module__}.{leaf.__name__}")
def test_what_is_tracked_can_be_tracked(leaf: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first cell of NumPy or C that is not skipped."""
    monkeypatch.setattr("benchmarks._lives.ENOUGH_SECONDS", 0)  # one process instead of the median of three
    backend = "numpy" if "numpy" in leaf.params[0] else "c"
    for cell in itertools.product([backend], *leaf.params[1:]):
        benchmark = leaf()
        try:
            benchmark.setup(*cell)
        except NotImplementedError:
            continue
        for name, track in inspect.getmembers(benchmark):
            if name.startswith("track_"):
                assert track(*cell) >= 0
        return
    pytest.fail(f"{backend} has no cell")


def test_setup_prepares_once_however_often_it_runs() -> None:
    warm = philox_pi.Warm()
    warm.setup("python", 1_000)
    first = warm.case
    warm.setup("python", 1_000)
    assert warm.case is first
    assert warm.number >= 1
