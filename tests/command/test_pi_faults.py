"""``jitkernels pi`` beside processes that die or hang at random moments: no block is lost, and none is counted twice.

``make faults`` tries each fault with many seeds.
"""

import contextlib
import json
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_processes import PATIENCE, STEADY, dask_cluster, nanny, started, until, worker_of
from shell import COMMAND, ROOT, jitkernels

from jitkernels import prepare
from jitkernels.__main__ import main
from jitkernels.command import ledger

POINTS, SEED = 2_000_000, 42
FOR_ONE = 4_000_000  # points of which one worker too has ranges left when two are counted
SLOW = ("-b", "python", "--seconds", "1")  # ranges of half a second and more: time for something to happen in one


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask cluster that no test disturbs."""
    with dask_cluster(tmp_path_factory.mktemp("healthy"), 1, STEADY) as cluster:
        yield cluster.address


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pi.jsonl"


def words(path: Path, *more: str, points: int = POINTS) -> list[str]:
    return ["pi", "--points", str(points), "--seed", str(SEED), "--ledger", str(path), *more]


@contextlib.contextmanager
def counting(path: Path, chance: random.Random, *more: str, points: int = POINTS) -> Iterator[subprocess.Popen[str]]:
    """A client that has counted one range or two, and is anywhere in the next."""
    lines = chance.choice([2, 3])
    with started(*COMMAND, *words(path, *more, points=points)) as client:
        until(lambda: client.poll() is not None or (path.exists() and path.read_bytes().count(b"\n") >= lines))
        time.sleep(chance.uniform(0.0, 0.5))
        yield client


def finished(client: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code of a client, and what it printed on standard error beside its progress."""
    _, errors = client.communicate(timeout=PATIENCE)
    return client.returncode, "".join(line for line in errors.splitlines(keepends=True) if "points/s" not in line)


def require_right(path: Path, points: int = POINTS) -> None:
    """Require that the ledger has each block once, and the known hits."""
    book = ledger.read(path)
    hits = sum(row["hits"] for row in book.ranges)
    assert (book.gaps(), hits) == ([], prepare("philox_pi", "numpy", points, SEED).value())


def go_on(path: Path, healthy: str, points: int = POINTS) -> None:
    """Complete the ledger on a cluster without faults; what was there stays."""
    before = path.read_bytes() if path.exists() else b""
    before = before[: before.rfind(b"\n") + 1]
    assert main(words(path, "-b", "numpy", "--scheduler", healthy, points=points)) == 0
    assert path.read_bytes().startswith(before)
    require_right(path, points)


def test_a_killed_worker_costs_its_range_alone(path: Path, chance: random.Random) -> None:
    with counting(path, chance, *SLOW, "--workers", "2") as client:
        worker_of(client).kill()
        assert finished(client) == (0, "")
    require_right(path)


def test_a_killed_nanny_takes_its_worker_along_and_the_others_count_its_range(
    path: Path, tmp_path: Path, chance: random.Random
) -> None:
    with (
        dask_cluster(tmp_path, 2) as cluster,
        counting(path, chance, *SLOW, "--scheduler", cluster.address) as client,
    ):
        chance.choice(cluster.nannies).kill()
        assert finished(client) == (0, "")
    require_right(path)


def test_a_killed_scheduler_is_one_line_and_the_next_run_goes_on(
    path: Path, tmp_path: Path, chance: random.Random, healthy: str
) -> None:
    with (
        dask_cluster(tmp_path, 1, STEADY) as cluster,
        counting(path, chance, *SLOW, "--scheduler", cluster.address, points=FOR_ONE) as client,
    ):
        cluster.scheduler.kill()
        code, errors = finished(client)
    assert code == 1 and errors.startswith("jitkernels: a range was not counted: ") and errors.count("\n") == 1
    go_on(path, healthy, FOR_ONE)


def test_a_killed_client_goes_on_where_it_was(path: Path, chance: random.Random, healthy: str) -> None:
    with counting(path, chance, *SLOW, "--workers", "2") as client:
        client.kill()
    content = path.read_bytes()
    with path.open("ab") as file:  # as a kill in the middle of a write leaves it
        file.write(content[: chance.randrange(1, content.index(b"\n"))])
    go_on(path, healthy)


