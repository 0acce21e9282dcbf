"""The convolutional network: agreement after one step and ten, NaN, other frameworks' float64, and what warm-ups leave."""

import functools
from typing import Any

import numpy as np
import pytest
from conftest import default_cells
from onednn import nan_may_be_lost

from benchmarks.convnet_train import BACKENDS as TRAINING
from jitkernels import availability, differences, kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case
from jitkernels.kernels import _convnet
from jitkernels.kernels._close import step_errors
from jitkernels.kernels.convnet_train import FARTHEST, LAST, STEP_TOLERANCE, check
from jitkernels.measure import warm_up

SIDE = 64
STEPS = 10
ROUNDING = 1e-4  # of a step's length; w6's step is 0.002 of w6, which is stored to 2^-24, and each gradient adds as much
INFERENCE = [name for name, line in BACKENDS.items() if not availability.absent(kernels.load("convnet_infer"), line)]


def float64(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: float64(entry) for name, entry in value.items()}
    return value.astype(np.float64) if value.dtype == np.float32 else value


@functools.cache
def step(backend: str) -> Case:
    """Return the training step, one case for all tests: it keeps its program while those of other cases are forgotten."""
    return prepare("convnet_train", backend, SIDE)


def train(case: Case, inputs: tuple[Any, ...], steps: int) -> tuple[list[float], dict[str, Any]]:
    """The losses of the steps, and the parameters after the last, which each step hands to the next."""
    put = case.compiler.put
    parameters = {name: put(entry) for name, entry in inputs[0].items()}
    data = [put(value) for value in inputs[1:]]
    losses = []
    for _ in range(steps):
        loss, parameters = case.program(parameters, *data)
        losses.append(case.compiler.fetch(loss))
    return losses, case.compiler.fetch(parameters)


@pytest.fixture(scope="module")
def inputs() -> tuple[Any, ...]:
    return _convnet.inputs(SIDE, 42)


@pytest.fixture(scope="module")
def ten_steps(inputs: tuple[Any, ...]) -> tuple[list[float], dict[str, Any]]:
    """The truth after ten steps."""
    return train(prepare("convnet_train", "torch_eager", SIDE), tuple(map(float64, inputs)), STEPS)


LEFT = [  # programs compiled in the first step after each warm-up
    ("jax", "forward", 1),  # the step is one program, and shares nothing with the loss's
    ("jax", "step", 0),
    ("tensorflow_xla", "forward", 1),
    ("torch_dynamo", "no_grad", 1),  # whether gradients are recorded is part of what a graph is guarded by
    ("torch_dynamo", "forward", 0),  # Dynamo's graph is the forward pass; autograd takes its operations as they come
    ("torch_dynamo", "step", 0),
    ("torch_aot", "no_grad", 1),
    ("torch_aot", "forward", 0),  # the backward pass is traced with the forward pass
    ("torch_aot", "step", 0),
    ("torch_inductor", "forward", 1),  # the backward pass was traced, and is compiled when a gradient is asked for
]


@pytest.mark.usefixtures("caches_restored")
@pytest.mark.parametrize(("backend", "kind", "programs"), LEFT)
def test_a_warm_up_leaves_what_it_has_not_met(backend: str, kind: str, programs: int) -> None:
    case = step(backend)
    case.forget()
    assert warm_up.programs(case, kind, 3) == [programs, 0, 0]


@pytest.mark.parametrize(("kernel", "backend"), default_cells(__file__))
def test_the_answer_is_right_at_the_default_size(kernel: str, backend: str) -> None:
    assert kernels.load(kernel).default_size == SIDE
    (step(backend) if kernel == "convnet_train" else prepare(kernel, backend, SIDE)).check()


@pytest.mark.parametrize("backend", TRAINING)
def test_a_step_is_the_reference_s_to_rounding_where_no_unit_is_at_its_kink(backend: str, inputs: tuple[Any, ...]) -> None:
    case = step(backend)
    _, after = case.check()
    assert max(step_errors(after, case.truth()[1], inputs[0]).values()) < ROUNDING


@pytest.mark.parametrize("backend", TRAINING)
def test_ten_steps_end_where_the_reference_s_ten_steps_end(
    backend: str, inputs: tuple[Any, ...], ten_steps: tuple[list[float], dict[str, Any]]
) -> None:
    losses, after = train(step(backend), inputs, STEPS)
    assert losses == pytest.approx(ten_steps[0], rel=1e-5)  # ten times a step's rounding, 1e-7 to 1e-6 of the loss
    assert losses[-1] < losses[0] / 2, "the loss falls"
    # Along this path no unit comes so near its kink that rounding carries it across: a crossing would show as 1e-3.
    assert max(step_errors(after, ten_steps[1], inputs[0]).values()) < 10 * ROUNDING


def test_jax_in_float64_takes_the_reference_s_step(inputs: tuple[Any, ...]) -> None:
    wide = tuple(map(float64, inputs))
    (loss,), after = train(prepare("convnet_train", "jax", SIDE), wide, 1)
    (truth,), expected = train(prepare("convnet_train", "torch_eager", SIDE), wide, 1)
    assert loss == pytest.approx(truth, rel=1e-12)
    assert max(step_errors(after, expected, wide[0]).values()) < 1e-10


def test_jax_in_float64_gives_the_reference_s_logits(inputs: tuple[Any, ...]) -> None:
    parameters, x, _ = map(float64, inputs)
    jax, numpy = prepare("convnet_infer", "jax", SIDE), prepare("convnet_infer", "numpy", SIDE)
    arguments = {name: jax.compiler.put(entry) for name, entry in parameters.items()}, jax.compiler.put(x)
    assert differences.largest(jax.compiler.fetch(jax.program(*arguments)), numpy.program(parameters, x)) < 1e-12


