"""asv files results under the hardware's name, and leaves a person's machine file as it is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitkernels import machine

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
import history.machines
from asv.machine import Machine
loaded = Machine.load(machine_name=sys.argv[1] if len(sys.argv) > 1 else None, interactive=True)
loaded.save("results")
print(loaded.machine, sorted(vars(loaded)))
"""
OTHER = {"machine": "mine", "os": "Linux", "arch": "x86_64", "cpu": "a CPU", "num_cpu": "8", "ram": "1"}


def load(home: Path, *name: str) -> str:
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, *name], cwd=home, env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout.strip()


def described(home: Path, name: str) -> dict[str, str]:
    return json.loads((home / "results" / name / "machine.json").read_text())


def test_a_new_user_is_asked_nothing_and_no_file_is_written_at_home(tmp_path: Path) -> None:
    assert load(tmp_path) == f"{machine.identity()} ['machine']"
    assert not (tmp_path / ".asv-machine.json").exists()
    here = described(tmp_path, machine.identity())
    assert (here["cpu"], here["num_cpu"]) == (machine.processor(), str(machine.cores()))


@pytest.mark.parametrize("entry", [os.uname().nodename, "elsewhere"])
def test_a_name_that_a_person_chose_is_not_used_and_its_file_stays(tmp_path: Path, entry: str) -> None:
    file = tmp_path / ".asv-machine.json"
    text = json.dumps({entry: OTHER, "version": 1})
    file.write_text(text)
    assert load(tmp_path).startswith(machine.identity())
    assert "mine" not in described(tmp_path, machine.identity()).values()
    assert file.read_text() == text


def test_a_machine_that_is_named_on_the_command_line_is_that_one(tmp_path: Path) -> None:
    (tmp_path / ".asv-machine.json").write_text(json.dumps({"mine": OTHER, "version": 1}))
    assert load(tmp_path, "mine").startswith("mine ")


def test_make_hosted_machine_prints_the_name(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    answer = subprocess.run(
        [sys.executable, "-m", "history.machines"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip().endswith(machine.identity())
    assert list(tmp_path.iterdir()) == []
