"""A Dask cluster whose scheduler and workers are processes of their own."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import distributed
import psutil

PATIENCE = 600  # seconds: never reached if the processes run
STEADY = "--no-nanny"  # for workers that no test ends: they need no second process that would start another worker
PLACE = ("--host", "127.0.0.1", "--no-dashboard")
QUIET = {"DASK_LOGGING__DISTRIBUTED": "critical"}


@dataclass(frozen=True)
class Cluster:
    """``nannies``: each starts one worker, and another when that worker dies."""

    address: str
    scheduler: subprocess.Popen[str]
    nannies: list[subprocess.Popen[str]]


@contextlib.contextmanager
def started(*words: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables}
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def dask_cluster(directory: Path, workers: int, *options: str, **variables: str) -> Iterator[Cluster]:
    """Start a cluster with that many workers of one thread. options: of the workers. variables: of all processes."""
    file = directory / "scheduler.json"
    with contextlib.ExitStack() as stack:
        words = (
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            *PLACE,
            "--scheduler-file",
            str(file),
            "--port",
            "0",
        )
        scheduler = stack.enter_context(started(*words, **QUIET, **variables))
        nannies = [stack.enter_context(nanny(directory, *options, **variables)) for _ in range(workers)]  # wait for the file
        until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        address = json.loads(file.read_text())["address"]
        if workers:
            with distributed.Client(address) as client:
                client.wait_for_workers(workers, timeout=PATIENCE)
        yield Cluster(address, scheduler, nannies)


@contextlib.contextmanager
def nanny(directory: Path, *options: str, python: str = sys.executable, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Start a nanny, and so a worker, of the cluster in this directory."""
    more = ("--nworkers", "1", "--nthreads", "1", "--memory-limit", "0", "--local-directory", str(directory))
    file = ("--scheduler-file", str(directory / "scheduler.json"))
    with started(
        sys.executable, "-m", "distributed.cli.dask_worker", *PLACE, *file, *more, *options, **QUIET, **variables
    ) as own:
        yield own


def worker_of(process: subprocess.Popen[str]) -> psutil.Process:
    """Wait until this process has started a worker, and return the first one."""
    found: list[psutil.Process] = []

    def look() -> bool:
        children = psutil.Process(process.pid).children()
        found[:] = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        return bool(found)

    until(look)
    return found[0]


def until(condition: Callable[[], Any]) -> None:
    """Wait until the condition is true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "nothing happened for ten minutes"
        time.sleep(0.01)
