"""``jitkernels pi``: one integer whatever the workers, backends, order and kills; every fault of a ledger has one line."""

import asyncio
import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from dask_processes import STEADY, dask_cluster
from shell import ROOT, jitkernels

from jitkernels import cluster, prepare
from jitkernels.__main__ import main
from jitkernels.command import ledger, pi
from jitkernels.measure import ranges

HITS = {
    answer["points"]: answer["hits"]
    for answer in json.loads((Path(__file__).parents[1] / "known_answers.json").read_text())["hits"]
    if answer["seed"] == 42
}
POINTS, SEED = 1_000_003, 42  # not a multiple of 4
FIRST_FAULTS = {  # of the lines of a ledger with three ranges: what is done to them, and the line that is printed
    "an edited line": (lambda lines: change(lines, 2, hits=5), "line 3 was edited: its digest is that of other contents"),
    "another seed": (lambda lines: change(lines, 2, seal=True, seed=43), "line 3 has seed 43, not 42"),
    "another version": (lambda lines: change(lines, 1, seal=True, version="0"), "line 2 was counted by jitkernels 0 on"),
    "another schema": (lambda lines: change(lines, 3, seal=True, schema=2), "line 4 does not have the fields of schema 1"),
    "a missing field": (lambda lines: change(lines, 3, seal=True, host=None), "line 4 does not have the fields of schema 1"),
    "a wrong sum": (lambda lines: change(lines, 3, seal=True, hits=7), "line 4 has other hits than its parts"),
    "other parts": (lambda lines: change(lines, 3, seal=True, step=10**6), "line 4 has another number of parts than"),
    "outside": (lambda lines: change(lines, 3, seal=True, last=10**6), "line 4 counts blocks 200000 to 999999, which are"),
    "an edited head": (lambda lines: change(lines, 0, points=4_000_000), "line 1 was edited"),
    "no JSON": (lambda lines: [*lines[:2], "hits", *lines[2:]], "line 3 is no JSON object"),
    "half a line": (lambda lines: [*lines[:-1], lines[-1][:50]], "line 4 is half-written"),
    "an overlap": (lambda lines: [*lines, lines[2]], "lines 3 and 5 both count blocks 100000 to 199999"),
    "a gap": (lambda lines: [*lines[:2], lines[3]], "blocks 100000 to 199999 are not counted"),
    "no end": (lambda lines: lines[:3], "blocks 200000 to 249999 are not counted"),
    "nothing": (lambda lines: [], "the ledger is empty"),
}


def change(lines: list[str], place: int, seal: bool = False, **fields: Any) -> list[str]:
    """The lines with other fields in one of them; None removes one. seal: with the digest of the new contents."""
    row = {key: value for key, value in {**json.loads(lines[place]), **fields}.items() if value is not None}
    return [*lines[:place], json.dumps(ledger.with_digest(row) if seal else row), *lines[place + 1 :]]


