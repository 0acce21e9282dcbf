"""``jitkernels.compare`` from Python: real processes, and each bad input in one line."""

from typing import Any

import numpy as np
import pytest
import user_functions

import jitkernels
from jitkernels import kernels
from jitkernels.functions.report import Report
from jitkernels.measure import timing

FUNCTIONS = {"numpy": user_functions.right}


def compare(functions: dict[str, Any], **options: Any) -> Report:
    return jitkernels.compare(functions, user_functions.inputs, [50], **{"processes": 1, "lives": (), **options})


def reason(report: Report, label: str) -> tuple[str, str]:
    (row,) = [row for row in report.rows if row["label"] == label]
    return row["status"], row["reason"]


def test_functions_are_checked_and_timed_in_processes_of_their_own() -> None:
    sizes = [50, 2000]
    report = jitkernels.compare(
        {"numpy": user_functions.right, "python": user_functions.with_loops},
        user_functions.inputs,
        sizes,
        processes=2,
        lives=("cold", "memory"),
    )
    assert report.ok, report
    assert [(row["size"], row["label"]) for row in report.rows] == [
        (size, name) for size in sizes for name in ("numpy", "python")
    ]
    for row in report.rows:
        assert 0 < row["warm_seconds"] < 1 and 0 < row["cold_seconds"] < 10 and row["peak_bytes"] >= 0
        assert (len(row["warm_processes"]), row["warm_samples"]) == (2, 20)
        assert 0 <= row["error"] < 1e-6
    assert report.ranking(2000)[0].backend == "numpy"
    assert "kernel" not in report.rows[0]


def test_one_function_s_failure_costs_the_others_nothing() -> None:
    report = compare(
        {
            **FUNCTIONS,
            **{
                "numpy: wrong": user_functions.wrong,
                "numpy: raises": user_functions.raises,
                "numpy: dies": user_functions.dies,
            },
            **{
                "numpy: prints": user_functions.prints,
                "numpy: in place": user_functions.in_place,
                "numpy: random": user_functions.random,
            },
            **{"numpy: nothing": user_functions.nothing, "numpy: two": user_functions.two_arguments},
            "numpy: changes": user_functions.first_right_then_wrong,
        }
    )
    assert not report.ok
    assert reason(report, "numpy") == ("ok", None)
    assert reason(report, "numpy: prints") == ("ok", None)
    line = user_functions.raises.__code__.co_firstlineno + 1
    expected = {
        "wrong": ("wrong", "off by 0.5, "),
        "raises": ("failed", f"RuntimeError: no such axis: 2 (line {line} of user_functions.py)"),
        "dies": ("failed", "its process ended with exit status 7"),
        "in place": ("wrong", "it changed its argument 0 in place"),
        "random": ("wrong", "off by"),
        "nothing": ("wrong", "it returned nothing (None)"),
        "two": ("failed", "it cannot be called with the 1 arguments that inputs gives: missing a required argument: 'y'"),
        "changes": ("wrong", "the last timed answer to the inputs of a right one: "),
    }
    for name, (status, words) in expected.items():
        told = reason(report, f"numpy: {name}")
        assert told[0] == status and words in told[1], (name, told)


def test_a_function_whose_compiler_has_no_such_device_is_no_failure() -> None:
    report = compare({**FUNCTIONS, "triton": user_functions.right})
    assert report.ok
    assert reason(report, "triton")[1].startswith("triton has no compiler for the cpu")


def test_a_reference_that_is_not_deterministic_is_named() -> None:
    report = compare({"numpy": user_functions.ever_other, "numpy: right": user_functions.right})
    assert reason(report, "numpy: right") == ("wrong", "the reference numpy gives another answer to the same inputs")


def test_a_function_that_hangs_is_stopped() -> None:
    report = compare({**FUNCTIONS, "numpy: hangs": user_functions.hangs}, timeout=5)
    assert reason(report, "numpy: hangs") == ("failed", "no answer within 5 seconds")


@pytest.mark.parametrize("backend", ["numba", "jax"])
def test_compilers_get_the_function_as_their_users_compile_it(backend: str) -> None:
    require(backend)
    functions = {**FUNCTIONS, backend: user_functions.with_loops if backend == "numba" else user_functions.namespace}
    report = compare(functions, lives=("cold", "cached", "retrace"), rtol=1e-4)
    assert report.ok, report
    (row,) = [row for row in report.rows if row["label"] == backend]
    assert (row["cold_programs"], row["cold_from_disk"], row["stages_total"] > 0) == (1, 0, True)
    assert row["retrace_kind"] == "shape" and row["retrace_programs"] == (1 if backend == "jax" else 0)


def test_a_function_of_the_array_api_runs_on_numpy_jax_and_torch() -> None:
    require("jax")
    require("torch_eager")
    report = compare({"array_api": user_functions.namespace, "torch_eager": user_functions.namespace}, rtol=1e-4)
    assert report.labels == ["numpy", "jax", "torch_inductor", "torch_eager"]
    assert report.ok, report


