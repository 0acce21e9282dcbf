"""asv's own commands, typed by hand, in a copy of this repository; and what bad benchmarks do to them: nothing."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from laboratory import ASV, Laboratory, Template, heeding_ctrl_c
from shell import strict_json

WARM, HITS = r"philox_pi\.Warm\.time_call\('(numpy|c)', 1000\)", r"philox_pi\.Accuracy\.track_hits\('c', 1000\)"
TWO_CLASSES = """
from ._suite.exact import _Accuracy, figure
from ._suite.warm import _Warm

BACKENDS = ["python", "numpy", "c"]


class Warm(_Warm):
    params = [BACKENDS, [1_000]]


class Accuracy(_Accuracy):
    params = [BACKENDS, [1_000_000]]

    track_hits = figure("hits", "hits", "equal", exact=True)
"""


@pytest.fixture(scope="module")
def published(measured_laboratory: Template, tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """A laboratory for the tests that only read it."""
    return measured_laboratory.copy(tmp_path_factory.mktemp("published") / "laboratory", shares_environment=True)


def test_a_run_measures_what_it_is_asked_for(published: Laboratory) -> None:
    commit = published.git("rev-list", "--max-parents=0", "HEAD")
    hits = published.values(commit, "philox_pi.Accuracy.track_hits")
    assert {hits[backend, "1000"] for backend in ("'python'", "'numpy'", "'c'")} == {782}
    warm = published.values(commit, "philox_pi.Warm.time_call")
    assert all(0 < warm[backend, "1000"] < 1 for backend in ("'python'", "'numpy'", "'c'"))
    other = published.values(commit, "monte_carlo_pi.Warm.time_call")
    assert 0 < other["'c'", "1000"] < 1
    for values in (warm, other):
        assert math.isnan(values["'numba'", "1000"]), "not selected, and not in this environment"


def test_every_time_has_at_least_eight_samples(published: Laboratory) -> None:
    results = published.results(published.git("rev-list", "--max-parents=0", "HEAD"))
    columns = results["result_columns"]
    measured = [row for name, row in results["results"].items() if ".Warm." in name]
    repeats = [repeat for row in measured for repeat in row[columns.index("stats_repeat")] if repeat is not None]
    assert len(repeats) == 4
    assert min(repeats) >= 8


def test_bad_benchmarks_are_failures_and_the_run_goes_on(badly_measured: tuple[Laboratory, str]) -> None:
    laboratory, commit = badly_measured
    results = laboratory.results(commit)["results"]
    bad = {name.rpartition("track_")[2]: row[0] for name, row in results.items() if "broken.Bad" in name}
    assert bad == {"raises": None, "hangs": None, "infinity": None, "nan": None, "negative": None, "fine": [1.0]}
    assert laboratory.asv("publish").returncode == 0


def test_continuous_compares_a_slow_branch_with_main(laboratory: Laboratory) -> None:
    file, run = "jitkernels/kernels/philox_pi/numpy.py", "def run(points, seed):\n"
    commit = laboratory.changed("main", file, run, f"{run}    sorted(range(200_000))\n")
    laboratory.git("checkout", "--quiet", "-B", "topic", commit)
    answer = laboratory.asv("continuous", "main", "HEAD", "--factor", "3", "--bench", f"{WARM}|{HITS}")
    assert answer.returncode == 1, answer.stdout
    worse = [line for line in answer.stdout.splitlines() if line.startswith("| +")]
    assert len(worse) == 1 and "philox_pi.Warm.time_call('numpy', 1000)" in worse[0], answer.stdout
    assert "PERFORMANCE DECREASED" in answer.stdout
    for measured in (commit, laboratory.git("rev-parse", "main")):
        assert laboratory.values(measured, "philox_pi.Accuracy.track_hits")["'c'", "1000"] == 782
    assert laboratory.asv("run", "NEW", "--bench", "just-discover").returncode == 1, "asv: nothing is new"
    laboratory.change_library()
    assert laboratory.asv("run", "NEW", "--bench", HITS).returncode == 0, "new on a branch, too"
    assert laboratory.asv("publish").returncode == 0


def test_a_clone_of_one_branch_or_of_none_can_publish(laboratory: Laboratory, tmp_path: Path) -> None:
    commit = laboratory.git("rev-parse", "HEAD")
    source = f"file://{laboratory.path}"
    laboratory.git("branch", "--force", "side", commit)
    laboratory.git("clone", "--quiet", "--single-branch", "--branch", "side", source, str(tmp_path / "clone"))
    results = laboratory.path / ".asv" / "results"
    shutil.copytree(results, tmp_path / "clone" / ".asv" / "results")
    (tmp_path / "clone" / "site").mkdir()
    (tmp_path / "clone" / "site" / "charts").symlink_to((laboratory.path / "site" / "charts").resolve())
    for state in (["checkout", "--quiet", "side"], ["checkout", "--quiet", "--detach"]):
        subprocess.run(["git", *state], cwd=tmp_path / "clone", check=True)
        answer = subprocess.run([ASV, "publish"], cwd=tmp_path / "clone", capture_output=True, text=True)
        assert answer.returncode == 0, answer.stdout
        index = json.loads((tmp_path / "clone" / "site" / "history" / "index.json").read_text())
        assert len(index["revision_to_hash"]) >= 1


def test_preview_serves_what_was_published(published: Laboratory) -> None:
    with subprocess.Popen([ASV, "preview", "--port", "0"], cwd=published.path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        line = next(line for line in server.stdout if "http://" in line)
        port = line.partition("http://")[2].partition(":")[2].split("/")[0].strip(".\n ")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/index.json") as answer:
            assert json.load(answer)["project"] == "jitkernels"
        server.terminate()


def test_everything_published_is_strict_json(published: Laboratory) -> None:
    files = list((published.path / "site" / "history").rglob("*.json"))
    assert len(files) > 10
    for file in files:
        strict_json(file.read_text())


def bench(laboratory: Laboratory, until: str = "", interrupt: int = 0) -> tuple[int, str]:
    """Return the exit status and the output of ``make bench`` on three backends. until: a line's beginning that ends it."""
    backends = [word for backend in ("python", "numpy", "c") for word in ("--backend", backend)]
    with subprocess.Popen(
        heeding_ctrl_c([sys.executable, "-u", "-m", "history.bench", *backends]),
        cwd=laboratory.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, "PIP_NO_INDEX": "1"},  # a second call needs no network
    ) as process:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if until and line.startswith(until):
                os.killpg(process.pid, interrupt)
                until = ""
        return process.wait(), "".join(lines)


