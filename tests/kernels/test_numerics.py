"""What prices, heat, gravity and the Mandelbrot set have to obey on every backend, beyond agreeing with a reference."""

import itertools
from typing import Any

import numpy as np
import pytest
from conftest import default_cells
from hypothesis import given, settings
from hypothesis import strategies as st

from jitkernels import Unavailable, kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case, Reference
from jitkernels.kernels import mandelbrot
from jitkernels.kernels.nbody import numpy as nbody

KERNELS = ("black_scholes", "heat_2d", "nbody")
ODD = {"black_scholes": 1237, "heat_2d": 19, "nbody": 37, "mandelbrot": 19}  # multiples of no vector or block
ON_ARRAYS = [name for name in BACKENDS if name != "python"]  # the other has loops, and only for two of the kernels


def on(kernel: str, backend: str, *inputs: Any) -> Case:
    return prepare(kernel, backend, ODD[kernel]).with_inputs(*inputs)


def rounded(*values: Any) -> list[Any]:
    return [np.asarray(value, np.float32) for value in values]


@pytest.mark.parametrize(("kernel", "backend"), default_cells(__file__))
def test_the_answer_is_right_at_the_default_size(kernel: str, backend: str) -> None:
    prepare(kernel, backend, kernels.load(kernel).default_size).check()


OTHER_WAYS = [
    *(("mandelbrot", "plain", "c"), ("mandelbrot", "lanes", "numba"), ("mandelbrot", "lanes", "numba_parallel")),
    *(("softmax", "polynomial", "numba"), ("softmax", "polynomial", "numba_parallel")),
    *(("nbody", "scan", name) for name, row in BACKENDS.items() if row.dialect in ("jax", "tensorflow")),
]


@pytest.mark.parametrize(("kernel", "spelling", "backend"), OTHER_WAYS)
def test_other_ways_to_write_a_kernel_answer_alike(kernel: str, spelling: str, backend: str) -> None:
    for size in (1, ODD.get(kernel, 7)):
        prepare(kernel, backend, size, spelling=spelling).check()


def test_a_written_out_exponential_is_zero_for_minus_infinity_and_keeps_nan() -> None:
    x = np.array([[0, -np.inf, -100, -80, np.nan], [0, -np.inf, -100, -80, -1]], np.float32)
    value = prepare("softmax", "numba", 2, spelling="polynomial").with_inputs(x).check()
    assert np.isnan(value[0]).all() and value[1, 1] == 0


