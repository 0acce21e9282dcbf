"""The limit that `make limit` holds the compilers' philox_pi against."""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from jitkernels import prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.command import limit, tables
from jitkernels.kernels.philox_pi.numpy import inside, philox

POINTS, HITS = 4_000_000, 3_141_506


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jitkernels.command.limit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def count_range() -> Any:
    """(first, last, seed) -> hits in these blocks, the C kernel's."""
    return prepare("philox_pi", "c", 1, spelling="blocks").program  # skips where there is no compiler


@pytest.mark.parametrize("first", [0, 2**32 - 70_001, 2**38 - 65_537], ids=["the start", "the second word", "far"])
@pytest.mark.parametrize("blocks", [0, 1, 15, 65_537, 140_003])
@pytest.mark.parametrize("seed", [42, 2**64 - 1])
def test_a_range_has_the_hits_of_its_blocks(count_range: Any, first: int, blocks: int, seed: int) -> None:
    block = np.arange(first, first + blocks, dtype=np.uint64)
    expected = sum(int(np.count_nonzero(inside(words))) for words in philox(block, seed))
    assert count_range(first, first + blocks, seed) == expected


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_limit_counts_every_block_once_on_any_number_of_threads(threads: int) -> None:
    assert limit.build()(POINTS // 4, threads) == HITS


def test_the_rows_give_the_part_of_the_limit_that_a_backend_reaches() -> None:
    prepare("philox_pi", "c", 1)
    answer = run("-b", "c", "-b", "numpy", "-n", "1e6", "--turns", "2", "--json")
    rows = json.loads(answer.stdout)
    assert answer.returncode == 0
    assert [row["backend"] for row in rows] == ["c", "numpy"]
    for row in rows:
        assert (row["status"], row["hits"], row["points"], row["turns"]) == ("ok", 785_424, 1_000_000, 2)
        assert 0 < row["least"] <= row["fraction"] <= row["most"]
    assert rows[0]["threads"] == 1


def test_an_interruption_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(limit, "build", lambda: None)
    monkeypatch.setattr(limit, "take_turn", interrupt)
    monkeypatch.setattr(sys, "argv", ["limit"])
    assert limit.main() == 130


def test_a_fraction_is_the_limit_s_seconds_over_the_backend_s(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"status": "ok", "threads": 1, "warm_seconds": 4.0, "work_per_second": 100.0, "hits": 7}
    monkeypatch.setattr(limit.timing, "steps", lambda request: iter([row]))
    monkeypatch.setattr(limit, "time_limit", lambda *_: (1.0, 7))
    turn = limit.take_turn("c", 400, lambda blocks, threads: 7)
    assert (turn["fraction"], turn["limit_per_second"], turn["status"]) == (0.25, 400.0, "ok")


def test_other_hits_than_the_limit_s_are_wrong() -> None:
    row = limit.take_turn("python", 400, lambda blocks, threads: blocks)
    assert row["status"] == "wrong"
    assert row["reason"] == f"{row['hits']} hits, and the limit 100"


def test_a_backend_that_is_not_here_has_a_row_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    (row,) = limit.measure(["numba"], 400, 3, lambda blocks, threads: blocks)
    assert (row["status"], row["turns"], row["fraction"]) == ("unavailable", 1, None)
    assert row["reason"]
    assert list(tables.build([row], limit.COLUMNS).columns[-1].cells) == [row["reason"]]


NO_VERSION = "does not work (it cannot tell its version): install gcc or clang, or name one in CC"


@pytest.mark.parametrize(
    ("compiler", "reason"),
    [
        ("/nowhere/cc", "CC names '/nowhere/cc', which is no program: install gcc or clang, or name one in CC"),
        (
            "/bin/false",
            "the C compiler /bin/false does not work (it cannot tell its version): install gcc or clang, or name one in CC",
        ),
    ],
)
def test_without_a_c_compiler_that_runs_one_line_says_so(compiler: str, reason: str) -> None:
    answer = run(CC=compiler)
    assert answer.returncode == 1
    assert answer.stderr == f"limit: {reason}\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-n", "1001"], "points must be a multiple of 4, got 1001"),
        (["-n", "0"], "got 0"),
        (["-n", "many"], "got 'many'"),
        (["-n", "1e13"], "got 10000000000000"),
        (["--turns", "0"], "turns must be a whole number from 1 to 1000, got 0"),
        (["-b", "fortran"], "invalid choice: 'fortran'"),
    ],
)
def test_a_mistake_is_named(
    arguments: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["limit", *arguments])
    with pytest.raises(SystemExit) as end:
        limit.main()
    assert end.value.code == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]


def test_the_compilers_are_backends() -> None:
    assert set(limit.COMPILERS) <= set(BACKENDS)