def test_the_range_of_a_worker_that_hangs_is_counted_by_another(path: Path, tmp_path: Path, chance: random.Random) -> None:
    """The scheduler hears nothing of it for ``worker-ttl``: five minutes, here three seconds."""
    with (
        dask_cluster(tmp_path, 2, DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="3s") as cluster,
        counting(path, chance, *SLOW, "--scheduler", cluster.address) as client,
    ):
        worker_of(chance.choice(cluster.nannies)).suspend()
        assert finished(client) == (0, "")
    require_right(path)


def test_a_full_disk_is_one_line_and_the_next_run_goes_on(path: Path, chance: random.Random, healthy: str) -> None:
    size = chance.randrange(1, 800)  # in bytes; the first line and a range have more
    limit = ("prlimit", f"--fsize={size}")  # what no file may exceed: as a disk that is full then
    answer = subprocess.run(
        [*limit, *COMMAND, *words(path, "-b", "numpy", "--workers", "1")], capture_output=True, text=True
    )
    *_, line = answer.stderr.splitlines()
    assert (answer.returncode, line) == (1, "jitkernels: the ledger cannot be written: File too large")
    go_on(path, healthy)


def test_a_worker_without_a_compiler_is_one_line_or_its_range_is_counted_by_another(
    path: Path, tmp_path: Path, chance: random.Random, healthy: str
) -> None:
    lacks = {"CC": "/bin/false", "JITKERNELS_CACHE_DIR": str(tmp_path / "empty")}
    with dask_cluster(tmp_path, chance.choice([0, 1]), STEADY) as cluster, nanny(tmp_path, **lacks):
        answer = jitkernels(*words(path, "-b", "c", "--scheduler", cluster.address))
    lines = [line for line in answer.stderr.splitlines() if line.startswith("jitkernels: ")]
    reason = any(word in answer.stderr for word in ("jitkernels: c: ", "the C compiler /bin/false does not work"))
    assert answer.returncode == 0 or (reason and len(lines) == answer.stderr.count("\n") == 1), answer.stderr
    go_on(path, healthy)


def test_a_worker_with_another_version_is_refused(path: Path, tmp_path: Path, chance: random.Random, healthy: str) -> None:
    other = tmp_path / "sitecustomize.py"
    other.write_text("import jitkernels.version\njitkernels.version.__version__ = '9.9'\n")
    with dask_cluster(tmp_path, 1, STEADY, PYTHONPATH=str(tmp_path)) as cluster:
        answer = jitkernels(*words(path, "-b", "numpy", "--scheduler", cluster.address))
    assert answer.returncode == 1 and "the new range was counted by jitkernels 9.9 on " in answer.stderr
    go_on(path, healthy)


def test_a_worker_with_another_python_counts_the_same(
    path: Path, tmp_path: Path, chance: random.Random, request: pytest.FixtureRequest
) -> None:
    other = request.config.getoption("other_python") or pytest.skip("no other Python: give one by --other-python")
    with (
        dask_cluster(tmp_path, 1) as cluster,
        nanny(tmp_path, python=other, PYTHONPATH=str(ROOT)),
        counting(path, chance, *SLOW, "--scheduler", cluster.address) as client,
    ):
        assert finished(client) == (0, "")
    require_right(path)


def test_one_of_two_clients_of_a_ledger_is_refused(path: Path, chance: random.Random) -> None:
    with started(*COMMAND, *words(path, *SLOW)) as one:
        time.sleep(chance.uniform(0.0, 0.5))
        with started(*COMMAND, *words(path, *SLOW)) as other:
            answers = sorted([finished(one), finished(other)])
    assert answers[0] == (0, "") and answers[1][0] == 2 and f"{path} is in use by another run" in answers[1][1]
    require_right(path)


def test_a_ledger_that_is_cut_anywhere_goes_on_with_its_whole_lines(path: Path, chance: random.Random, healthy: str) -> None:
    with ledger.begin_or_continue(path, POINTS, SEED) as book:
        for row in parts(chance):
            book.add(row)
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])
    go_on(path, healthy)


def parts(chance: random.Random) -> list[dict[str, Any]]:
    """Some ranges of the run, in any order, as a worker counts them."""
    from jitkernels.measure import ranges

    cuts = sorted(chance.sample(range(1, POINTS // 4), 5))
    found = [ranges.count(first, last, SEED, "numpy") for first, last in zip([0, *cuts], [*cuts, POINTS // 4], strict=True)]
    chance.shuffle(found)
    return json.loads(json.dumps(found))
