"""The multilayer perceptron and the transformer block: right gradients, the same training everywhere, NaN, refusals."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import default_cells
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onednn import nan_may_be_lost

from benchmarks import attention_train, mlp_train
from jitkernels import availability, case, kernels, prepare, source
from jitkernels.backends.table import BACKENDS
from jitkernels.kernels import _close, _mlp
from jitkernels.kernels.attention_train import TOLERANCE as ATTENTION_TOLERANCE
from jitkernels.kernels.attention_train.numpy import loss_and_gradients as attention_loss_and_gradients
from jitkernels.kernels.mlp_infer import TOLERANCE as ROUNDING
from jitkernels.kernels.mlp_train import TOLERANCE as MLP_TOLERANCE
from jitkernels.kernels.mlp_train.numpy import loss_and_gradients as mlp_loss_and_gradients

INFER, TRAIN = ("mlp_infer", "attention_infer"), ("mlp_train", "attention_train")
WRITTEN = [name for name, line in BACKENDS.items() if not availability.absent(kernels.load("mlp_infer"), line)]
QUICK = ["numpy", "tensorflow_eager", "torch_eager"]  # to call at another size
SIZE = kernels.load("mlp_train").default_size  # samples; one size for most tests, because each is compiled for anew
STEPS = 10
DRIFT = STEPS  # times the tolerance of one step: errors add up, and rates as low as these hardly make them grow

SETTINGS = settings(deadline=None, max_examples=6, derandomize=True, suppress_health_check=list(HealthCheck))
LossAndGradients = Callable[[dict[str, Any], Any, Any], tuple[Any, dict[str, Any]]]


def small(kernel: str) -> tuple[LossAndGradients, dict[str, Any], Any, Any]:
    """A model of a few hundred parameters, two samples, and its loss with its gradient; all float64."""
    function = {"mlp_train": mlp_loss_and_gradients, "attention_train": attention_loss_and_gradients}[kernel]
    lengths = {"batch": 2, "sequence": 3, "width": 8, "projections": 24, "features": 5, "hidden": 6, "classes": 3}
    numbers = np.random.default_rng(1)
    arrays = {
        name: numbers.standard_normal([lengths[str(axis)] for axis in array.shape])
        for name, array in kernels.load(kernel).arguments.items()
        if name != "labels"
    }
    x = arrays.pop("x")
    return function, {name.removeprefix("parameters."): array for name, array in arrays.items()}, x, np.array([2, 0])


def assert_gradients_are_the_loss_s(function: LossAndGradients, parameters: dict[str, Any], x: Any, labels: Any) -> None:
    """Each entry against a central difference, which at this step is good to about eight digits."""
    step = 1e-5
    _, gradients = function(parameters, x, labels)
    assert gradients.keys() == parameters.keys()
    for name, values in parameters.items():
        differences = np.empty_like(values)
        for place in np.ndindex(values.shape):
            losses = []
            for sign in (1, -1):
                moved = values.copy()
                moved[place] += sign * step
                losses.append(function({**parameters, name: moved}, x, labels)[0])
            differences[place] = (losses[0] - losses[1]) / (2 * step)
        np.testing.assert_allclose(gradients[name], differences, rtol=1e-6, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("kernel", TRAIN)
def test_the_reference_s_gradient_is_that_of_its_loss(kernel: str) -> None:
    assert_gradients_are_the_loss_s(*small(kernel))


@pytest.mark.parametrize("kernel", TRAIN)
@pytest.mark.parametrize("name", ["w1", "b1", "b2"])
def test_the_check_of_the_gradient_can_fail(kernel: str, name: str) -> None:
    right, *arguments = small(kernel)

    def wrong(*arguments: Any) -> Any:
        loss, gradients = right(*arguments)
        return loss, {**gradients, name: gradients[name] * 1.001}

    with pytest.raises(AssertionError, match=name):
        assert_gradients_are_the_loss_s(wrong, *arguments)


@functools.cache
def reference_steps(kernel: str) -> list[tuple[Any, Any]]:
    """(loss, parameters) after each of the steps, in float64."""
    run = source.load(kernels.load(kernel), "numpy").run
    assert run is not None
    parameters, x, labels = kernels.load(kernel).inputs(SIZE, case.DEFAULT_SEED)
    parameters, x = {name: p.astype(np.float64) for name, p in parameters.items()}, x.astype(np.float64)
    steps = []
    for _ in range(STEPS):
        loss, parameters = run(parameters, x, labels)
        steps.append((loss, parameters))
    return steps


@pytest.mark.parametrize("kernel", TRAIN)
@pytest.mark.parametrize("backend", WRITTEN)
def test_ten_steps_are_the_reference_s_ten_steps(kernel: str, backend: str) -> None:
    model = prepare(kernel, backend, SIZE)
    parameters, x, labels = model.arguments
    tolerance = DRIFT * (MLP_TOLERANCE if kernel == "mlp_train" else ATTENTION_TOLERANCE)
    for loss, wanted in reference_steps(kernel):
        value, parameters = model.compiler.wait(model.program(parameters, x, labels))
        _close.require_close(model.compiler.fetch((value, parameters)), (loss, wanted), tolerance)


@pytest.mark.parametrize(("kernel", "backend"), default_cells(__file__))
def test_the_answer_is_right_at_the_default_size(kernel: str, backend: str) -> None:
    prepare(kernel, backend, kernels.load(kernel).default_size).check()


@pytest.mark.parametrize("kernel", TRAIN)
def test_ten_steps_learn(kernel: str) -> None:
    losses = [loss for loss, _ in reference_steps(kernel)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] / 2


@pytest.mark.parametrize("kernel", TRAIN)
def test_the_check_notices_every_parameter_that_was_not_updated(kernel: str) -> None:
    model = prepare(kernel, "numpy", SIZE)
    loss, right = model.check()
    for name, before in model.inputs()[0].items():
        with pytest.raises(AssertionError, match="off by"):
            model.check_answer((loss, {**right, name: before}))
        off = (right[name] + 0.0005 * (right[name] - before)).astype(np.float32)
        with pytest.raises(AssertionError, match=f"the step of {name} is off by 0.000[45]|off by .* of the largest entry"):
            model.check_answer((loss, {**right, name: off}))


def test_a_step_is_checked_that_is_a_small_part_of_its_parameter() -> None:
    model = prepare("mlp_train", "numpy", 32)
    loss, right = model.check()
    off = right["w1"] + 0.001 * (right["w1"] - model.inputs()[0]["w1"])
    with pytest.raises(AssertionError, match="the step of w1 is off by"):
        model.check_answer((loss, {**right, "w1": off.astype(np.float32)}))


@pytest.mark.parametrize("kernel", TRAIN)
@pytest.mark.parametrize("backend", WRITTEN)
def test_a_step_leaves_what_it_was_given(kernel: str, backend: str) -> None:
    model = prepare(kernel, backend, SIZE)
    model.call()
    parameters, x, labels = map(model.compiler.fetch, model.arguments)
    before, *rest = model.kernel.inputs(SIZE, model.seed)
    assert all(np.array_equal(parameters[name], before[name]) for name in before)
    assert np.array_equal(x, rest[0]) and np.array_equal(labels, rest[1])


@pytest.mark.parametrize("kernel", INFER)
@pytest.mark.parametrize("backend", WRITTEN)
def test_nan_in_a_sample_stays_in_its_logits(kernel: str, backend: str) -> None:
    parameters, x = kernels.load(kernel).inputs(SIZE, 1)
    x[1, ..., 3] = np.nan
    with nan_may_be_lost(kernel, backend):
        logits = prepare(kernel, backend, SIZE).with_inputs(parameters, x).check()
        nan = np.isnan(logits)
        assert nan.any(axis=1).tolist() == nan.all(axis=1).tolist() == [i == 1 for i in range(SIZE)]


@pytest.mark.parametrize("kernel", TRAIN)
@pytest.mark.parametrize("backend", WRITTEN)
def test_nan_in_a_sample_makes_the_loss_nan(kernel: str, backend: str) -> None:
    """The gradients are not compared: for max(0, z) at NaN, JAX has the derivative 0, and torch hands NaN on."""
    parameters, x, labels = kernels.load(kernel).inputs(SIZE, 1)
    x[1, ..., 3] = np.nan
    loss, _ = prepare(kernel, backend, SIZE).with_inputs(parameters, x, labels).value()
    with nan_may_be_lost(kernel, backend):
        assert np.isnan(loss)


@pytest.mark.parametrize("kernel", INFER)
@pytest.mark.parametrize("backend", WRITTEN)
def test_an_odd_batch_is_right(kernel: str, backend: str) -> None:
    prepare(kernel, backend, 13).check()


@pytest.mark.parametrize("kernel", INFER)
@pytest.mark.parametrize("backend", QUICK)
@SETTINGS
@given(size=st.integers(1, 20), seed=st.integers(0, 2**64 - 1))
def test_any_batch_is_right(kernel: str, backend: str, size: int, seed: int) -> None:
    prepare(kernel, backend, size, seed).check()


@pytest.mark.parametrize("size", sorted({SIZE, *mlp_train.Warm.params[1]}))
def test_no_activation_is_so_near_zero_that_rounding_would_switch_its_gradient(size: int) -> None:
    """max(0, z) has a kink: two right answers would differ by a sample's share if z had another sign in one of them."""
    p, x, _ = _mlp.inputs(size, case.DEFAULT_SEED)
    z1 = x.astype(np.float64) @ p["w1"] + p["b1"]
    z2 = np.maximum(z1, 0) @ p["w2"] + p["b2"]
    for z in (z1, z2):
        assert np.abs(z).min() > ROUNDING * np.abs(z).max()


