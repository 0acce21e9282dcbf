"""Products, activations and passes over rows: shapes that fit no tile, NaN, and what the benchmarks count and compare."""

import math

import numpy as np
import pytest
from asv_runner.benchmarks.mark import SkipNotImplemented
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from onednn import nan_may_be_lost

from benchmarks import dense_relu
from jitkernels import prepare
from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case

ARRAYS = [backend for backend in BACKENDS if backend != "python"]  # whose reason the catalogue's test asks for
COMPILED_ONCE = ["numpy", "c", "numba", "torch_eager", "triton"]  # those to which another shape is no new program
PRODUCTS = ["dense", "dense_relu"]
ROW_WISE = ["softmax", "layer_norm"]
ODD = [(1, 1, 1), (65, 257, 131)]  # m, k, n: a single entry; a little more than several tiles
SETTINGS = settings(deadline=None, max_examples=25, derandomize=True, suppress_health_check=list(HealthCheck))


def factors(m: int, k: int, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed).standard_normal
    return draw((m, k), np.float32), draw((k, n), np.float32)


def rows(kernel: str, backend: str, x: np.ndarray) -> Case:
    """The cell on these rows; layer_norm's with a scale and an offset of each column."""
    draw = np.random.default_rng(0).standard_normal
    columns = [draw(x.shape[1], np.float32) for _ in range(2)] if kernel == "layer_norm" else []
    return prepare(kernel, backend, 1).with_inputs(x, *columns)


@pytest.mark.parametrize("backend", ARRAYS)
@pytest.mark.parametrize("kernel", PRODUCTS)
@pytest.mark.parametrize(("m", "k", "n"), ODD)
def test_products_of_lengths_that_fit_no_tile_are_right(kernel: str, backend: str, m: int, k: int, n: int) -> None:
    value = prepare(kernel, backend, 1).with_inputs(*factors(m, k, n)).check()
    assert value.shape == (m, n)
    assert value.dtype == np.float32


@pytest.mark.parametrize("backend", COMPILED_ONCE)
@SETTINGS
@given(m=st.integers(1, 40), k=st.integers(1, 300), n=st.integers(1, 80), seed=st.integers(0, 99))
def test_products_of_any_lengths_are_right(backend: str, m: int, k: int, n: int, seed: int) -> None:
    inputs = factors(m, k, n, seed)
    product = prepare("dense", backend, 1).with_inputs(*inputs).check()
    activated = prepare("dense_relu", backend, 1).with_inputs(*inputs).check()
    np.testing.assert_allclose(activated, np.maximum(product, 0), atol=1e-4)  # of entries up to about 80


@pytest.mark.parametrize("backend", ARRAYS)
@pytest.mark.parametrize("kernel", PRODUCTS)
def test_nan_reaches_exactly_the_entries_whose_sums_hold_it(kernel: str, backend: str) -> None:
    W, X = factors(9, 17, 37)  # noqa: N806  # the formula's names
    W[2, 3] = X[5, 30] = np.nan
    value = prepare(kernel, backend, 1).with_inputs(W, X).check()
    expected = np.zeros((9, 37), bool)
    expected[2, :] = expected[:, 30] = True
    assert (np.isnan(value) == expected).all()


@pytest.mark.parametrize("backend", ARRAYS)
def test_infinity_times_zero_is_nan(backend: str) -> None:
    W, X = factors(3, 40, 5)  # noqa: N806  # the formula's names
    W[1, 39], X[39, 2] = np.inf, 0
    with np.errstate(invalid="ignore"):  # the reference warns of what this test is about
        assert np.isnan(prepare("dense_relu", backend, 1).with_inputs(W, X).check()[1, 2])


def test_small_probabilities_are_checked_too() -> None:
    case = prepare("softmax", "numpy", 10)
    answer = case.check()
    for name, wrong in (
        ("lost", np.where(answer < 1e-5, 0, answer)),
        ("off", np.where(answer < 1e-5, 1.001 * answer, answer)),
    ):
        with pytest.raises(AssertionError, match="entries is off by more than 3e-06 of itself"):
            case.check_answer(wrong.astype(np.float32)), name


def test_an_answer_of_another_dtype_is_refused() -> None:
    case = prepare("relu", "numpy", 10)
    with pytest.raises(AssertionError, match="the answer is float64, not float32"):
        case.check_answer(case.value().astype(np.float64))


