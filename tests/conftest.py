"""Shared fixtures; and Unavailable skips a test, or fails it if the run requires the backend."""

import contextlib
import os
import random
import subprocess
import sys
import venv
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from laboratory import ROOT, SMALL, Laboratory, Template, build_once

from jitkernels import Unavailable, availability, kernels, prepare, settings
from jitkernels.backends.table import BACKENDS, FRAMEWORKS

DIALECTS = [framework.dialect for framework in FRAMEWORKS]
CASES = [(kernel, backend) for kernel in kernels.names() for backend in BACKENDS]
WRITTEN = [case for case in CASES if not availability.absent(kernels.load(case[0]), BACKENDS[case[1]])]
CHECKED_IN = {  # files whose other tests compile these kernels too; library/test_cases.py checks the other kernels
    "kernels/test_convnet.py": ("convnet_infer", "convnet_train"),
    "kernels/test_monte_carlo_pi.py": ("monte_carlo_pi",),
    "kernels/test_models.py": ("mlp_infer", "mlp_train", "attention_infer", "attention_train"),
    "kernels/test_numerics.py": ("black_scholes", "heat_2d", "nbody", "mandelbrot"),
}

# Inductor trusts the processor's list of vector extensions: to try each takes 6 s of compiling for every empty cache.
os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
# Inductor starts processes that import torch again, only to be ready for programs of a GPU.
os.environ.setdefault("TORCH_WARM_POOL", "0")
# An optimized wrapper around the loops of Inductor's package takes seconds to compile, and is a little faster to call.
os.environ.setdefault("AOT_INDUCTOR_COMPILE_WRAPPER_OPT_LEVEL", "O0")
# TensorFlow's import takes seconds for Keras, which nothing here uses; without the legacy package this leaves Keras out.
os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
# Workers share the cores, so idle threads of OpenMP and OpenBLAS must sleep. By default they keep a core busy.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
# pip would compile all of NumPy's files into each environment, and tests import a few of them.
os.environ.setdefault("PIP_COMPILE", "0")

# Files that take half a minute or more. Workers begin with them, so that none runs alone at the end. The first file builds
# the laboratory, for which others would wait: the next ones need none.
LONGEST = [
    "gate/test_gate.py",
    "measure/test_aot.py",
    "kernels/test_numerics.py",
    "library/test_cases.py",
    "kernels/test_models.py",
    "benchmarks/test_asv.py",
    "gate/test_gate_rows.py",
    "kernels/test_convnet.py",
    "functions/test_compare_compilers.py",
    "project/test_tutorial.py",
    "command/test_pi_faults.py",
    "backends/test_caches.py",
    "gate/test_gate_change.py",
    "kernels/test_linear_algebra.py",
    "history/test_fleet_faults.py",
    "functions/test_compare.py",
    "gate/test_gate_calibration_runs.py",
    "library/test_threads.py",
    "measure/test_lives.py",
    "backends/test_counts.py",
    "measure/test_patterns.py",
    "benchmarks/test_suite.py",
    "website/test_commits_page.py",
    "backends/test_contract.py",
    "website/test_accessibility.py",
    "measure/test_instructions.py",
    "library/test_memory.py",
    "website/test_release_duets_page.py",
    "website/test_page_files.py",
    "website/test_compilers_page.py",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tries", type=int, default=1, help="how often to try each fault, with another seed each time")
    parser.addoption("--other-python", help="of another version than this one, with distributed and NumPy")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chance" in metafunc.fixturenames:
        metafunc.parametrize("chance", range(metafunc.config.getoption("tries")), indirect=True)


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers that decide when and where a fault happens."""
    return random.Random(request.param)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest files first if workers share the files. Tests of a file stay in their order."""
    if hasattr(config, "workerinput"):
        order = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: order.get(item.path, len(order)))


def default_cells(file: str) -> list[tuple[str, str]]:
    """Return the cells whose answers at the default size this file checks."""
    path = Path(file)
    others = {kernel for names in CHECKED_IN.values() for kernel in names}
    own = CHECKED_IN.get(f"{path.parent.name}/{path.name}", [name for name in kernels.names() if name not in others])
    return [cell for cell in WRITTEN if cell[0] in own]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    with _unavailable_skips(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    with _unavailable_skips(item):
        return (yield)


@contextlib.contextmanager
def _unavailable_skips(item: pytest.Item) -> Iterator[None]:
    """Skip the test with the reason; fail it if JITKERNELS_REQUIRE lists its backend, or any dialect if it has none."""
    try:
        yield
    except Unavailable as error:
        backend = getattr(item, "callspec", None) and item.callspec.params.get("backend")
        names = (backend, BACKENDS[backend].dialect) if backend in BACKENDS else tuple(DIALECTS)
        if not error.by_design and settings.is_required(*names):
            pytest.fail(f"{backend or 'a framework of this test'} is required here, but: {error.reason}")
        pytest.skip(error.reason)


@pytest.fixture(autouse=True, scope="session")
def _interpreter_first() -> None:
    """Load Triton's interpreter before Inductor loads Triton as a compiler: in one process only this order works."""
    with contextlib.suppress(Unavailable):  # its own tests report that
        prepare("philox_pi", "triton", 1)


@pytest.fixture
def caches_restored() -> Iterator[None]:
    """forget() gives the process empty directories for disk caches; the next test gets back those that were there."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def lives_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process for each life of a call, where its counts alone matter: they are the same in all."""
    monkeypatch.setattr("jitkernels.measure.lives.PROCESSES", 1)


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The temporary directory of all workers of this test run."""
    directory = tmp_path_factory.getbasetemp()
    return directory if worker_id == "master" else directory.parent


@pytest.fixture(scope="session")
def wheel(shared_directory: Path) -> Path:
    """The library's wheel, which pip builds once in a test run."""

    def build(path: Path) -> None:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(path), str(ROOT)]
        subprocess.run(command, check=True)

    (built,) = build_once(shared_directory / "wheel", build).glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, shared_directory: Path) -> Path:
    """The bin folder of an environment that holds the wheel with its extra numba, and nothing else. pip installs it once in
    a test run."""

    def build(path: Path) -> None:
        venv.create(path, with_pip=False)
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", path / "bin" / "python"]
        subprocess.run([*pip, "install", "--no-compile", f"{wheel}[numba]"], check=True)

    return build_once(shared_directory / "installed", build) / "bin"


@pytest.fixture(scope="session")
def drawn(shared_directory: Path) -> Path:
    """The directory with the files that draw a site's charts. Building them takes seconds; a site that has them does not."""
    from website import pages  # here: it imports what draws them

    return build_once(shared_directory / "charts", pages.write_charts)


@pytest.fixture(scope="session")
def measured_laboratory(shared_directory: Path, drawn: Path) -> Template:
    """A copy of this repository with a small asv environment and a first commit that is measured and published."""

    def build(path: Path) -> None:
        laboratory = Laboratory.create(path)
        (path / "site").mkdir()
        (path / "site" / "charts").symlink_to(drawn)
        once = ("--launch-method", "forkserver")  # the suite is imported once, not for each benchmark case
        assert laboratory.asv("run", "HEAD^!", "--bench", SMALL, *once).returncode == 0
        assert laboratory.asv("publish").returncode == 0
        laboratory.git("gc", "--quiet")  # one file instead of a thousand to copy

    return Template(shared_directory / "laboratory", build)


@pytest.fixture
def laboratory(measured_laboratory: Template, tmp_path: Path) -> Laboratory:
    """The test's own copy of the measured laboratory."""
    return measured_laboratory.copy(tmp_path / "laboratory")
