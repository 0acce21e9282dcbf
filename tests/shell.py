"""The command line in a process of its own, and packages that take the place of real ones there."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "jitkernels"]


def jitkernels(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command with these variables added."""
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


def rows(*arguments: str, **environment: str) -> list[dict[str, Any]]:
    """Return the rows that the command prints with --json: strict JSON, exit code 0."""
    answer = jitkernels(*arguments, "--json", **environment)
    assert answer.returncode == 0, answer.stderr
    return strict_json(answer.stdout)


def strict_json(text: str) -> Any:
    """Return what the text holds. Python alone reads NaN and infinities: they fail the test."""
    return json.loads(text, parse_constant=lambda token: pytest.fail(f"{token} is not JSON"))


def package(directory: Path, name: str, text: str) -> str:
    """Write a module that Python imports before any other of its name, and return the PYTHONPATH for it."""
    (directory / f"{name}.py").write_text(textwrap.dedent(text))
    return f"{directory}{os.pathsep}{ROOT}"
