"""The limit that `make limit` holds the compilers' philox_pi against."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitkernels import prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.command import limit
from jitkernels.kernels.philox_pi.numpy import inside, philox

ROOT = Path(__file__).parents[2]
COUNTED = {"points": 4_000_000, "hits": 3_141_506}


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "limit.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


@pytest.fixture
def count_range(tmp_path: Path) -> Any:
    """(first, last, seed) -> hits in these blocks, the C kernel's."""
    prepare("philox_pi", "c", 1)  # skips where there is no compiler
    limit.built(tmp_path)
    function = ctypes.CDLL(str(tmp_path / "limit.so")).count_range
    function.argtypes, function.restype = [ctypes.c_uint64] * 3, ctypes.c_uint64
    return function


@pytest.mark.parametrize("first", [0, 2**32 - 70_001, 2**38 - 65_537], ids=["the start", "the second word", "far"])
@pytest.mark.parametrize("blocks", [0, 1, 15, 65_537, 140_003])
@pytest.mark.parametrize("seed", [42, 2**64 - 1])
def test_a_range_has_the_hits_of_its_blocks(count_range: Any, first: int, blocks: int, seed: int) -> None:
    block = np.arange(first, first + blocks, dtype=np.uint64)
    expected = sum(int(np.count_nonzero(inside(words))) for words in philox(block, seed))
    assert count_range(first, first + blocks, seed) == expected


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_limit_counts_every_block_once_on_any_number_of_threads(tmp_path: Path, threads: int) -> None:
    prepare("philox_pi", "c", 1)
    assert limit.built(tmp_path)(COUNTED["points"] // 4, threads) == COUNTED["hits"]


def test_the_rows_say_what_part_of_the_limit_a_backend_reaches() -> None:
    prepare("philox_pi", "c", 1)
    answer = run("-b", "c", "-b", "numpy", "-n", "4e6", "--turns", "2", "--json")
    rows = json.loads(answer.stdout)
    assert answer.returncode == 0
    assert [row["backend"] for row in rows] == ["c", "numpy"]
    for row in rows:
        assert (row["status"], row["hits"], row["points"], row["turns"]) == ("ok", COUNTED["hits"], COUNTED["points"], 2)
        assert 0 < row["least"] <= row["fraction"] <= row["most"]
    assert rows[0]["threads"] == 1
    assert rows[0]["fraction"] > rows[1]["fraction"], "NumPy writes every step of the arithmetic to memory"


def test_other_hits_than_the_limit_s_are_wrong() -> None:
    row = limit.turn("python", 400, lambda blocks, threads: blocks)
    assert row["status"] == "wrong"
    assert row["reason"] == f"{row['hits']} hits, and the limit 100"


def test_a_backend_that_is_not_here_has_a_row_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    (row,) = limit.measured(["numba"], 400, 3, lambda blocks, threads: blocks)
    assert (row["status"], row["turns"], row["fraction"]) == ("unavailable", 1, None)
    assert row["reason"]
    assert list(limit.table([row]).columns[-1].cells) == [row["reason"]]


def test_without_a_c_compiler_one_line_says_so() -> None:
    answer = run(CC="/nowhere/cc")
    assert answer.returncode == 1
    assert answer.stderr == "limit: there is no C compiler: install gcc or clang, or name one in CC\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-n", "1001"], "must be a multiple of 4 from 4 to 2^40, got 1001"),
        (["-n", "0"], "got 0"),
        (["-n", "many"], "got many"),
        (["-n", "1e13"], "got 1e13"),
        (["--turns", "0"], "must be from 1 to 1000, got 0"),
        (["-b", "fortran"], "invalid choice: 'fortran'"),
    ],
)
def test_what_cannot_be_asked_for_is_named(arguments: list[str], said: str) -> None:
    answer = run(*arguments)
    assert answer.returncode == 2
    assert said in answer.stderr.splitlines()[-1]


def test_the_compilers_are_backends() -> None:
    assert set(limit.COMPILERS) <= set(BACKENDS)
