"""``jitkernels.compare`` from Python, with real processes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import user_functions
from comparing import FUNCTIONS, compare, reason, require
from shell import package

import jitkernels
from jitkernels.backends.c.compiler import C
from jitkernels.case import Case
from jitkernels.functions import arguments
from jitkernels.functions.inputs import Inputs
from jitkernels.measure import process, tasks, timing


def test_functions_are_checked_and_timed_in_processes_of_their_own() -> None:
    sizes = [50, 2000]
    report = jitkernels.compare(
        {"numpy": user_functions.right, "python": user_functions.with_loops},
        user_functions.inputs,
        sizes,
        processes=2,
        lives=("memory",),
    )
    assert report.ok, report
    assert [(row["size"], row["label"]) for row in report.rows] == [
        (size, name) for size in sizes for name in ("numpy", "python")
    ]
    for row in report.rows:
        assert row["warm_seconds"] > 0 and row["peak_bytes"] >= 0
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
            **{"numpy: changes": user_functions.first_right_then_wrong, "numpy: asserts": user_functions.asserts},
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
        "random": ("wrong", "it gives another answer to the same inputs: it is not deterministic; draw random numbers in"),
        "nothing": ("wrong", "it returned nothing (None)"),
        "two": ("failed", "it does not take the 1 argument that inputs gives: missing a required argument: 'y'"),
        "asserts": ("failed", "RuntimeError: an assert failed: seven axes (line "),
        "changes": ("wrong", "a later answer to the inputs of a right one: "),
    }
    for name, (status, words) in expected.items():
        told = reason(report, f"numpy: {name}")
        assert told[0] == status and words in told[1], (name, told)


def test_a_reference_that_is_not_deterministic_is_named() -> None:
    report = compare({"numpy": user_functions.ever_other, "numpy: right": user_functions.right})
    assert reason(report, "numpy: right")[1].startswith("the reference numpy gives another answer to the same inputs: ")


def test_a_reference_without_an_answer_is_named_as_the_cause() -> None:
    called = "the reference numpy, called with float64, fails: "
    for function, status, why in (
        (user_functions.raises, "failed", f"{called}RuntimeError: no such axis: 2"),
        (user_functions.dies, "failed", "the reference numpy has none at this size"),
        (user_functions.nothing, "wrong", f"{called}AssertionError: it returned nothing (None)"),
        (user_functions.of_float32, "failed", f"{called}AssertionError: single precision (line "),
    ):
        report = compare({"numpy": function, "numpy: right": user_functions.right})
        cause = f"its answer cannot be checked, because {why}"
        assert (reason(report, "numpy")[0], reason(report, "numpy: right")[0]) == (status, "failed")
        assert reason(report, "numpy: right")[1].startswith(cause)
        if function is user_functions.of_float32:
            assert reason(report, "numpy")[1].startswith(cause)


def test_a_fault_that_the_reference_has_too_stays_a_function_s_own() -> None:
    report = compare({"numpy": user_functions.nothing, "numpy: too": user_functions.nothing})
    assert reason(report, "numpy: too")[1].startswith("it returned nothing (None)")


def test_the_truth_is_in_double_precision_for_half_precision_too() -> None:
    def half(size: int, rng: Any) -> Any:
        return (rng.random((size, 4)).astype("float16"), rng.random((size, 4)).astype("complex64"))

    functions = {"numpy": user_functions.row_sums, "numpy: wider": user_functions.row_sums_in_double}
    report = jitkernels.compare(functions, half, [50], processes=1, lives=(), rtol=1e-2)
    assert report.ok, report
    assert all(row["error"] > 0 for row in report.rows), "the reference's own rounding is an error too"


@pytest.mark.usefixtures("lives_once")
@pytest.mark.parametrize(
    ("function", "make", "kind", "reason"),
    [
        (user_functions.right, lambda size, rng: (rng.random((size, 4)),), "shape", None),
        (
            user_functions.right,
            lambda size, rng: (rng.random((size // 2, 4)),),
            "shape",
            "size 51 gives the lengths of size 50",
        ),
        (user_functions.scaled, lambda size, rng: (rng.random(9), size), "value", None),
        (
            user_functions.scaled,
            lambda size, rng: (rng.random(9), size // 2),
            "value",
            "size 51 gives the numbers of size 50",
        ),
    ],
)
def test_a_retrace_needs_other_inputs(function: Any, make: Any, kind: str, reason: str | None) -> None:
    (row,) = jitkernels.compare({"numpy": function}, make, [50], processes=1, lives=("retrace",)).rows
    retrace = row["retraces"][kind]
    assert (row["status"], retrace["reason"], retrace["seconds"] is None) == ("ok", reason, reason is not None)


def test_float32_explains_the_error_of_a_framework_that_took_it_for_float64() -> None:
    require("jax")
    functions = {"numpy": user_functions.sensitive, "jax": user_functions.sensitive}
    report = jitkernels.compare(functions, user_functions.wide, [50], processes=1, lives=())
    assert "; float32 explains it: the reference itself is off by " in reason(report, "jax")[1]


def test_the_report_says_who_computes_with_fewer_bits() -> None:
    require("jax")
    functions = {"numpy": user_functions.namespace, "jax": user_functions.namespace}
    report = jitkernels.compare(functions, lambda size, rng: (rng.random((size, 4)),), [50], processes=1, lives=())
    assert [(row["argument_dtypes"], row["answer_dtypes"]) for row in report.rows] == [
        (["float64"], ["float64"]),
        (["float32"], ["float32"]),
    ]
    words = "jax computes in float32, numpy in float64: its answers have fewer bits; jax_enable_x64 gives JAX 64 bits"
    assert words in report.notes()
    assert not any("bits" in note for note in compare(functions, rtol=1e-4).notes()), "both have float32"


def test_inputs_have_any_dtype_of_numbers() -> None:
    report = jitkernels.compare({"numpy": user_functions.sums}, user_functions.of_many_dtypes, [5], processes=1, lives=())
    assert report.ok, report


def test_answers_that_are_nan_are_counted() -> None:
    report = compare({"numpy": user_functions.roots})
    (row,) = report.rows
    assert row["nan"] == int(np.isnan(user_functions.roots(*user_functions.inputs(50, np.random.default_rng(42)))).sum()) > 0
    assert "NaN: entries of the answer that are no numbers" in repr(report)


def test_every_process_is_a_step_and_a_case_that_has_failed_is_not_asked_again() -> None:
    steps: list[Any] = []

    def progress(iterable: Any, desc: str = "", total: int = 0) -> Any:  # as tqdm has them
        steps.append(total)
        for step in iterable:
            steps.append((step["label"], step.get("process"), step["status"]))
            yield step

    report = compare({**FUNCTIONS, "numpy: wrong": user_functions.wrong}, processes=3, progress=progress)
    numpy, wrong = ("numpy", "ok"), ("numpy: wrong", "wrong")
    order = [(numpy, 1), (wrong, 1), (numpy, 2), (numpy, 3), (numpy, None), (wrong, None)]
    assert steps == [8, *((label, f"process {number}" if number else None, status) for (label, status), number in order)]
    assert [len(row["warm_processes"] or ()) for row in report.rows] == [3, 0]


def test_a_function_that_hangs_is_stopped() -> None:
    report = compare({"numpy: hangs": user_functions.hangs}, reference="numpy: hangs", timeout=4)
    words = "set a longer one if a call takes more than 0.57 s, because it is called 7 times at least"
    assert reason(report, "numpy: hangs") == ("failed", f"no answer within 4 seconds (timeout): {words}")


QUICK = """
    from jitkernels import clock
    from jitkernels.measure import tasks

    clock.SLOW_SECONDS = tasks.SERIES_SECONDS = 0.1
