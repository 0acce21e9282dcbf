"""``make fleet``: measure a list of units on the hosts of a Dask cluster, each unit once on each machine.

A unit is one of this repository's own commands. It runs in the checkout where a host's worker was started; a host runs one
unit at a time. The worker sends back its machine's files of results that the client lacks. The client merges them with its
own (history/store/merge.py), so no result is lost or counted twice, even if a unit ran before, twice, or only in part.

    python -m history.fleet.command UNIT... [--scheduler ADDRESS] [--shard 3/10]

    commits:RANGE      each commit in turn with the anchor; if a machine has none, the newest is the anchor
    releases:COMPILER  each release in turn with the one before it; releases:COMPILER:VERSION,VERSION for those alone
    night              all of HEAD, backend by backend; night:BACKEND for one
    rankings           the backends of each kernel; rankings:KERNEL for one

Exit status: that of history/errors.py; 1 if a unit failed or its last host was lost.
"""

import argparse
import fcntl
import json
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from duet import git
from history.errors import exit_status
from history.fleet.units import Unit, shard, units
from history.fleet.worker import Answer, describe, digest, measure, texts
from history.results_branch import SUFFIXES
from history.store import records
from history.store.merge import merged
from history.store.results import KEPT, RESULTS, UnreadableError, parse
from jitkernels import cluster
from jitkernels.files import append, write

LOG = Path(".asv/fleet.jsonl")  # the origin of every file
BENCH = {"bench": 1}  # Dask resource of a measuring worker, so that it runs one unit at a time
TIMEOUT = 4 * 3600.0  # seconds for a unit: the longest night took 37 minutes
GRACE = 60.0  # seconds for a lost host's worker to return
TRIES = 3  # lost hosts after which a unit is given up: the unit may be the cause
LONGEST_FETCH = 10.0  # seconds
LARGEST = 50_000_000  # characters of a file of results


class Work(NamedTuple):
    """A unit on a host of a machine, and the number of hosts that have tried it, including this one."""

    unit: Unit
    name: str
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
            elif any(host in known for known in self.hosts.values()):
                raise ValueError(f"{host} has two measuring workers: start one per host")
            else:
                self.hosts.setdefault(each["machine"], set()).add(host)
        if not self.hosts:
            raise ValueError(f"no worker measures {commit[:8]}: start one per host in its checkout, --resources bench=1")

    def workers(self) -> dict[str, Any]:
        """Return what the scheduler knows of each worker, by address."""
        return dict(self.client.scheduler_info(n_workers=-1).get("workers", {}))  # {} if the scheduler is lost

    def answers(self, wanted: Sequence[Unit], timeout: float) -> Iterator[tuple[Unit, str, Answer | str]]:
        """Yield each unit and machine with the answer, or with the reason why there is none.

        Each host gets one unit at a time. Dask would move a lost host's unit to a busy host; here it goes to a free one,
        until ``TRIES`` hosts are lost with it.
        """
        known = {name: {path: digest(text) for path, text in texts(name).items()} for name in self.hosts}
        waiting = {name: deque((unit, 1) for unit in wanted) for name in self.hosts}
        running: dict[Any, Work] = {}  # by future
        seen, looked, here = dict.fromkeys(self.hosts, time.monotonic()), 0.0, set().union(*self.hosts.values())
        while any(waiting.values()) or running:
            done = [(running.pop(future), answer) for future, answer in _answers(running).items()]
            for name, host in self._free(here, running):
                if waiting[name]:
                    unit, tries = waiting[name].popleft()
                    where = {"workers": [host], "resources": BENCH}
                    future = self.client.submit(measure, unit, known[name], timeout, **where, pure=False, retries=3)
                    running[future] = Work(unit, name, host, tries)
            for work, answer in done:  # the caller handles them while the hosts work
                yield work.unit, work.name, _checked(answer, work.name)
            if time.monotonic() - looked > GRACE / 10:
                before, here = here, {worker["host"] for worker in self.workers().values()}
                looked = time.monotonic()
                seen.update((name, looked) for name, hosts in self.hosts.items() if hosts & here)
                lost = [future for future, work in running.items() if here and work.host not in before | here]
                for work in self._drop(lost, running):
                    if work.tries < TRIES:
                        waiting[work.name].appendleft((work.unit, work.tries + 1))
                    else:
                        yield work.unit, work.name, f"{TRIES} hosts were lost while they measured it"
            for name in [name for name, at in seen.items() if time.monotonic() - at > GRACE]:
                lost = [future for future, work in running.items() if work.name == name]
                units = [work.unit for work in self._drop(lost, running)] + [unit for unit, _ in waiting[name]]
                waiting[name].clear()
                yield from ((unit, name, "no host of this machine is left") for unit in units)
            time.sleep(0.1)

    def _free(self, here: set[str], running: Mapping[Any, Work]) -> list[tuple[str, str]]:
        """Return the hosts that can begin a unit, each with its machine."""
        if self.client.status != "running":
            return []
        busy = {work.host for work in running.values()}
        return [(name, host) for name, hosts in self.hosts.items() for host in sorted((hosts & here) - busy)]

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


