"""The suite as asv_runner discovers it, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DISCOVER = """
import json, sys
from asv_runner._aux import update_sys_path
from asv_runner.discovery import disc_benchmarks

root = sys.argv[1]
update_sys_path(root)
before = set(sys.modules)  # asv_runner's memory benchmarks import NumPy where there is one
benchmarks = [{"name": b.name, "version": b.version, "type": b.type, "params": b._params} for b in disc_benchmarks(root)]
frameworks = {"numpy", "numba", "jax", "tensorflow", "torch", "triton"}
found = {"frameworks": sorted(frameworks & (set(sys.modules) - before)), "library": sys.modules["jitkernels"].__file__}
print(json.dumps({"benchmarks": benchmarks, **found}))
"""


def discover(directory: Path, library: Path = ROOT) -> dict[str, Any]:
    """Return what asv_runner discovers: the benchmarks, the frameworks that this imported, and the library.

    library: the directory that holds the package jitkernels to measure.
    """
    command = [sys.executable, "-c", DISCOVER, str(directory)]
    environment = {**os.environ, "PYTHONPATH": str(library)}
    answer = subprocess.run(command, cwd=library, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)
