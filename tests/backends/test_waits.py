"""What the clock of a user's function waits for: the results of the framework that its label names, and of no other."""

from typing import Any

import numpy as np
import pytest

import jitkernels
from jitkernels import prepare
from jitkernels.backends.compiler import require_awaited, unfinished

LABELS = "label it torch_eager, torch_script, torch_dynamo, torch_aot or torch_inductor, so that the clock waits"


def own(backend: str) -> Any:
    return prepare("philox_pi", backend, 1).compiler  # Unavailable skips the test


def returns_jax(x):
    import jax

    return {"root": jax.numpy.sqrt(x)}


def returns_numpy(x):
    return {"root": np.asarray(returns_jax(x)["root"])}


def inputs(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    return (rng.random(size, dtype="float32"),)


def test_only_results_of_a_device_s_framework_are_waited_for() -> None:
    array = own("jax").put(np.zeros(3))
    result = {"a": [1, 2.0, None], "b": (np.zeros(3), [array]), "c": "text", "d": np.float64(1)}
    assert [part for part, _ in unfinished(result)] == [array]


@pytest.mark.parametrize("place", [0, 1])
def test_pytorch_waits_for_a_gpu_wherever_its_tensor_is(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    torch, devices = own("torch_eager"), list[str]()
    on_gpu = type("OnGpu", (), {"is_cuda": True, "device": "cuda:0"})()
    result = [3, {"x": np.zeros(2)}]
    result.insert(place, {"y": (on_gpu,)})
    monkeypatch.setattr("torch.cuda.synchronize", devices.append)
    assert torch.wait(result) is result
    assert torch.wait(()) == ()
    assert devices == ["cuda:0"]


def test_tensorflow_is_asked_once_for_its_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    case = prepare("philox_pi", "tensorflow_eager", 10)
    case.call()
    monkeypatch.setattr("tensorflow.config.list_logical_devices", None)
    case.check()


@pytest.mark.parametrize("backend", ["python", "numpy", "c", "numba", "torch_eager"])
def test_an_array_that_the_label_s_framework_does_not_wait_for_is_refused(backend: str) -> None:
    array = own("jax").put(np.zeros(3))
    for result in (array, (1.0, {"x": array})):
        with pytest.raises(
            TypeError, match=r"^it returns an array of jax, .*: label it jax_eager or jax, so that the clock"
        ):
            require_awaited(result, own(backend))


def test_a_framework_with_many_backends_names_them_all() -> None:
    tensor = own("torch_eager").put(np.zeros(3))
    with pytest.raises(TypeError, match=f"^it returns an array of torch, which may not be finished: {LABELS}"):
        require_awaited([tensor], own("numpy"))


@pytest.mark.parametrize(
    ("made", "label"), [("jax", "jax_eager"), ("torch_eager", "torch_inductor"), ("torch_eager", "triton"), ("numpy", "jax")]
)
def test_what_the_label_s_framework_waits_for_is_taken(made: str, label: str) -> None:
    require_awaited((own(made).put(np.zeros(3)), 1.0, np.zeros(3)), own(label))


@pytest.mark.usefixtures("lives_once")
def test_a_function_under_another_framework_s_label_has_no_time() -> None:
    own("jax")
    functions = {"numpy": returns_numpy, "python: does not": returns_jax}
    report = jitkernels.compare(functions, inputs, [50], processes=1, lives=("cold",), timeout=3600)
    rows = {row["label"]: row for row in report.rows}
    assert [rows[label]["status"] for label in functions] == ["ok", "failed"], report
    assert "TypeError: it returns an array of jax" in rows["python: does not"]["reason"]
    assert {rows["python: does not"][key] for key in ("warm_seconds", "cold_seconds", "first_calls")} == {None}
