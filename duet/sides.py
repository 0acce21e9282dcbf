"""A side of a duet: a Python, a library and a suite."""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

INSTALLED = """
import importlib.metadata, json, platform
print(json.dumps([platform.python_version(), {each.name: each.version for each in importlib.metadata.distributions()}]))
"""
LONGEST = 60.0  # seconds that Python may take to list its packages
NOT_INHERITED = ("PYTHONPATH", "PYTHONOPTIMIZE")  # the latter switches off the asserts that check answers


class SideError(Exception):
    """A side cannot be measured: its Python does not start, or its suite cannot be imported."""


@dataclass(frozen=True)
class Side:
    """One of the two things that a duet compares.

    ``name``: names its files; the two sides of a duet have different names. ``python``: the executable. ``library``: a
    directory whose packages come before those that are installed in ``python``; None if the library is installed there.
    ``suite``: the directory of the asv benchmarks. ``variables``: environment variables of this side alone.
    """

    name: str
    python: str
    library: Path | None
    suite: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """Return the environment variables of this side's processes: the caller's, changed by ``variables`` and its own.

        PYTHONPATH is the library alone. Python's options -I and -E are not used, because compilers read variables too.
        """
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        path = {"PYTHONPATH": str(self.library)} if self.library else {}
        return {**inherited, **variables, **self.variables, **path, "PYTHONSAFEPATH": "1"}

    def versions(self, packages: Iterable[str]) -> dict[str, str]:
        """Return the versions of Python and of those ``packages`` that are installed. Raises SideError."""
        python, installed = self.installed()
        versions = {_hyphenated(name): version for name, version in installed.items()}
        return {"python": python, **{name: versions[name] for name in map(_hyphenated, packages) if name in versions}}

    def installed(self) -> tuple[str, dict[str, str]]:
        """Return the versions of Python, and of all packages by their own names. Raises SideError."""
        command = [self.python, "-c", INSTALLED]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, env=self.environment({}), timeout=LONGEST)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SideError(f"{self.python} does not start: {error}") from error
        if answer.returncode:
            raise SideError(f"{self.python} cannot list its packages: {answer.stderr.strip()[-200:]}")
        python, packages = json.loads(answer.stdout)
        return python, packages


def _hyphenated(name: str) -> str:
    return name.lower().replace("_", "-")