def _checked(answer: Answer | str, name: str) -> Answer | str:
    if isinstance(answer, str) or answer["machine"] == name:
        return answer
    return f"the answer names another machine: {answer['machine']}"


def take(unit: Unit, answer: Answer) -> list[str]:
    """Merge a worker's files with those here. Return a line for each one left out. The log names their origin."""
    left_out = []
    for path, text in answer["files"].items():
        if fault := _fault(path, text, answer["machine"]):
            left_out.append(f"{path} of {answer['host']} is left out: {fault}")
        else:
            _unite(RESULTS / path, text)
    origin = {key: answer[key] for key in ("host", "machine", "status", "seconds")}
    digests = {path: digest(text) for path, text in answer["files"].items()}
    records.append(LOG, "unit", {"unit": unit.name, **origin, "files": digests, "left_out": left_out})
    return left_out


def _unite(path: Path, text: str) -> None:
    """Merge a text with the file. Lines are only added, because a fleet's files grow to many megabytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        if path.suffix == ".jsonl":
            known = set(before.split("\n"))
            lines = dict.fromkeys(text.split("\n")[:-1])  # without a last line that is half written
            if missing := [f"{line}\n" for line in lines if line not in known]:
                append(path, "".join(missing))
        else:
            write(path, (merged(path.name, before, text) if before else text).encode())


def _fault(path: str, text: str, own: str) -> str:
    """Return why a file cannot be one of this machine's results, or ""."""
    place = PurePosixPath(path)
    if len(place.parts) != 2 or place.parts[0] != own or place.suffix not in SUFFIXES or place.name.startswith("."):
        return "no place of its machine's results"
    if len(text) > LARGEST:
        return "too large"
    try:
        if place.suffix == ".jsonl":
            lines = text.split("\n")[:-1]  # without a last line that is half written
            named = [json.loads(line).get("machine", own) for line in lines]
        else:
            named = [json.loads(text)["machine"] if place.name in KEPT else parse(text, path)[0].machine]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError, UnreadableError) as error:
        return f"not as results are written: {error}"
    return "" if set(named) <= {own} else "it names another machine"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure units on the hosts of a Dask cluster, each once on each machine")
    parser.add_argument("units", nargs="+", metavar="UNIT", help="commits:RANGE, releases:COMPILER, night, rankings")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="tls://HOST:PORT; without it, this machine alone")
    parser.add_argument("--shard", metavar="K/N", default="1/1", help="only every N-th unit, from the K-th on")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, metavar="SECONDS", help="of a unit (default: %(default)g)")
    options = parser.parse_args(arguments)
    return exit_status(lambda: run(options))


def run(options: argparse.Namespace) -> int:
    """Measure the units; return the exit status."""
    repository = Path.cwd()
    wanted = shard(units(options.units, repository), options.shard)
    failed = count = 0
    with cluster.client(options.scheduler, workers=1, variables={}, resources=BENCH) as client:
        fleet = Fleet(client, git.commit(repository))
        total = len(wanted) * len(fleet.hosts)
        for name, hosts in fleet.hosts.items():
            print(f"{len(wanted)} units on {name}: {len(hosts)} hosts", flush=True)
        for unit, name, answer in fleet.answers(wanted, options.timeout):
            problems = [answer] if isinstance(answer, str) else take(unit, answer)
            if not isinstance(answer, str) and answer["status"]:
                problems.append(f"exit status {answer['status']}: {answer['output']}")
            count, failed = count + 1, failed + bool(problems)
            print(f"{count} of {total}: {unit.name} on {name}", *problems, sep="\n    ", flush=True)
    print(f"\n{failed} of {total} units failed" if failed else "\nall units are measured")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
