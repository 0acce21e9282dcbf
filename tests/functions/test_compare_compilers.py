"""``jitkernels.compare``: each compiler gets a user's function as its user compiles it."""

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import user_functions
from comparing import FUNCTIONS, compare, reason, require

import jitkernels
from jitkernels.backends.artifacts import Stages
from jitkernels.backends.compiler import class_of
from jitkernels.backends.table import find_backend
from jitkernels.functions.arguments import require_call
from jitkernels.source import Source


def test_a_function_whose_compiler_has_no_such_device_is_no_failure() -> None:
    report = compare({**FUNCTIONS, "triton": user_functions.right})
    assert report.ok
    assert reason(report, "triton")[1].startswith("triton has no compiler for the cpu")


@pytest.mark.usefixtures("lives_once")
def test_numba_compiles_defaults_and_helpers_with_signatures_again() -> None:
    require("numba")
    import numba

    root = numba.njit("float64(float64)")(lambda value: value**0.5)

    def with_helper(x: Any, first: int = 0, *others: Any) -> Any:
        total = np.zeros(x.shape[0])
        for i in range(first, x.shape[0]):
            for j in range(x.shape[1]):
                total[i] += root(x[i, j])
        return total

    report = compare({**FUNCTIONS, "numba": with_helper}, lives=("cold",), rtol=1e-4)
    assert report.ok, report
    assert report.rows[1]["stages"]["llvm"] > 0


def test_numba_names_what_a_user_has_to_change() -> None:
    require("numba")
    import numba

    def helper(value: float) -> float:
        return value**0.5

    def calls_helper(x: Any) -> Any:
        return helper(x[0, 0])

    parallel = numba.njit(parallel=True)(user_functions.with_loops)
    report = compare({**FUNCTIONS, "numba: helper": calls_helper, "numba: parallel": parallel}, rtol=1e-4)
    words = "; Numba calls only what it compiled: decorate the helper, or itself, with njit"
    assert reason(report, "numba: helper")[1].endswith(words)
    assert "label it numba_parallel" in reason(report, "numba: parallel")[1]


def test_torchscript_compiles_in_the_first_call() -> None:
    require("torch_script")
    backend = find_backend("torch_script")
    compiler = class_of(backend.framework)(backend, "cpu")
    before = compiler.programs()
    program = compiler.program(user_functions.doubled)
    assert compiler.programs() == before
    assert program(compiler.place(np.ones(2, "float32"))).tolist() == [2, 2]
    assert compiler.programs() == before + 1


def test_a_vectorized_function_of_numba_is_taken_as_it_is() -> None:
    require("numba")
    import numba

    def root(value: float, result: Any) -> None:
        result[0] = value**0.5

    generalized = numba.guvectorize(["(f8,f8[:])"], "()->()")(root)
    functions = {"numpy": np.sqrt, "numba": numba.vectorize(lambda value: value**0.5), "numba: generalized": generalized}
    report = compare(functions, rtol=1e-4)
    assert report.ok, report
    assert [row["jitted"] for row in report.rows[1:]] == [True, True]
    with pytest.raises(ValueError, match="does not take the 2 arguments that inputs gives: it takes 1"):
        require_call(generalized, (1.0, 2.0))


def test_a_static_argument_may_be_a_number_of_numpy() -> None:
    require("jax")
    report = jitkernels.compare(
        {"numpy": user_functions.scaled, "jax": user_functions.scaled},
        lambda size, rng: (rng.random(size), rng.integers(2, 9)),
        [50],
        processes=1,
        lives=(),
        static=("count",),
        rtol=1e-4,
    )
    assert report.ok, report


