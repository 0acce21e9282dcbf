"""The gate on real commits of a small copy of this repository: what passes, what does not, and by which exit code."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory import Laboratory, heeding_ctrl_c

from gate import errors

HITS = r"^philox_pi\.Accuracy\.track_hits\('(numpy|c)', 1000\)$"
WARM = r"^philox_pi\.Warm\.time_call\('numpy', 1000\)$"
MADE = r"^philox_pi\.Made\.track_count\('c', 1000, '(code_bytes|fusions)'\)$"
COLD = r"^philox_pi\.Cold\.time_first_call\('c', 1000\)$"
KERNEL = "jitkernels/kernels/philox_pi/numpy.py"


def slowed(laboratory: Laboratory, base: str) -> str:
    """A commit with slower calls of NumPy's kernel, and with doubled counts and tripled first calls of C."""
    run = "def run(points, seed):\n"
    slow = laboratory.changed(base, KERNEL, run, f"{run}    sorted(range(200_000))\n")
    before, after = (
        'Artifacts({"assembly": text}, counts)',
        "Artifacts({}, {name: 2 * each for name, each in counts.items()})",
    )
    slow = laboratory.changed(slow, "jitkernels/backends/c/compiler.py", before, after)
    before = "    answer = subprocess.run(command, capture_output=True, text=True)\n"
    after = f"    import time\n\n    begin = time.monotonic()\n{before}    time.sleep(2 * (time.monotonic() - begin))\n"
    return laboratory.changed(slow, "jitkernels/backends/c/shared_object.py", before, after)


def test_slower_calls_tripled_first_calls_and_doubled_counts_are_found_confirmed_and_explained(
    laboratory: Laboratory, base: str
) -> None:
    slow, bench = slowed(laboratory, base), [f"--bench={each}" for each in (WARM, HITS, MADE, COLD)]
    answer = laboratory.gate(base, slow, *bench, "--report", "report.md", "--json", "verdict.json")
    assert answer.returncode == errors.REGRESSION, answer.stderr
    findings = json.loads((laboratory.path / "verdict.json").read_text())["findings"]
    times = {row["cell"]: row for row in findings if "time_" in row["cell"]}
    kinds = {row["cell"]: row["kind"] for row in findings if row["kind"] != "skipped"}
    assert {kind for cell, kind in kinds.items() if "hits" in cell} == {"same"}
    assert {kind for cell, kind in kinds.items() if "Made" in cell} == {"changed"}, kinds
    assert {*times} == {"philox_pi.Warm.time_call('numpy', 1000)", "philox_pi.Cold.time_first_call('c', 1000)"}
    for cell, row in times.items():
        assert row["kind"] == "worse", row
        assert row["suspected"] and row["comparison"]["low"] > 1, "it was looked at twice"
        assert row["comparison"]["ratio"] > 1.5, cell
    report = (laboratory.path / "report.md").read_text()
    assert f"{list(kinds.values()).count('worse')} worse" in report.splitlines()[0]
    assert f"    {shlex.join(['python', '-m', 'gate', base, slow, *bench])}" in report.splitlines()


