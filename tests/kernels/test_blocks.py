"""Ranges of philox_pi's blocks: every backend counts the reference's hits in any of them, with one program."""

import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from jitkernels import prepare
from jitkernels.backends.table import BACKENDS
from jitkernels.case import Case
from jitkernels.kernels.philox_pi import KNOWN_HITS, python

HIGH = 2**32  # blocks: from here on the counter's second word counts
RANGES = [  # first, last
    (0, 0),
    (5, 5),
    (0, 1),
    (3, 4),
    (16_383, 16_386),
    (2**17 - 3, 2**17 + 2),  # a step of JAX's and of torch's
    (3 * 2**15 - 1, 3 * 2**15 + 1),  # a step of TensorFlow's
    (HIGH - 1, HIGH),
    (HIGH, HIGH + 1),
    (HIGH - 3, HIGH + 4),
    (7 * HIGH - 1_000, 7 * HIGH + 1_001),
    (2**60 - 700, 2**60),
]
SLOW = ("python", "triton", "jax_eager", "tensorflow_eager")
SLOWEST = ("jax_eager", "tensorflow_eager")  # which count at least a step of 2^17 blocks, operation by operation


def spelled(backend: str) -> Case:
    return prepare("philox_pi", backend, 1_000, spelling="blocks")


def random_ranges(backend: str) -> list[tuple[int, int, int]]:
    """First, last and seed: around multiples of 2^32, and anywhere."""
    generator, most = random.Random(backend), 300 if backend in SLOW else 20_000
    starts = [
        generator.randrange(2**20) * HIGH + generator.randrange(-most, most) for _ in range(1 if backend in SLOWEST else 3)
    ]
    starts += [generator.randrange(2 ** generator.randrange(60)) for _ in range(1 if backend in SLOW else 12)]
    return [(max(0, first), max(0, first) + generator.randrange(most), generator.randrange(2**64)) for first in starts]


@pytest.mark.parametrize("backend", BACKENDS)
def test_any_range_has_the_reference_s_hits(backend: str) -> None:
    case, fixed = spelled(backend), RANGES[1::4] if backend in SLOWEST else RANGES
    for first, last, seed in [*((first, last, 42) for first, last in fixed), *random_ranges(backend)]:
        case.with_inputs(first, last, seed).check()


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_default_range_is_every_whole_block(backend: str) -> None:
    assert prepare("philox_pi", backend, 100_000, spelling="blocks").check() == KNOWN_HITS[100_000, 42]


@pytest.mark.parametrize("backend", BACKENDS)
def test_ranges_add_up_to_the_known_hits(backend: str) -> None:
    points = 100_000 if backend in SLOW else 1_000_000
    ends = [0, 1, points // 7, points // 4]
    parts = itertools.pairwise(ends)
    assert sum(spelled(backend).with_inputs(first, last, 42).value() for first, last in parts) == KNOWN_HITS[points, 42]


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_program_serves_every_range(backend: str) -> None:
    case = spelled(backend)
    case.with_inputs(0, 100, 42).call()
    case.with_inputs(100, 3_000, 42).call()
    programs = case.compiler.programs()
    for first, last, seed in [(2_999, 7_000, 42), (5, 6, 43), (HIGH - 9, HIGH + 5_000, 2**64 - 1)]:
        case.with_inputs(first, last, seed).call()
    assert case.compiler.programs() == programs


def test_torch_calls_its_function_with_each_block_once_and_never_across_a_multiple_of_2_32() -> None:
    """All torch's modes have this loop; the largest known answer would take Inductor the longest."""
    torch = pytest.importorskip("torch")
    from jitkernels.kernels.philox_pi import torch as dialect

    parts: list[tuple[int, int]] = []

    def count(offset: Any, first: Any, limits: Any, keys: Any) -> Any:
        parts.append((int(first), min(int(first) + 2 * len(offset), int(limits.max()))))
        return torch.zeros((), dtype=torch.int64)

    dialect.run(4 * HIGH + 4096, 42, count=count, length=2**20)
    assert [first for first, _ in parts] == [0, *(last for _, last in parts[:-1])]
    assert parts[-1][1] == HIGH + 1024
    assert all(first // HIGH == (last - 1) // HIGH for first, last in parts)


def test_the_reference_s_ranges_are_the_definition_s() -> None:
    for first, last in RANGES:
        assert spelled("numpy").with_inputs(first, last, 2**63 + 5).value() == python.blocks(first, last, 2**63 + 5)


def test_a_wrong_count_of_a_range_is_an_error() -> None:
    case = spelled("numpy").with_inputs(7, 1_000, 1)
    with pytest.raises(AssertionError, match=r"hits in a range of blocks, not \d+$"):
        case.check_answer(case.value() + 1)


def test_every_dialect_s_file_says_what_the_spelling_takes() -> None:
    for file in Path(python.__file__).parent.iterdir():
        if file.suffix == ".c":
            assert "uint64_t blocks(uint64_t first, uint64_t last, uint64_t seed) {" in file.read_text()
        elif file.suffix == ".py" and file.stem != "__init__":
            assert "def blocks(first" in file.read_text()


@pytest.mark.parametrize("backend", ["jax", "tensorflow_xla"])
def test_the_remark_has_the_points_of_a_step(backend: str) -> None:
    case = spelled(backend)
    assert case.source.run is not None
    own = case.source.run.__globals__
    lanes = own["lanes"]() if backend == "jax" else own["LANES"]
    assert f"{4 * own['BLOCKS'] * lanes:,}" in case.kernel.remark
