"""JITKERNELS_THREADS: read in one place, kept by every backend, and said in every row."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jitkernels import settings
from jitkernels.backends import caches
from jitkernels.machine import cores

WORK = """
import functools, importlib, json, os, sys, time
from pathlib import Path
from jitkernels import prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.measure.process import fork


def processor_time():
    \"\"\"Nanoseconds on a core by thread of this process.\"\"\"
    return {path.parent.name: int(path.read_text().split()[0]) for path in Path("/proc/self/task").glob("*/schedstat")}


def work(count):
    os.environ["JITKERNELS_THREADS"] = str(count)
    for backend, kernel, size, calls in cases:
        case = prepare(kernel, backend, size)
        value = case.check()
        case.call()
        before, begin = processor_time(), time.perf_counter_ns()
        for _ in range(calls):
            case.call()
        elapsed = time.perf_counter_ns() - begin
        used = sorted((each - before.get(thread, 0) for thread, each in processor_time().items()), reverse=True)
        threads = case.compiler.threads()
        value = value if isinstance(value, int) else None
        print(json.dumps({"threads": threads, "used": used, "elapsed": elapsed, "value": value}), flush=True)


cases, (*earlier, last) = json.loads(sys.argv[1])
for backend, *_ in cases:
    for module in (BACKENDS[backend].module, *BACKENDS[backend].preload):
        importlib.import_module(module)
for count in earlier:
    assert os.waitpid(fork(functools.partial(work, count)), 0)[1] == 0
work(last)
"""
CASES = {  # by framework; graphs of TensorFlow have a second pool, and Inductor code of its own
    "numpy": [("numpy", "dense", 50, 100)],
    "numba": [("numba_parallel", "philox_pi", 10_000_000, 20)],
    "jax": [("jax", "philox_pi", 10_000_000, 20)],
    "tensorflow": [("tensorflow_xla", "philox_pi", 10_000_000, 20), ("tensorflow_graph", "philox_pi", 1_000_000, 20)],
    "torch": [("torch_eager", "philox_pi", 1_000_000, 3), ("torch_inductor", "relu", 300, 100)],
}
PRODUCT = """
import os
import numba, numpy
from jitkernels import prepare

prepare("relu", "numba", 10)
ones = numpy.ones((100, 100))
numba.njit(lambda a: a @ a)(ones)
print(len(os.listdir("/proc/self/task")))
"""
SHARED = 0.2  # the second busiest thread's part of the busiest one's processor time; half and more where no core is busy
ALONE = 1.5  # processor time over real time of one thread: 1 at most, whatever else runs, but for what hands it the work

sees_threads = pytest.mark.skipif(
    not list(Path("/proc/self/task").glob("*/schedstat")),
    reason="this system does not tell how long each thread of a process has been on a core",
)
two_cores = pytest.mark.skipif(cores() < 2, reason="one core: no second thread to see")


def python(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One for all processes here, so that a program that was compiled for two threads is there when one is asked for."""
    return caches.variables(tmp_path_factory.mktemp("cache"), persistent=True)


@sees_threads
@two_cores
@pytest.mark.parametrize("backend", CASES)
def test_the_work_is_shared_by_as_many_threads_as_the_variable_allows(backend: str, cache: dict[str, str]) -> None:
    pytest.importorskip(backend)
    lines: list[str] = []
    # The framework is imported once, and forked for two threads: each fork starts its own. NumPy's import starts threads.
    for counts in [[2], [1]] if backend == "numpy" else [[2, 1]]:
        work = python(WORK, json.dumps([CASES[backend], counts]), JITKERNELS_THREADS=str(counts[0]), **cache)
        assert work.returncode == 0, work.stderr
        lines += work.stdout.splitlines()
    answers: list[dict[str, Any]] = [json.loads(line) for line in lines]
    half = len(CASES[backend])
    for (name, *_), two, one in zip(CASES[backend], answers[:half], answers[half:], strict=True):
        assert (one["threads"], two["threads"]) == (1, 2), name
        assert sum(one["used"]) < ALONE * one["elapsed"], (name, one)
        busiest, second, *_ = two["used"]
        assert second > SHARED * busiest, (name, two)
        assert one["value"] == two["value"], "the hits depend on the number of threads"


