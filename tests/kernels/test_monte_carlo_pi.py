"""Each framework's own generator, in both spellings: seeded, with points that are uniform and independent. The decorators
stack around it."""

import math

import pytest
from conftest import default_cells
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.monte_carlo_pi import SPELLED
from jitkernels import Unavailable, kernels, perf_time, prepare, source, value_acc
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case
from jitkernels.decorators import Measurement
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE

POINTS = 270_001  # more than a chunk of any dialect that streams on the CPU, and no multiple of one
SEEDS = (0, 42, 2**32 + 1, 2**64 - 1)
SPEC = kernels.load("monte_carlo_pi")
REPEATABLE = [name for name in SPELLED if name != "numba_parallel"]  # no compiled code can seed the threads of a prange
SETTINGS = settings(deadline=None, max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))

ORDERS = [
    lambda function, report: perf_time(value_acc(function, report=report), report=report),
    lambda function, report: value_acc(perf_time(function, report=report), report=report),
]


def plain(backend: str, points: int = POINTS, seed: int = 42) -> Case:
    return prepare("monte_carlo_pi", backend, points, seed, spelling="plain")


@pytest.mark.parametrize(("kernel", "backend"), default_cells(__file__))
def test_the_answer_is_right_at_the_default_size(kernel: str, backend: str) -> None:
    prepare(kernel, backend, kernels.load(kernel).default_size).check()


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_seed_gives_the_same_plain_number_twice(backend: str) -> None:
    case = prepare("monte_carlo_pi", backend, 100_000)
    value = case.value()
    assert type(value) is float
    assert case.value() == value


@pytest.mark.parametrize("backend", BACKENDS)
@SETTINGS
@given(points=st.integers(1, 30_000), seed=st.integers(0, 2**64 - 1))
def test_any_points_and_seed_give_a_possible_estimate(backend: str, points: int, seed: int) -> None:
    prepare("monte_carlo_pi", backend, points, seed).check()


@pytest.mark.parametrize("backend", BACKENDS)
def test_another_seed_draws_other_points(backend: str) -> None:
    estimates = {prepare("monte_carlo_pi", backend, 100_003, seed).value() for seed in range(8)}
    assert len(estimates) >= 6, "eight streams can agree on a count by chance, but hardly thrice"


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_64_bits_of_the_seed_count(backend: str) -> None:
    seeds = (1, 1 + 2**32, 1 + 2**63)
    assert len({prepare("monte_carlo_pi", backend, 30_011, seed).value() for seed in seeds}) > 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("stack", ORDERS, ids=["time outside", "accuracy outside"])
def test_the_decorators_stack_on_any_backend_in_either_order(backend: str, stack: object) -> None:
    case = prepare("monte_carlo_pi", backend, 20_000)
    estimate = case.value()
    measured: list[Measurement] = []
    stack(case.program, measured.append)(*case.arguments)
    by_metric = {measurement.metric: measurement for measurement in measured}
    assert by_metric["value_acc"].value == pytest.approx(1 - abs(estimate - math.pi) / math.pi)
    assert by_metric["value_acc"].unit == ""
    assert by_metric["perf_time"].value > 0
    assert by_metric["perf_time"].unit == "s"


@pytest.mark.parametrize(
    ("backend", "spelling"), [*((name, "run") for name in SPELLED), *((name, "plain") for name in REPEATABLE)]
)
def test_the_seeds_together_are_as_near_to_pi_as_so_many_points_can_be(backend: str, spelling: str) -> None:
    cases = [prepare("monte_carlo_pi", backend, POINTS, seed, spelling=spelling) for seed in SEEDS]
    estimates = [case.check() for case in cases]
    error = math.fsum(estimates) / len(SEEDS) - math.pi
    assert abs(error) * math.sqrt(POINTS * len(SEEDS)) / STANDARD_ERROR_OF_ONE < 4, "luck goes farther once in 16,000 times"
    assert len(set(estimates)) > 1


@pytest.mark.parametrize("backend", ["jax", "tensorflow_graph", "tensorflow_xla"])
def test_a_second_chunk_has_other_points_than_the_first(backend: str) -> None:
    chunk = 250_000  # of both frameworks: the same points twice would give the same estimate
    one, two = (prepare("monte_carlo_pi", backend, points).value() for points in (chunk, 2 * chunk))
    assert one != two, "by luck once in a thousand times, but the seed is fixed"


@pytest.mark.parametrize("backend", REPEATABLE)
def test_the_article_s_lines_are_seeded(backend: str) -> None:
    assert plain(backend).value() == plain(backend).value()


def test_unseeded_threads_draw_points_all_the_same() -> None:
    plain("numba_parallel").check()


def test_threads_of_numba_draw_what_one_thread_draws() -> None:
    first, second = (prepare("monte_carlo_pi", backend, POINTS).value() for backend in ("numba", "numba_parallel"))
    assert first == second


def test_whole_arrays_are_refused_where_they_would_fill_the_memory() -> None:
    with pytest.raises(ValueError, match=r"^points must be a whole number from 1 to 10000000, got 10000001$"):
        plain("numpy", 10_000_001)
    assert prepare("monte_carlo_pi", "numpy", 10_000_001).size == 10_000_001


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name not in SPELLED])
def test_where_the_article_s_lines_are_not_written_the_reason_is(backend: str) -> None:
    with pytest.raises(Unavailable, match=r"\brun\b") as refused:
        plain(backend)
    assert refused.value.by_design


@pytest.mark.parametrize("backend", ["torch_inductor", "jax"])
def test_the_article_s_lines_are_compiled_without_options(backend: str) -> None:
    prepare("monte_carlo_pi", backend, 1)  # or skip
    dialect = BACKENDS[backend].dialect
    assert source.load(SPEC, dialect, "plain").options == {}
    assert backend in source.load(SPEC, dialect).options


@pytest.mark.parametrize("backend", ["jax", "tensorflow_xla"])
def test_the_remark_has_the_points_of_a_chunk(backend: str) -> None:
    run = prepare("monte_carlo_pi", backend, 1_000).source.run
    assert run is not None
    own = run.__globals__
    points = own["chunk"]() if backend == "jax" else own["CHUNK"]
    assert f"{points:,} points" in SPEC.remark