def write(path: Path, points: int = POINTS, seed: int = SEED) -> list[str]:
    """Write a complete ledger of three ranges, and return its lines."""
    with ledger.begin_or_continue(path, points, seed) as book:
        for first, last in itertools.pairwise([0, 100_000, 200_000, points // 4]):
            book.add(ranges.count(first, last, seed, "numpy"))
    return path.read_text().splitlines()


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and the one line on standard error."""
    try:
        code = main(["pi", *arguments])
    except SystemExit as end:
        code = int(str(end.code))
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1, output.err
    return code, output.err


def counted(path: Path) -> ledger.Ledger:
    """The ledger, once it is clear that its ranges tile the run."""
    book = ledger.read(path)
    assert book.gaps() == []
    return book


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Dask cluster with three workers, which are other processes than this one's."""
    with dask_cluster(tmp_path_factory.mktemp("dask"), 3, STEADY) as own:
        yield own.address


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("workers", [1, 2])
def test_the_sum_is_the_same_for_any_workers_and_backends(workers: int, tmp_path: Path) -> None:
    path = tmp_path / "pi.jsonl"
    backends = ("-b", "numpy", "-b", "python")[: 2 * workers]
    answer = jitkernels("pi", "--points", "1e6", "--workers", str(workers), "--ledger", str(path), *backends, "--json")
    assert answer.returncode == 0, answer.stderr
    (row,) = json.loads(answer.stdout)
    assert (row["hits"], row["ranges"]) == (HITS[1_000_000], len(counted(path).ranges))
    assert len(row["backends"]) == workers and row["recounted_points"] >= 1e4


def test_a_cluster_of_other_machines_counts_the_same(
    scheduler: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare("philox_pi", "c", 1)  # skips where it cannot run
    path = tmp_path / "pi.jsonl"
    words = ["pi", "--points", "1e7", "--scheduler", scheduler, "-b", "c", "-b", "numpy", "--ledger", str(path)]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert "7,851,947 hits in 10,000,000 points of seed 42" in text and "the same hits" in text
    assert len(counted(path).ranges) >= 6
    content = path.read_bytes()
    assert main(words) == 0, "a complete run is checked, and goes on with nothing"
    assert path.read_bytes() == content and f"SHA-256 {hashlib.sha256(content).hexdigest()}" in text


def test_the_caller_may_have_an_event_loop_that_runs(scheduler: str, tmp_path: Path) -> None:
    async def count() -> int:
        return main(["pi", "--points", "1e6", "--scheduler", scheduler, "-b", "numpy", "--ledger", str(path)])

    path = tmp_path / "pi.jsonl"
    with ThreadPoolExecutor(1) as thread:  # a browser's test before this one leaves a loop in pytest's own
        assert thread.submit(asyncio.run, count()).result() == 0
    assert sum(row["hits"] for row in counted(path).ranges) == HITS[1_000_000]


@pytest.mark.parametrize("points", [3, 4, POINTS])
def test_the_last_points_of_no_whole_block_count(points: int, tmp_path: Path) -> None:
    path = tmp_path / "pi.jsonl"
    with ledger.begin_or_continue(path, points, SEED) as book:
        if points >= 4:
            book.add(ranges.count(0, points // 4, SEED, "numpy"))
    assert pi._row(ledger.read(path), path, {})["hits"] == prepare("philox_pi", "numpy", points, SEED).value()


def test_verify_prints_the_estimate_and_what_was_counted_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "pi.jsonl")
    assert main(["pi", "--verify", str(tmp_path / "pi.jsonl"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["hits"] == prepare("philox_pi", "numpy", POINTS, SEED).value()
    assert row["estimate"] == pytest.approx(4 * row["hits"] / POINTS - 4.7376e-8, abs=1e-12)
    assert row["standard_error"] == pytest.approx(1.642e-3, rel=1e-3)
    assert POINTS / 100 <= row["recounted_points"] < POINTS / 10 and "numpy" not in row["recounted_by"]


def test_the_published_ledger_is_whole_and_its_document_agrees() -> None:
    (path,) = ROOT.glob("results/*/pi-1e13-42.jsonl")
    text, row = (ROOT / "docs" / "scale.md").read_text(), pi._row(counted(path), path, {})
    assert (row["points"], row["seed"]) == (10**13, 42)
    for figure in (row["digest"], f"{row['hits']:,} hits", f"{row['ranges']} ranges", f"{row['estimate']:.8f} +- "):
        assert figure in text


@pytest.mark.parametrize("fault", FIRST_FAULTS)
def test_verify_names_the_first_fault(fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, (edit, expected) = tmp_path / "pi.jsonl", FIRST_FAULTS[fault]
    lines = edit(write(path))
    path.write_text("\n".join(lines) + "\n" * (bool(lines) and fault != "half a line"))
    code, line = complaint(capsys, "--verify", str(path))
    assert code == 1 and line.startswith(f"jitkernels: {expected}")


def test_hits_that_another_backend_does_not_count_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = write(path := tmp_path / "pi.jsonl")
    for place in (1, 2, 3):
        parts = [hits + 1 for hits in json.loads(lines[place])["parts"]]
        lines = change(lines, place, seal=True, parts=parts, hits=sum(parts))
    path.write_text("\n".join([*lines, ""]))
    code, line = complaint(capsys, "--verify", str(path))
    assert code == 1 and "hits in the ledger, by numpy, but " in line


def test_verify_names_another_seed_or_number_of_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(path := tmp_path / "pi.jsonl")
    for word, value, number in (("--seed", "0", 0), ("--seed", "43", 43), ("--points", "1e6", 1_000_000)):
        code, line = complaint(capsys, "--verify", str(path), word, value)
        assert code == 1 and line.endswith(f", not {number}\n")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--points", "0"], "points must be a whole number from 1 to 4611686018427387904, got 0"),
        (["--points", str(2**63)], "got 9223372036854775808"),
        (["--points", "1.5"], "got '1.5'"),
        (["--points", "abc"], "got 'abc'"),
        (["--points", "8", "--seed", "-1"], "seed must be a whole number from 0"),
        (["--points", "8", "-b", "gcc"], "unknown backend 'gcc'; known: python"),
        (["--points", "8", "--workers", "0"], "workers must be a whole number from 1 to 1000, got 0"),
        (["--points", "8", "--seconds", "0"], "seconds must be a whole number from 1 to 3600, got 0"),
        (["--points", "8", "--workers", "1", "--scheduler", "tcp://127.0.0.1:1"], "not allowed with argument"),
        (["--points", "8", "--ledger", "no/such/directory/pi.jsonl"], "cannot be written: No such file or directory"),
        (["--verify", "no/such/pi.jsonl"], "cannot be read: No such file or directory"),
        (["--verify", "pi.jsonl", "-b", "gcc", "--workers", "-3"], "--verify takes no --backend"),
        (["--verify", "pi.jsonl", "--workers", "2"], "--verify takes no --workers"),
        (["--verify", "pi.jsonl", "--scheduler", "tcp://127.0.0.1:1"], "--verify takes no --scheduler"),
        (["--verify", "pi.jsonl", "--ledger", "x"], "--verify takes no --ledger"),
        (["--verify", "pi.jsonl", "--seconds", "5"], "--verify takes no --seconds"),
        (["--verify", "pi.jsonl", "--points", "many"], "points must be a whole number from 1"),
        (["--verify", "pi.jsonl", "--seed", "-1"], "seed must be a whole number from 0"),
        ([], "give --points, or --verify LEDGER"),
    ],
)
def test_a_mistake_has_one_line(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, line = complaint(capsys, *arguments)
    assert code == 2 and expected in line


def test_a_ledger_of_another_run_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(path := tmp_path / "pi.jsonl")
    (other := tmp_path / "notes.txt").write_text("no newline")
    content = path.read_bytes()
    cases = (["--seed", "43"], "seed 42, not 43"), (["--points", "1e6"], "points 1000003, not 1000000")
    for words, expected in cases:
        code, line = complaint(capsys, "--points", str(POINTS), *words, "--ledger", str(path))
        assert code == 2 and f"is the ledger of another run: {expected}" in line
    code, line = complaint(capsys, "--points", "8", "--ledger", str(other))
    assert code == 2 and "notes.txt is no ledger" in line
    assert (path.read_bytes(), other.read_text()) == (content, "no newline")


def test_a_head_that_was_half_written_is_written_again(tmp_path: Path) -> None:
    lines = write(path := tmp_path / "pi.jsonl")
    path.write_text(lines[0][:40])
    with ledger.begin_or_continue(path, POINTS, SEED) as book:
        assert book.ranges == []
    assert path.read_text().splitlines() == lines[:1]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_without_permission_has_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.chmod(0o500)
    code, line = complaint(capsys, "--points", "8", "--ledger", str(tmp_path / "pi.jsonl"))
    assert code == 2 and "cannot be written: Permission denied" in line


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "udp://127.0.0.1"])
def test_a_scheduler_that_does_not_answer_has_one_line(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    code, line = complaint(capsys, "--points", "8", "--scheduler", address, "--ledger", str(tmp_path / "pi.jsonl"))
    assert code == 2 and f"no scheduler with workers answers at {address}" in line


def test_without_certificates_the_line_says_where_they_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, line = complaint(capsys, "--points", "8", "--scheduler", "tls://host:1", "--ledger", str(tmp_path / "pi.jsonl"))
    assert code == 2 and "tls://host:1 needs certificates: distributed.comm.tls in Dask's configuration names" in line


@pytest.mark.parametrize("address", ["tcp://10.0.0.1:8786", "ws://example.org:1", "somewhere:8786"])
def test_beyond_this_machine_nothing_goes_without_encryption(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, line = complaint(capsys, "--points", "8", "--scheduler", address, "--ledger", str(tmp_path / "pi.jsonl"))
    assert code == 2 and f"{address} would carry functions and results unencrypted" in line


def test_without_dask_the_line_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.chdir(tmp_path)
    code, line = complaint(capsys, "--points", "8", "-b", "python")
    assert code == 2 and "distributed is not installed: pip install 'jitkernels[numba,fleet]'" in line
    assert list(tmp_path.iterdir()) == []


def test_a_backend_that_is_not_installed_has_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "unavailable", lambda *names: "numba is not installed: pip install 'jitkernels[numba]'")
    code, line = complaint(capsys, "--points", "8", "-b", "numba", "--ledger", str(tmp_path / "pi.jsonl"))
    assert (code, line) == (1, "jitkernels: numba: numba is not installed: pip install 'jitkernels[numba]'\n")


def test_the_library_and_its_other_commands_import_nothing_of_dask() -> None:
    code = (
        "import sys, jitkernels.__main__, jitkernels.command.pi; print(sorted({'dask', 'distributed'} & sys.modules.keys()))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
