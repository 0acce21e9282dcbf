"""Simulate a fleet: this project's client, Dask's own scheduler, and hosts whose units only wait.

    python tests/simulated_fleet.py [--hosts 1000] [--machines 10] [--units 2400] [--speed-up 4] [--lost 0.05]

A unit waits as long as a stored duet of commits or releases took, drawn at random and divided by the speed-up. It then adds
a line of that duet's length to its host's results, which the client takes. Units are in a fleet's order. Hosts are lost in
the middle of a unit. They come back after ten minutes, except one in four. Every host is a worker of Dask with its own
loopback address. All hosts share one process; the scheduler and the client have their own.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import distributed
from dask import config
from dask_processes import dask_cluster

from history.fleet import command
from history.fleet.intake import take
from history.fleet.units import Unit, longest_first
from history.fleet.worker import Answer
from history.store import duets, release_lines
from jitkernels import cluster

COMMIT = "0" * 40
AWAY = 600.0  # seconds until a lost host is back
GONE = 0.25  # the fraction of lost hosts that do not come back
QUIET = {  # a thousand workers share one process, which their background tasks would keep busy
    "distributed.admin.tick.interval": "60s",
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.profile.enabled": False,
    "distributed.diagnostics.nvml": False,
    "logging.distributed": "critical",
}


def describe(dask_worker: Any) -> dict[str, str]:
    """Return a simulated host's machine, with which its name begins, and its commit."""
    return {"machine": dask_worker.name.partition("/")[0], "commit": COMMIT}


async def measure(unit: Unit, known: Mapping[str, str], timeout: float) -> Answer:
    """Wait as long as the unit says, and return what its host has measured until now."""
    seconds, length = map(float, unit.arguments)
    worker = distributed.get_worker()
    machine = worker.name.partition("/")[0]
    await asyncio.sleep(seconds)
    line = {"at": str(time.time()), "machine": machine, "unit": unit.name, "cells": "." * int(length)}
    text = worker.results = getattr(worker, "results", "") + json.dumps(line) + "\n"
    files = {f"{machine}/duets.jsonl": text}
    return {"host": worker.name, "machine": machine, "status": 0, "seconds": seconds, "files": files, "output": ""}


class Hosts:
    """The workers of a scheduler, all in this process."""

    def __init__(self, scheduler: str, directory: Path, options: argparse.Namespace) -> None:
        self.scheduler, self.directory, self.options = scheduler, directory, options
        self.random = random.Random(options.seed)

    async def run(self) -> None:
        """Start all hosts, print "started", and lose hosts until this process ends."""
        workers = [await self._worker(number) for number in range(self.options.hosts)]
        print("started", flush=True)
        await asyncio.gather(*(self._life(number, worker) for number, worker in enumerate(workers)))

    async def _worker(self, number: int) -> Any:
        name = f"machine-{number % self.options.machines}/{number}"
        place = {"host": f"127.{1 + number // 250}.{1 + number % 250}.1", "local_directory": str(self.directory)}
        more = {"dashboard": False, "memory_limit": 0, "silence_logs": 50}
        return await distributed.Worker(self.scheduler, name=name, nthreads=1, resources=command.BENCH, **place, **more)

    async def _life(self, number: int, worker: Any) -> None:
        """Lose the host at random, and start it again. ``lost``: losses in an hour of the units' time."""
        while True:
            await asyncio.sleep(self.random.expovariate(self.options.lost / 3600 * self.options.speed_up))
            await worker.close(reason="lost", executor_wait=False)
            if self.random.random() < GONE:
                return
            await asyncio.sleep(AWAY / self.options.speed_up)
            worker = await self._worker(number)


def stored(results: Path) -> list[tuple[str, float, int]]:
    """Return the kind of unit of each stored duet, the seconds that it took, and the characters of its line."""
    return [
        (kind, _instant(line["at"]) - _instant(line["began"]), len(text))
        for kind, name in (("commits", duets.FILE), ("releases", release_lines.DUETS))
        for file in sorted(results.glob(f"*/{name}"))
        for text in file.read_text().splitlines()
        if "began" in (line := json.loads(text))
    ]


def _instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def simulate(options: argparse.Namespace, directory: Path) -> Iterator[str]:
    """Measure all units on all machines, and yield what happened."""
    chance, measured = random.Random(options.seed), stored(options.results)
    drawn = [chance.choice(measured) for _ in range(options.units)]
    times = [seconds for _, seconds, _ in drawn]
    units = longest_first(
        [
            Unit(f"{kind}:{number}", (str(seconds / options.speed_up), str(length)))
            for number, (kind, seconds, length) in enumerate(drawn)
        ]
    )
    patched = mock.patch.multiple(command, measure=measure, describe=describe)
    ideal = sum(times) * options.machines / options.hosts
    begin = time.monotonic()
    with _processes(options, directory) as address, cluster.client(address) as client, patched:
        yield f"{options.hosts:,} hosts of {options.machines} machines are there after {time.monotonic() - begin:.0f} s"
        fleet = command.Fleet(client, COMMIT)
        begin = time.monotonic()
        answers = []
        for unit, _, answer in fleet.answers(units, command.TIMEOUT):
            answers.append(answer)
            if not isinstance(answer, str):
                assert take(unit, answer) == []
        makespan = (time.monotonic() - begin) * options.speed_up
        left = len(client.scheduler_info(n_workers=-1)["workers"])
    lost = sum(isinstance(answer, str) for answer in answers)
    yield f"{len(answers):,} units of {statistics.mean(times):.0f} s, the longest {max(times):.0f} s; {lost} have no answer"
    yield f"{makespan / 3600:.2f} h, {makespan / ideal:.3f} times the ideal {ideal / 3600:.2f} h; {left:,} hosts at the end"


@contextlib.contextmanager
def _processes(options: argparse.Namespace, directory: Path) -> Iterator[str]:
    """Start the scheduler and a process with all hosts, and yield the scheduler's address."""
    here = Path(__file__).resolve().parent
    with dask_cluster(directory, 0, PYTHONPATH=f"{here}{os.pathsep}{here.parent}") as own:
        address = own.address
        words = [f"--{name.replace('_', '-')}={value}" for name, value in vars(options).items() if value is not None]
        with subprocess.Popen(
            [sys.executable, str(here / Path(__file__).name), *words, f"--scheduler={address}"], stdout=subprocess.PIPE
        ) as hosts:
            try:
                assert hosts.stdout and hosts.stdout.readline() == b"started\n"
                yield address
            finally:
                hosts.kill()


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="simulate a fleet")
    for name, value in {"hosts": 1000, "machines": 10, "units": 2400, "seed": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--speed-up", type=float, default=4.0, help="seconds of a unit that pass in a second")
    parser.add_argument("--lost", type=float, default=0.05, help="losses of a host in an hour")
    parser.add_argument("--results", type=Path, default=Path("results"), help="with the duets that were measured")
    parser.add_argument("--scheduler", help=argparse.SUPPRESS)
    return parser


def main() -> None:
    options = parser().parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as directory:
        if options.scheduler:
            with config.set(QUIET):
                asyncio.run(Hosts(options.scheduler, Path(directory), options).run())
        else:
            options.results = options.results.resolve()
            os.chdir(directory)
            for line in simulate(options, Path(directory)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
