"""HEAD's suite measures the libraries of older commits: asv does so over a range of commits, the gate with its base."""

import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from discovery import ROOT, discover

BEFORE_THE_MOVE = "b623357"
"""The last commit whose library has caches, steady, worker and others beside the cases, not in rooms of their own."""
MEASURE = """
import json, sys, tempfile, os
from pathlib import Path
from benchmarks import black_scholes, dense, philox_pi, relu

os.chdir(tempfile.mkdtemp())
Path("cache.pickle").touch()  # as in the directory where asv runs exact benchmarks
rows = {}
for name, benchmark, method, *parameters in [
    ("warm", philox_pi.Warm(), "time_call", "c", 1000),
    ("cached", philox_pi.Cached(), "time_first_call", "c", 1000),
    ("cold", philox_pi.Cold(), "time_first_call", "c", 1000),
    ("hits", philox_pi.Accuracy(), "track_hits", "numpy", 1000),
    ("made", philox_pi.Made(), "track_count", "c", 1000, "code_bytes"),
    ("error", black_scholes.Error(), "track_error", "numpy", 10000),
    ("lives", relu.Lives(), "track_programs", "c", 20, "cached"),
]:
    try:
        benchmark.setup(*parameters)
        value = getattr(benchmark, method)(*parameters)
        rows[name] = "called" if value is None else value
    except NotImplementedError as skip:
        rows[name] = f"skip: {skip}"
import jitkernels
print(json.dumps({"rows": rows, "library": jitkernels.__file__}))
"""


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with HEAD's suite and the older commit's library."""
    archive = subprocess.run(["git", "archive", BEFORE_THE_MOVE, "jitkernels"], cwd=ROOT, capture_output=True)
    if archive.returncode:
        pytest.skip(f"this clone is shallow: it has no commit {BEFORE_THE_MOVE}")
    directory = tmp_path_factory.mktemp("older")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(directory, filter="data")
    (directory / "benchmarks").symlink_to(ROOT / "benchmarks")
    return directory


@pytest.fixture(scope="module")
def measured(older: Path) -> dict[str, Any]:
    variables = {
        "PYTHONPATH": str(older),
        "JITKERNELS_PRELOAD": "jitkernels.backends.numpy no.such.module",
        "ASV_CONF_DIR": str(older),
        "ASV_COMMIT": BEFORE_THE_MOVE,
        "ASV_ENV_NAME": "environment",
    }
    environment = {**os.environ, **variables}
    answer = subprocess.run([sys.executable, "-c", MEASURE], cwd=older, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout.splitlines()[-1])
    assert Path(found["library"]).is_relative_to(older)
    lines = (older / ".asv" / "records" / BEFORE_THE_MOVE / "environment.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    return {**found["rows"], "backends": {line["backend"] for line in records if line["said"] == "backend"}}


def test_the_suite_is_discovered_whole(older: Path, discovered: dict[str, Any]) -> None:
    found = discover(older / "benchmarks", older)
    assert Path(found["library"]).is_relative_to(older)
    assert found["benchmarks"] == discovered["benchmarks"]


def test_warm_cold_and_cached_calls_are_timed(measured: dict[str, Any]) -> None:
    assert [measured[life] for life in ("warm", "cold", "cached")] == ["called"] * 3


def test_accuracy_and_counts_are_tracked(measured: dict[str, Any]) -> None:
    assert measured["hits"] == 782
    assert measured["made"] > 0
    assert 0 <= measured["error"] < 1e-4
    assert measured["lives"] == "skip: this version of jitkernels has no process"


def test_records_name_the_versions_that_were_installed(measured: dict[str, Any]) -> None:
    assert measured["backends"] == {"c", "numpy"}


def test_a_figure_that_an_older_library_cannot_give_is_a_skip_with_the_reason() -> None:
    from benchmarks._library import load

    with pytest.raises(NotImplementedError, match="this version of jitkernels has no telepathy"):
        load("telepathy")
    with pytest.raises(NotImplementedError, match=r"this version of jitkernels has no machine\.telepathy"):
        load("machine", "cores", "telepathy")
    assert load("machine", "cores").cores() >= 1
