"""``make fleet``: measure a list of units on the hosts of a Dask cluster, each unit once on each machine.

A unit is one of this repository's own commands. It runs in the checkout where a host's worker was started; a host runs one
unit at a time. The worker sends back its machine's files of results that the client lacks. The client merges them with its
own (history/store/merge.py), so no result is lost or counted twice, even if a unit ran before, twice, or only in part.

docs/scale.md lists the units. Exit status: that of history/errors.py; 1 if a unit failed or its last host was lost.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duet import git
from history.errors import exit_status
from history.fleet.intake import take
from history.fleet.units import Unit, shard, units
from history.fleet.worker import Answer, describe, digest, measure, texts
from jitkernels import cluster

BENCH = {"bench": 1}  # Dask resource of a measuring worker, so that it runs one unit at a time
TIMEOUT = 4 * 3600.0  # seconds for a unit: the longest one took 17 minutes
GRACE = 60.0  # seconds for a lost host's worker to return
TRIES = 3  # lost hosts after which a unit is given up: the unit may be the cause
LONGEST_FETCH = 10.0  # seconds


class Work(NamedTuple):
    """A unit on a host of a machine, and the number of hosts that have tried it, including this one."""

    unit: Unit
    machine: str
    host: str
    tries: int


class Fleet:
    """The hosts of a cluster that measure this commit, by machine, and their units.

    Raises ValueError if no worker can measure it, or two workers share a host.
    """

    def __init__(self, client: Any, commit: str) -> None:
        self.client = client
        self.hosts: dict[str, set[str]] = {}
        measuring = {address: worker for address, worker in self.workers().items() if worker["resources"].get("bench")}
        answers = client.run(describe, workers=list(measuring), on_error="return") if measuring else {}
        for address, each in answers.items():
            host = measuring[address]["host"]
            if isinstance(each, Exception):
                print(f"{host} is left out: it does not answer", flush=True)
            elif each["commit"] != commit:
                print(f"{host} is left out: it has {each['commit'][:8]} checked out, not {commit[:8]}", flush=True)
            elif any(host in hosts for hosts in self.hosts.values()):
                raise ValueError(f"{host} has two measuring workers: start one per host")
            else:
                self.hosts.setdefault(each["machine"], set()).add(host)
        if not self.hosts:
            raise ValueError(f"no worker measures {commit[:8]}: start one per host in its checkout, --resources bench=1")

    def workers(self) -> dict[str, Any]:
        """Return what the scheduler knows of each worker, by address."""
        return dict(self.client.scheduler_info(n_workers=-1).get("workers", {}))  # {} if the scheduler is lost

    def answers(self, units: Sequence[Unit], timeout: float) -> Iterator[tuple[Unit, str, Answer | str]]:
        """Yield each unit and machine with the answer, or with the reason why there is none.

        Each host gets one unit at a time. Dask would move a lost host's unit to a busy host; here it goes to a free one,
        until ``TRIES`` hosts are lost with it.
        """
        digests = {machine: {path: digest(text) for path, text in texts(machine).items()} for machine in self.hosts}
        waiting = {machine: deque((unit, 1) for unit in units) for machine in self.hosts}
        running: dict[Any, Work] = {}  # by future
        present, last_look = set().union(*self.hosts.values()), 0.0  # the hosts of the last look
        last_seen = dict.fromkeys(self.hosts, time.monotonic())
        while any(waiting.values()) or running:
            done = [(running.pop(future), answer) for future, answer in _answers(running).items()]
            for machine, host in self._free(present, running):
                if waiting[machine]:
                    unit, tries = waiting[machine].popleft()
                    where = {"workers": [host], "resources": BENCH}
                    future = self.client.submit(measure, unit, digests[machine], timeout, **where, pure=False, retries=3)
                    running[future] = Work(unit, machine, host, tries)
            for work, answer in done:  # the caller handles them while the hosts work
                yield work.unit, work.machine, _checked(answer, work.machine)
            if time.monotonic() - last_look > GRACE / 10:
                before, present = present, {worker["host"] for worker in self.workers().values()}
                last_look = time.monotonic()
                last_seen.update((machine, last_look) for machine, hosts in self.hosts.items() if hosts & present)
                lost = [future for future, work in running.items() if present and work.host not in before | present]
                for work in self._drop(lost, running):
                    if work.tries < TRIES:
                        waiting[work.machine].appendleft((work.unit, work.tries + 1))
                    else:
                        yield work.unit, work.machine, f"{TRIES} hosts were lost while they measured it"
            for machine in [machine for machine, seen in last_seen.items() if time.monotonic() - seen > GRACE]:
                lost = [future for future, work in running.items() if work.machine == machine]
                unmeasured = [work.unit for work in self._drop(lost, running)] + [unit for unit, _ in waiting[machine]]
                waiting[machine].clear()
                yield from ((unit, machine, "no host of this machine is left") for unit in unmeasured)
            time.sleep(0.1)

    def _free(self, present: set[str], running: Mapping[Any, Work]) -> list[tuple[str, str]]:
        """Return the hosts that can begin a unit, each with its machine."""
        if self.client.status != "running":
            return []
        busy = {work.host for work in running.values()}
        return [(machine, host) for machine, hosts in self.hosts.items() for host in sorted((hosts & present) - busy)]

    def _drop(self, futures: Sequence[Any], running: dict[Any, Work]) -> list[Work]:
        """Remove and return the units that no host measures any more."""
        if self.client.status == "running":  # otherwise the scheduler and its tasks are lost
            self.client.cancel(futures)
        return [running.pop(future) for future in futures]


def _answers(running: Iterable[Any]) -> dict[Any, Answer | str]:
    """Return the answer of each finished future, or the reason for its absence."""
    answers: dict[Any, Answer | str] = {}
    for future in [future for future in running if future.done()]:
        try:
            answers[future] = future.result(timeout=LONGEST_FETCH)
        except Exception as error:  # any error of a worker, or Dask's after a worker has died several times
            if isinstance(error, TimeoutError) and future.status != "error":
                continue  # its host was lost at this moment
            answers[future] = f"{type(error).__name__}: {error}".splitlines()[0]
    return answers


def _checked(answer: Answer | str, machine: str) -> Answer | str:
    if isinstance(answer, str) or answer["machine"] == machine:
        return answer
    return f"the answer names another machine: {answer['machine']}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure units on the hosts of a Dask cluster, each once on each machine")
    parser.add_argument("units", nargs="+", metavar="UNIT", help="commits:RANGE, releases:COMPILER, night, rankings")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="tls://HOST:PORT; without it, this machine alone")
    parser.add_argument("--shard", metavar="K/N", default="1/1", help="only every N-th unit, from the K-th on")
    options = parser.parse_args(arguments)
    return exit_status(lambda: run(options))


def run(options: argparse.Namespace) -> int:
    """Measure the units; return the exit status."""
    repository = Path.cwd()
    listed = shard(units(options.units, repository), options.shard)
    failed = count = 0
    with cluster.client(options.scheduler, workers=1, variables={}, resources=BENCH) as client:
        fleet = Fleet(client, git.commit(repository))
        total = len(listed) * len(fleet.hosts)
        for machine, hosts in fleet.hosts.items():
            print(f"{len(listed)} units on {machine}: {len(hosts)} hosts", flush=True)
        for unit, machine, answer in fleet.answers(listed, TIMEOUT):
            problems = [answer] if isinstance(answer, str) else take(unit, answer)
            if not isinstance(answer, str) and answer["status"]:
                problems.append(f"exit status {answer['status']}: {answer['output']}")
            count, failed = count + 1, failed + bool(problems)
            print(f"{count} of {total}: {unit.name} on {machine}", *problems, sep="\n    ", flush=True)
    print(f"\n{failed} of {total} units failed" if failed else "\nall units are measured")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