"""


def test_a_slow_function_needs_few_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "sitecustomize", QUICK))
    (row,) = compare({"numpy": user_functions.slow}).rows
    assert (row["status"], len(row["first_calls"]), row["settled"], row["warm_samples"]) == ("ok", 1, None, 3)


@pytest.mark.parametrize("order", [1, -1])
def test_a_function_of_one_s_own_comes_before_the_array_api_s(order: int) -> None:
    require("jax")
    require("torch_eager")
    functions = {"array_api": user_functions.namespace, "jax": user_functions.right}
    by_label = arguments.functions_by_label(dict(list(functions.items())[::order]))
    assert by_label.keys() == {"numpy", "jax", "torch_inductor"}
    assert by_label["jax"] is user_functions.right


def test_the_largest_size_is_allowed() -> None:
    options: dict[str, Any] = {"processes": 1, "lives": ()}
    report = jitkernels.compare(FUNCTIONS, lambda size, rng: (rng.random((3, 4)),), [arguments.LARGEST_SIZE], **options)
    assert report.ok, report


def test_arrays_keep_their_order_in_memory() -> None:
    make = Inputs(lambda: lambda size, rng: (np.asfortranarray(rng.random((size, 3))), np.float32(1), 2), [()], 42)
    assert make(4, 42)[0].flags.f_contiguous


def test_functions_that_share_a_buffer_are_compared_by_what_each_wrote() -> None:
    functions = {"numpy": user_functions.into_buffer, "numpy: wrong": user_functions.wrong_into_buffer}
    report = compare(functions)
    assert reason(report, "numpy") == ("ok", None)
    assert reason(report, "numpy: wrong")[0] == "wrong"


@pytest.mark.usefixtures("lives_once")
def test_sizes_that_inputs_refuses_and_literal_values_are_no_failure() -> None:
    require("numba")
    import numba

    def literal(x: Any, count: int) -> Any:
        return x * numba.literally(count)

    functions = {"numpy": user_functions.scaled, "numba": literal}
    options: dict[str, Any] = {"lives": ("cold", "retrace"), "processes": 1, "static": ("count",), "rtol": 1e-4}
    report = jitkernels.compare(functions, user_functions.pairs, [50], **options)
    assert report.ok, report
    truth, row = report.rows
    assert row["stages"] == {} and row["cold_seconds"] > 0
    assert any("inputs(51, rng) raises" in (each["reason"] or "") for each in row["retraces"].values())
    assert truth["retrace_kind"] != "static"


@pytest.mark.parametrize(
    ("task", "owner", "method"),
    [
        ("stages", C, "stages"),
        ("artifacts", C, "artifacts"),
        ("first_call", C, "start"),
        ("first_call", Case, "call"),
        ("memory", Case, "call"),
    ],
)
def test_an_assert_that_checks_no_answer_is_a_failure(
    task: str, owner: type, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any) -> None:
        raise AssertionError("not a function")

    monkeypatch.setattr(owner, method, refuse)
    answer = process.answer(getattr(tasks, task), {"kernel": "softmax", "backend": "c", "size": 2, "seed": 42})
    assert (answer["status"], answer["reason"]) == ("failed", "RuntimeError: an assert failed: not a function")


def test_an_assert_on_another_size_leaves_the_warm_call_s_figures() -> None:
    (row,) = compare({"numpy": user_functions.of_fifty_rows}, lives=("retrace",)).rows
    place = f"line {user_functions.of_fifty_rows.__code__.co_firstlineno + 1} of user_functions.py"
    reason = f"retrace by shape: RuntimeError: an assert failed: fifty rows ({place})"
    assert (row["status"], row["reason"], row["warm_seconds"] > 0) == ("failed", reason, True)


def test_it_agrees_with_the_timing_of_a_kernel_of_this_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function, given and as a kernel's dialect, by a clock that stands still while other processes run."""
    clock = package(tmp_path, "sitecustomize", "import time\n\ntime.perf_counter = time.process_time")
    monkeypatch.setenv("PYTHONPATH", clock)
    from jitkernels.kernels.softmax import inputs
    from jitkernels.kernels.softmax.numpy import run

    def same(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        return inputs(size, 42)

    (own,) = jitkernels.compare({"numpy": run}, same, [100], processes=3, lives=()).rows
    *_, row = timing.steps(timing.Request((("softmax", 100),), ("numpy",), 42, (), 3))
    assert 1 / 3 < own["warm_seconds"] / row["warm_seconds"] < 3


def test_inputs_that_do_not_fit_into_memory_are_no_failure() -> None:
    def inputs(size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        return (np.zeros(4) if size < 100 else np.empty((2**50, size)),)

    rows = jitkernels.compare({"numpy": np.negative}, inputs, [10, 1000], processes=1, lives=()).rows
    assert [row["status"] for row in rows] == ["ok", "unavailable"]
    assert "inputs of size 1000 do not fit into memory" in rows[1]["reason"]
