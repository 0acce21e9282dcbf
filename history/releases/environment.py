"""The environment of one release: asv creates it, and this module checks and removes it."""

import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from asv.config import Config
from asv.environment import get_environments
from packaging.utils import canonicalize_name

from history.releases.table import CONFIGURATION, Release

ASV = [str(Path(sys.executable).with_name("asv")), "--config", str(CONFIGURATION)]
LOG = Path(".asv/releases.log")
PATIENCE = 10  # seconds for asv to end by itself after SIGINT
LONGEST_REASON = 300  # characters
INSTALLED = "import importlib.metadata as m, json; print(json.dumps({d.name: d.version for d in m.distributions()}))"


class CannotMeasureError(Exception):
    """asv could not install the release, or not run in its environment. The message is the reason."""


@dataclass
class ReleaseEnvironment:
    """commit: of this library, which is installed too. lock: a file descriptor that asv inherits and so holds."""

    release: Release
    python: str
    commit: str
    lock: int
    _log_start: int = field(default=0, init=False)  # of the last run's part of the log, in bytes

    @property
    def name(self) -> str:
        return self.release.environment(self.python)

    @functools.cached_property
    def path(self) -> Path:
        """The directory, which asv names by a hash."""
        (environment,) = get_environments(Config.load(str(CONFIGURATION)), [self.name], verbose=False)
        return Path(environment._path)

    def create(self) -> dict[str, str]:
        """Have asv create the environment, anew if it is incomplete, and return what is installed.

        Raises CannotMeasureError if that is not what the release requires.
        """
        required = self.release.requirements
        if self.path.exists() and (wrong := mismatch(required, self.installed())):
            print(f"    half installed: {wrong}; made anew", flush=True)
            self.remove()
        if self.run("--bench", "just-discover"):
            self.remove()
            raise CannotMeasureError(f"cannot be installed: {self.last_error()}")
        installed = self.installed()
        if wrong := mismatch(required, installed):
            raise CannotMeasureError(f"not what was asked for: {wrong}")
        return installed

    def run(self, *arguments: str, variables: Mapping[str, str] | None = None) -> int:
        """Run ``asv run`` for the commit in this environment, with its output in the log, and return its exit status."""
        command = [*ASV, "run", f"{self.commit}^!", "--environment", self.name, "--show-stderr", *arguments]
        environment = {**os.environ, **(variables or {})}
        with LOG.open("a") as log:
            self._log_start = log.tell()
            with subprocess.Popen(
                command, stdout=log, stderr=log, env=environment, start_new_session=True, pass_fds=[self.lock]
            ) as process:
                try:
                    return process.wait()
                except BaseException:  # Ctrl-C ends this process; asv and its benchmarks are ended with it
                    _end(process)
                    raise

    def installed(self) -> dict[str, str]:
        """Return versions by package, as the table spells it; {} if the environment's Python does not run."""
        spelling = {canonicalize_name(name): name for name in self.release.requirements}
        try:
            command = [str(self.path / "bin" / "python"), "-c", INSTALLED]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return {}
        return {spelling.get(canonicalize_name(name), name): version for name, version in json.loads(answer).items()}

    def bytes(self) -> int:
        """Return the bytes on disk. A file with several names counts once."""
        files = [file.lstat() for file in self.path.rglob("*") if not file.is_dir() or file.is_symlink()]
        return sum({status.st_ino: status.st_blocks * 512 for status in files}.values())

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def last_error(self) -> str:
        """Return the last error of the last run: pip's, or else any."""
        text = LOG.read_bytes()[self._log_start :].decode(errors="replace")
        lines = [line.strip() for line in text.splitlines()]
        errors = [line for line in lines if line.startswith("ERROR")] or [line for line in lines if "Error" in line]
        return (errors or [f"{LOG} says why"])[-1][:LONGEST_REASON]


def mismatch(required: Mapping[str, str], installed: Mapping[str, str]) -> str | None:
    """Return how the installed versions differ from the required ones, in words, or None if they do not.

    A local version (2.13.0+cpu) is the same release.
    """
    wrong = [
        f"{name} {version} was asked for, and {installed.get(name, 'none')} is there"
        for name, version in required.items()
        if installed.get(name, "").partition("+")[0] != version
    ]
    return "; ".join(wrong) or None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a session: the process, and everything it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        os.killpg(process.pid, signal.SIGKILL)