def test_torch_gets_aligned_memory() -> None:
    assert all(
        tensor.data_ptr() % 64 == 0 for size in (1, 3, 50) for tensor in prepare("relu", "torch_eager", size).arguments
    )


@pytest.mark.parametrize("backend", ARRAYS)
def test_relu_keeps_nan_and_infinities(backend: str) -> None:
    Z = np.array([[np.nan, -np.inf, np.inf, -0.5, 0.5, -0.0]], np.float32)  # noqa: N806  # the formula's name
    value = prepare("relu", backend, 1).with_inputs(Z).check()
    np.testing.assert_array_equal(value[0], [np.nan, 0, np.inf, 0, 0.5, 0])


@pytest.mark.parametrize("backend", ARRAYS)
@pytest.mark.parametrize("kernel", ROW_WISE)
@pytest.mark.parametrize("shape", [(1, 1), (2, 5_003)])
def test_rows_of_lengths_that_fit_no_vector_are_right(kernel: str, backend: str, shape: tuple[int, int]) -> None:
    value = rows(kernel, backend, np.random.default_rng(1).standard_normal(shape, np.float32)).check()
    assert value.shape == shape
    assert value.dtype == np.float32


@pytest.mark.parametrize("backend", ARRAYS)
@pytest.mark.parametrize("kernel", ROW_WISE)
@pytest.mark.parametrize("place", [0, 7, 36])  # the first, one inside a vector, the last of no whole vector
def test_nan_fills_its_row_and_no_other(kernel: str, backend: str, place: int) -> None:
    x = np.random.default_rng(1).standard_normal((3, 37), np.float32)
    x[1, place] = np.nan
    with nan_may_be_lost(kernel, backend):
        assert np.isnan(rows(kernel, backend, x).check()).all(axis=1).tolist() == [False, True, False]
    assert not np.isnan(rows(kernel, backend, x).value()[[0, 2]]).any()


@pytest.mark.parametrize("backend", ARRAYS)
def test_softmax_is_stable_where_exponentials_overflow_or_vanish(backend: str) -> None:
    x = np.array([[1e4, 1e4, -1e4, -np.inf], [-1e4, -1e4, -1e4, -1e4], [np.inf, 0, 0, 0]], np.float32)
    with np.errstate(invalid="ignore"):  # the reference warns of what this test is about
        with nan_may_be_lost("softmax", backend):
            rows("softmax", backend, x).check()
        value = rows("softmax", backend, x).value()
    np.testing.assert_allclose(value[:2], [[0.5, 0.5, 0, 0], [0.25] * 4], rtol=1e-6)
    assert np.isnan(value[2, 0]), "infinity less itself"


@pytest.mark.parametrize("backend", ARRAYS)
@SETTINGS
@given(seed=st.integers(0, 2**32), spread=st.floats(0, 80), shift=st.floats(-1e3, 1e3))
@example(seed=1, spread=75.0, shift=0.0)  # an exponential of 1.6 times the least normal number
def test_softmax_is_a_distribution_in_the_order_of_its_inputs(backend: str, seed: int, spread: float, shift: float) -> None:
    x = np.random.default_rng(seed).uniform(-spread, spread, (2, 37)).astype(np.float32) + np.float32(shift)
    value = rows("softmax", backend, x).check()
    np.testing.assert_allclose(value.sum(axis=1), 1, rtol=1e-5)
    assert (np.diff(np.take_along_axis(value, np.argsort(x, axis=1), axis=1), axis=1) >= -1e-7).all()


@pytest.mark.parametrize("backend", ARRAYS)
def test_a_constant_row_is_normalised_to_the_offset(backend: str) -> None:
    """The variance is 0, and only the epsilon keeps the division finite."""
    draw = np.random.default_rng(2).standard_normal
    x, scale, offset = np.full((2, 33), 3.0, np.float32), draw(33, np.float32), draw(33, np.float32)
    value = prepare("layer_norm", backend, 1).with_inputs(x, scale, offset).check()
    np.testing.assert_allclose(value, np.broadcast_to(offset, x.shape), atol=1e-3)


