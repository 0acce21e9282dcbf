"""Steps of the workflows, read from their files and run as a runner does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
Workflow = dict[str, Any]


def parsed(text: str) -> Workflow:
    """Return the workflow with every scalar as a string: YAML 1.1 reads the key ``on`` as true."""
    return yaml.load(text, Loader=yaml.BaseLoader)


def workflow(name: str) -> Workflow:
    return parsed((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())


def steps(content: Workflow) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in content["jobs"].items():
        for step in job["steps"]:
            yield name, step


def scripts(content: Workflow) -> Iterator[tuple[str, str, str]]:
    """Yield each step's job, shell and script."""
    default = content.get("defaults", {}).get("run", {}).get("shell", "")
    for job, step in steps(content):
        if "run" in step:
            yield job, step.get("shell", default), step["run"]


def named_step(name: str, job: str, title: str) -> dict[str, Any]:
    (step,) = [step for where, step in steps(workflow(name)) if where == job and title in step.get("name", "")]
    return step


def program(directory: Path, name: str, source: str) -> None:
    """Put a command on the PATH of ``bash`` below."""
    path = directory / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{source}")
    path.chmod(0o755)


def bash(script: str, directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a runner does for a step that names its shell."""
    path = f"{directory / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    variables = {**os.environ, "PATH": path, **environment}
    return subprocess.run(command, cwd=directory, env=variables, capture_output=True, text=True)
