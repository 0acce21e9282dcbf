"""A worker of a fleet: it runs a unit in its checkout, and sends back the results that the client lacks."""

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TypedDict

from duet import git
from duet.child import orphans
from duet.lock import BusyError, only_measurement
from history.fleet.units import Unit
from history.results_branch import files
from history.store.results import RESULTS
from jitkernels import machine

THREAD_LIMITS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")  # set by Dask's nanny, not by the user


class Answer(TypedDict):
    """What a worker sends back. ``files``: by path below the results. ``output``: the last lines, if the unit failed."""

    host: str
    machine: str
    status: int
    seconds: float
    files: dict[str, str]
    output: str


def measure(unit: Unit, digests: Mapping[str, str], timeout: float) -> Answer:
    """Run a unit in this process's directory, and return its outcome with the files that the client lacks.

    digests: the client's files, as SHA-256 by path. It waits for a unit that an earlier worker left running here.
    """
    begin = time.monotonic()
    while _is_busy() and time.monotonic() - begin < timeout:
        time.sleep(1)
    variables = {name: value for name, value in os.environ.items() if name not in THREAD_LIMITS}
    status, output = _run(unit.arguments, variables, timeout - (time.monotonic() - begin))
    name = machine.identity()
    return {
        "host": socket.gethostname(),
        "machine": name,
        "status": status,
        "seconds": time.monotonic() - begin,
        "files": {path: text for path, text in texts(name).items() if digests.get(path) != digest(text)},
        "output": output if status else "",
    }


def _is_busy() -> bool:
    try:
        with only_measurement():
            return False
    except BusyError:
        return True


def _run(arguments: Sequence[str], variables: Mapping[str, str], timeout: float) -> tuple[int, str]:
    """Return the exit status and the last lines. After ``timeout`` seconds the command and its processes are killed.

    If this process dies, the command goes on: its output is a file, because it could not write to a pipe without a reader.
    """
    token, end = uuid.uuid4().hex, ""
    with tempfile.TemporaryFile() as output:
        command = subprocess.Popen(
            [sys.executable, *arguments],
            env={**variables, orphans.NAME: token},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            command.wait(max(1.0, timeout))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(command.pid, signal.SIGKILL)
            command.wait()
            orphans.end_all(lambda: orphans.alive(token))  # asv, whose session is its own
            end = f"\nkilled after {timeout:.0f} s"
        output.seek(0)
        text = output.read().decode(errors="replace") + end
    return command.returncode, "\n".join(text.strip().splitlines()[-5:])


def texts(name: str) -> dict[str, str]:
    """Return the files of a machine's results here, by path."""
    paths = [path for path in files(RESULTS) if PurePosixPath(path).parts[0] == name]
    return {path: (RESULTS / path).read_text(encoding="utf-8", errors="replace") for path in paths}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def describe() -> dict[str, str]:
    """Return the ``commit`` that a worker measures, and its ``machine``."""
    return {"machine": machine.identity(), "commit": git.commit(Path())}
