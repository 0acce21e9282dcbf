"""How the process of a benchmark case begins: with what it has imported, which caches, and beside which other cases."""

import sys
from pathlib import Path

import pytest

from benchmarks import _launch
from duet import Side, discover

ROOT = Path(__file__).parents[2]


def test_a_backend_needs_its_framework_and_numpy() -> None:
    assert _launch.distributions(["numba"]) == {"numba", "llvmlite", "numpy"}
    assert _launch.distributions(["python", "c"]) == {"numpy"}
    assert {"tensorflow-cpu", "jax"} <= _launch.distributions(["tensorflow_xla", "jax"])


def test_first_calls_find_no_cache_that_other_cases_filled() -> None:
    for group in ("Cold", "Retraces", "FirstStep", "Lives", "Stages"):
        assert _launch.caches_of(f"philox_pi.{group}.time_first_call('jax', 1000)") == _launch.OWN_CACHES
    assert _launch.caches_of("philox_pi.Cached.time_first_call('jax', 1000)") == _launch.SHARED_CACHES
    for loaded in ("philox_pi.Warm.time_call", "monte_carlo_pi.Spellings.time_call"):
        assert _launch.caches_of(f"{loaded}('jax', 1000)") == _launch.SHARED_CACHES
    assert _launch.caches_of("square_or_cube.Spellings.track_it('jax')") == _launch.OWN_CACHES


def test_a_cache_of_the_user_s_own_shell_reaches_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TF_XLA_FLAGS", "--tf_xla_persistent_cache_directory=/mine")
    for group, is_shared in (("Cold", "false"), ("Warm", "true")):
        variables = _launch.variables([f"philox_pi.{group}.time_it('jax', 1)"], tmp_path)
        assert variables["JAX_ENABLE_COMPILATION_CACHE"] == is_shared
        assert "/mine" not in variables["TF_XLA_FLAGS"]
        assert Path(variables["TORCHINDUCTOR_CACHE_DIR"]).is_relative_to(tmp_path)


def test_modes_of_a_framework_share_a_process_of_a_duet_where_compilation_is_preparation() -> None:
    warm = [f"philox_pi.Warm.time_call('{backend}', 1)" for backend in ("torch_eager", "torch_dynamo")]
    assert _launch.group(warm[0]) == _launch.group(warm[1])
    cold = [name.replace("Warm.time_call", "Cold.time_first_call") for name in warm]
    assert _launch.group(cold[0]) != _launch.group(cold[1])
    assert _launch.group("k.plain").startswith("no backend")
    together = _launch.variables(warm, Path("caches"))
    assert {"torch._dynamo.backends.common"} < set(together["JITKERNELS_PRELOAD"].split())
    for name, needs in (("numba_parallel", True), ("numba", False)):
        assert _launch.needs_threads(f"philox_pi.Warm.time_call('{name}', 1000)") == needs
    assert _launch.needs_threads("philox_pi.Threads.time_call('jax', 1000, 2)")


def test_first_calls_share_no_process_with_warm_ones_whose_memory_is_managed_otherwise() -> None:
    names = [
        f"philox_pi.{each}('jax', 1000)" for each in ("Warm.time_call", "Cached.time_first_call", "Cold.time_first_call")
    ]
    assert len({*map(_launch.group, names)}) == 3


def test_a_process_knows_that_no_clock_takes_its_figures_and_what_inductor_asks_of_a_machine() -> None:
    counts = ["relu.Counts.track_kernels('torch_inductor', 100)", "relu.Lives.track_programs('torch_dynamo', 20, 'cold')"]
    assert _launch.group(counts[0]) == _launch.group(counts[1])
    clocked = [*counts, "philox_pi.Cold.time_first_call('torch_inductor', 1000)"]
    for cases in (counts, clocked):
        variables = _launch.variables(cases, Path("caches"))
        assert {"jitkernels.backends.torch.inductor_preload"} < set(variables["JITKERNELS_PRELOAD"].split())
        assert (_launch.NO_CLOCK in variables) == (cases is counts)


def test_the_benchmarks_that_are_clocked_are_those_whose_figures_are_not_exact(tmp_path: Path) -> None:
    known = discover(Side("suite", sys.executable, None, ROOT / "benchmarks"), tmp_path / "log.txt")
    for case in known.values():
        assert (case.unit == "seconds") <= _launch.is_clocked(case.name) <= (not case.is_measured_once), case.name
