"""A checkout in which workers measure made-up units, each of which adds its own line to the machine's duets."""

import json
import subprocess
from pathlib import Path
from typing import Any

from dask_processes import PATIENCE

from history.fleet import command
from history.fleet.intake import take
from history.fleet.units import Unit
from jitkernels import machine

HERE = machine.identity()
APPEND = """
import json, pathlib, time
from duet.lock import only_measurement
with only_measurement():
    target = pathlib.Path(".asv/results", {machine!r}, "duets.jsonl")
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({{"at": "2026-01-01", "machine": {machine!r}, "unit": {unit!r}}}) + "\\n"
    if text not in (target.read_text() if target.exists() else ""):
        time.sleep({seconds})
        with target.open("a") as file:
            file.write(text)
"""


def make_checkout(path: Path) -> Path:
    """Make a repository with one commit."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "--quiet", str(path)], check=True)
    subprocess.run(["git", *identity, "commit", "--quiet", "--allow-empty", "-m", "Begin"], cwd=path, check=True)
    return path


def unit(name: str, seconds: float = 0.0) -> Unit:
    """Return a unit that adds a line, as measuring commands do: alone in its checkout, and only if the line is missing."""
    return Unit(name, ("-c", APPEND.format(machine=HERE, unit=name, seconds=seconds)))


def measured(fleet: command.Fleet, *wanted: Unit, timeout: float = PATIENCE) -> dict[str, Any]:
    """Return the answers by unit, after they were merged into the results."""
    answers = {}
    for each, name, answer in fleet.answers(wanted, timeout):
        assert name == HERE
        answers[each.name] = answer
        if not isinstance(answer, str):
            assert take(each, answer) == []
    return answers


def lines() -> list[str]:
    """Return the units whose lines are here, sorted by name, and check that no line is there twice."""
    names = [json.loads(line)["unit"] for line in Path(".asv/results", HERE, "duets.jsonl").read_text().splitlines()]
    assert len(names) == len(set(names))
    return sorted(names)
