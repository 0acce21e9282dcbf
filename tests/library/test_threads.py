"""JITKERNELS_THREADS: read in one place, kept by every backend, and said in every row."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jitkernels import settings
from jitkernels.machine import cores

LOOK = """
import json, sys, time
from pathlib import Path
from jitkernels import prepare

SECONDS = 0.5


def runnable():
    \"\"\"Seconds by thread in which it ran or waited for a core: what it would have run on a machine of its own.\"\"\"
    paths = Path("/proc/self/task").glob("*/schedstat")
    return {path.parent.name: sum(map(int, path.read_text().split()[:2])) / 1e9 for path in paths}


for backend, kernel, size in json.loads(sys.argv[1]):
    case = prepare(kernel, backend, size)
    value = case.check()
    case.call()
    before, begin, calls = runnable(), time.perf_counter(), 0
    while time.perf_counter() - begin < SECONDS or calls < 2:
        case.call()
        calls += 1
    seconds, after = time.perf_counter() - begin, runnable()
    shares = sorted(((after[thread] - before.get(thread, 0)) / seconds for thread in after), reverse=True)
    threads = case.compiler.threads()
    print(json.dumps({"threads": threads, "shares": shares, "value": value if isinstance(value, int) else None}))
"""
CELLS = {  # by framework, a process each; graphs of TensorFlow have a second pool, and Inductor code of its own
    "numpy": [("numpy", "dense", 50)],
    "numba": [("numba_parallel", "philox_pi", 10_000_000)],
    "jax": [("jax", "philox_pi", 10_000_000)],
    "tensorflow": [("tensorflow_xla", "philox_pi", 10_000_000), ("tensorflow_graph", "philox_pi", 1_000_000)],
    "torch": [("torch_eager", "philox_pi", 1_000_000), ("torch_inductor", "black_scholes", 1_000_000)],
}
ONE_AT_A_TIME = 1.3  # threads that would run, on average: one if they hand the work over, two if they share it

sees_threads = pytest.mark.skipif(
    not list(Path("/proc/self/task").glob("*/schedstat")),
    reason="this system does not say how long each thread of a process has run or waited for a core",
)
two_cores = pytest.mark.skipif(cores() < 2, reason="one core: no second thread to see")


def python(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One for all processes here, so that a program that was compiled for two threads is there when one is asked for."""
    return str(tmp_path_factory.mktemp("inductor"))


@sees_threads
@two_cores
@pytest.mark.parametrize("backend", CELLS)
def test_as_many_threads_are_busy_as_were_asked_for(backend: str, cache: str) -> None:
    pytest.importorskip(backend)
    answers: dict[int, list[dict[str, Any]]] = {}
    for count in (2, 1):
        looked = python(LOOK, json.dumps(CELLS[backend]), JITKERNELS_THREADS=str(count), TORCHINDUCTOR_CACHE_DIR=cache)
        assert looked.returncode == 0, looked.stderr
        answers[count] = [json.loads(line) for line in looked.stdout.splitlines()]
    for (name, _, _), one, two in zip(CELLS[backend], answers[1], answers[2], strict=True):
        assert (one["threads"], two["threads"]) == (1, 2), name
        assert sum(one["shares"]) < ONE_AT_A_TIME, (name, one)
        assert sum(two["shares"]) > ONE_AT_A_TIME, (name, two)
        assert two["shares"][1] > 0.25, (name, two)
        assert one["value"] == two["value"], "the hits depend on the number of threads"


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
    answer = jitkernels("check philox_pi -b numba_parallel -b c -n 1e5 --json", "1")
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
    assert "RuntimeError: JITKERNELS_THREADS asks for 2 threads, but" in refused.stderr
    assert "has already started with 1 in this process" in refused.stderr


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
