"""The machine's roof: what a call could take at least."""

import array
import ctypes
import errno
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jitkernels import Unavailable, kernels, machine
from jitkernels.backends import caches
from jitkernels.measure import roof, timing

COMPILED = {"device": "cpu", "interpreted": False, "threads": 2}
WITH_COST = [name for name in kernels.names() if kernels.load(name).cost]


@pytest.mark.parametrize("name", WITH_COST)
def test_a_cost_moves_the_arrays_at_least_once_and_grows_with_the_size(name: str) -> None:
    kernel = kernels.load(name)
    assert kernel.cost
    flop, moved = kernel.cost(100)
    assert flop > 0
    assert moved >= kernel.array_bytes(100)
    assert all(more > less for more, less in zip(kernel.cost(200), (flop, moved), strict=True))


@pytest.mark.parametrize("name", kernels.names())
def test_a_kernel_has_a_cost_or_says_why_it_has_none(name: str) -> None:
    kernel = kernels.load(name)
    assert bool(kernel.cost) != bool(kernel.no_cost)


@pytest.mark.parametrize(
    ("name", "size", "flop"),
    [
        ("mlp_infer", 3, 3 * 2 * 668_672),
        ("mlp_train", 3, 3 * (3 * 2 * 668_672 - 2 * 784 * 512) + 2 * 669_706),
        # a sample: 64 tokens times 196,608 weights, two products of 64 x 64 x 128, and the head's 1,280 weights
        ("attention_infer", 3, 3 * 2 * (64 * 196_608 + 2 * 64 * 64 * 128 + 1_280)),
        ("attention_train", 3, 3 * 3 * 2 * (64 * 196_608 + 2 * 64 * 64 * 128 + 1_280) + 2 * 199_562),
        # 0.71 billion multiplications an image (jitkernels/kernels/_convnet.py), here by layer
        ("convnet_infer", 224, 16 * 2 * (70_276_800 + 223_948_800 + 112_140_288 + 149_520_384 + 99_680_256 + 58_621_952)),
    ],
)
def test_operations_are_those_of_the_definition(name: str, size: int, flop: int) -> None:
    kernel = kernels.load(name)
    assert kernel.cost
    assert kernel.cost(size) == (flop, kernel.array_bytes(size))


def test_a_step_of_the_convolutional_network_has_no_gradient_of_its_images() -> None:
    forward, step = (kernels.load(f"convnet_{name}").cost for name in ("infer", "train"))
    assert forward
    assert step
    of_images, parameters = 16 * 2 * 70_276_800, 61_100_840
    assert step(224)[0] == 3 * forward(224)[0] - of_images + 2 * parameters


@pytest.mark.parametrize(("flop", "moved", "nearer"), [(1e3, 1e9, "flop"), (1e9, 2.0, "bytes")])
def test_the_nearer_roof_is_the_one_that_takes_longer(flop: float, moved: float, nearer: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(roof, "flop_rate", lambda threads: flop)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, size: moved)
    kernel = kernels.load("dense")
    work, size = kernel.work(2), kernel.array_bytes(2)
    assert roof.of(kernel, 2, COMPILED) == {
        "by": nearer,
        "seconds": {"flop": work / flop, "bytes": size / moved}[nearer],
        "flop": work,
        "bytes": size,
        "flop_per_second": flop,
        "bytes_per_second": moved,
    }


def test_an_interpreter_a_gpu_and_a_kernel_without_a_cost_have_no_roof(monkeypatch: Any) -> None:
    monkeypatch.setattr(roof, "flop_rate", lambda threads: threads)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, size: threads)
    dense = kernels.load("dense")
    above = roof.of(dense, 2, COMPILED)
    assert above and above["flop_per_second"] == above["bytes_per_second"] == COMPILED["threads"]
    assert roof.of(kernels.load("philox_pi"), 2, COMPILED) is None
    for other in ({"device": "cuda"}, {"interpreted": True}, {"threads": None}):
        assert roof.of(dense, 2, {**COMPILED, **other}) is None


def test_without_a_compiler_there_is_no_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(threads: int) -> float:
        raise Unavailable("there is no C compiler")

    monkeypatch.setattr(roof, "flop_rate", missing)
    assert roof.of(kernels.load("dense"), 2, COMPILED) is None


@pytest.mark.parametrize("error", [RuntimeError("cc failed: exit status 1"), OSError("failed to map segment")])
def test_without_a_compiler_that_builds_there_is_no_roof(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(roof.shared_object, "build", build)
    monkeypatch.setattr(roof, "_library", roof._library.__wrapped__)  # not the one that another test has loaded
    assert roof.of(kernels.load("dense"), 2, COMPILED) is None


def test_the_loops_do_what_they_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = roof._library()
    assert library.fused(20) == 2 * library.fused(10) > 0
    arrays = [array.array("f", values) for values in ([0.0] * 4, [1.0, 2.0, 3.0, 4.0], [1.0] * 4)]
    pointers = [(ctypes.c_float * 4).from_buffer(each) for each in arrays]
    assert library.triad(*pointers, 4, 2) == 2 * 4 * 3 * 4
    assert list(arrays[0]) == [4.0, 5.0, 6.0, 7.0]


def test_the_highest_of_five_measurements_counts_a_minute_apart_at_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "root", lambda: tmp_path)
    file = tmp_path / f"roof-{machine.identity()}.json"
    file.write_text('{"flop-1": 9.0}')  # as an older version kept it
    measured = iter([3.0, 5.0, 4.0, 2.0, 6.0])
    times = (0.0, 59.0, 61.0, 122.0, 183.0, 244.0, 999.0)
    returned = [roof._kept("flop-1", partial(next, measured), partial(float, now)) for now in times]
    assert returned == [3.0, 3.0, 5.0, 5.0, 5.0, 6.0, 6.0]
    assert [each["figure"] for each in json.loads(file.read_text())["flop-1"]] == [3.0, 5.0, 4.0, 2.0, 6.0]


@pytest.mark.parametrize("text", ["", '{"flop-1": 5', "[]", "null"])
def test_a_figure_in_a_broken_file_is_measured_again(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "root", lambda: tmp_path)
    file = tmp_path / f"roof-{machine.identity()}.json"
    file.write_text(text)
    assert roof._kept("flop-1", lambda: 5.0, lambda: 1.0) == 5.0
    assert json.loads(file.read_text()) == {"flop-1": [{"at": 1.0, "figure": 5.0}]}


def test_a_full_disk_costs_the_file_of_figures_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(file: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caches, "root", lambda: tmp_path)
    monkeypatch.setattr(roof.files, "write", write)
    assert roof._kept("flop-1", lambda: 5.0) == 5.0
    assert list(tmp_path.iterdir()) == []


def test_rows_have_their_share_of_the_nearer_roof() -> None:
    roof._library()  # or skip
    rows = list(timing.steps(timing.Request((("relu", 100), ("side_effect", 3)), ("numpy",), 42)))
    assert [row["status"] for row in rows] == ["ok", "ok"], [row["reason"] for row in rows]
    relu, other = rows
    assert relu["roof"]["by"] == "bytes"
    assert relu["fraction_of_roof"] == relu["roof"]["seconds"] / relu["warm_seconds"] > 0
    assert (other["roof"], other["fraction_of_roof"]) == (None, None), "it does nothing that could near a roof"


def test_more_threads_than_processors_have_no_higher_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(roof, "flop_rate", lambda threads: asked.append(threads) or 1.0)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, size: 1.0)
    assert roof.of(kernels.load("relu"), 10, {"device": "cpu", "interpreted": False, "threads": 1000})
    assert asked == [machine.cores()]
