"""Progress on a terminal and elsewhere, and Ctrl-C."""

import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest
from laboratory import heeding_ctrl_c
from shell import COMMAND, jitkernels, package

ENDLESS = """
    import jitkernels.kernels.monte_carlo_pi.python as dialect, os, pathlib, time

    def run(points, seed):
        pathlib.Path(os.environ["STARTED"]).touch()
        while True:
            time.sleep(0.01)

    dialect.run = run
"""


def test_ctrl_c_ends_without_a_traceback_and_leaves_nothing_running(tmp_path: Path) -> None:
    started = tmp_path / "started"
    environment = {**os.environ, "PYTHONPATH": package(tmp_path, "sitecustomize", ENDLESS), "STARTED": str(started)}
    command = heeding_ctrl_c([*COMMAND, "time", "monte_carlo_pi", "-b", "python"])
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment)
    while not started.exists():
        assert process.poll() is None, "it ended before its first call"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in stderr
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_terminal_has_a_bar_and_anything_else_a_line_for_each_step() -> None:
    terminal, other = pty.openpty()
    command = [*COMMAND, "check", "monte_carlo_pi", "-b", "python", "-n", "10", "--json"]
    subprocess.run(command, stdout=subprocess.PIPE, stderr=other, check=True)
    os.close(other)
    assert "measuring" in os.read(terminal, 100_000).decode()
    os.close(terminal)
    lines = jitkernels("check", "monte_carlo_pi", "-b", "python", "-n", "10", "-n", "20").stderr
    assert lines == "1/2 monte_carlo_pi python 10 ok\n2/2 monte_carlo_pi python 20 ok\n"