def test_a_comment_passes_whatever_is_uncommitted_in_any_directory_on_a_machine_that_asv_does_not_know(
    laboratory: Laboratory, base: str, gate_command: Callable[..., list[str]], tmp_path: Path
) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# no change\ndef run(")
    laboratory.git("checkout", "--quiet", "--detach", head)
    kernel = laboratory.path / KERNEL
    kernel.write_text(kernel.read_text().replace("    return hits\n", "    return hits + 1\n"))
    answer = subprocess.run(
        gate_command(base, "HEAD", "--bench", WARM, "--bench", HITS, "--json", "verdict.json"),
        cwd=laboratory.path / "tests",
        env=os.environ | {"PYTHONPATH": str(laboratory.path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    first, *steps = answer.stderr.splitlines()
    assert first == f"gate: {head[:8]} is measured as it was committed; changes since then are not"
    assert "gate: 2 figures: numpy (shared caches)" in steps, "without a terminal each step is a line"
    stored = json.loads((laboratory.path / "tests" / "verdict.json").read_text())
    assert (stored["schema"], stored["method"]["bench"], bool(stored["machine"])) == (2, [WARM, HITS], True)
    (time,) = (row for row in stored["findings"] if "time_" in row["cell"])
    assert [row["kind"] for row in stored["findings"] if row is not time] == ["same"] * 2
    # Equal programs differ by chance: better in 1 of 40 verdicts, worse in 1 of 133, beside other work in more.
    assert time["kind"] in ("same", "better", "worse"), time
    assert answer.returncode == (errors.REGRESSION if time["kind"] == "worse" else errors.PASSED), answer.stderr
    assert "numpy" in stored["versions"]


def test_a_library_that_can_t_be_built_is_no_regression(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "pyproject.toml", "hatchling.build", "hatchling.no_such_module")
    answer = laboratory.gate(base, head, "--bench", HITS)
    assert answer.returncode == errors.INFRASTRUCTURE
    assert "Traceback" not in answer.stderr
    assert answer.stderr.splitlines()[-1].startswith("gate: head cannot be built: ")
    (log,) = (laboratory.path / ".asv" / "gate").glob("*/log.txt")
    assert "hatchling.no_such_module" in log.read_text()


def at_work_in(directory: Path) -> list[int]:
    """Processes whose working directory lies there."""
    processes = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):  # it has ended
            if link.readlink().is_relative_to(directory):
                processes.append(int(link.parent.name))
    return processes


FULL = "mount -t tmpfs -o size=1m none .asv/gate && exec "
NAMESPACE = ["unshare", "--map-root-user", "--mount"]


def can_mount() -> bool:
    try:
        return subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not can_mount(), reason="this system lets nobody mount a small file system of their own")
def test_a_full_disk_is_one_line_and_no_regression(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# on a full disk\ndef run(")
    (laboratory.path / ".asv" / "gate").mkdir(exist_ok=True)
    command = shlex.join([sys.executable, "-m", "gate", base, head, "--bench", HITS])
    answer = laboratory.run([*NAMESPACE, "sh", "-c", FULL + command])
    assert answer.returncode == errors.INFRASTRUCTURE, answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.stderr.splitlines()[-1].startswith("gate: No space left on device: ")


def is_written_since(begin: float, file: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return file.stat().st_mtime >= begin
    return False


def test_killed_in_the_middle_it_leaves_asv_s_results_and_starts_again(
    laboratory: Laboratory, base: str, gate_command: Callable[..., list[str]]
) -> None:
    head = laboratory.changed(base, KERNEL, "def run(", "# comment\ndef run(")
    stored = {path: path.read_bytes() for path in (laboratory.path / ".asv" / "results").rglob("*.json")}
    samples = laboratory.path / ".asv" / "gate" / f"{base[:8]}-{head[:8]}" / "samples.jsonl"
    command = heeding_ctrl_c(gate_command(base, head, "--bench", WARM))
    for how in (signal.SIGINT, signal.SIGKILL):
        begin = time.time()
        with subprocess.Popen(command, cwd=laboratory.path, env=os.environ, stderr=subprocess.PIPE, text=True) as process:
            while not is_written_since(begin, samples) and process.poll() is None:
                time.sleep(0.1)
            process.send_signal(how)
            assert process.wait() == (130 if how == signal.SIGINT else -signal.SIGKILL)
        until = time.monotonic() + 300  # seconds, which no machine needs
        while at_work_in(laboratory.path):
            assert time.monotonic() < until, "a process is left"
            time.sleep(0.1)
        assert {path: path.read_bytes() for path in (laboratory.path / ".asv" / "results").rglob("*.json")} == stored
    code, findings = laboratory.judged(base, head, HITS)
    assert (code, len(findings)) == (errors.PASSED, 2)