@pytest.mark.parametrize("kernel", ["mandelbrot", "nbody", "softmax"])
def test_where_another_way_is_not_written_there_is_a_reason(kernel: str) -> None:
    written = {(spelling, backend) for name, spelling, backend in OTHER_WAYS if name == kernel}
    for spelling, backend in itertools.product(kernels.load(kernel).spellings, BACKENDS):
        if (spelling, backend) not in written:
            with pytest.raises(Unavailable) as refused:
                prepare(kernel, backend, 1, spelling=spelling)
            assert refused.value.by_design


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_nan_spreads_as_in_numpy_at_a_size_that_fills_no_vector(kernel: str, backend: str) -> None:
    case = prepare(kernel, backend, ODD[kernel])
    inputs = [values.copy() for values in kernels.load(kernel).inputs(ODD[kernel], 7)]
    case.with_inputs(*inputs).check()
    inputs[0].flat[inputs[0].size // 2] = np.nan
    value = case.with_inputs(*inputs).check()
    assert np.isnan(np.concatenate([np.ravel(array) for array in (value if isinstance(value, tuple) else (value,))])).any()


@pytest.mark.parametrize("backend", ON_ARRAYS)
def test_call_minus_put_is_share_minus_discounted_strike(backend: str) -> None:
    spot, strike, time = kernels.load("black_scholes").inputs(ODD["black_scholes"], 3)
    call, put = on("black_scholes", backend, spot, strike, time).value()
    parity = spot.astype(np.float64) - strike * np.exp(-0.02 * time.astype(np.float64))
    assert np.abs(call.astype(np.float64) - put - parity).max() < 1e-4, "a dozen roundings of numbers up to 100"


@pytest.mark.parametrize("backend", ON_ARRAYS)
def test_an_option_that_is_sure_or_hopeless_costs_its_worth_or_nothing(backend: str) -> None:
    spot, strike, time = rounded([100.0, 1.0], [1.0, 100.0], [0.25, 0.25])
    call, put = on("black_scholes", backend, spot, strike, time).value()
    discounted = strike * np.exp(-0.02 * time)
    np.testing.assert_allclose(call, [spot[0] - discounted[0], 0], atol=3e-5)
    np.testing.assert_allclose(put, [0, discounted[1] - spot[1]], atol=3e-5)


@settings(deadline=None, max_examples=30, derandomize=True)
@given(spot=st.floats(5, 30), strike=st.floats(1, 100), time=st.floats(0.25, 10))
def test_prices_in_c_are_those_of_the_reference_wherever_the_market_stands(spot: float, strike: float, time: float) -> None:
    case = on("black_scholes", "c", *rounded([spot] * 9, [strike] * 9, [time] * 9))
    call, put = case.value()
    want_call, want_put = on("black_scholes", "numpy", *rounded([spot], [strike], [time])).value()
    np.testing.assert_allclose(call, np.repeat(want_call, 9), atol=2e-4)
    np.testing.assert_allclose(put, np.repeat(want_put, 9), atol=2e-4)


@pytest.mark.parametrize("backend", ON_ARRAYS)
@pytest.mark.parametrize("shape", [(2, 2), (2, 5), (7, 30)])
def test_heat_stays_between_its_extremes_and_the_edge_stays_as_it_is(backend: str, shape: tuple[int, int]) -> None:
    u = np.random.default_rng(5).random(shape, "float32")
    v = on("heat_2d", backend, u).check()
    assert u.min() - 1e-5 <= v.min() and v.max() <= u.max() + 1e-5
    inside = np.zeros(shape, bool)
    inside[1:-1, 1:-1] = True
    np.testing.assert_array_equal(v[~inside], u[~inside])


@pytest.mark.parametrize("backend", ON_ARRAYS)
def test_a_hot_point_spreads_alike_in_all_four_directions(backend: str) -> None:
    u = np.zeros((41, 41), np.float32)
    u[20, 20] = 1
    v = on("heat_2d", backend, u).check()
    for turned in (v.T, v[::-1], v[:, ::-1]):
        np.testing.assert_allclose(v, turned, atol=1e-7)
    assert 0 < v[20, 20] < 0.02, "100 steps of R = 0.2: the peak is near 1 / (4 pi R steps)"


@pytest.mark.parametrize("backend", BACKENDS)
def test_momentum_is_conserved_and_a_lone_body_flies_straight(backend: str) -> None:
    positions, velocities, masses = kernels.load("nbody").inputs(ODD["nbody"], 3)
    masses *= np.arange(1, masses.size + 1, dtype=np.float32) / masses.size
    _, after = on("nbody", backend, positions, velocities, masses).check()
    np.testing.assert_allclose(np.asarray(after) @ masses, velocities @ masses, atol=3e-6)
    place, velocity = rounded([[1.0], [2.0], [3.0]], [[1.0], [0.0], [-1.0]])
    place, velocity = on("nbody", backend, place, velocity, np.ones(1, np.float32)).check()
    np.testing.assert_allclose(np.ravel(place), [1.1, 2, 2.9], rtol=1e-6)
    np.testing.assert_allclose(np.ravel(velocity), [1, 0, -1])


@pytest.mark.parametrize("bodies", [37, 200, 1000])
def test_forces_of_half_precision_are_refused(bodies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("nbody", "numpy", bodies)
    reference = Reference(case)
    reference()  # before the reference is patched
    exact = nbody.accelerations

    def rounded_to_bfloat16(positions: Any, masses: Any) -> Any:
        bits = exact(positions, masses).view(np.uint32)
        return ((bits + 0x8000) & 0xFFFF0000).view(np.float32)

    nbody_check = kernels.load("nbody").check
    nbody_check(nbody.run(*case.inputs()), bodies, case.seed, reference)
    monkeypatch.setattr(nbody, "accelerations", rounded_to_bfloat16)
    with pytest.raises(AssertionError, match=r"step of velocities is off by|of the largest entry"):
        nbody_check(nbody.run(*case.inputs()), bodies, case.seed, reference)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_mandelbrot_set_is_symmetric_and_knows_its_landmarks(backend: str) -> None:
    x, y = np.array([-2.0, -1.0, 0.0, 0.25, 0.5, 2.0, np.nan]), np.array([-1.1, -0.3, 0.0, 0.3, 1.1])
    counts = np.asarray(on("mandelbrot", backend, x, y).value())
    assert counts.dtype == np.int32 and counts.shape == (5, 7)
    np.testing.assert_array_equal(counts, counts[::-1])
    assert counts[2].tolist() == [200, 200, 200, 200, 5, 2, 1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts_are_possible_ones_in_a_window_full_of_edges(backend: str) -> None:
    x, y = np.linspace(-0.76, -0.73, 23), np.linspace(0.05, 0.12, 17)
    counts = np.asarray(on("mandelbrot", backend, x, y).value())
    least, largest = mandelbrot.possible(x, y)
    assert (least <= counts).all() and (counts <= largest).all()
    assert (least == largest).mean() > 0.9, "or the bound says nothing"


def test_the_check_refuses_a_wrong_count_where_rounding_cannot_matter() -> None:
    case = prepare("mandelbrot", "numpy", 50)
    counts = case.value()
    counts[0, 0] += 1
    with pytest.raises(AssertionError, match="1 counts are not the reference's"):
        case.kernel.check(counts, 50, 42, Reference(case))


def test_the_check_knows_the_window_that_was_given() -> None:
    other = on("mandelbrot", "numpy", np.linspace(-2, -1.5, 40), np.linspace(-0.1, 0.1, 41))
    least, _ = mandelbrot.possible(*other.inputs())
    assert (least != other.value()).any(), "or nothing is judged by the window's bounds"
    other.check_answer(least)


@pytest.mark.parametrize(
    ("kernel", "inputs", "reason"),
    [
        ("black_scholes", rounded([1, 2], [1], [1, 2]), "axis 0 of strike"),
        ("heat_2d", rounded([1, 2]), "must have the shape"),
        ("nbody", rounded(np.ones((2, 4)), np.ones((3, 4)), np.ones(4)), "it must be 3"),
        ("nbody", rounded(np.ones((3, 4)), np.ones((3, 4)), np.ones(5)), "axis 0 of masses"),
        ("mandelbrot", [np.ones(3), np.ones(0)], "at least 1 element"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(kernel: str, inputs: list[Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        on(kernel, "numpy", *inputs)


@pytest.mark.parametrize("kernel", KERNELS)
def test_float64_is_refused_where_float32_is_promised(kernel: str) -> None:
    inputs = [values.astype(np.float64) for values in kernels.load(kernel).inputs(ODD[kernel], 1)]
    with pytest.raises(TypeError, match="must hold float32"):
        on(kernel, "numpy", *inputs)


def test_kernels_that_plain_python_lacks_say_why() -> None:
    for kernel in ("black_scholes", "heat_2d"):
        with pytest.raises(Unavailable, match="plain Python"):
            prepare(kernel, "python", 10)
