"""A fleet of real Dask workers: what each unit leaves arrives once, whatever is killed, hangs, or lies."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from dask_processes import PATIENCE, started, until
from fleet_units import HERE, lines, make_checkout, measured, unit
from laboratory import ROOT
from simulated_fleet import parser, simulate

from history.fleet import command, intake
from history.fleet.units import Unit, shard, units
from history.fleet.worker import THREAD_LIMITS, Answer, describe, digest
from history.store.results import RESULTS
from jitkernels import cluster

AT_FIRST = {name: os.environ.get(name) for name in THREAD_LIMITS}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with one commit, in which this process and the workers stand."""
    path, before = make_checkout(tmp_path_factory.mktemp("checkout")), Path.cwd()
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def running(checkout: Path) -> Iterator[command.Fleet]:
    with cluster.client(None, workers=1, variables={}, resources=command.BENCH) as client:
        yield command.Fleet(client, describe()["commit"])


@pytest.fixture
def fleet(running: command.Fleet, monkeypatch: pytest.MonkeyPatch) -> command.Fleet:
    """The fleet with its worker, which an earlier test may have killed; a busy machine takes its time to start it again."""
    monkeypatch.setattr(command, "GRACE", PATIENCE)
    running.client.wait_for_workers(1, timeout=PATIENCE)
    return running


def test_each_unit_is_measured_once_and_its_origin_is_kept(fleet: command.Fleet) -> None:
    answers = measured(fleet, unit("a"), unit("b"), unit("a"))
    assert {name: answer["status"] for name, answer in answers.items()} == {"a": 0, "b": 0}
    assert {"a", "b"} <= {*lines()}
    origin = [json.loads(line) for line in intake.LOG.read_text().splitlines()]
    assert {line["unit"] for line in origin} >= {"a", "b"} and origin[0]["machine"] == HERE


def test_a_unit_that_fails_costs_itself_alone(fleet: command.Fleet) -> None:
    answers = measured(fleet, Unit("bad", ("-c", "import sys; print('no disk'); sys.exit(4)")), unit("c"))
    assert (answers["bad"]["status"], answers["bad"]["output"], answers["c"]["status"]) == (4, "no disk", 0)


def test_the_user_s_threads_are_not_limited(fleet: command.Fleet) -> None:
    code = "import os, sys; sys.exit(any(name.endswith('_NUM_THREADS') and 'JIT' not in name for name in os.environ))"
    assert measured(fleet, Unit("threads", ("-c", code)))["threads"]["status"] == 0


def test_a_cluster_of_this_machine_limits_no_threads_of_the_process_that_starts_it(running: command.Fleet) -> None:
    assert {name: os.environ.get(name) for name in THREAD_LIMITS} == AT_FIRST


def test_a_command_whose_worker_is_killed_prints_and_goes_on(tmp_path: Path) -> None:
    begun, killed, done = (tmp_path / name for name in ("begun", "killed", "done"))
    code = (
        f"import time; from pathlib import Path; Path({str(begun)!r}).touch()\n"
        f"while not Path({str(killed)!r}).exists(): time.sleep(0.01)\n"
        f"print('on'); print('and on', flush=True); Path({str(done)!r}).touch()"
    )
    worker = f"import os; from history.fleet.worker import _run; _run(['-c', {code!r}], os.environ, 99.0)"
    with started(sys.executable, "-c", worker, PYTHONPATH=str(ROOT)) as process:
        until(begun.exists)
        process.kill()
        process.wait()
    killed.touch()
    until(done.exists)


def test_a_machine_whose_last_host_leaves_costs_its_units(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "GRACE", 0.5)
    with cluster.client(None, workers=1, variables={}, resources=command.BENCH) as client:
        own = command.Fleet(client, describe()["commit"])
        answers = own.answers([unit("lost", 5.0)], 60.0)
        client.retire_workers(close_workers=True)
        assert [answer for *_, answer in answers] == ["no host of this machine is left"]


class Leaving:
    """A client of two hosts that are there by turns, for two looks each; no unit is ever done."""

    status = "running"

    def __init__(self) -> None:
        self.looks = 0
        self.asked: list[list[str]] = []

    def scheduler_info(self, n_workers: int) -> Any:
        hosts = {"a": self.looks % 4 < 2 or not self.looks, "b": self.looks % 4 >= 2 or not self.looks}
        self.looks += 1
        return {"workers": {host: {"host": host, "resources": command.BENCH} for host, is_here in hosts.items() if is_here}}

    def run(self, function: object, workers: list[str], on_error: str) -> Any:
        return {address: {"machine": HERE, "commit": "c"} for address in workers}

    def submit(self, *arguments: object, workers: list[str], **options: object) -> Any:
        self.asked.append(workers)
        return mock.Mock(done=lambda: False)

    def cancel(self, futures: object) -> None:
        """Forget them."""


def test_a_lost_host_s_unit_goes_to_a_free_one_until_three_are_lost(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "GRACE", 0.5)  # a look in each turn
    client = Leaving()
    answers = command.Fleet(client, "c").answers([Unit("x", ())], 1.0)
    assert [answer for *_, answer in answers] == ["3 hosts were lost while they measured it"]
    assert client.asked == [["a"], ["b"], ["a"]]