def test_a_unit_at_the_kink_makes_no_answer_wrong() -> None:
    parameters, x, labels = _mlp.inputs(SIZE, case.DEFAULT_SEED)
    z = x[0].astype(np.float64) @ parameters["w1"][:, 0] + parameters["b1"][0]
    answers = []
    for side in (-1e-7, 1e-7):  # less than rounding
        parameters["b1"][0] = side - (z - parameters["b1"][0])
        z = x[0].astype(np.float64) @ parameters["w1"][:, 0] + parameters["b1"][0]
        inputs = {name: array.copy() for name, array in parameters.items()}
        model = prepare("mlp_train", "numpy", SIZE).with_inputs(inputs, x, labels)
        answers.append((model, model.check()))
    (one, _), (_, (loss, other)) = answers
    before = one.inputs()[0]
    assert _close.step_errors(other, one.truth()[1], before)["w1"] > _close.STEP_TOLERANCE
    one.check_answer((loss, other))
    doubled = {name: before[name] + 1.1 * (other[name] - before[name]) for name in other}
    with pytest.raises(AssertionError, match="off by"):
        one.check_answer((loss, {name: array.astype(np.float32) for name, array in doubled.items()}))


def test_both_models_are_measured_at_the_same_sizes() -> None:
    assert mlp_train.Warm.params[1] == attention_train.Warm.params[1]


