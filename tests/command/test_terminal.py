"""Progress on a terminal and elsewhere, and Ctrl-C."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(("kill", "number", "status"), [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm_end_without_a_traceback_and_leave_nothing_running(
    tmp_path: Path, kill: Any, number: int, status: int
) -> None:
    started = tmp_path / "started"
    environment = {**os.environ, "PYTHONPATH": package(tmp_path, "sitecustomize", ENDLESS), "STARTED": str(started)}
    command = heeding_ctrl_c([*COMMAND, "time", "monte_carlo_pi", "-b", "python"])
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment)
    while not started.exists():
        assert process.poll() is None, "it ended before its first call"
        time.sleep(0.01)
    kill(process.pid, number)
    _, stderr = process.communicate()
    assert process.returncode == status
    assert "Traceback" not in stderr
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


COMMANDS = ("list", "list --json", "check monte_carlo_pi -b python -n 10", "show philox_pi c")


def output_to(file: Any, command: str, **variables: str) -> tuple[int, str]:
    """Return the exit code and the standard error of a command. Python buffers its output unless a variable forbids it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | variables
    ended = subprocess.run([*COMMAND, *command.split()], stdout=file, stderr=subprocess.PIPE, text=True, env=environment)
    return ended.returncode, "".join(re.sub(r"^(1/1|counts:|other stages:) .*\n", "", ended.stderr, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        *((command, {}) for command in COMMANDS),
        *((command, {"PYTHONUNBUFFERED": "1"}) for command in COMMANDS[:-1]),  # show prints as list --json does
    ],
)
def test_a_closed_pipe_ends_a_command_in_silence_and_a_full_disk_with_a_line(
    command: str, variables: dict[str, str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as closed, open("/dev/full", "w") as full:
        assert output_to(closed, command, **variables) == (141, "")
        line = "jitkernels: cannot write the output: No space left on device\n"
        assert output_to(full, command, **variables) == (1, line)


def test_a_closed_standard_error_costs_the_progress_alone() -> None:
    command = shlex.join([*COMMAND, "check", "monte_carlo_pi", "-b", "python", "-n", "10", "--json"])
    answer = subprocess.run(["sh", "-c", f"{command} 2>&-"], stdout=subprocess.PIPE, text=True)
    assert answer.returncode == 0
    (row,) = json.loads(answer.stdout)
    assert (row["status"], row["reason"]) == ("ok", None)


def on_terminal(width: int, *arguments: str) -> str:
    """Return what a command prints on a terminal."""
    terminal, other = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(width)}
    subprocess.run([*COMMAND, *arguments], stdout=other, stderr=subprocess.PIPE, check=True, env=environment)
    os.close(other)
    text = os.read(terminal, 100_000).decode()
    os.close(terminal)
    return text


def test_a_comparison_on_a_narrow_terminal_has_a_field_a_line(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text("def inputs(size, rng):\n    return (rng.random(size),)\ndef numpy(x):\n    return x.sum()\n")
    text = on_terminal(40, "compare", str(file), "--processes", "1", "--no-cold", "-n", "10")
    assert "\r\nsize: 10\r\nfunction: numpy\r\nwarm call: " in text


@pytest.mark.parametrize(("width", "is_table"), [(40, False), (120, True)])
def test_a_narrow_terminal_has_a_field_a_line_and_cuts_no_word(width: int, is_table: bool) -> None:
    text = on_terminal(width, "check", "monte_carlo_pi", "-b", "python", "-n", "10")
    assert "…" not in text and "monte_carlo_pi" in text
    assert ("┃" in text) == is_table
    assert ("kernel: monte_carlo_pi\r\nbackend: python\r\nsize: 10\r\n" in text) == (not is_table)


def test_a_terminal_has_a_bar_and_anything_else_a_line_for_each_step() -> None:
    terminal, other = pty.openpty()
    command = [*COMMAND, "check", "monte_carlo_pi", "-b", "python", "-n", "10", "--json"]
    subprocess.run(command, stdout=subprocess.PIPE, stderr=other, check=True)
    os.close(other)
    assert "measuring" in os.read(terminal, 100_000).decode()
    os.close(terminal)
    lines = jitkernels("check", "monte_carlo_pi", "-b", "python", "-n", "10", "-n", "20").stderr
    assert lines == "1/2 monte_carlo_pi python 10 ok\n2/2 monte_carlo_pi python 20 ok\n"