def test_a_function_that_came_compiled_is_taken_as_it_is() -> None:
    require("numba")
    import numba

    report = compare({**FUNCTIONS, "numba": numba.njit(user_functions.with_loops)}, lives=("cold",), rtol=1e-4)
    assert report.ok, report
    row = report.rows[1]
    assert (row["cold_programs"], row["stages"]) == (1, {})


def test_it_agrees_with_the_timing_of_a_kernel_of_this_library() -> None:
    """The same function, given and as a kernel's dialect: the same clock, in processes that take turns."""
    from jitkernels.kernels.softmax import inputs
    from jitkernels.kernels.softmax.numpy import run

    def same(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        return inputs(size, 42)

    (own,) = jitkernels.compare({"numpy": run}, same, [100], processes=3, lives=()).rows
    (row,) = timing.rows(timing.Request((("softmax", 100),), ("numpy",), 42, (), 3))
    assert 1 / 3 < own["warm_seconds"] / row["warm_seconds"] < 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"functions": {}}, "give functions by backend"),
        ({"functions": [user_functions.right]}, "give functions by backend"),
        ({"functions": {"numpy": 3}}, "'numpy' must be a function, not a int"),
        (
            {"functions": {"gcc": user_functions.right}},
            "unknown backend 'gcc'; a label begins with one of python, numpy, numba",
        ),
        ({"functions": {"c": user_functions.right}}, "C compiles no function of Python's; a label begins with one of"),
        ({"functions": {"numpy": user_functions.generator}}, "'numpy' is a generator: its call computes nothing"),
        (
            {"functions": {"numba": user_functions.namespace, "numpy": user_functions.right}},
            "numba has no namespace for xp; backends of numpy",
        ),
        ({"functions": {"array_api": user_functions.right}}, "the first parameter of an array_api function must be xp"),
        ({"functions": {"jax": user_functions.right}}, "there is no reference: reference= names the function"),
        ({"reference": "jax"}, "the reference 'jax' is none of the functions"),
        (
            {"functions": {"numpy": user_functions.two_arguments}},
            "the reference numpy cannot be called: it cannot be called with",
        ),
        ({"sizes": 100}, "sizes must be whole numbers, one at least"),
        ({"sizes": "100"}, "sizes must be whole numbers, one at least"),
        ({"sizes": []}, "sizes must be whole numbers, one at least"),
        ({"sizes": ["many"]}, "each size must be a whole number from 1 to 4611686018427387904, got 'many'"),
        ({"sizes": [0]}, "each size must be a whole number from 1"),
        ({"sizes": [1.5]}, "each size must be a whole number from 1"),
        ({"inputs": 3}, "inputs must be a function of size and rng, not a int"),
        ({"inputs": lambda size: ()}, "inputs must take size and rng: too many positional arguments"),
        ({"inputs": lambda size, rng: [1, 2]}, "inputs must return NumPy arrays and numbers, in a tuple; entry 0 is a list"),
        ({"inputs": lambda size, rng: (np.array(["a"]),)}, "inputs must return arrays of numbers; entry 0 holds <U1"),
        ({"inputs": user_functions.ever_new}, "gave other numbers the second time: draw them from rng alone"),
        ({"rtol": -1}, "rtol must be a number, 0 or more, got -1"),
        ({"atol": float("nan")}, "atol must be a number, 0 or more, got nan"),
        ({"lives": ("hot",)}, "unknown life 'hot'; known: cold, cached, retrace, memory"),
        ({"processes": 0}, "processes must be a whole number from 1 to 100, got 0"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"timeout": 0}, "timeout must be seconds, more than 0, got 0"),
    ],
)
def test_a_mistake_is_one_line(change: dict[str, Any], words: str) -> None:
    arguments = {"functions": FUNCTIONS, "inputs": user_functions.inputs, "sizes": [10], **change}
    with pytest.raises(ValueError, match=r"\A[^\n]+\Z") as mistake:
        jitkernels.compare(**arguments)
    assert words in str(mistake.value)


def test_inputs_that_do_not_fit_into_memory_are_no_failure() -> None:
    def inputs(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        return (np.zeros(4) if size < 100 else np.empty((2**50, size)),)

    rows = jitkernels.compare({"numpy": np.negative}, inputs, [10, 1000], processes=1, lives=()).rows
    assert [row["status"] for row in rows] == ["ok", "unavailable"]
    assert "inputs of size 1000 do not fit into memory" in rows[1]["reason"]


def require(backend: str) -> None:
    """Raise Unavailable where the backend cannot run: the test is skipped with the reason."""
    jitkernels.prepare("softmax", backend, kernels.load("softmax").default_size)