def test_torch_compiles_a_user_s_function_whole_and_its_lazy_answers_are_read() -> None:
    require("torch_eager")
    import torch

    def activated(x: Any, *, activation: Any = user_functions.right) -> Any:
        return activation(x)

    assert Source("f", Path(), activated, is_user_function=True).parts == {}
    assert Source("f", Path(), activated).parts == {"activation": user_functions.right}
    torch_compiler = class_of(find_backend("torch_eager").framework)
    assert torch_compiler.fetch(torch.tensor([1 + 2j]).conj()).tolist() == [1 - 2j]
    graph, script = torch.fx.symbolic_trace(torch.nn.Identity()), torch.jit.script(torch.nn.Identity())
    marks = find_backend("torch_script").framework.marks
    assert [any(hasattr(each, mark) for mark in marks) for each in (graph, script)] == [False, True]


@pytest.mark.usefixtures("lives_once")
@pytest.mark.parametrize("backend", ["numba", "jax"])
def test_compilers_get_the_function_as_their_users_compile_it(backend: str) -> None:
    require(backend)
    function = user_functions.with_loops if backend == "numba" else user_functions.namespace
    report = compare({backend: function}, reference=backend, lives=("cold", "cached", "retrace"), rtol=1e-4)
    assert report.ok, report
    (row,) = report.rows
    assert (row["cold_programs"], row["cold_from_disk"], row["stages_total"] > 0) == (1, 0, True)
    assert (row["cached_programs"], row["cached_from_disk"]) == (0, 1)
    assert row["retrace_kind"] == "shape" and row["retrace_programs"] == (1 if backend == "jax" else 0)


def test_a_callable_of_torch_that_cannot_be_copied_has_no_stages() -> None:
    require("torch_eager")
    from jitkernels.backends.torch import artifacts

    compiler: Any = None  # not reached
    assert artifacts.stages(compiler, Source("", Path(), functools.partial(len)), ()) == Stages()


def test_a_function_of_the_array_api_runs_on_numpy_jax_and_torch() -> None:
    require("jax")
    require("torch_eager")
    report = compare({"array_api": user_functions.namespace, "torch_eager": user_functions.namespace}, rtol=1e-4)
    assert report.labels == ["numpy", "jax", "torch_inductor", "torch_eager"]
    assert report.ok, report


@pytest.mark.usefixtures("lives_once")
@pytest.mark.parametrize(("backend", "lives"), [("numba", ("cold", "cached")), ("tensorflow_xla", ("cold",))])
def test_a_decorated_function_is_taken_as_it_is_and_its_first_calls_are_counted(
    backend: str, lives: tuple[str, ...]
) -> None:
    require(backend)
    if backend == "numba":
        import numba

        decorated = numba.njit(cache=True)(user_functions.with_loops)
    else:
        import tensorflow as tf

        decorated = tf.function(user_functions.in_tensorflow, jit_compile=True)
        other = compare({**FUNCTIONS, "tensorflow_graph": decorated}, lives=(), rtol=1e-4).rows[1]
        assert other["reason"] == "ValueError: tf.function compiles it with other options: label it tensorflow_xla"
    report = compare({**FUNCTIONS, backend: decorated}, lives=lives, rtol=1e-4)
    assert report.ok, report
    row = report.rows[1]
    counts = {life: (row[f"{life}_programs"], row[f"{life}_from_disk"]) for life in lives}
    assert counts.items() <= {"cold": (1, 0), "cached": (0, 1)}.items()
    assert [row["jitted"] for row in report.rows] == [False, True] and row["stages"] == {}
    assert f"jitted already: {backend}: it runs as it is, so its stages cannot be timed" in repr(report)
    assert all(row[f"{life}_seconds"] > 0 for life in lives)


@pytest.mark.usefixtures("lives_once")
def test_a_function_that_was_compiled_before_its_first_call_has_none() -> None:
    require("numba")
    import numba

    early = numba.njit("f4[::1](f4[:,::1])")(user_functions.with_loops)
    report = compare({**FUNCTIONS, "numba": early}, lives=("cold",), rtol=1e-4)
    assert report.ok, report
    numpy, row = report.rows
    assert (row["cold_programs"], row["cold_seconds"], report.break_even()) == (0, None, {})
    assert numpy["cold_seconds"] > 0, "it compiles nothing by kind"
    assert any(note.startswith("the first call compiled nothing: numba: it was compiled before") for note in report.notes())
