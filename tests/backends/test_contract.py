"""Every backend's module keeps the contract: it recompiles when told to forget, and leaves the process as it was."""

import functools
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from benchmarks._suite.benchmark import COUNTS, STAGES
from jitkernels import prepare
from jitkernels.backends.artifacts import Artifacts
from jitkernels.backends.table import BACKENDS

pytestmark = pytest.mark.usefixtures("caches_restored")

KERNEL, SIZE = "square_or_cube", 10  # the smallest that every compiler has: each of these compiles anew
COMPILED = [name for name in BACKENDS if name not in ("python", "numpy")]
SLOW = ("tensorflow_xla", "torch_inductor")  # to ask what they made; test_counts does, of a smaller kernel
NOT_TRACKED = {  # counts that no benchmark of all compilers has
    *("instructions", "assembly_instructions", "machine_instructions", "bytes_accessed", "graphs", "graph_breaks"),
    *("stack_bytes", "shared_bytes"),
}
LAZY = [name for name in COMPILED if name not in ("torch_eager", "tensorflow_eager", "triton")]  # have programs to count


@pytest.mark.parametrize("backend", BACKENDS)
def test_versions_are_those_that_are_installed(backend: str) -> None:
    versions = prepare("philox_pi", backend, 10).compiler.installed()
    assert versions
    assert all(version[0].isdigit() for version in versions.values()), versions


@pytest.mark.parametrize("backend", BACKENDS)
def test_threads_are_counted(backend: str) -> None:
    threads, row = prepare("philox_pi", backend, 10).compiler.threads(), BACKENDS[backend]
    assert threads == 1 if row.one_thread or row.framework.interpreted_on else threads >= 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_only_triton_without_a_gpu_is_interpreted(backend: str) -> None:
    assert prepare("philox_pi", backend, 10).interpreted is (backend == "triton")


@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers_and_arrays_go_to_the_device_and_back(backend: str) -> None:
    case = prepare("philox_pi", backend, 10)
    there_and_back = [case.compiler.fetch(case.compiler.put(number)) for number in (0, 7, 2**40, 0.1)]
    assert there_and_back == [0, 7, 2**40, 0.1]
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    returned = case.compiler.fetch(case.compiler.put(matrix))
    assert returned.dtype == matrix.dtype
    np.testing.assert_array_equal(returned, matrix)


@pytest.mark.parametrize("backend", LAZY)
def test_preparing_compiles_nothing_and_the_second_call_neither(backend: str) -> None:
    case = prepare(KERNEL, backend, SIZE)
    case.forget()
    before = case.compiler.programs()
    case = prepare(KERNEL, backend, SIZE)
    assert case.compiler.programs() == before
    case.check()
    compiled = case.compiler.programs()
    assert compiled > before
    case.call()
    assert case.compiler.programs() == compiled


@pytest.mark.parametrize("backend", LAZY)
def test_what_is_forgotten_is_compiled_again(backend: str) -> None:
    case = prepare(KERNEL, backend, SIZE)
    case.check()
    compiled = case.compiled()
    case.forget()
    case.check()
    assert case.compiled() > compiled


@functools.cache
def artifacts(backend: str) -> Artifacts:
    return prepare(KERNEL, backend, SIZE).artifacts()


@pytest.mark.parametrize("backend", [backend for backend in COMPILED if backend not in SLOW])
def test_artifacts_are_texts_and_counts_that_benchmarks_know(backend: str) -> None:
    counts, texts = artifacts(backend).counts, artifacts(backend).texts
    assert all(isinstance(count, int) and count >= 0 for count in counts.values())
    assert all(text.strip() for text in texts.values())
    assert set(counts) - NOT_TRACKED <= set(COUNTS), "append these to COUNTS in benchmarks/_suite/benchmark.py"


@pytest.mark.parametrize("backend", [backend for backend in COMPILED if backend not in (*SLOW, "triton")])
def test_artifacts_are_the_same_twice(backend: str) -> None:
    """test_counts asks the others, which are slow, in two processes."""
    first, second = artifacts(backend), prepare(KERNEL, backend, SIZE).artifacts()
    assert dict(first.counts) == dict(second.counts)
    assert list(first.texts) == list(second.texts)


@pytest.mark.parametrize("backend", COMPILED)
def test_stages_are_seconds(backend: str) -> None:
    stages = prepare(KERNEL, backend, SIZE).stages()
    assert all(seconds >= 0 for seconds in stages.seconds.values())
    assert set(stages.seconds) <= set(STAGES), "append these to STAGES in benchmarks/_suite/benchmark.py"
    assert bool(stages.seconds) is not (BACKENDS[backend].kind == "eager"), "a compiler has stages, an eager mode has none"
    if stages.seconds:
        assert stages.total is not None
        assert stages.other is not None
        assert stages.cpu_seconds is not None
        assert stages.other > -0.001 * stages.total, "no second is in two stages, but for the clocks' own noise"
        assert stages.cpu_seconds > 0


SWITCHES = {
    "numba": """
        from numba.core import config
        import numba
        state = lambda: (numba.get_num_threads(), {key: value for key, value in vars(config).items() if key.isupper()})
    """,
    "jax": """
        import jax
        state = lambda: (dict(jax.config.values), jax.numpy.arange(2).dtype)
    """,
    "tensorflow": """
        import tensorflow as tf
        state = lambda: (
            tf.config.threading.get_intra_op_parallelism_threads(), tf.config.optimizer.get_jit(),
            tf.config.functions_run_eagerly(), tf.executing_eagerly(), os.environ.get("TF_CPP_MIN_LOG_LEVEL"),
        )
    """,
    "torch": """
        import torch, torch._dynamo, torch._inductor.config
        state = lambda: (
            torch.get_num_threads(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.initial_seed(),
            torch.get_rng_state().tolist(), torch._inductor.config.get_config_copy(),
            torch._dynamo.config.get_config_copy(),
        )
    """,
    "triton": "import os; state = lambda: os.environ.get('TRITON_INTERPRET')",
}
UNCHANGED = """
import os, sys, warnings
from jitkernels import prepare
{switches}
before = state()
environment = dict(os.environ)
for backend in sys.argv[1:]:
    prepare("monte_carlo_pi", backend, 1000).check()  # generators are seeded, loops are parallel, and Inductor has options
    after = state()
    assert before == after, (backend, before, after)
    changed = dict(set(environment.items()) ^ set(os.environ.items()))
    changed.pop("_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", None)  # Inductor's note to the libraries it loads, no switch
    assert not changed, (backend, changed)
"""


@pytest.mark.parametrize("dialect", SWITCHES)
def test_the_framework_s_switches_are_as_they_were(dialect: str) -> None:
    backends = [name for name, row in BACKENDS.items() if row.dialect == dialect]
    for backend in backends:
        prepare("philox_pi", backend, 1)
    switches = textwrap.dedent(SWITCHES[dialect])
    if dialect == "triton":
        switches = f"import jitkernels.backends.triton.compiler\n{switches}"
    command = [sys.executable, "-c", UNCHANGED.format(switches=switches), *backends]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