@pytest.mark.parametrize("kernel", TRAIN)
def test_inputs_that_do_not_fit_are_refused(kernel: str) -> None:
    model = prepare(kernel, "numpy", 2)
    parameters, x, labels = model.kernel.inputs(2, 1)
    with pytest.raises(ValueError, match="axis 0 of x must have at least 1 element"):
        model.with_inputs(parameters, x[:0], labels[:0])
    with pytest.raises(TypeError, match="labels must hold int64, not int32"):
        model.with_inputs(parameters, x, labels.astype(np.int32))
    with pytest.raises(TypeError, match="x must hold float32, not float64"):
        model.with_inputs(parameters, x.astype(np.float64), labels)
    with pytest.raises(ValueError, match="axis 0 of labels has length 1, but batch is 2 in x"):
        model.with_inputs(parameters, x, labels[:1])
    with pytest.raises(ValueError, match=r"has length 3, but \w+ is"):
        model.with_inputs(parameters, x[..., :3], labels)
    with pytest.raises(TypeError, match="parameters must be a dictionary with an entry 'w1'"):
        model.with_inputs({name: p for name, p in parameters.items() if name != "w1"}, x, labels)


@pytest.mark.parametrize("backend", ["torch_inductor"])
def test_the_compilation_of_the_gradient_counts_in_each_stage_it_passes(backend: str) -> None:
    """It begins with the first backward pass, after the other clocks have stopped."""
    seconds = prepare("mlp_train", backend, SIZE).stages().seconds
    assert list(seconds) == ["dynamo", "aot_autograd", "inductor"]
    assert min(seconds.values()) > 0
