"""Measure the overhead of a range of ``jitkernels pi`` and of a unit of ``make fleet``, by number of workers.

    python tests/fleet_growth.py

Ranges have one block and units are an empty program, so nearly all of the time is overhead of Dask, the client and the
ledger. All workers share this machine's cores. Inside the clock: from the first finished range or unit to the last.
"""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import distributed
from dask_processes import dask_cluster, nanny
from fleet_units import make_checkout

from history.fleet import command
from history.fleet.units import Unit
from history.fleet.worker import describe
from jitkernels import cluster
from jitkernels.command import ledger, pi

WORKERS = (1, 2, 4, 8)
RANGES, UNITS = 1000, 100


def interval(finished: Iterable[object]) -> float:
    """Return the mean seconds between two finished ones."""
    times = [time.perf_counter() for _ in finished]
    return (times[-1] - times[0]) / (len(times) - 1)


def growth(workers: int, directory: Path) -> tuple[float, float]:
    """Return the seconds for each range, and for each unit."""
    with dask_cluster(directory, 0) as own, contextlib.ExitStack() as stack:
        for number in range(1, workers + 1):
            stack.enter_context(nanny(directory, "--host", f"127.0.0.{number}", "--resources", "bench=1"))
        client = stack.enter_context(cluster.client(own.address))
        client.wait_for_workers(workers)
        with ledger.begin_or_continue(directory / "pi.jsonl", 4 * RANGES, 42) as book:
            of_range = interval(book.add(row) for row in pi.count_ranges(distributed, client, book, ["c"], 0))
            assert len(book.ranges) == RANGES
        units = [Unit(str(number), ("-c", "")) for number in range(UNITS)]
        fleet = command.Fleet(client, describe()["commit"])
        of_unit = interval(fleet.answers(units, command.TIMEOUT))
    return of_range, of_unit


def main() -> None:
    print("|workers|ms a range|ms a unit|")
    for workers in WORKERS:
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(make_checkout(Path(directory) / "checkout"))
            of_range, of_unit = growth(workers, Path(directory))
            os.chdir("/")
        print(f"|{workers}|{1e3 * of_range:.1f}|{1e3 * of_unit:.1f}|", flush=True)


if __name__ == "__main__":
    main()
