"""Modules that are imported with the suite, so that asv's fork server imports a framework once."""

import functools
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import benchmarks
from benchmarks import _launch
from jitkernels import Unavailable, kernels
from jitkernels.availability import unavailable
from jitkernels.backends.table import BACKENDS

ROOT = Path(__file__).parents[2]


@functools.cache
def after(first: str, code: str) -> tuple[int, int, int]:
    """Return how many threads a process has once it has run ``first`` and ``code``, and how many of Inductor's questions
    were answered after the one and after the other."""
    asked = "isa.valid_vec_isa_list.cache_info().currsize if (isa := sys.modules.get('torch._inductor.cpu_vec_isa')) else 0"
    threads = "len(os.listdir('/proc/self/task'))"
    script = f"import os, sys; {first}; before = {asked}; {code}; print({threads}, before, {asked})"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    count, before, answered = map(int, answer.stdout.split()[-3:])
    return count, before, answered


def preload(backend: str) -> str:
    """Return code that imports the suite as asv's fork server does for a backend, or skip a backend that is not here."""
    if reason := unavailable(kernels.load("philox_pi"), BACKENDS[backend], "cpu"):
        raise Unavailable(reason)
    named = _launch.variables([f"philox_pi.Warm.time_call('{backend}', 1)"], Path("caches"))[benchmarks.PRELOAD]
    return f"os.environ['{benchmarks.PRELOAD}'] = '{named}'; import benchmarks"


def framework(backend: str) -> str:
    """Return code that imports what a backend needs, without what asks Inductor's questions."""
    row = BACKENDS[backend]
    return f"import importlib; [importlib.import_module(name) for name in {(row.module, *row.preload)}]"


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in Linux's /proc")


@needs_proc
@pytest.mark.parametrize("backend", ["numba", "jax", "tensorflow_xla", "torch_inductor", "triton"])
def test_what_the_fork_server_imports_starts_no_thread_that_a_fork_would_lose(backend: str) -> None:
    threads, *_ = after(framework(backend), preload(backend))
    assert threads <= after("pass", "import numpy")[0], "NumPy's own threads know what to do in a fork"


@needs_proc
def test_what_inductor_asks_once_is_answered_before_a_fork() -> None:
    _, before, answered = after(framework("torch_inductor"), preload("torch_inductor"))
    assert answered == 1
    assert before == 0, "else the import of what asks them would be for nothing"


@pytest.mark.parametrize("works", [True, False])
def test_what_works_is_not_tried_again_by_processes_that_a_prepared_one_starts(
    works: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := unavailable(kernels.load("philox_pi"), BACKENDS["torch_inductor"], "cpu"):
        raise Unavailable(reason)
    module = importlib.import_module(*BACKENDS["torch_inductor"].questions)
    isa, config = (importlib.import_module(f"torch._inductor.{name}") for name in ("cpu_vec_isa", "config"))

    directories: list[str] = []

    @functools.cache
    def valid_vec_isa_list() -> list[str]:
        directories.append(os.environ.get("TORCHINDUCTOR_CACHE_DIR", ""))
        return ["avx512", "avx2"] if works or config.cpp.vec_isa_ok else ["avx2"]

    monkeypatch.setattr(isa, "valid_vec_isa_list", valid_vec_isa_list)
    monkeypatch.delenv("TORCHINDUCTOR_VEC_ISA_OK")
    with config.patch({"cpp.vec_isa_ok": None}):
        importlib.reload(module)
    assert Path(directories[0]).parent == Path(tempfile.gettempdir()), "the next process of a run finds the small programs"
    assert os.environ.get("TORCHINDUCTOR_CACHE_DIR", "") not in directories[:1]
    assert os.environ.get("TORCHINDUCTOR_VEC_ISA_OK") == ("1" if works else None)


def test_only_what_is_named_is_imported_with_the_suite() -> None:
    script = "import benchmarks, sys; print('colorsys' in sys.modules)"
    for named, imported in (("", "False"), ("colorsys", "True")):
        environment = {**os.environ, benchmarks.PRELOAD: named}
        for task, heeds in (("run_server", True), ("discover", False), ("setup_cache", False)):
            command = [sys.executable, "-c", script, task]
            answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
            assert answer.stdout.strip() == (imported if heeds else "False")


@pytest.mark.parametrize("backend", ["triton"])
def test_where_triton_s_interpreter_is_imported_a_cubin_is_built(backend: str) -> None:
    if reason := unavailable(kernels.load("relu"), BACKENDS[backend], "cpu"):
        raise Unavailable(reason)
    script = "from benchmarks.relu import AheadOfTime as A; a = A(); a.setup('triton', 20, 'cubin'); print(a.row['bytes'])"
    environment = {**os.environ, benchmarks.PRELOAD: " ".join((BACKENDS[backend].module, *BACKENDS[backend].preload))}
    answer = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert int(answer.stdout) > 1_000
