"""Arrays that do not keep a kernel's promise are refused in one line, before anything runs."""

import numpy as np
import pytest

from jitkernels import Unavailable, differences, kernels, machine, prepare, shapes
from jitkernels.shapes import Array

PRODUCT = {"W": Array("float32", ("m", "k")), "X": Array("float32", ("k", "n"))}
MODEL = {"parameters.w": Array("float32", ("in", 3)), "parameters.b": Array("float32", (3,)), "x": Array("float32", ("in",))}


def ones(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.ones(shape, dtype)


def test_arrays_that_fit_name_their_dimensions() -> None:
    assert shapes.bind((ones(2, 3), ones(3, 4)), PRODUCT) == {"m": 2, "k": 3, "n": 4}
    assert shapes.bind(({"w": ones(5, 3), "b": ones(3)}, ones(5)), MODEL) == {"in": 5}


@pytest.mark.parametrize(
    ("arguments", "error", "complaint"),
    [
        ((ones(2, 3), ones(4, 5)), ValueError, "axis 0 of X has length 4, but k is 3 in W"),
        ((ones(2, 3), ones(3)), ValueError, r"X must have the shape \(k, n\), not \(3,\)"),
        ((ones(2, 3), ones(3, 0)), ValueError, r"axis 1 of X must have at least 1 element: its shape is \(3, 0\)"),
        ((ones(2, 3), ones(3, 4, dtype="float64")), TypeError, "X must hold float32, not float64"),
        ((ones(2, 3), [[1.0]]), TypeError, "X must hold float32, not list"),
        ((ones(2, 3),), TypeError, "expected the 2 arguments W, X, got 1"),
    ],
)
def test_arrays_that_do_not_fit_are_named(arguments: tuple, error: type, complaint: str) -> None:
    with pytest.raises(error, match=f"^{complaint}$"):
        shapes.bind(arguments, PRODUCT)


def test_a_kernel_that_takes_no_arrays_says_so() -> None:
    with pytest.raises(TypeError, match=r"^the kernel takes no arrays, got 2$"):
        prepare("philox_pi", "python", 100).with_inputs(100, 42)


@pytest.mark.parametrize(
    ("parameters", "error", "complaint"),
    [
        ({"w": ones(5, 3)}, TypeError, "parameters must be a dictionary with an entry 'b'"),
        (ones(5, 3), TypeError, "parameters must be a dictionary with an entry 'w'"),
        ({"w": ones(5, 4), "b": ones(3)}, ValueError, r"axis 1 of parameters.w has length 4, but it must be 3"),
    ],
)
def test_entries_of_a_dictionary_are_named(parameters: object, error: type, complaint: str) -> None:
    with pytest.raises(error, match=f"^{complaint}$"):
        shapes.bind((parameters, ones(5)), MODEL)


@pytest.mark.parametrize("kernel", [name for name in kernels.names() if kernels.load(name).arguments])
def test_a_kernel_s_inputs_keep_its_promise(kernel: str) -> None:
    spec = kernels.load(kernel)
    inputs = spec.inputs(spec.default_size, 42)
    bound = shapes.bind(inputs, spec.arguments)
    assert bound == {name: length for name, length in spec.dimensions(spec.default_size).items() if name in bound}


SEEDLESS = {"mandelbrot", "repeated_multiply", "side_effect", "square_or_cube"}  # a window, and numbers that the size says


@pytest.mark.parametrize("kernel", [name for name in kernels.names() if kernels.load(name).arguments])
def test_a_kernel_s_inputs_follow_the_seed(kernel: str) -> None:
    spec = kernels.load(kernel)
    first, again, other = (spec.inputs(spec.default_size, seed) for seed in (1, 1, 2**64 - 1))
    assert differences.largest(first, again) == 0
    assert (differences.largest(first, other) == 0) is (kernel in SEEDLESS)


def test_a_case_takes_other_inputs_and_checks_them() -> None:
    case = prepare("relu", "numpy", 1).with_inputs(np.array([[-1, 2, np.nan]], "float32"))
    np.testing.assert_array_equal(case.check(), np.array([[0, 2, np.nan]], "float32"))
    with pytest.raises(AssertionError, match=r"^the answer is float64, not float32$"):
        case.check_answer(case.check().astype("float64"))


def test_a_case_takes_arrays_in_any_order() -> None:
    transposed = np.asfortranarray([[-1, 2, 3], [4, -5, 6]], "float32")
    assert prepare("relu", "c", 2).with_inputs(transposed).check().tolist() == [[0, 2, 3], [4, 0, 6]]
    repeated = np.broadcast_to(np.float32(7), (2, 1000))
    assert (prepare("relu", "c", 2).with_inputs(repeated).check() == 7).all()


def test_a_case_refuses_inputs_that_do_not_fit() -> None:
    with pytest.raises(TypeError, match=r"^Z must hold float32, not float64$"):
        prepare("relu", "numpy", 1).with_inputs(np.ones((1, 1)))


def test_a_wrong_array_is_found() -> None:
    spec = kernels.load("relu")
    right = np.ones((2, 40), "float32")
    spec.check(right, 2, 42, lambda: right)
    with pytest.raises(AssertionError, match=r"off by 1, 1 of the largest .*; 2 of 80 entries are off by more than rtol 0"):
        spec.check(right - np.eye(2, 40, dtype="float32"), 2, 42, lambda: right)
    with pytest.raises(AssertionError, match=r"^the shape of the answer is \(1, 40\), that of the reference \(2, 40\)$"):
        spec.check(right[:1], 2, 42, lambda: right)
    with pytest.raises(AssertionError, match=r"80 of 80 entries are NaN in one of them alone$"):
        spec.check(np.full_like(right, np.nan), 2, 42, lambda: right)


def test_the_error_of_an_array_is_that_of_its_worst_entry() -> None:
    value, truth = {"a": np.array([1.0, 4.0]), "b": 2.0}, {"a": np.array([1.0, 5.0]), "b": 2.0}
    assert differences.largest(value, truth) == pytest.approx(0.2)
    assert differences.largest(np.array([np.nan, np.inf]), np.array([np.nan, np.inf])) == 0
    assert differences.largest((1.1, np.nan), (1.0, 1.0)) == np.inf
    assert differences.largest(np.array([np.inf]), np.array([-np.inf])) == np.inf


def test_a_size_past_memory_is_refused_before_it_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = r"^1000000 rows need at least 2\.4e\+05 GB of memory, and \d+(\.\d+)? GB are available$"
    with pytest.raises(Unavailable, match=reason):
        prepare("relu", "numpy", 1_000_000)
    needed = kernels.load("relu").bytes_needed(100)
    assert needed == (2 + 1) * 100 * 2000 * 4, "the input as NumPy's and as the framework's, and the result"
    monkeypatch.setattr(machine, "available_bytes", lambda: needed - 1)
    with pytest.raises(Unavailable, match="GB are available"):
        prepare("relu", "numpy", 100)
    monkeypatch.setattr(machine, "available_bytes", lambda: needed)
    prepare("relu", "numpy", 100)


def test_an_unknown_spelling_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"^relu has no spelling 'naive'; known: run$"):
        prepare("relu", "numpy", 1, spelling="naive")


def test_an_array_without_axes_is_a_number_and_one_of_another_library_is_numpy_s() -> None:
    case = prepare("side_effect", "c", 3)
    assert case.with_inputs(np.array(3, "float32")).check() == 9

    class Series:
        """As pandas' are: with a dtype, a shape, and flags of its own."""

        dtype, shape, flags = np.dtype("float32"), (2, 2), object()

        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.ones((2, 2), "float32")

    assert prepare("relu", "numpy", 10).with_inputs(Series()).value().tolist() == [[1, 1], [1, 1]]
