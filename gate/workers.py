"""A process that measures cells of one side, as the gate sees it; what runs in it is ``worker.py``."""

import contextlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from gate.builds import Environment, Side

PROGRAM = Path(__file__).with_name("worker.py")


class Worker:
    """Imports what it needs from the moment it is made, without being waited for, and has ended when its ``with`` does."""

    def __init__(
        self,
        side: Side,
        environment: Environment,
        directory: Path,
        suite: Path,
        variables: dict[str, str] | None,
        core: int | None = None,
    ) -> None:
        """suite: whose cells it measures. variables: how it begins; None to have it say which benchmarks there are. core:
        the one that it and its cells' processes keep to; None for all of them."""
        self.side, self.core = side, core
        request = {
            "suite": str(suite), "discover": variables is None, "project": environment.project, "library": str(side.library),
            "log": str(environment.log), "core": core,
        }  # fmt: skip
        reading, writing = os.pipe()
        # Not -I and not -E: the compilers' own variables must come through.
        given = {**os.environ, **(variables or {}), "PYTHONPATH": str(side.library), "PYTHONSAFEPATH": "1"}
        with environment.log.open("a") as log:
            self._process = subprocess.Popen(
                [environment.python, str(PROGRAM), str(writing)], stdin=subprocess.PIPE, stdout=log, stderr=log,
                text=True, env=given, cwd=directory, pass_fds=[writing],
            )  # fmt: skip
        os.close(writing)
        self._said = os.fdopen(reading)
        self.ask(request)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Told to go; where something went wrong here, at once, and a cell that it measures is killed."""
        if kind:
            self._process.terminate()
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._said.close()

    def ask(self, request: dict[str, Any]) -> None:
        """Goes on at once; a worker that has died shows when it is to answer."""
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(request), file=self._process.stdin, flush=True)

    def answer(self) -> dict[str, Any] | None:
        """What it says next; None where it has died."""
        line = self._said.readline()
        return json.loads(line) if line else None