def test_an_interrupted_bench_keeps_its_finished_slices_goes_on_and_publishes(laboratory: Laboratory) -> None:
    for module in (laboratory.path / "benchmarks").glob("[a-z]*.py"):
        module.unlink()
    (laboratory.path / "benchmarks" / "philox_pi.py").write_text(TWO_CLASSES)
    commit = laboratory.change_library()
    status, output = bench(laboratory, "[ 2/3] numpy", signal.SIGINT)
    assert (status, "Traceback" in output, "continues from here" in output) == (130, False, True), output
    assert laboratory.values(commit, "philox_pi.Accuracy.track_hits")["'python'", "1000000"] == 785_424

    status, output = bench(laboratory, "[ 2/2] c", signal.SIGKILL)
    assert (status, "Traceback" in output) == (-signal.SIGKILL, False)
    assert laboratory.values(commit, "philox_pi.Warm.time_call")["'numpy'", "1000"] > 0

    status, output = bench(laboratory)
    assert status == 0, output
    todo, total = (int(word) for word in output.partition(" cases to measure")[0].split("\n")[-1].split(" of "))
    assert 0 < todo < total
    assert "[ 1/1] c" in output, "python and numpy were measured before the interruption"
    assert "The site is in " in output
    assert laboratory.values(commit, "philox_pi.Accuracy.track_hits")["'c'", "1000000"] == 785_424
    assert (laboratory.path / "site" / "history" / "commits.json").exists()
