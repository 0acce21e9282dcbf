"""A fleet whose processes die or hang at random moments: no result is lost, and none is there twice.

``make faults`` tries each fault with many seeds.
"""

import contextlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from dask_processes import PATIENCE, STEADY, Cluster, dask_cluster, nanny, started, until, worker_of
from fleet_units import HERE, lines, make_checkout, measured, unit

from duet.lock import only_measurement
from history.fleet import command
from history.fleet.intake import take
from history.fleet.units import Unit
from history.fleet.worker import Answer, describe
from jitkernels import cluster

BENCH = ("--resources", "bench=1")
NAMES = ["a", "b", "c"]
CLIENT = """
from fleet_units import unit
from history.fleet import command
command.units = lambda *_: [unit(name, 0.5) for name in "abc"]
command.main(["abc"])
"""


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository in which this process and the workers stand. A lost host may come back at any time."""
    path = make_checkout(tmp_path / "checkout")
    monkeypatch.chdir(path)
    monkeypatch.setattr(command, "GRACE", PATIENCE)
    monkeypatch.setattr(command, "units", lambda *_: [unit(name, 0.5) for name in NAMES])
    return path


@contextlib.contextmanager
def fleet_of(address: str) -> Iterator[command.Fleet]:
    with cluster.client(address) as client:
        yield command.Fleet(client, describe()["commit"])


@contextlib.contextmanager
def later(chance: random.Random, action: Callable[[], object]) -> Iterator[None]:
    """Do this at any time while the units are measured, which takes two seconds."""
    timer = threading.Timer(chance.uniform(0.0, 2.0), action)
    timer.start()
    yield
    timer.join()


def require_all(fleet: command.Fleet) -> None:
    """Require that the fleet measures all units, and that each of their lines is here once."""
    answers = measured(fleet, *(unit(name, 0.5) for name in NAMES))
    assert {name: answer["status"] for name, answer in answers.items()} == dict.fromkeys(NAMES, 0)
    assert lines() == NAMES


def test_a_killed_worker_s_command_goes_on_and_its_successor_waits_for_it(tmp_path: Path, chance: random.Random) -> None:
    with dask_cluster(tmp_path, 1, *BENCH) as own, fleet_of(own.address) as fleet:
        worker = worker_of(own.nannies[0])
        with later(chance, worker.kill):
            require_all(fleet)


def test_a_killed_nanny_takes_its_worker_along_and_the_next_one_goes_on(tmp_path: Path, chance: random.Random) -> None:
    with dask_cluster(tmp_path, 1, *BENCH) as own, fleet_of(own.address) as fleet, contextlib.ExitStack() as stack:

        def replace() -> None:
            own.nannies[0].kill()
            stack.enter_context(nanny(tmp_path, *BENCH))

        with later(chance, replace):
            require_all(fleet)


def test_a_killed_scheduler_is_one_line_a_unit_and_the_next_run_goes_on(
    tmp_path: Path, chance: random.Random, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "GRACE", 1.0)
    with dask_cluster(tmp_path, 1, *BENCH, STEADY) as own, ThreadPoolExecutor(1) as thread:
        code = thread.submit(command.main, ["abc", "--scheduler", own.address])
        until(Path(".asv/measuring.lock").exists)
        time.sleep(chance.uniform(0.0, 1.0))
        own.scheduler.kill()
        assert code.result() == 1
    output = capsys.readouterr().out
    assert "cancelled for reason: scheduler-connection-lost" in output or "no host of this machine is left" in output
    monkeypatch.setattr(command, "GRACE", PATIENCE)
    assert command.main(["abc"]) == 0
    assert lines() == NAMES


def test_a_killed_client_goes_on_where_it_was(tmp_path: Path, chance: random.Random) -> None:
    tests = str(Path(__file__).parents[1])
    with started(sys.executable, "-c", CLIENT, PYTHONPATH=tests) as client:
        until(lambda: client.poll() is not None or Path(".asv/measuring.lock").exists())
        time.sleep(chance.uniform(0.0, 2.0))
        client.kill()
    assert command.main(["abc"]) == 0
    assert lines() == NAMES


def test_a_worker_that_hangs_costs_its_units_and_the_next_run_goes_on(
    tmp_path: Path, chance: random.Random, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scheduler hears nothing of it for ``worker-ttl``: five minutes, here two seconds."""
    with dask_cluster(tmp_path, 1, *BENCH, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="2s") as own:
        worker = worker_of(own.nannies[0])
        with monkeypatch.context() as patch, later(chance, worker.suspend):
            patch.setattr(command, "GRACE", 1.0)
            code = command.main(["abc", "--scheduler", own.address])
        output = capsys.readouterr().out
        assert code == (2 if "is left out: it does not answer" in output else 1 if "units failed" in output else 0)
        with contextlib.suppress(psutil.NoSuchProcess):  # its nanny may have ended it
            worker.resume()
    assert command.main(["abc"]) == 0
    assert lines() == NAMES


def test_a_unit_that_hangs_is_ended_with_what_it_started(chance: random.Random) -> None:
    """Also a process in a session of its own, which holds the lock."""
    code = (
        "import subprocess, time; from duet.lock import only_measurement\n"
        "with only_measurement() as lock:\n"
        "    subprocess.Popen(['sleep', '99'], start_new_session=True, pass_fds=[lock]); time.sleep(99)"
    )
    with cluster.client(None, workers=1, variables={}, resources=command.BENCH) as client:
        fleet = command.Fleet(client, describe()["commit"])
        answer = measured(fleet, Unit("hangs", ("-c", code)), timeout=chance.uniform(0.5, 2.0))["hangs"]
        assert answer["status"] == -9 and "killed after" in answer["output"]
        with only_measurement():
            pass
        require_all(fleet)


def test_a_full_disk_costs_its_unit_alone(chance: random.Random) -> None:
    full = Unit("full", ("-c", "with open('/dev/full', 'w') as file: file.write('x')"))
    wanted = [full, *(unit(name) for name in NAMES)]
    chance.shuffle(wanted)
    with cluster.client(None, workers=1, variables={}, resources=command.BENCH) as client:
        answers = measured(command.Fleet(client, describe()["commit"]), *wanted)
    assert answers["full"]["status"] and "No space left on device" in answers["full"]["output"]
    assert [answers[name]["status"] for name in NAMES] == [0, 0, 0] and lines() == NAMES


def test_results_that_came_half_written_are_whole_the_next_time(chance: random.Random) -> None:
    path = f"{HERE}/duets.jsonl"
    written = [f'{{"at": "2026-01-01", "machine": "{HERE}", "unit": "{name}"}}\n' for name in NAMES]
    chance.shuffle(written)
    text = "".join(written)
    cut = text[: chance.randrange(len(text))]
    for content in (cut, f"{cut}\n{text}", text, text[: chance.randrange(len(text))]):  # append ends a partial line
        answer: Answer = {"host": "h", "machine": HERE, "status": 0, "seconds": 0.0, "files": {path: content}, "output": ""}
        assert take(Unit("x", ()), answer) == []
    assert lines() == NAMES


def test_two_clients_of_one_fleet_measure_each_unit_once(tmp_path: Path, chance: random.Random) -> None:
    with dask_cluster(tmp_path, 1, *BENCH, STEADY) as own, ThreadPoolExecutor(2) as threads:

        def measure(own: Cluster, after: float) -> int:
            time.sleep(after)
            return command.main(["abc", "--scheduler", own.address])

        codes = [threads.submit(measure, own, after) for after in (0.0, chance.uniform(0.0, 2.0))]
        assert [code.result() for code in codes] == [0, 0]
    assert lines() == NAMES