@pytest.mark.parametrize("backend", INFERENCE)
def test_nan_in_one_image_reaches_its_logits_and_no_others(backend: str, inputs: tuple[Any, ...]) -> None:
    parameters, x, _ = inputs
    x = x.copy()
    x[3, 1, 30, 31] = np.nan
    with nan_may_be_lost("convnet_infer", backend):
        logits = prepare("convnet_infer", backend, SIDE).with_inputs(parameters, x).check()
        assert np.isnan(logits).any(axis=1).nonzero()[0].tolist() == [3]
        assert np.isnan(logits[3]).all()


@pytest.mark.parametrize("backend", TRAINING)
def test_nan_in_an_image_makes_the_loss_nan(backend: str, inputs: tuple[Any, ...]) -> None:
    parameters, x, labels = inputs
    x = x.copy()
    x[3, 1, 30, 31] = np.nan
    (loss,), after = train(step(backend), (parameters, x, labels), 1)
    with nan_may_be_lost("convnet_train", backend):
        assert np.isnan(loss)
        assert np.isnan(after["b8"]).all()


@pytest.mark.parametrize("side", [63, 81])
@pytest.mark.parametrize("backend", ["jax", "tensorflow_graph", "torch_script"])
def test_a_side_that_strides_do_not_divide_is_right_too(backend: str, side: int) -> None:
    prepare("convnet_infer", backend, side).check()


def test_widths_shrink_with_the_side_and_stay_multiples_of_8() -> None:
    for side in _convnet.SIDES:
        lengths = _convnet.dimensions(side)
        for name, width in _convnet.WIDTHS.items():
            assert lengths[name] % 8 == 0
            assert 0 <= lengths[name] - width * side / _convnet.ARTICLE < 8


def test_at_224_everything_is_the_article_s() -> None:
    dimensions = _convnet.dimensions(224)
    assert dimensions == {"images": 16, "side": 224, "features": 9216, **_convnet.WIDTHS}
    parameters = sum(
        np.prod([axis if isinstance(axis, int) else dimensions[axis] for axis in array.shape])
        for array in _convnet.PARAMETERS.values()
    )
    assert parameters == 61_100_840, "torchvision's models.alexnet() has as many"


def test_no_images_are_refused(inputs: tuple[Any, ...]) -> None:
    parameters, x, labels = inputs
    case = prepare("convnet_train", "torch_eager", SIDE)
    with pytest.raises(ValueError, match="axis 0 of x must have at least 1 element"):
        case.with_inputs(parameters, x[:0], labels[:0])
    with pytest.raises(ValueError, match="axis 0 of labels has length 15, but images is 16 in x"):
        case.with_inputs(parameters, x, labels[1:])
    with pytest.raises(TypeError, match="labels must hold int64, not int32"):
        case.with_inputs(parameters, x, labels.astype(np.int32))


class Reference:
    """What ``check`` compares with: the truth about one case."""

    def __init__(self, case: Case) -> None:
        self.inputs, self.truth = case.inputs, case.truth()

    def __call__(self) -> Any:
        return self.truth


@pytest.mark.parametrize("name", [name.partition(".")[2] for name in _convnet.PARAMETERS])
@pytest.mark.parametrize("factor", [0.0, 0.9, 2.0])
def test_a_wrong_gradient_of_any_parameter_is_found(name: str, factor: float, inputs: tuple[Any, ...]) -> None:
    reference = Reference(prepare("convnet_train", "torch_eager", SIDE))
    loss, after = reference()
    wrong = inputs[0][name] + factor * (after[name] - inputs[0][name])
    with pytest.raises(AssertionError, match=r"off by"):
        check((loss, {**after, name: wrong}), SIDE, 42, reference)


@pytest.mark.parametrize("name", LAST)
def test_a_rate_that_is_a_thousandth_off_shows_in_the_last_layer(name: str, inputs: tuple[Any, ...]) -> None:
    reference = Reference(prepare("convnet_train", "torch_eager", SIDE))
    loss, after = reference()
    wrong = {key: inputs[0][key] + 0.999 * (value - inputs[0][key]) for key, value in after.items()}
    with pytest.raises(AssertionError, match=r"step of w8 is off by 0\.001 of its length"):
        check((loss, wrong), SIDE, 42, reference)
    with pytest.raises(AssertionError, match=rf"step of {name} is off by 0\.001 of its length"):
        check((loss, {**after, name: wrong[name]}), SIDE, 42, reference)


def test_a_crossed_kink_is_no_wrong_gradient() -> None:
    """Of seed 113 one hidden unit of one image is so near zero that float32 and float64 see it on two sides."""
    case = prepare("convnet_train", "torch_eager", SIDE, seed=113)
    after, truth = case.check()[1], case.truth()[1]
    assert differences.largest(after, truth) < FARTHEST
    assert max(step_errors(after, truth, case.inputs()[0]).values()) < STEP_TOLERANCE


def test_an_unknown_warm_up_is_refused() -> None:
    case = prepare("convnet_train", "torch_eager", SIDE)
    with pytest.raises(ValueError, match="unknown warm-up 'backward'; known: no_grad, forward, step"):
        warm_up.warm_up(case, "backward")
    with pytest.raises(ValueError, match="relu has no forward_loss in torch"):
        warm_up.warm_up(prepare("relu", "torch_eager", 10), "forward")