def test_another_commit_and_a_worker_without_the_resource_are_left_out(
    fleet: command.Fleet, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="no worker measures aaaaaaaa"):
        command.Fleet(fleet.client, "a" * 40)
    assert "is left out: it has" in capsys.readouterr().out
    with (
        cluster.client(None, workers=1, variables={}) as client,
        pytest.raises(ValueError, match="--resources bench=1"),
    ):
        command.Fleet(client, describe()["commit"])


def test_two_workers_of_one_host_are_refused(checkout: Path) -> None:
    with (
        cluster.client(None, workers=2, variables={}, resources=command.BENCH) as client,
        pytest.raises(ValueError, match="two measuring workers"),
    ):
        command.Fleet(client, describe()["commit"])


FOREIGN = {
    "../../evil.json": "{}",
    f"{HERE}/run.sh": "rm",
    f"{HERE}/.hidden.json": "{}",
    "other/duets.jsonl": "{}\n",
    f"{HERE}/duets.jsonl": '{"machine": "other"}\n',
    f"{HERE}/rankings.jsonl": "[1]\n",
    f"{HERE}/a.json": '{"version": 1}',
    f"{HERE}/machine.json": '{"machine": "other"}',
}


@pytest.mark.parametrize("path", FOREIGN)
def test_a_file_that_is_no_result_of_its_machine_is_left_out(path: str, checkout: Path) -> None:
    answer: Answer = {
        "host": "h",
        "machine": HERE,
        "status": 0,
        "seconds": 0.0,
        "files": {path: FOREIGN[path]},
        "output": "",
    }
    before = {each: each.read_bytes() for each in Path(".asv", "results").rglob("*") if each.is_file()}
    (problem,) = intake.take(Unit("x", ()), answer)
    assert problem.startswith(f"{path} of h is left out: ")
    assert before == {each: each.read_bytes() for each in Path(".asv", "results").rglob("*") if each.is_file()}
    assert json.loads(intake.LOG.read_text().splitlines()[-1])["files"] == {path: digest(FOREIGN[path])}


def test_lines_that_another_process_writes_meanwhile_are_there_once(checkout: Path) -> None:
    path = f"{HERE}/rankings.jsonl"
    file = Path(".asv", "results", path)
    lines = [json.dumps({"machine": HERE, "unit": str(number)}) + "\n" for number in range(4)]

    def take(*wanted: str) -> None:
        more = {"host": "h", "machine": HERE, "status": 0, "seconds": 0.0, "output": ""}
        assert intake.take(Unit("x", ()), Answer(files={path: "".join(wanted)}, **more)) == []

    take(lines[0], lines[1])
    with file.open("a") as other:
        other.write(lines[2])
    take(*lines[:3])
    take(*lines)
    assert file.read_text() == "".join(lines)


def test_units_are_the_repository_s_own_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    assert units(["commits:HEAD"], ROOT) == [Unit(f"commits:{head}", ("-m", "history.commits.command", head, head))]
    pairs = [each.name for each in units(["releases:numba:0.60.0,0.61.0,0.61.2"], ROOT)]
    assert pairs == ["releases:numba:0.60.0,0.61.0", "releases:numba:0.61.0,0.61.2"]
    assert units(["night:jax"], ROOT)[0].arguments == ("-m", "history.bench", "--full", "--backend", "jax")
    assert len(units(["rankings"], ROOT)) == 20
    mixed = [each.name.partition(":")[0] for each in units(["commits:HEAD", "night:jax", "commits:HEAD"], ROOT)]
    assert mixed == ["night", "commits", "commits"], "what takes longest begins first"


NOTHING = ["nights", "night:fast", "rankings:pi", "releases:gcc", "releases:jax:0.9.0", "commits:nowhere", "commits:"]


@pytest.mark.parametrize("word", NOTHING)
def test_a_unit_that_there_is_not_has_one_line(word: str, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.chdir(ROOT)
    assert command.main([word]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)


def test_shards_are_disjoint_and_together_everything() -> None:
    everything = [unit(str(number)) for number in range(23)]
    parts = [shard(everything, f"{place}/5") for place in range(1, 6)]
    assert sorted((each.name for part in parts for each in part), key=int) == [each.name for each in everything]
    for wrong in ("0/5", "6/5", "5", "a/b", "1/0"):
        with pytest.raises(ValueError, match="a shard is written as"):
            shard(everything, wrong)


def test_one_command_measures_on_this_machine_alone(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def listed(words: Sequence[str], _: Path) -> list[Unit]:
        return [unit(word) for word in words]

    monkeypatch.setattr(command, "units", listed)
    assert command.main(["x", "y", "z", "--shard", "1/2"]) == 0
    assert {"x", "z"} <= {*lines()} and "y" not in lines()
    assert "all units are measured" in capsys.readouterr().out


def test_a_simulated_fleet_measures_each_unit_on_each_machine_though_hosts_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit whose host is lost before its answer is fetched is measured again, by another host."""
    words = ["--hosts", "10", "--machines", "2", "--units", "30", "--speed-up", "1000", "--lost", "1"]
    monkeypatch.chdir(tmp_path)
    _, answers, _ = simulate(parser().parse_args([*words, f"--results={ROOT / 'results'}"]), tmp_path)
    assert answers.startswith("60 units") and answers.endswith("; 0 have no answer")
    for machine in ("machine-0", "machine-1"):
        measured = (RESULTS / machine / "duets.jsonl").read_text().splitlines()
        assert len({*measured}) == len(measured), "each line is there once"
        assert {json.loads(line)["unit"].partition(":")[2] for line in measured} == {str(number) for number in range(30)}
