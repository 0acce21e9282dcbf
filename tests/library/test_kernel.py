"""Sizes, seeds and checks: what is refused, and that it can be."""

import math
import subprocess
import sys

import pytest

from jitkernels import Unavailable, availability, backends, kernels, prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.kernels import _pi
from jitkernels.measure import process

BAD_POINTS = [0, -1, 1.5, 1e6, 2**40 + 1, "1000", None, True, math.nan]
BAD_SEEDS = [-1, 2**64, 0.5, "7", None]


@pytest.mark.parametrize("points", BAD_POINTS)
def test_impossible_points_are_named(points: object) -> None:
    with pytest.raises(ValueError, match=r"^points must be a whole number from 1 to 1099511627776, got "):
        prepare("philox_pi", "python", points)


@pytest.mark.parametrize("seed", BAD_SEEDS)
def test_an_impossible_seed_is_named(seed: object) -> None:
    with pytest.raises(ValueError, match=r"^seed must be a whole number from 0 to 18446744073709551615, got "):
        prepare("philox_pi", "python", 10, seed=seed)


def test_the_extremes_are_allowed() -> None:
    assert prepare("philox_pi", "python", 2**40).size == 2**40
    assert prepare("philox_pi", "python", 1, seed=2**64 - 1).check() in (0, 1)


def test_an_unknown_kernel_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"unknown kernel 'pie'; known: .*monte_carlo_pi.*philox_pi"):
        prepare("pie", "python", 10)


def test_an_unknown_backend_lists_the_known() -> None:
    with pytest.raises(ValueError, match=r"unknown backend 'gcc'; known: python, numpy, c, .*triton"):
        prepare("philox_pi", "gcc", 10)


def test_an_unknown_device_lists_the_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITKERNELS_DEVICE", "tpu")
    with pytest.raises(ValueError, match=r"unknown device 'tpu' in JITKERNELS_DEVICE; known: cpu, gpu"):
        prepare("philox_pi", "python", 10)


@pytest.mark.parametrize("backend", [name for name, row in backends.BACKENDS.items() if "gpu" not in row.framework.devices])
def test_a_backend_without_the_device_says_so(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    with pytest.raises(Unavailable, match=f"^{backend} has no gpu mode; it runs on the cpu$"):
        prepare("philox_pi", backend, 10)


@pytest.mark.parametrize("hits", [785, 0, 1000])
def test_one_wrong_hit_is_found(hits: int) -> None:
    spec = kernels.load("philox_pi")
    with pytest.raises(AssertionError, match=rf"{hits} hits, not 782 \(1000 points, seed 42\)"):
        spec.check(hits, 1000, 42, lambda: pytest.fail("a known answer needs no reference"))


def test_a_count_that_nobody_knows_is_compared_with_the_reference() -> None:
    with pytest.raises(AssertionError, match="7 hits, not 8"):
        kernels.load("philox_pi").check(7, 10, 1, lambda: 8)


@pytest.mark.parametrize(
    ("estimate", "points", "complaint"),
    [
        (math.nan, 1000, "the estimate of pi is nan"),
        (math.inf, 1000, "the estimate of pi is inf"),
        (3.1415, 1000, "is no multiple of 4/1000"),
        (4.4, 1000, "1100 hits from 1000 points"),
        (-0.4, 1000, "-100 hits from 1000 points"),
        (3.16, 1_000_000, "standard errors from pi"),
    ],
)
def test_an_impossible_estimate_is_refused(estimate: float, points: int, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        kernels.load("monte_carlo_pi").check(estimate, points, 42, lambda: math.pi)


def test_metrics_are_those_of_the_formula() -> None:
    metrics = _pi.metrics(3.0, 10_000)
    assert metrics["error"] == pytest.approx(0.14159265)
    assert metrics["relative_error"] == pytest.approx(0.14159265 / math.pi)
    assert metrics["value_acc"] == pytest.approx(1 - 0.14159265 / math.pi)
    assert metrics["z"] == pytest.approx(0.14159265 / (1.642 / 100), rel=1e-3)


@pytest.mark.parametrize("spelling", ["run", "per_iteration"])
def test_a_case_says_what_makes_it(spelling: str) -> None:
    case = prepare("repeated_multiply", "numpy", 3, seed=7, spelling=spelling)
    again = eval(repr(case), {"prepare": prepare})
    assert (again.source.run, again.size, again.seed) == (case.source.run, 3, 7)


def test_a_case_with_other_inputs_says_so() -> None:
    case = prepare("relu", "numpy", 10)
    assert repr(case.with_inputs(*case.inputs())) == "prepare('relu', 'numpy', 10, seed=42).with_inputs(...)"


def test_what_is_no_name_is_refused() -> None:
    for kernel, backend in ((kernels.load("relu"), "c"), ("relu", BACKENDS["c"])):
        with pytest.raises(ValueError, match="a kernel and a backend are given by name, got "):
            prepare(kernel, backend, 10)  # type: ignore[arg-type]


DISABLED = [(name, *pair) for name, row in BACKENDS.items() for pair in row.disabled_by.items()]


@pytest.mark.parametrize(("backend", "variable", "values"), DISABLED)
def test_a_compiler_that_a_variable_switches_off_is_not_timed(
    backend: str, variable: str, values: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert availability.disabled(BACKENDS[backend]) is None
    for value in map(str.upper, values):
        monkeypatch.setenv(variable, value)
        reason = f"{variable}={value} makes it another compiler or none: unset that variable"
        assert availability.disabled(BACKENDS[backend]) == reason


def test_without_asserts_no_answer_is_called_right() -> None:
    script = "from jitkernels import prepare; prepare('relu', 'numpy', 10).check()"
    answer = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True)
    assert answer.stderr.splitlines()[-1].startswith("RuntimeError: python -O (PYTHONOPTIMIZE) drops the asserts")


def test_processes_that_measure_have_asserts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    case = {"kernel": "relu", "backend": "numpy", "size": 10, "seed": 42}
    assert process.ask_once("tasks.check", case)["status"] == "ok"


def test_figures_that_are_not_json_are_a_failure_with_a_reason() -> None:
    answer = process.answer(lambda **case: {"error": math.nan}, {"kernel": "relu", "backend": "numpy"})
    assert (answer["status"], "not JSON compliant" in answer["reason"]) == ("failed", True)