@sees_threads
@two_cores
def test_numba_s_matrix_products_start_no_more_threads_than_allowed() -> None:
    for name in ("numba", "scipy"):
        pytest.importorskip(name)
    one, every = (python(PRODUCT, **environment) for environment in ({"JITKERNELS_THREADS": "1"}, {}))
    assert int(one.stdout) < int(every.stdout), (one.stderr, every.stderr)


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "1e0", " 1", "1_0", "²", str(cores() + 1), "9" * 30])
def test_a_number_of_threads_that_cannot_be_is_refused_in_one_line(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.THREADS, text)
    with pytest.raises(ValueError, match=f"must be a whole number from 1 to {cores()}, the cores at hand, got") as refused:
        settings.threads()
    assert "\n" not in str(refused.value)


def test_an_empty_variable_leaves_the_number_to_each_framework(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.THREADS, "")
    assert settings.threads() is None
    monkeypatch.delenv(settings.THREADS)
    assert settings.threads() is None
    monkeypatch.setenv(settings.THREADS, str(cores()))
    assert settings.threads() == cores()


def jitkernels(command: str, count: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "jitkernels", *command.split()]
    return subprocess.run(line, env={**os.environ, settings.THREADS: count}, capture_output=True, text=True)


@pytest.mark.parametrize("command", ["list", "check philox_pi -b python", "time philox_pi -b python"])
def test_the_command_line_refuses_it_before_anything_runs(command: str) -> None:
    answer = jitkernels(command, "two")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.count("\n") == 1
    assert "JITKERNELS_THREADS must be a whole number" in answer.stderr


def test_rows_say_how_many_threads_there_were() -> None:
    pytest.importorskip("numba")
    answer = jitkernels("check relu -b numba_parallel -b c --json", "1")
    assert [row["threads"] for row in json.loads(answer.stdout)] == [1, 1]


def test_a_process_keeps_the_number_of_its_first_case() -> None:
    script = (
        "import os\n"
        "from jitkernels import prepare\n"
        "prepare('philox_pi', 'python', 10)\n"
        "os.environ['JITKERNELS_THREADS'] = '1'\n"
        "prepare('philox_pi', 'python', 10)"
    )
    answer = python(script, JITKERNELS_THREADS="")
    assert "RuntimeError: JITKERNELS_THREADS asks for 1 thread, but an earlier case of this process had" in answer.stderr


STARTS = {  # what starts each framework's threads without this library; Numba's number is fixed by its own variable
    "numba_parallel": "import os; os.environ['NUMBA_NUM_THREADS'] = '1'; import numba",
    "jax": "import os; os.environ['PJRT_NPROC'] = '1'; import jax; jax.devices()",
    "tensorflow_xla": "import tensorflow as tf; tf.config.threading.set_intra_op_parallelism_threads(1); tf.constant(1)",
}


@two_cores
@pytest.mark.parametrize("backend", STARTS)
def test_a_runtime_that_has_started_with_another_number_is_an_error(backend: str) -> None:
    pytest.importorskip(backend.partition("_")[0])
    script = f"{STARTS[backend]}\nfrom jitkernels import prepare\nprepare('philox_pi', {backend!r}, 10)"
    refused = python(script, JITKERNELS_THREADS="2")
    assert "RuntimeError: JITKERNELS_THREADS asks for 2" in refused.stderr
    of_numba = "but NUMBA_NUM_THREADS allows 1: unset that variable"
    assert (of_numba if backend == "numba_parallel" else "has already started with 1 in this process") in refused.stderr


@pytest.mark.parametrize(("backend", "package"), [("numpy", "numpy"), ("torch_eager", "torch")])
def test_a_framework_that_can_change_its_number_takes_it_late(backend: str, package: str) -> None:
    pytest.importorskip(package)
    script = (
        f"import {package}\n"
        "from jitkernels import prepare\n"
        f"case = prepare('philox_pi', {backend!r}, 10)\n"
        "print(case.compiler.threads())"
    )
    assert python(script, JITKERNELS_THREADS="1").stdout == "1\n"
