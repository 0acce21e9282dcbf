"""Importing is light."""

import subprocess
import sys

import jitkernels

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


def modules_loaded_by(*arguments: str) -> int:
    """How many modules a Python process has when it ends: what a start takes, whatever the machine is doing."""
    script = "import atexit, sys; atexit.register(lambda: print(len(sys.modules), file=sys.stderr)); "
    answer = subprocess.run([sys.executable, "-c", script + arguments[0]], capture_output=True, text=True, check=True)
    return int(answer.stderr.split()[-1])


def test_importing_loads_hardly_a_module() -> None:
    assert modules_loaded_by("import jitkernels") - modules_loaded_by("import importlib") <= 1, "jitkernels itself"


LIST = "import sys; sys.argv = ['jitkernels', 'list']; from jitkernels.__main__ import main; main()"
TABLE = "import argparse, dataclasses, importlib.metadata, json, tempfile, rich.progress, rich.table"


def test_listing_loads_little_beside_its_own_modules_and_what_draws_a_table() -> None:
    specs = len(jitkernels.kernels.names())
    assert modules_loaded_by(LIST) - modules_loaded_by(TABLE) < specs + 80, "an import came to the command line"
