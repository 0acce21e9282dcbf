"""The lives of a compiled call: counts tell a compilation from a program that was there already."""

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import WRITTEN
from shell import package

from jitkernels import Unavailable, kernels, prepare
from jitkernels.backends import caches
from jitkernels.backends.artifacts import Stages
from jitkernels.measure import comparisons, lives, process, retrace, tasks, timing
from jitkernels.measure.rows import STAGES

KERNEL, SIZE = "square_or_cube", 10  # the smallest that every compiler has


def test_hits_of_triton_s_cache_are_counted(tmp_path: Path) -> None:
    prepare(KERNEL, "triton", SIZE)
    script = f"""
        import triton
        hits = []
        triton.knobs.compilation.listener = lambda **what: hits.append(what["cache_hit"])
        from jitkernels.backends.table import BACKENDS
        from jitkernels.backends.triton.compiler import Triton
        from jitkernels.kernels.{KERNEL}.triton import kernel, signature
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
        constants = {{name: value for name, value in signature.items() if not isinstance(value, str)}}
        types = {{name: "constexpr" if name in constants else value for name, value in signature.items()}}
        for _ in range(3):
            triton.compile(ASTSource(kernel, types, constants), target=GPUTarget("cuda", 90, 32))
        assert hits == [False, True, True], hits
        assert Triton(BACKENDS["triton"], "gpu").from_disk() == 2
    """
    environment = {**os.environ, "JITKERNELS_DEVICE": "gpu", "TRITON_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(script)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


COMPILED_ANEW = {  # by kernel and kind of change: how many programs a backend compiles
    ("relu", "shape"): {"numpy": 0, "c": 0, "numba": 0, "jax": 1, "tensorflow_graph": 1, "torch_aot": 1},
    ("relu", "dtype"): {"numpy": 0, "numba": 1, "jax": 1, "tensorflow_graph": 1, "torch_aot": 1},
    ("philox_pi", "value"): {"numpy": 0, "c": 0, "numba": 0, "jax": 0, "tensorflow_graph": 0},
    ("square_or_cube", "static"): {"jax": 1, "tensorflow_graph": 1},
}


@pytest.mark.usefixtures("caches_restored")
@pytest.mark.parametrize(
    ("kernel", "kind", "backend", "programs"),
    [(*cell, backend, programs) for cell, counts in COMPILED_ANEW.items() for backend, programs in counts.items()],
)
def test_a_retrace_compiles_what_its_compiler_cannot_run_yet(kernel: str, kind: str, backend: str, programs: int) -> None:
    assert retrace.meaningless(kernels.load(kernel), backend, kind) is None
    prepare(kernel, backend, SIZE).forget()
    figures = tasks.retrace(kernel, backend, SIZE, 42, kind)
    assert figures["programs"] == programs
    assert figures["seconds"] > 0
    assert " for " in figures["change"]


OF_A_VALUE = [name for name in kernels.names() if not retrace.meaningless(kernels.load(name), "tensorflow_xla", "value")]


XLA = """
    import json, sys
    import tensorflow as tf
    from jitkernels import prepare
    from jitkernels.measure import tasks

    backend = prepare("relu", "tensorflow_xla", 10).compiler
    program, counts = backend.jit(lambda count: tf.reduce_sum(tf.range(count))), []
    for count in (3, 4, 4, 5, 3):
        program(tf.constant(count))
        counts.append((backend.programs(), backend.from_disk()))
    traces = program.experimental_get_tracing_count()
    compiled = {name: tasks.retrace(name, "tensorflow_xla", 100, 42, "value")["programs"] for name in sys.argv[1:]}
    print(json.dumps({"counts": counts, "traces": traces, "compiled": compiled}))
"""


@pytest.fixture(scope="module")
def xla(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a process counts where XLA's programs are counted in TensorFlow too."""
    prepare(KERNEL, "tensorflow_xla", SIZE)  # or skip
    environment = {**os.environ, **caches.counting(tmp_path_factory.mktemp("xla"))}
    command = [sys.executable, "-c", textwrap.dedent(XLA), *OF_A_VALUE]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


def test_xla_compiles_once_for_all_values_that_tensorflow_s_kernels_take(xla: Any) -> None:
    """A tensor's value may be a constant of XLA's program, though nothing is traced again."""
    assert "philox_pi" in OF_A_VALUE
    assert xla["compiled"] == dict.fromkeys(OF_A_VALUE, 0)


def test_programs_that_xla_makes_of_one_trace_are_counted(xla: Any) -> None:
    assert xla["traces"] == 1
    assert xla["counts"] == [[1, 0], [2, 0], [2, 0], [3, 0], [3, 0]]


def test_a_retrace_by_a_constant_keeps_to_the_sizes_of_its_spelling() -> None:
    most = kernels.load("monte_carlo_pi").sizes_of("plain")[-1]
    assert retrace.neighbour(kernels.load("monte_carlo_pi"), most, "plain") == most - 1
    with pytest.raises(Unavailable, match=f"spelled 'plain', points must be a whole number from 1 to {most}, got"):
        tasks.retrace("monte_carlo_pi", "numpy", most + 1, 42, "static")


@pytest.mark.parametrize(("kernel", "change"), [("side_effect", "the number 4 for 3"), ("philox_pi", "4 points for 3")])
def test_a_change_of_a_value_in_words(kernel: str, change: str) -> None:
    assert tasks.retrace(kernel, "numpy", 3, 42, "value")["change"] == change


@pytest.mark.parametrize("kind", retrace.KINDS)
def test_where_a_retrace_means_nothing_there_is_a_reason(kind: str) -> None:
    reasons = {cell: retrace.meaningless(kernels.load(cell[0]), cell[1], kind) for cell in WRITTEN}
    assert None in reasons.values()
    assert all(reason for reason in reasons.values() if reason is not None)


def test_every_case_has_a_retrace() -> None:
    for kernel, backend in WRITTEN:
        assert any(retrace.meaningless(kernels.load(kernel), backend, kind) is None for kind in retrace.KINDS)


def test_an_interpreter_is_given_no_other_dtype() -> None:
    prepare("relu", "triton", SIZE)  # or skip
    with pytest.raises(Unavailable, match="an interpreter stands in"):
        tasks.retrace("relu", "triton", SIZE, 42, "dtype")


@pytest.fixture(scope="module")
def rows() -> Iterator[list[dict[str, Any]]]:
    """Every life, of two compilers that are quick and of NumPy."""
    request = timing.Request((("relu", SIZE),), ("numpy", "c", "numba"), 42, tuple(lives.LIVES))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jitkernels.measure.lives.PROCESSES", 1)  # counts are the same in each
        yield list(lives.steps(request))


def test_rows_tell_compilations_from_cache_hits(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["status"] == "ok", row["reason"]
        compiles = row["backend"] != "numpy"
        assert (row["cold_programs"], row["cold_from_disk"]) == (compiles, 0)
        assert (row["cached_programs"], row["cached_from_disk"]) == (0, compiles)


def test_rows_have_every_retrace_or_its_reason(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert tuple(row["retraces"]) == retrace.KINDS
        for change in row["retraces"].values():
            assert (change["seconds"] is None) == (change["programs"] is None) == (change["reason"] is not None)
        assert row["retrace_kind"] == "shape"
        assert row["retrace_seconds"] == row["retraces"]["shape"]["seconds"]
        assert row["retrace_programs"] == row["retraces"]["shape"]["programs"] == 0


def test_rows_have_the_whole_of_a_compilation(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["backend"] == "numpy":
            assert (row["stages"], row["stages_total"]) == ({}, None)
            continue
        assert row["stages_total"] == pytest.approx(sum(row["stages"].values()) + row["stages_other"])
        assert row["stages_other"] > -1e-3
        assert row["stages_cpu_seconds"] > row["stages_total"] / 100, "C's compiler is another process, and it counts"


def test_a_row_whose_stages_alone_cannot_be_timed_is_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(task: str, case: Any, start: Any) -> dict[str, Any]:
        if task == "tasks.stages":
            return {"status": "unavailable", "reason": "it traces and lowers in one call", "figures": {}}
        return {"status": "ok", "reason": None, "figures": {"seconds": 1.5, "programs": 1, "from_disk": 0}}

    monkeypatch.setattr(lives, "_ask_cold", ask)
    row = {"backend": "jax", "status": "ok", "reason": None, "stages": None}
    lives._add_cold(row, {}, process.Started)
    assert (row["status"], row["reason"], row["cold_seconds"], row["stages"]) == ("ok", None, 1.5, None)


@pytest.mark.parametrize("row", [{"backend": "numpy"}, {"backend": "python"}, {"backend": "numba", "jitted": True}])
def test_no_process_is_started_for_stages_that_there_are_not(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(task: str, case: Any, start: Any) -> dict[str, Any]:
        assert task == "tasks.first_call"
        return {"status": "ok", "reason": None, "figures": {"seconds": 1.5, "programs": 1, "from_disk": 0}}

    monkeypatch.setattr(lives, "_ask_cold", ask)
    lives._add_cold(row, {}, process.Started)
    none = Stages()
    answered = tuple(row[name] for name in STAGES)
    assert (row["cold_seconds"], answered) == (1.5, ({}, none.other, none.total, none.cpu_seconds))


def test_rows_keep_their_first_calls(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert 2 <= len(row["first_calls"]) <= 200
        assert row["settled"] in (True, False, None)


def test_rows_have_the_peaks_of_compiling_and_of_running(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["peak_bytes"] == max(row["compile_peak_bytes"], row["run_peak_bytes"])
    assert {row["backend"]: row for row in rows}["numba"]["compile_peak_bytes"] > 1e6, "LLVM's memory"


def test_every_key_is_explained(rows: list[dict[str, Any]]) -> None:
    comparisons.add_all(rows)
    text = (Path(__file__).parents[2] / "docs" / "measures.md").read_text()
    of_the_case = "kernel backend size seed device version threads interpreted processor work_unit"
    of_its_check = "status reason value error"
    assert {key for key in rows[0] if f"`{key}`" not in text} <= {*of_the_case.split(), *of_its_check.split()}


LATE = """
    import itertools
    import jitkernels.kernels.philox_pi.python as dialect
    right, calls = dialect.run, itertools.count()
    dialect.run = lambda points, seed: 7 if next(calls) >= {right} else right(points, seed)
"""


@pytest.mark.parametrize("task", ["warm", "first_call", "retrace"])
def test_the_last_timed_answer_is_checked_after_the_clock(task: str, tmp_path: Path) -> None:
    """A kernel that is right at first, and wrong by the call that a clock ends with."""
    path = package(tmp_path, "sitecustomize", LATE.format(right=0 if task == "first_call" else 1))
    case = {"kernel": "philox_pi", "backend": "python", "size": 1000, "seed": 42}
    options = {"kind": "value"} if task == "retrace" else {}
    answer = process.ask_once(f"tasks.{task}", {**case, **options}, {"PYTHONPATH": path})
    assert (answer["status"], answer["figures"]) == ("wrong", {})
    assert "7 hits, not 78" in answer["reason"]


SECOND = LATE.replace(">= {right}", "== 1")  # only the second call of a process is wrong


@pytest.mark.parametrize("task", ["warm", "first_call", "retrace", "memory"])
def test_an_answer_that_is_wrong_on_the_second_call_alone_has_no_figure(task: str, tmp_path: Path) -> None:
    case = {"kernel": "philox_pi", "backend": "python", "size": 1000, "seed": 42}
    options = {"kind": "value"} if task == "retrace" else {}
    path = package(tmp_path, "sitecustomize", SECOND)
    answer = process.ask_once(f"tasks.{task}", {**case, **options}, {"PYTHONPATH": path})
    assert (answer["status"], answer["figures"]) == ("wrong", {})


FROM_DISK = """
    import os, pathlib
    import jitkernels.kernels.philox_pi.python as dialect
    right, kept = dialect.run, pathlib.Path(os.environ["JITKERNELS_CACHE_DIR"]) / "kept"
    if kept.exists():
        dialect.run = lambda points, seed: 7
    elif os.environ["JITKERNELS_PERSISTENT_CACHES"]:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.touch()
"""


@pytest.mark.parametrize("broken", [SECOND, FROM_DISK])
def test_a_row_of_which_one_life_is_wrong_has_no_time_at_all(broken: str, tmp_path: Path, monkeypatch: Any) -> None:
    """JAX 0.5.3 and 0.6.0 gave other answers when a program came from their cache on disk."""
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "sitecustomize", broken))
    monkeypatch.setenv("JITKERNELS_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("JITKERNELS_PERSISTENT_CACHES", "")
    monkeypatch.setattr("jitkernels.measure.lives.PROCESSES", 1)
    request = timing.Request((("philox_pi", 1000),), ("python",), 42, ("cold", "cached", "retrace", "memory"))
    (row,) = lives.steps(request)
    assert (row["status"], row["reason"].partition(" hits")[0][-1]) == ("wrong", "7")
    figures = [key for key in row if key.endswith(("seconds", "second", "bytes", "quartiles", "calls"))]
    assert len(figures) > 10
    assert {row[key] for key in figures} == {None}


def test_a_row_whose_last_timed_answer_is_wrong_has_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "sitecustomize", LATE.format(right=1)))
    (row,) = timing.steps(timing.Request((("philox_pi", 1000),), ("python",), 42))
    assert (row["status"], row["warm_seconds"], row["work_per_second"]) == ("wrong", None, None)


def test_a_life_that_cannot_be_measured_here_takes_nothing_from_the_warm_call() -> None:
    row: dict[str, Any] = {"status": "ok", "reason": None, "warm_seconds": 1.0}
    lives._add_figures(row, {"status": "unavailable", "reason": "too old", "figures": {}})
    assert row == {"status": "ok", "reason": "too old", "warm_seconds": 1.0}
