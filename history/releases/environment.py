"""One release's environment: asv makes it, this looks whether it is whole, and takes it away again."""

import contextlib
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from asv.config import Config
from asv.environment import get_environments

from history.releases.results import mismatch
from history.releases.table import CONFIGURATION, Release

ASV = [str(Path(sys.executable).with_name("asv")), "--config", str(CONFIGURATION)]
LOG = Path(".asv/releases.log")
PATIENCE = 10  # seconds for asv to end by itself once it is told to
INSTALLED = "import importlib.metadata as m, json; print(json.dumps({d.name: d.version for d in m.distributions()}))"


class CannotMeasureError(Exception):
    """asv could not install the release, or not run in its environment; the message is the reason."""


@dataclass
class Environment:
    """commit: of this library, which is installed too. lock: a file that nobody else may hold while asv runs."""

    release: Release
    python: str
    commit: str
    lock: int

    @property
    def name(self) -> str:
        return self.release.environment(self.python)

    @functools.cached_property
    def path(self) -> Path:
        """Where asv makes it: under a hash of more than its name, which asv alone knows."""
        (environment,) = get_environments(Config.load(str(CONFIGURATION)), [self.name], verbose=False)
        return Path(environment._path)

    def make(self) -> dict[str, str]:
        """Have asv make the environment, or a new one where what is there is not whole; what is installed, by name."""
        wanted = self.release.requirements
        if self.path.exists() and (wrong := mismatch(wanted, self.installed())):
            print(f"    half installed: {wrong}; made anew", flush=True)
            self.remove()
        if self.run("--bench", "just-discover"):
            self.remove()
            raise CannotMeasureError(f"cannot be installed: {self.last_error()}")
        installed = self.installed()
        if wrong := mismatch(wanted, installed):
            raise CannotMeasureError(f"not what was asked for: {wrong}")
        return installed

    def run(self, *arguments: str, variables: Mapping[str, str] | None = None) -> int:
        """``asv run`` of the commit in this environment; its exit status, and all that it says in the log."""
        command = [*ASV, "run", f"{self.commit}^!", "--environment", self.name, "--show-stderr", *arguments]
        with LOG.open("a") as log:
            self._log_begin = log.tell()
            with subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, **(variables or {})},
                start_new_session=True, pass_fds=[self.lock],
            ) as process:  # fmt: skip
                try:
                    return process.wait()
                except BaseException:  # Ctrl-C ends this process; asv and its benchmarks are ended with it
                    _end(process)
                    raise

    def installed(self) -> dict[str, str]:
        """What is installed, by name; nothing where the environment's Python does not run."""
        answer = None
        with contextlib.suppress(OSError):
            answer = subprocess.run([self.path / "bin" / "python", "-c", INSTALLED], capture_output=True, text=True)
        found = json.loads(answer.stdout) if answer and answer.returncode == 0 else {}
        return {_spelled(name, self.release.requirements): version for name, version in found.items()}

    def bytes(self) -> int:
        """On disk, a file with several names once."""
        files = [file.lstat() for file in self.path.rglob("*") if not file.is_dir() or file.is_symlink()]
        return sum({status.st_ino: status.st_blocks * 512 for status in files}.values())

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def last_error(self) -> str:
        """pip's own last word on what it could not do, else asv's."""
        text = LOG.read_bytes()[self._log_begin :].decode(errors="replace")
        lines = [line.strip() for line in text.splitlines()]
        said = [line for line in lines if line.startswith("ERROR")] or [line for line in lines if "Error" in line]
        return (said or [f"{LOG} says why"])[-1][:300]


def _spelled(name: str, as_in: Mapping[str, str]) -> str:
    """``name`` as the table spells it, where it has it: ml-dtypes and ml_dtypes are one package."""
    return {other.replace("-", "_").lower(): other for other in as_in}.get(name.replace("-", "_").lower(), name)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a session: the process, and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        os.killpg(process.pid, signal.SIGKILL)
