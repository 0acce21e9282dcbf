"""Importing is light."""

import resource
import subprocess
import sys

FRAMEWORKS = ("numpy", "numba", "jax", "tensorflow", "torch", "triton", "rich", "asv")
REPORT = "import sys; print(sorted(set(sys.argv[1:]) & set(sys.modules)))"


def loaded_by(statement: str) -> str:
    command = [sys.executable, "-c", f"{statement}\n{REPORT}", *FRAMEWORKS]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_importing_loads_no_framework() -> None:
    assert loaded_by("import jitkernels") == "[]"


def test_the_catalogues_load_no_framework() -> None:
    assert loaded_by("import jitkernels\nfor name in jitkernels.kernels.names(): jitkernels.kernels.load(name)") == "[]"


def test_the_detector_of_loaded_frameworks_can_fail() -> None:
    assert "numpy" in loaded_by("import jitkernels\njitkernels.prepare('philox_pi', 'numpy', 10)")


def processor_seconds(*arguments: str) -> float:
    """The fewest of several runs: processor time, because wall time on a shared machine measures its neighbours."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(9))


def test_importing_takes_less_than_50_ms() -> None:
    assert processor_seconds("-c", "import jitkernels") - processor_seconds("-c", "pass") < 0.050


def test_listing_takes_less_than_300_ms() -> None:
    assert processor_seconds("-m", "jitkernels", "list") < 0.300
