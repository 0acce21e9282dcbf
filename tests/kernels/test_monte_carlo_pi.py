"""Each framework's own generator, in both spellings: seeded, with points that are uniform and independent."""

import math

import pytest

from benchmarks.monte_carlo_pi import SPELLED
from jitkernels import Unavailable, kernels, prepare, source
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case
from jitkernels.kernels._pi import STANDARD_ERROR_OF_ONE

POINTS = 270_001  # more than a chunk of any dialect that streams on the CPU, and no multiple of one
SEEDS = (0, 42, 2**32 + 1, 2**64 - 1)
SPEC = kernels.load("monte_carlo_pi")
REPEATABLE = [name for name in SPELLED if name != "numba_parallel"]  # no compiled code can seed the threads of a prange


def plain(backend: str, points: int = POINTS, seed: int = 42) -> Case:
    return prepare("monte_carlo_pi", backend, points, seed, spelling="plain")


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


@pytest.mark.parametrize(("dialect", "tuned_for"), [("torch", "torch_inductor"), ("jax", "jax")])
def test_the_article_s_lines_are_compiled_without_options(dialect: str, tuned_for: str) -> None:
    prepare("monte_carlo_pi", tuned_for, 1)  # or skip
    assert source.load(SPEC, dialect, "plain").options == {}
    assert tuned_for in source.load(SPEC, dialect).options


@pytest.mark.parametrize("backend", ["jax", "tensorflow_xla"])
def test_the_remark_has_the_points_of_a_chunk(backend: str) -> None:
    run = prepare("monte_carlo_pi", backend, 1_000).source.run
    assert run is not None
    own = run.__globals__
    points = own["chunk"]() if backend == "jax" else own["CHUNK"]
    assert f"{points:,} points" in SPEC.remark