def test_shapes_that_do_not_fit_are_refused() -> None:
    W, X = factors(3, 4, 5)  # noqa: N806  # the formula's names
    with pytest.raises(ValueError, match="axis 0 of X has length 5, but k is 4 in W"):
        prepare("dense", "numpy", 1).with_inputs(W, X.T.copy())
    with pytest.raises(TypeError, match="X must hold float32, not float64"):
        prepare("dense_relu", "numpy", 1).with_inputs(W, X.astype(float))
    with pytest.raises(ValueError, match="axis 0 of offset has length 4, but columns is 5 in x"):
        prepare("layer_norm", "numpy", 1).with_inputs(X, X[0], X[0, :4])
    with pytest.raises(ValueError, match=r"x must have the shape \(rows, columns\), not \(5,\)"):
        prepare("softmax", "numpy", 1).with_inputs(X[0])


@pytest.mark.parametrize(("kernel", "size"), [("dense", 4), ("dense_relu", 4), ("softmax", 3), ("layer_norm", 3)])
def test_an_answer_that_is_a_little_wrong_is_refused(kernel: str, size: int) -> None:
    case = prepare(kernel, "numpy", size)
    wrong = case.check().copy()
    wrong[-1, -1] += 2e-5 * np.abs(wrong).max()
    with pytest.raises(AssertionError, match="off by"):
        case.check_answer(wrong)


def test_tensor_float_32_would_be_refused() -> None:
    """What a GPU's tensor cores make of float32 unless told otherwise: factors of 10 bits, exact sums."""
    case = prepare("dense", "numpy", 20)
    rounded = [(array.view(np.uint32) + 0x1000 & 0xFFFFE000).view(np.float32).astype(float) for array in case.arguments]
    with pytest.raises(AssertionError, match="off by"):
        case.kernel.check(rounded[0] @ rounded[1], 20, case.seed, case.value)


def test_the_article_s_own_product_is_allowed() -> None:
    assert prepare("dense", "numpy", 20).kernel.dimensions(1000) == {"m": 1000, "k": 10_000, "n": 20_000}
    assert prepare("dense", "numpy", 20).kernel.work(1000) == 2 * 1000 * 10_000 * 20_000
    assert prepare("dense", "numpy", 20).kernel.bytes_needed(1000) < 2e9


@pytest.mark.parametrize("backend", [backend for backend in ARRAYS if backend != "triton"])
def test_two_programs_give_the_answer_of_one(backend: str) -> None:
    one = prepare("dense_relu", backend, 2)  # or skip
    apart = dense_relu.Apart()
    apart.setup(backend, 2)
    one.kernel.check(one.compiler.fetch(apart.case.call()), 2, one.seed, one.check)


@pytest.mark.parametrize("backend", ["jax", "tensorflow_xla", "torch_inductor"])
def test_counts_are_finite_or_skipped_and_the_same_twice(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare("dense_relu", backend, 20)  # or skip
    # XLA's machine code comes from another process, and none of these counts is of it.
    monkeypatch.setattr("jitkernels.backends.apart.call", lambda *arguments, environment: Artifacts())
    found: list[dict[str, float]] = []
    for _ in range(2):
        found.append({})
        counts = dense_relu.Counts()
        counts.setup(backend, 20)
        for name in ("bytes_accessed", "fusions", "kernels"):
            try:
                found[-1][name] = getattr(counts, f"track_{name}")(backend, 20)
            except SkipNotImplemented:
                assert name not in counts.row
    assert found[0] == found[1]
    assert found[0], f"{backend} has none of the counts"
    assert all(map(math.isfinite, found[0].values()))


def test_two_programs_move_what_each_moves_alone() -> None:
    bytes_of = {"W": 4 * 20 * 200, "X": 4 * 200 * 400, "Y": 4 * 20 * 400}
    apart, whole = dense_relu.CountsApart(), dense_relu.Counts()
    for counts in (apart, whole):
        counts.setup("jax", 20)
    assert apart.track_bytes_accessed("jax", 20) == sum(bytes_of.values()) + 2 * bytes_of["Y"]
    assert sum(bytes_of.values()) <= whole.track_bytes_accessed("jax", 20) <= apart.track_bytes_accessed("jax", 20)


def test_a_wrong_half_of_two_programs_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    two = dense_relu._TwoPrograms("numpy", 3)
    monkeypatch.setattr(two.relu, "program", lambda product: product)
    with pytest.raises(AssertionError, match="off by"):
        two.check()
